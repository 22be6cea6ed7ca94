"""What a list holds for somebody of whom facts are told, and which list is wanted at all."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def standings(answer: Answer) -> dict[str, set[str]]:
    """How each listed drug stands, in every list."""
    found: dict[str, set[str]] = {}
    for listed in answer.drugs:
        for group in listed.groups:
            for drug in group.drugs:
                found.setdefault(drug.entity.name(), set()).add(group.standing)
    return found


@pytest.mark.parametrize(
    ("text", "drug", "standing"),
    [
        ("UTI in a patient with creatinine clearance 18 ml/min", "nitrofurantoin", "stopped"),
        ("hay fever, breastfeeding", "cetirizine", "with_care"),
        ("Asthma; already on bisoprolol for her heart", "salbutamol", "stopped"),
        ("Gout, 74M, furosemide and ramipril, eGFR 22", "naproxen", "stopped"),
        ("痛风，74岁，正在吃呋塞米和雷米普利，eGFR 22", "naproxen", "stopped"),
        ("Woman 25, isotretinoin, asks for antibiotics for acne", "tetracycline", "stopped"),
        ("Man 25, isotretinoin, antibiotics for acne?", "doxycycline", "stopped"),
    ],
)
def test_a_disease_with_facts_of_a_person_wants_what_is_for_it(
    base: KnowledgeBase, text: str, drug: str, standing: str
) -> None:
    assert standings(base.ask(text))[drug] == {standing}


@pytest.mark.parametrize(
    "text", ["Gout", "symptoms of gout in a man of 60", "Does gout run in families?", "痛风"]
)
def test_a_name_alone_and_what_is_asked_in_words_want_no_list(
    base: KnowledgeBase, text: str
) -> None:
    assert not base.ask(text).drugs


def test_what_is_taken_is_told_with_what_it_is_not_good_for(base: KnowledgeBase) -> None:
    answer = base.ask("Asthma; already on bisoprolol for her heart")
    assert [s.level for s in answer.stops if s.entity.name() == "bisoprolol"] == ["care"]


def test_an_umbrella_calls_for_care_where_one_of_its_kinds_forbids(base: KnowledgeBase) -> None:
    found = standings(base.ask("osteoarthritis drugs for a man with heart disease"))
    assert (found["diclofenac"], found["paracetamol"]) == ({"with_care"}, {"not_stopped"})


def test_that_a_condition_is_acute_would_be_told(base: KnowledgeBase) -> None:
    plain = standings(base.ask("type 2 diabetes drugs, he has heart failure"))
    acute = standings(base.ask("type 2 diabetes drugs, he has acute heart failure"))
    assert (plain["metformin"], acute["metformin"]) == ({"with_care"}, {"stopped"})


@pytest.mark.parametrize(
    ("text", "free"),
    [
        ("antidepressant that won't upset my glaucoma", False),
        ("antidepressant, I do not have glaucoma", True),
    ],
)
def test_what_is_somebodys_is_there_whatever_does_it_no_harm(
    base: KnowledgeBase, text: str, *, free: bool
) -> None:
    assert ("not_stopped" in standings(base.ask(text))["amitriptyline"]) is free


@pytest.mark.parametrize(
    "text",
    [
        "which of his tablets can cause a cough - ramipril, amlodipine, simvastatin",
        "Is his cough from the ramipril or the amlodipine?",
    ],
)
def test_of_several_drugs_those_that_bring_it_on_are_named(base: KnowledgeBase, text: str) -> None:
    [sentence] = [s.text for s in base.ask(text).sentences if "side effect" in s.text]
    assert "ramipril" in sentence
    assert "amlodipine" not in sentence


@pytest.mark.parametrize("text", ["can I take two painkillers together", "两种止痛药能一起吃吗"])
def test_two_of_one_class_meet_each_other(base: KnowledgeBase, text: str) -> None:
    found = standings(base.ask(text))
    assert (found["ibuprofen"], found["paracetamol"]) == ({"stopped"}, {"not_stopped"})


def test_what_prevents_is_not_listed_with_what_treats(base: KnowledgeBase) -> None:
    found = standings(base.ask("which drugs are used to prevent malaria"))
    assert set(found) == {"doxycycline"}


@pytest.mark.parametrize(
    "text", ["can I take paracetamol and loperamide together?", "洛哌丁胺和对乙酰氨基酚能一起吃吗"]
)
def test_two_drugs_of_which_nothing_is_recorded_together(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert {sentence.about for sentence in answer.sentences} == {
        drug.entity for drug in answer.question.of_concept("drug")
    }
    assert len(answer.missing) == 1  # no interaction is recorded
    assert not answer.taken  # who asks about both takes neither yet


@pytest.mark.parametrize(
    ("text", "drug", "standing"),
    [
        ("list antidepressants not stopped by a heart attack", "amitriptyline", "stopped"),
        ("List antidepressants. No heart attack ever.", "amitriptyline", "not_stopped"),
        ("mechanical mitral valve, AF - which blood thinner?", "apixaban", "stopped"),
        ("pneumonia, QT prolonged", "clarithromycin", "stopped"),
        ("34 weeks gone, what for her heartburn", "lansoprazole", "with_care"),
    ],
)
def test_what_a_person_has_counts_however_it_stands_beside_the_list(
    base: KnowledgeBase, text: str, drug: str, standing: str
) -> None:
    assert standings(base.ask(text))[drug] == {standing}
