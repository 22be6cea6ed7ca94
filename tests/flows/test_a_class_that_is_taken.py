"""A class in somebody's hands is one medicine whose name is not said, and not all of the class."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("question", "taken"),
    [
        ("his blood thinner makes me worried: can he take naproxen?", "anticoagulants"),
        ("My mum's water tablet and ibuprofen, is that safe?", "diuretics"),
        ("Do her regular blood pressure tablets go with ibuprofen?", "antihypertensives"),
        ("my antidepressant and tramadol?", "antidepressants"),
        ("他的抗凝药和布洛芬能一起吃吗", "anticoagulants"),
        ("我妈吃的降压药和布洛芬冲突吗", "antihypertensives"),
    ],
)
def test_what_is_somebodys_is_taken(base: KnowledgeBase, question: str, taken: str) -> None:
    understood = base.understand(question)
    classes = [m for m in understood.mentions if m.concept == "drug_class"]
    assert [(mention.name, mention.role) for mention in classes] in (
        [(taken, "taken")],
        [(base.show(taken).entity.name(understood.language), "taken")],
    )
    assert 1 <= len(base.ask(question).sentences) <= 3


@pytest.mark.parametrize(
    "question",
    ["Which antibiotic is safe in pregnancy?", "Can he take an anticoagulant with naproxen?"],
)
def test_what_is_wanted_is_asked_about(base: KnowledgeBase, question: str) -> None:
    classes = [m for m in base.understand(question).mentions if m.concept == "drug_class"]
    assert {mention.role for mention in classes} == {"asked"}


@pytest.mark.parametrize(
    ("question", "stopped"),
    [
        ("Is my antibiotic safe in pregnancy?", "doxycycline"),
        ("Are my painkillers ok? I have an ulcer.", "ibuprofen"),
        ("is her blood thinner ok while breastfeeding", "rivaroxaban"),
    ],
)
def test_a_class_in_hand_is_answered_by_its_members_at_once(
    base: KnowledgeBase, question: str, stopped: str
) -> None:
    answer = base.ask(question)
    assert len(answer.drugs) == 1
    assert stopped in {stop.to_json("en")["name"] for stop in answer.stops if stop.level == "stop"}
    assert len(answer.sentences) <= 4


def test_how_grave_it_is_with_one_of_the_class_is_told(base: KnowledgeBase) -> None:
    text = base.ask("I take a statin, can I have clarithromycin").text
    assert "contraindicated with lovastatin and simvastatin" in text
    assert "to be avoided with atorvastatin" in text


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("Can I drink on my antibiotics?", "metronidazole"),
        ("can I drink while taking metronidazole", "metronidazole"),
        ("is drinking on isoniazid a problem", "isoniazid"),
    ],
)
def test_to_drink_on_a_medicine_is_to_drink_alcohol(
    base: KnowledgeBase, question: str, named: str
) -> None:
    answer = base.ask(question)
    assert "mw.substance:alcohol" in {m.entity for m in answer.question.mentions}
    assert named in answer.text.lower()
    assert len(answer.sentences) <= 4


@pytest.mark.parametrize(
    ("question", "stopped"),
    [
        ("penicillin rash as a toddler, can I take amoxicillin?", "amoxicillin"),
        ("sulfa reaction as a kid, can I have co-trimoxazole", "co-trimoxazole"),
        ("aspirin swelling last year, ibuprofen ok?", "ibuprofen"),
        ("Naproxen hives in 2019. Diclofenac gel?", "diclofenac"),
    ],
)
def test_a_reaction_of_years_ago_is_an_allergy(
    base: KnowledgeBase, question: str, stopped: str
) -> None:
    hard = {s.to_json("en")["name"] for s in base.ask(question).stops if s.level == "stop"}
    assert stopped in hard


def test_a_side_effect_that_is_asked_about_is_no_allergy(base: KnowledgeBase) -> None:
    assert not base.understand("does amoxicillin cause a rash?").patient.allergies
