"""Whose a finding is where relatives and the writer are both reported on."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def whose(base: KnowledgeBase, text: str) -> list[str]:
    return [m.experiencer for m in base.understand(text).mentions if m.status == "present"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My mother has asthma and I have a headache", ["other", "patient"]),
        ("My mother has asthma. I have a headache.", ["other", "patient"]),
        ("My friend has pneumonia and I have a cough", ["other", "patient"]),
        ("我妈妈有哮喘，我头痛", ["other", "patient"]),
        # asked for the relative
        ("My mother has asthma and a headache", ["patient", "patient"]),
        ("My mother has asthma. I am worried about her.", ["patient"]),
        ("My mother has asthma. I have a cough too. What can she take?", ["patient", "other"]),
        ("妈妈有哮喘，最近头痛", ["patient", "patient"]),
        ("My son has a fever and I have a cough", ["patient", "patient"]),
    ],
)
def test_a_relative_beside_the_writer_is_another_person(
    base: KnowledgeBase, text: str, expected: list[str]
) -> None:
    assert whose(base, text) == expected


def test_danger_counts_whose_ever_it_is(base: KnowledgeBase) -> None:
    text = "My father has chest pain and sweating and I have a headache"
    signs = base.understand(text).danger or ()
    assert "cardiac_chest_pain" in [s.sign for s in signs if s.status == "present"]


def test_what_runs_in_a_family_is_no_finding_of_the_person(base: KnowledgeBase) -> None:
    text = "Asthma runs in my family and he runs every day"
    (found,) = base.understand(text).mentions
    assert (found.text, found.experiencer) == ("Asthma", "other")


@pytest.mark.parametrize(
    "text",
    [
        "my 85yo nan fell and is on warfarin, bruised hip, ibuprofen gel?",
        "my 60yo wife is on warfarin. ibuprofen?",
        "my elderly mum on warfarin, clarithromycin?",
        "my elderly diabetic uncle is on warfarin, prednisolone?",
        "82yo father on warfarin, ibuprofen?",
        "my poor asthmatic husband takes warfarin, has a cold, aspirin?",
    ],
)
def test_a_word_before_a_relative_makes_them_no_other(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.drugs == ("mw.substance:warfarin",)


@pytest.mark.parametrize(
    "text",
    [
        "my back hurts, husband takes warfarin, ibuprofen?",
        "my aching knee. ibuprofen ok? my wife is on warfarin",
    ],
)
def test_what_hurts_the_writer_is_the_writers(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).patient.drugs == ()
