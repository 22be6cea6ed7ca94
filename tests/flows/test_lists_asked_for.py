"""Lists by class, for a purpose, the other way round, for kinds; and names that nobody knows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from medweave import Answer, KnowledgeBase


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as opened:
        yield opened


def standings(answer: Answer) -> dict[str, str]:
    """The group in which each listed drug stands."""
    return {
        drug.entity.name("en"): group.standing
        for listed in answer.drugs
        for group in listed.groups
        for drug in group.drugs
    }


def test_a_class_that_is_asked_for_filters_the_list(base: KnowledgeBase) -> None:
    answer = base.ask("Which antibiotic for strep throat if allergic to penicillin?")
    found = standings(answer)
    assert found["amoxicillin"] == found["benzathine benzylpenicillin"] == "stopped"
    assert found["azithromycin"] == "not_stopped"
    assert found["cefalexin"] == "with_care"
    assert "paracetamol" not in found
    assert answer.drugs[0].of_class is not None


def test_what_a_drug_is_for_is_told_from_what_somebody_has(base: KnowledgeBase) -> None:
    answer = base.ask("What drugs for migraine if I have a peptic ulcer?")
    assert [listed.about.name("en") for listed in answer.drugs] == ["migraine"]
    assert standings(answer)["ibuprofen"] == "stopped"


@pytest.mark.parametrize(
    "text", ["What is recorded for my wife's acne?", "what is used for acne", "痤疮用什么药"]
)
def test_a_list_in_loose_words(base: KnowledgeBase, text: str) -> None:
    assert "doxycycline" in standings(base.ask(text))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Which drugs are contraindicated in pregnancy?", "warfarin"),
        ("哪些药孕妇不能用", "华法林"),
        ("Which diseases cause chest pain?", "pneumonia"),
        ("什么病会引起胸痛", "肺炎"),
        ("What are the symptoms of hepatitis?", "jaundice"),
    ],
)
def test_the_other_way_round_and_by_kind(base: KnowledgeBase, text: str, named: str) -> None:
    answer = base.ask(text)
    assert answer.status == "answered"
    assert named in answer.text


@pytest.mark.parametrize(
    "text", ["Can I take zolpidemol while pregnant?", "Is xyloprazinum safe with warfarin?"]
)
def test_an_unknown_drug_is_named(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.not_understood
    assert answer.status != "answered"


def test_an_unknown_drug_is_held_against_an_allergy_by_its_ending(base: KnowledgeBase) -> None:
    answer = base.ask("Is quaxicillin ok? I am allergic to penicillin.")
    applies = {stop.entity.name("en") for stop in answer.stops if stop.status == "applies"}
    assert applies == {"penicillins"}
    assert any("quaxicillin" in missing for missing in answer.missing)


def test_nothing_is_weighed_or_listed_in_danger(base: KnowledgeBase) -> None:
    answer = base.ask("crushing chest pain spreading to my left arm, sweating. What is it?")
    assert answer.question.in_danger
    assert answer.weighing is None
    assert answer.drugs == ()


@pytest.mark.parametrize("text", ["I want to kill myself, which tablets are deadly?", "我不想活了"])
def test_in_a_crisis_nothing_medical_is_said(base: KnowledgeBase, text: str) -> None:
    answer = base.ask(text)
    assert answer.emergency
    assert not (answer.sentences or answer.candidates or answer.drugs or answer.stops)


def test_a_class_without_a_purpose_is_listed_for_the_person(base: KnowledgeBase) -> None:
    answer = base.ask("Which antibiotic can I take? I am allergic to penicillin.")
    found = standings(answer)
    assert found["amoxicillin"] == "stopped"
    assert found["azithromycin"] == "not_stopped"
    assert "omeprazole" not in found


@pytest.mark.parametrize(
    "text", ["Which antibiotics are safe in pregnancy?", "孕妇可以用哪些抗生素"]
)
def test_members_of_a_class_are_grouped(base: KnowledgeBase, text: str) -> None:
    found = standings(base.ask(text))
    assert found["doxycycline"] == found["tetracycline"] == "stopped"
    assert found["ciprofloxacin"] == "with_care"
    assert found["amoxicillin"] == "not_stopped"
