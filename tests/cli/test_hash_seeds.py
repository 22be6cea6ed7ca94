"""An answer is the same in every process, whatever order its sets have."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from medweave import KnowledgeBase

QUESTIONS = (
    "What cold medicines can't I take with hypertension?\n"
    "高血压不能吃什么药\n"
    "Which diseases cause chest pain?\n"
)


@pytest.mark.thorough
def test_lists_have_one_order() -> None:
    KnowledgeBase.sample().close()  # made by now
    printed = set()
    for seed in ("1", "2", "3"):
        ran = subprocess.run(
            [sys.executable, "-m", "medweave", "ask", "--lines", "-"],
            input=QUESTIONS.encode(),
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        )
        answers = [json.loads(line) for line in ran.stdout.splitlines()]
        assert all(answer.pop("timing") and answer["sentences"] for answer in answers)
        printed.add(json.dumps(answers))
    assert len(printed) == 1
