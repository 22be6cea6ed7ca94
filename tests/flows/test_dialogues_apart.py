"""What people told of themselves changes no answer that rests on monographs."""
# ruff: noqa: E501 - what is said is one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_files

QUESTIONS = [
    "What are the symptoms of a cold?",
    "I have a fever and a cough, what could it be?",
    "My knee is swollen and I feel sick. What do I have?",
    "What can I take for a headache?",
    "Can my 5 year old take ibuprofen?",
    "How is migraine treated, and what causes it?",
    "Is gout related to 1 or to a cough?",
    "头痛发烧是什么病？",
    "感冒吃什么药？",
    "What about zorbles?",
]
TALKS: list[dict[str, Any]] = [
    {"id": "1", "turns": "Patient: I have a fever and a cough. Doctor: It is gout. Take aspirin 900 mg."},
    {"id": "cough", "turns": "Patient: What about zorbles? Doctor: Zorbles cause migraine."},
    {"id": "3", "turns": "患者：头痛发烧。医生：感冒，吃布洛芬八片。"},
    {"id": "4", "turns": "Patient: knee swollen, sick. Doctor: Headache is treated with ibuprofen.",
     "references": [{"type": "caused_by", "id": "1"}]},
]  # fmt: skip


def without_clock(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in answer.items() if name not in ("timing", "base")}


@pytest.fixture(scope="module")
def told_apart(tmp_path_factory: pytest.TempPathFactory) -> tuple[KnowledgeBase, KnowledgeBase]:
    """A base of the sample's monographs, and one that has dialogues too."""
    talks = tmp_path_factory.mktemp("talks") / "talks.jsonl"
    talks.write_text("\n".join(json.dumps(talk, ensure_ascii=False) for talk in TALKS), "utf-8")
    sources: list[Path] = list(sample_files())
    alone, both = KnowledgeBase.open("memory:"), KnowledgeBase.open("memory:")
    alone.build(sources)
    both.build([*sources, talks])
    return alone, both


@pytest.mark.parametrize("question", QUESTIONS)
def test_dialogues_change_no_answer(
    told_apart: tuple[KnowledgeBase, KnowledgeBase], question: str
) -> None:
    alone, both = (base.ask(question).to_json() for base in told_apart)
    assert alone["evidence"] == both["evidence"]
    assert {item["class"] for item in both["evidence"].values()} <= {"monograph", "guideline"}
    assert without_clock(alone) == without_clock(both)
