"""A conversation has one patient until another is named."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave import KnowledgeBase


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


@pytest.mark.parametrize(
    ("before", "asked", "drug"),
    [
        (["I am on warfarin"], "can I take ibuprofen", "ibuprofen"),
        (["I am on warfarin", "what is the flu?"], "can I take ibuprofen", "ibuprofen"),
        (["I have a peptic ulcer"], "what is recorded for migraine", "aspirin"),
        (["My daughter is 8 years old and has a fever"], "can I give her aspirin?", "aspirin"),
        (["My mother takes warfarin"], "Can she have ibuprofen?", "ibuprofen"),
        (["I'm allergic to penicillin"], "Is amoxicillin ok?", "amoxicillin"),
        (["I am 34 weeks pregnant"], "naproxen for back pain?", "naproxen"),
        (["我在吃华法林"], "可以吃布洛芬吗", "ibuprofen"),
    ],
)
def test_what_was_said_before_stops_a_drug(
    base: KnowledgeBase, before: list[str], asked: str, drug: str
) -> None:
    answer = base.ask(asked, history=before)
    assert drug in {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    assert "earlier" in {fact.how for fact in answer.taken}


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (["I am on warfarin", "Sorry, I stopped warfarin last year"], "can I take ibuprofen"),
        (["My son is 8 years old"], "My daughter is 20. Can she take aspirin?"),
        (["The patient takes warfarin"], "Another patient: can he take ibuprofen?"),
    ],
)
def test_a_correction_and_another_patient_end_it(
    base: KnowledgeBase, before: list[str], asked: str
) -> None:
    answer = base.ask(asked, history=before)
    assert not [stop for stop in answer.stops if stop.status == "applies"]


def test_findings_told_one_by_one_are_weighed_together(base: KnowledgeBase) -> None:
    answer = base.ask("also chest pain. What is it?", history=["I have a fever", "and a cough"])
    assert answer.weighing is not None
    assert {d.entity.name("en") for d in answer.weighing.diseases} == {"pneumonia", "tuberculosis"}
