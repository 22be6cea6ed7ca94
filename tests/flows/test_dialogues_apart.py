"""What people told of themselves changes no answer that rests on monographs."""
# ruff: noqa: E501 - what is said is one line

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave import Answer, KnowledgeBase
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


CASES = "similar_cases"


def of_monographs(answer: Answer) -> dict[str, Any]:
    """What an answer says besides cases, by statements and not by their short keys."""
    said = answer.to_json()
    kept = {name: said[name] for name in ("danger", "comparison", "interpretation")}
    return kept | {
        "sentences": [(s.text, s.statements) for s in answer.sentences if s.intent != CASES],
        "candidates": [(c.entity.id, c.score, c.why, c.status) for c in answer.candidates],
        "stops": [(s.entity.id, s.reason, s.statements) for s in answer.stops],
    }


@pytest.fixture(scope="module")
def told_apart(tmp_path_factory: pytest.TempPathFactory) -> tuple[KnowledgeBase, KnowledgeBase]:
    """A base of the sample's monographs, and one that has dialogues too."""
    talks = tmp_path_factory.mktemp("talks") / "talks.jsonl"
    talks.write_text("\n".join(json.dumps(talk, ensure_ascii=False) for talk in TALKS), "utf-8")
    sources: list[Path] = [path for path in sample_files() if path.suffix == ".json"]
    alone, both = KnowledgeBase.open("memory:"), KnowledgeBase.open("memory:")
    alone.build(sources)
    both.build([*sources, talks])
    return alone, both


@pytest.mark.thorough
@pytest.mark.parametrize("question", QUESTIONS)
def test_dialogues_change_nothing_that_monographs_say(
    told_apart: tuple[KnowledgeBase, KnowledgeBase], question: str
) -> None:
    alone, both = (base.ask(question) for base in told_apart)
    assert of_monographs(alone) == of_monographs(both)
    assert set(alone.missing) <= set(both.missing)
    for sentence in both.sentences:
        classes = {e.evidence_class for s in sentence.statements for e in both.evidence_of(s)}
        assert classes == {"dialogue"} if sentence.intent == CASES else "dialogue" not in classes


@pytest.mark.thorough
def test_what_is_asked_of_monographs_alone_gets_no_cases(
    told_apart: tuple[KnowledgeBase, KnowledgeBase],
) -> None:
    _, both = told_apart
    for question in ("What are the symptoms of a cold?", "Can my 5 year old take ibuprofen?"):
        assert both.ask(question).cases == ()
    assert [case.id for case in both.ask("I have a fever and a cough.").cases] == ["1"]
