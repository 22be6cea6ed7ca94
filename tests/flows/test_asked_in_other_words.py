"""Lists and properties that are asked for in words easily taken for something else."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


def said(base: KnowledgeBase, question: str) -> str:
    answer = base.ask(question)
    return " ".join(sentence.text for sentence in answer.sentences)


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs need extra care in glaucoma?",
        "which medicines are risky with glaucoma",
        "what tablets should be used cautiously by people with glaucoma",
        "青光眼病人用哪些药要当心",
    ],
)
def test_care_and_risk_ask_for_what_to_avoid(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    assert not answer.drugs
    assert [i.label for i in answer.question.intents] == ["avoid"]


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("which pills make your potassium drop", "hypokalemia"),
        ("which medicines push up my potassium", "hyperkalemia"),
        ("which drugs raise your sugar", "high blood sugar"),
        ("哪些药会拉低血钠", "低钠血症"),
    ],
)
def test_a_level_that_changes_has_a_name(
    base: KnowledgeBase, question: str, condition: str
) -> None:
    assert condition in said(base, question)


def test_a_lost_adjective_widens_no_name(base: KnowledgeBase) -> None:
    listed = {d.entity.name() for some in base.ask("fungal skin infection, what helps?").drugs
              for group in some.groups for d in group.drugs}  # fmt: skip
    assert "clotrimazole" in listed
    assert "cefalexin" not in listed
    assert not base.ask("what can I take for a viral skin infection").drugs


@pytest.mark.parametrize(
    ("question", "label"),
    [
        ("what labs and bloods for gout", "test"),
    ],
)
def test_what_is_asked_of_a_drug(base: KnowledgeBase, question: str, label: str) -> None:
    assert [i.label for i in base.ask(question).question.intents][:1] == [label]


def test_a_thing_that_is_no_medicine_lists_none(base: KnowledgeBase) -> None:
    assert not base.ask("what mattress for back pain").drugs
    assert base.ask("what tablets for back pain").drugs


def test_what_a_person_is_is_not_to_be_treated(base: KnowledgeBase) -> None:
    for question in (
        "AF treatment in an asthmatic",
        "我妈痛风，肾不好，吃什么药",
    ):
        assert len(base.ask(question).drugs) == 1, question


def test_opposite_kinds_show_their_symptoms_apart(base: KnowledgeBase) -> None:
    text = said(base, "symptoms of thyroid disease")
    assert "recorded for hyperthyroidism" in text
    assert "recorded for hypothyroidism" in text


def test_a_long_list_begins_with_classes(base: KnowledgeBase) -> None:
    answer = base.ask("which drugs are contraindicated in pregnancy")
    first = answer.sentences[0].text
    assert "statins" in first
    assert "ACE inhibitors" in first
    assert "which antibiotics" in " ".join(answer.missing)
