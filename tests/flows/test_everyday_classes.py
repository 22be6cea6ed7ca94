"""A class that is asked for by an everyday word is listed whole; whoever it harms is told."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase

LISTS = [
    # what is asked, what is not stopped, with care, stopped
    ("Which painkiller can I take? I have asthma.", "paracetamol", "ibuprofen", "codeine"),
    ("哮喘患者能吃哪些止痛药", "paracetamol", "naproxen", "tramadol"),
    ("Which painkiller can I take? I have a peptic ulcer.", "paracetamol", "", "ibuprofen"),
    ("Which blood pressure tablets can I take? I am pregnant.", "", "furosemide", "lisinopril"),
    ("What sleeping pills are safe with sleep apnea?", "", "", "diazepam"),
    ("Which inhaler can I use? I take propranolol.", "tiotropium", "", "salbutamol"),
    ("胃溃疡能吃什么消炎药", "amoxicillin", "", "ibuprofen"),
    ("哮喘患者有哪些退烧药可以吃", "paracetamol", "ibuprofen", ""),
    ("Which cholesterol tablets can I take while breastfeeding?", "", "", "simvastatin"),
    ("Which blood thinners can I take with a peptic ulcer?", "", "apixaban", "clopidogrel"),
]


@pytest.mark.parametrize(("asked", "free", "care", "stopped"), LISTS)
def test_a_class_is_listed_by_what_is_known_of_the_person(
    base: KnowledgeBase, asked: str, free: str, care: str, stopped: str
) -> None:
    (listed,) = base.ask(asked).drugs
    found: dict[str, set[str]] = {
        g.standing: {d.entity.name("en") for d in g.drugs} for g in listed.groups
    }
    for name, standing in ((free, "not_stopped"), (care, "with_care"), (stopped, "stopped")):
        assert not name or name in found.get(standing, set()), found


def test_a_fever_wants_no_opioid(base: KnowledgeBase) -> None:
    (listed,) = base.ask("Which fever medicine can I take? I have asthma.").drugs
    named = {d.entity.name("en") for g in listed.groups for d in g.drugs}
    assert named == {"paracetamol", "ibuprofen", "aspirin"}


@pytest.mark.parametrize("allergen", ["painkillers", "blood thinners", "sleeping pills"])
def test_an_allergy_reaches_no_further_than_the_class(base: KnowledgeBase, allergen: str) -> None:
    answer = base.ask(f"I am allergic to {allergen}. Can I take codeine, diazepam or aspirin?")
    hard = {s.entity.name("en") for s in answer.stops if s.hard and s.status == "applies"}
    assert hard.isdisjoint({"codeine", "diazepam", "aspirin"})
