"""An alarm, right or wrong, hides no stop; and what is told before a request is no part of it."""

import pytest

from medweave import Answer, KnowledgeBase


def stopped(answer: Answer) -> set[str]:
    """The drugs that something told of the person speaks against."""
    return {stop.entity.name("en") for stop in answer.stops if stop.status == "applies"}


@pytest.mark.parametrize(
    "alarm",
    [
        "I have crushing chest pain spreading to my arm.",  # right
        "This relationship is suffocating me.",  # wrong
        "忙得喘不过气。",
    ],
)
def test_in_danger_what_would_be_listed_is_told_with_what_speaks_against_it(
    base: KnowledgeBase, alarm: str
) -> None:
    asks = (
        "I take warfarin. What can I take for a headache?"
        if alarm.isascii()
        else "我在吃华法林。头痛能吃什么药？"
    )
    answer = base.ask(f"{alarm} {asks}")
    assert answer.question.in_danger
    assert {"aspirin", "ibuprofen", "naproxen"} <= stopped(answer)
    assert not answer.drugs  # and nothing is offered
    assert all(stop.status == "applies" for stop in answer.stops)


def test_in_a_crisis_only_what_excludes_the_drug_that_was_asked_about_is_told(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("My boss will kill me. I take warfarin. Can I take ibuprofen?")
    assert answer.question.in_crisis
    assert stopped(answer) == {"ibuprofen"}
    assert not (answer.sentences or answer.drugs or answer.find_out)


@pytest.mark.parametrize(
    "text",
    [
        "I want to kill myself, is ibuprofen enough with the warfarin I take?",
        "我想死，我吃华法林，能吃布洛芬吗？",
        "I want to die. I take warfarin. Which painkiller?",
    ],
)
def test_no_medicine_is_spoken_of_that_may_be_meant_to_do_harm(
    base: KnowledgeBase, text: str
) -> None:
    answer = base.ask(text)
    assert answer.question.in_crisis
    assert not answer.stops


@pytest.mark.parametrize(
    "told",
    [
        "Had malaria in Ghana in March; warfarin since a pulmonary embolism.",
        "Had shingles in May. Warfarin for AF.",
        "I developed a rash from amoxicillin once and I take warfarin.",
        "Hives after naproxen in 2019 and takes warfarin daily.",
    ],
)
@pytest.mark.parametrize(
    "asked", ["What can I take for a headache?", "What do people with this take for a headache?"]
)
def test_a_history_before_a_request_is_no_relation_and_hides_no_stop(
    base: KnowledgeBase, told: str, asked: str
) -> None:
    answer = base.ask(f"{told} {asked}")
    assert "aspirin" in stopped(answer)
    assert not any("relation" in missing for missing in answer.missing)
    assert not any(sentence.text.startswith("Recorded: yes") for sentence in answer.sentences)


def test_a_relation_is_still_asked_for_at_the_beginning(base: KnowledgeBase) -> None:
    answer = base.ask("Has malaria got to do with headache?")
    assert any("headache" in s.text.lower() for s in answer.sentences)


def test_two_medicines_of_one_reaction_stay_two_allergies(base: KnowledgeBase) -> None:
    patient = base.understand("Rash from penicillin and from doxycycline.").patient
    assert {"mw.substance:penicillins", "mw.substance:doxycycline"} <= set(patient.allergies)
