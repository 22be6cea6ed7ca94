"""A turn of a conversation is understood with what it refers to: things, persons, and what still
holds of them."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console

from medweave.faces.terminal.answer import print_answer
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer
from tests.answers_read import last_of


def excluded(answer: Answer) -> set[str]:
    return {s.entity.name("en") for s in answer.stops if s.status == "applies" and s.hard}


def printed(answer: Answer) -> str:
    stream = io.StringIO()
    print_answer(answer, Console(file=stream, width=100))
    return stream.getvalue()


def listed(answer: Answer) -> dict[str, str]:
    return {d.entity.name("en"): g.standing for some in answer.drugs for g in some.groups
            for d in g.drugs}  # fmt: skip


@pytest.mark.parametrize(
    ("turns", "old"),
    [
        (["My daughter is 18 and has a fever. Aspirin?", "no, she is 8 not 18", "and ibuprofen?"],
         "18 years"),
        (["She's 30 weeks pregnant with a UTI, trimethoprim?", "Sorry, 13 weeks",
          "And nitrofurantoin?"], "30"),
        (["我爸82岁，前列腺肥大，流清涕，能吃伪麻黄碱吗", "说错了，前列腺肥大的是我公公，我爸没有",
          "那我爸换成氯雷他定呢？"], "前列腺"),
        (["My dad has gout and takes azathioprine. Can he have allopurinol?",
          "Sorry, it's my uncle who takes azathioprine", "So can dad have it?"], "azathioprine"),
    ],
)  # fmt: skip
def test_what_was_put_right_does_not_come_back(
    base: KnowledgeBase, turns: Sequence[str], old: str
) -> None:
    told = printed(last_of(base, turns))
    assert old not in told


@pytest.mark.parametrize(
    ("turns", "stopped"),
    [
        (["She's 30 weeks pregnant, trimethoprim?", "Sorry, 13 weeks"], {"trimethoprim"}),
        (["怀孕30周，能用甲氧苄啶吗", "说错了，13周"], {"trimethoprim"}),
        (["Is my 18 year old ok with aspirin?", "sorry, 8"], {"aspirin"}),
    ],
)
def test_a_number_that_is_put_right_is_of_what_it_was_told_of(
    base: KnowledgeBase, turns: Sequence[str], stopped: set[str]
) -> None:
    assert excluded(last_of(base, turns)) == stopped


@pytest.mark.parametrize(
    "turns",
    [
        ["My dad has gout and takes azathioprine. Can he have allopurinol?",
         "Sorry, it's my uncle who takes azathioprine"],
        ["He's 5, has an allergy to penicillin and an ear infection. Can he have amoxicillin?",
         "the allergy is his brother's actually, he has none"],
        ["我有哮喘，血压高，医生开了普萘洛尔，能吃吗", "不对，哮喘是我弟，我没有哮喘"],
    ],
)  # fmt: skip
def test_what_is_anothers_is_taken_back_and_the_question_answered_anew(
    base: KnowledgeBase, turns: Sequence[str]
) -> None:
    assert excluded(last_of(base, turns[:1]))
    answer = last_of(base, turns)
    assert not excluded(answer)
    assert {e for m in answer.question.mentions for e in m.entities} & {
        "mw.substance:allopurinol", "mw.substance:amoxicillin", "mw.substance:propranolol"
    }  # fmt: skip


@pytest.mark.parametrize(
    "turns",
    [
        ["I'm on warfarin. Can I take ibuprofen?", "sorry, my sister is on warfarin too",
         "so can I have the ibuprofen?"],
        ["我在吃华法林，能吃布洛芬吗", "不好意思，我姐也吃华法林", "那我能吃布洛芬吗"],
    ],
)  # fmt: skip
def test_what_another_has_too_is_not_taken_back(base: KnowledgeBase, turns: Sequence[str]) -> None:
    assert excluded(last_of(base, turns)) == {"ibuprofen"}


def test_who_has_a_name_is_found_again_with_what_was_told_and_asked(base: KnowledgeBase) -> None:
    turns = [
        "Mr Okafor is on lithium and has a sore knee. Naproxen?",
        "Mrs Bell takes only amlodipine, and has a headache. Can she have it?",
        "And back to Mr Okafor, what is left for the knee?",
    ]
    assert "naproxen" in excluded(last_of(base, turns[:1]))
    assert not excluded(last_of(base, turns[:2]))
    drugs = listed(last_of(base, turns))
    assert drugs["naproxen"] == drugs["ibuprofen"] == "stopped"
    assert drugs["paracetamol"] == "not_stopped"


@pytest.mark.parametrize(
    ("turns", "pair"),
    [
        (["GP is starting me on sertraline next Monday. Is my Imigran ok for tonight's migraine?",
          "What if it were tramadol instead of the Imigran?"], {"tramadol", "sertraline"}),
        (["I take sertraline. Ibuprofen for my back?", "and tramadol rather than ibuprofen?"],
         {"tramadol", "sertraline"}),
    ],
)  # fmt: skip
def test_what_takes_the_place_of_another_is_held_against_the_rest(
    base: KnowledgeBase, turns: Sequence[str], pair: set[str]
) -> None:
    answer = last_of(base, turns)
    met = [{s.entity.name("en"), *(o.rpartition(":")[2] for o in s.others)} for s in answer.stops]
    assert any(pair <= each for each in met)
    assert answer.question.text.count("instead") == answer.question.text.count("rather") == 0


@pytest.mark.parametrize(
    "turn", ["And once I have begun it?", "and when I've started?", "But once I'm on it?"]
)
def test_a_plan_is_supposed_to_be_carried_out(base: KnowledgeBase, turn: str) -> None:
    before = "They are starting me on sertraline. Is sumatriptan ok for tonight's migraine?"
    answer = last_of(base, [before, turn])
    assert "sertraline" in " ".join(fact.text for fact in answer.taken)
    assert "sumatriptan" in {s.entity.name("en") for s in answer.stops}


@pytest.mark.parametrize(
    ("turns", "stopped"),
    [
        (["I take clopidogrel. Can I take omeprazole?", "What if I stopped the clopidogrel?"],
         set()),
        (["I take clopidogrel. Can I take omeprazole?", "I stopped the clopidogrel in spring."],
         set()),
        (["我在吃氯吡格雷，能吃奥美拉唑吗", "要是氯吡格雷停了呢"], set()),
        (["I take clopidogrel. Can I take omeprazole?", "and if I keep taking it?"],
         {"omeprazole"}),
    ],
)  # fmt: skip
def test_the_end_of_a_medicine_is_held_against_what_was_asked(
    base: KnowledgeBase, turns: Sequence[str], stopped: set[str]
) -> None:
    assert excluded(last_of(base, turns)) == stopped


def test_what_it_stands_for_is_what_was_asked_about(base: KnowledgeBase) -> None:
    turns = ["I have asthma. What can I take for a migraine?", "propranolol to prevent it?"]
    answer = last_of(base, turns)
    assert "migraine" in answer.question.text
    assert "propranolol" in excluded(answer)


@pytest.mark.parametrize(
    "turns",
    [
        ["I take warfarin", "can I have naproxen for my shoulder", "what about the gel"],
        ["在吃碳酸锂", "能吃双氯芬酸吗", "如果换成外用的呢"],
    ],
)
def test_no_words_of_two_turns_are_glued(base: KnowledgeBase, turns: Sequence[str]) -> None:
    answer = last_of(base, turns)
    assert turns[-1] not in answer.question.text
    assert turns[-1].removeprefix("what about ") not in answer.question.text
    assert excluded(answer) == excluded(last_of(base, turns[:-1]))
