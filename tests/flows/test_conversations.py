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


@pytest.mark.parametrize(
    ("before", "asked", "in_full"),
    [
        (["What is malaria?"], "How is it treated?", "How is malaria treated?"),
        (["How is malaria treated?"], "and in pregnancy?", "How is malaria treated in pregnancy"),
        (["My son has a sore throat"], "what can he take?", "what can he take for sore throat?"),
        (
            ["Is paracetamol ok for a headache?"],
            "What about ibuprofen?",
            "Is ibuprofen ok for a headache?",
        ),
        (["What is amoxicillin for?"], "Does it cause a rash?", "Does amoxicillin cause a rash?"),
        (["疟疾怎么治"], "孕妇呢", "疟疾怎么治，孕妇"),
        (["阿莫西林是治什么的"], "那个药有什么副作用", "阿莫西林有什么副作用"),
        (["我头痛"], "吃什么药", "头痛吃什么药？"),
    ],
)
def test_a_question_takes_up_what_was_spoken_of(
    base: KnowledgeBase, before: list[str], asked: str, in_full: str
) -> None:
    answer = base.ask(asked, history=before)
    assert (answer.question.text, answer.question.as_written) == (in_full, asked)
    assert answer.sentences or answer.drugs


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        (["What is malaria?"], "Is it ok to fly with a cold?"),
        (["What is malaria?"], "What causes gout?"),
        (["I take warfarin"], "Can I take ibuprofen?"),
        ([], "How is it treated?"),
    ],
)
def test_a_question_that_says_all_is_left_as_it_is(
    base: KnowledgeBase, before: list[str], asked: str
) -> None:
    assert base.ask(asked, history=before).question.text == asked


@pytest.mark.parametrize(
    ("before", "asked", "taken"),
    [
        (["I take warfarin", "Sorry, I take apixaban, not warfarin"], "naproxen?", "apixaban"),
        (["I'm allergic to penicillin", "No, it is sulfa"], "amoxicillin?", None),
        (["我对青霉素过敏", "弄错了，我是对头孢过敏"], "能吃阿莫西林吗", "头孢菌素类"),
        (["我在吃华法林", "说错了，我吃的是利伐沙班"], "能吃布洛芬吗", "利伐沙班"),
    ],
)
def test_a_correction_takes_the_place_of_what_was_said(
    base: KnowledgeBase, before: list[str], asked: str, taken: str | None
) -> None:
    told = [fact.text for fact in base.ask(asked, history=before).taken]
    assert not any(old in fact for fact in told for old in ("warfarin", "华法林", "青霉素"))
    assert taken is None or any(taken in fact for fact in told)


def test_whoever_gives_something_is_not_who_it_is_for(base: KnowledgeBase) -> None:
    before = ["my baby is 8 months old", "the baby has diarrhea"]
    answer = base.ask("what can i give?", history=before)
    assert "8 months old" in {fact.text for fact in answer.taken}
    groups = {d.entity.name("en"): g.standing for g in answer.drugs[0].groups for d in g.drugs}
    assert groups["codeine"] == "stopped"


@pytest.mark.parametrize(
    ("turns", "drug", "stopped"),
    [
        (["My mother has asthma", "can she take propranolol", "and can I?"], "propranolol", False),
        (["My wife is 34 weeks pregnant", "can she have naproxen", "And what about me, I get "
          "migraines, is naproxen ok?"], "naproxen", False),
        (["我爸有胃溃疡", "他关节痛能吃布洛芬吗", "那我自己关节痛能吃布洛芬吗"], "ibuprofen",
         False),
        (["My father is on warfarin", "is ibuprofen ok for him?", "and for me, is ibuprofen ok?"],
         "ibuprofen", False),
        (["I am on warfarin", "my mother has asthma, can she take ibuprofen?",
          "and can I take ibuprofen?"], "ibuprofen", True),
        (["I have asthma", "my mother wants ibuprofen for her knee, ok?",
          "and is propranolol ok for me?"], "propranolol", True),
        (["我对青霉素过敏", "我妈能吃阿莫西林吗", "那我能吃阿莫西林吗"], "amoxicillin", True),
        (["My wife is 8 months pregnant", "can I give her ibuprofen?"], "ibuprofen", True),
        (["My mother has an ulcer", "and can I give her ibuprofen?"], "ibuprofen", True),
    ],
)  # fmt: skip
def test_who_turns_to_oneself_brings_only_what_is_their_own(
    base: KnowledgeBase, turns: list[str], drug: str, *, stopped: bool
) -> None:
    answer = base.ask(turns[-1], history=turns[:-1])
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert (drug in told) is stopped


@pytest.mark.parametrize(
    ("before", "asked", "drug", "stopped"),
    [
        ("I am on warfarin", "Forget what I said. Can I take ibuprofen?", "ibuprofen", False),
        ("我在吃华法林", "忘掉前面说的，布洛芬可以吗", "ibuprofen", False),
        ("I am on warfarin", "I'm not taking any medicines now, is ibuprofen ok?", "ibuprofen",
         False),
        ("I am on warfarin", "I take no other medicines. Can I take ibuprofen?", "ibuprofen", True),
        ("I am on warfarin and have an ulcer", "I take no medicines now. Can I take ibuprofen?",
         "ibuprofen", True),
        ("I'm allergic to penicillin", "I take no medicines. Is amoxicillin ok?", "amoxicillin",
         True),
    ],
)  # fmt: skip
def test_what_is_taken_back_counts_no_longer(
    base: KnowledgeBase, before: str, asked: str, drug: str, *, stopped: bool
) -> None:
    answer = base.ask(asked, history=[before])
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}
    assert (drug in told) is stopped
