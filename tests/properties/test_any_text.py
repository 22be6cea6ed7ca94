"""Whatever is written, it is understood and asked without an exception, and told in plain JSON.

`MEDWEAVE_STRANGE_TEXTS` says how many texts of each family are tried (`benchmarks/strange.py`
prints how long the slowest take).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from benchmarks.strange_texts import FAMILIES, strange_texts
from medweave import KnowledgeBase
from medweave.errors import MedweaveError, QuestionError

COUNT = int(os.environ.get("MEDWEAVE_STRANGE_TEXTS", "40"))
LONGEST = 2_500
"""Of what is asked: twice as long takes four times as long, and shows no more."""


@pytest.fixture(scope="module")
def sample() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as base:
        yield base


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_any_text_is_understood(sample: KnowledgeBase, family: str) -> None:
    for text in strange_texts(family, COUNT):
        try:
            found = sample.understand(text)
        except QuestionError as error:
            assert not text.strip(), error
            continue
        for mention in found.mentions:
            assert found.text[mention.start : mention.end] == mention.text
        assert json.dumps(found.to_json(), ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.thorough
@pytest.mark.parametrize("family", FAMILIES)
def test_any_text_is_answered_or_refused_with_a_reason(sample: KnowledgeBase, family: str) -> None:
    for text in strange_texts(family, COUNT // 3, seed=1):
        try:
            answer = sample.ask(text[:LONGEST])
        except MedweaveError as error:
            assert str(error)
        else:
            said = answer.text.strip() or (answer.status == "abstained" and answer.missing)
            assert said or answer.danger, "why nothing is said is told"
            assert json.dumps(answer.to_json(), ensure_ascii=False, allow_nan=False).encode()
