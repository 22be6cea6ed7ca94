"""What stops a medicine in a letter hangs neither on what its questions ask, nor on a danger."""

from __future__ import annotations

import io
import itertools

import pytest
from rich.console import Console

from medweave.faces.terminal.answer import print_answer
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer

_TOLD = {
    "naproxen": "My husband is 61 and takes warfarin. His brother gave him naproxen.",
    "metoclopramide": "Mum is 74 and has Parkinson's. The chemist offered metoclopramide.",
    "flucloxacillin": "As a child penicillin closed my throat. I was prescribed flucloxacillin.",
    "propranolol": "I have asthma. My aunt lent me her propranolol.",
    "双氯芬酸": "老伴65岁，有胃溃疡。社区开了双氯芬酸。",
    "克拉霉素": "我妈在吃辛伐他汀。牙医开了克拉霉素。",
}
_ASKED = {
    "en": (
        "Yes or no? What is gout? And how long does a cold last?",
        "What is gout? Which tests are done for anaemia? How is scabies passed on?",
        "1) What is gout? 2) Is that one alright? 3) Does coffee matter?",
    ),
    "zh": (
        "请问：一、能不能用？二、痛风是什么？三、感冒几天好？",
        "请问：一、痛风是什么？二、贫血查什么？三、疥疮怎么传染？",
    ),
}
_DANGER = {
    "en": "Since this morning there is a crushing pain in the chest going to the left arm.",
    "zh": "今天早上起胸口压榨样剧痛，放射到左臂，出冷汗。",
}


def _stopped(answer: Answer, language: str) -> set[str]:
    """The medicines that the answer excludes, or which must not meet with one that it does."""
    stops = [s for each in (answer, *answer.others) for s in each.stops]
    found = {e for s in stops if s.status == "applies" and s.hard for e in (s.entity.id, *s.others)}
    names = {m.entity: m.text for m in answer.question.mentions}
    return {names[each] for each in found if each in names}


_LETTERS = [
    (medicine, told, asked, danger)
    for medicine, told in _TOLD.items()
    for asked, danger in itertools.product(
        _ASKED["en" if medicine.isascii() else "zh"], ("", "en" if medicine.isascii() else "zh")
    )
]


@pytest.mark.parametrize(("medicine", "told", "asked", "danger"), _LETTERS)
def test_a_stop_stands_whatever_is_asked_and_in_danger(
    base: KnowledgeBase, medicine: str, told: str, asked: str, danger: str
) -> None:
    letter = " ".join(part for part in (told, _DANGER.get(danger, ""), asked) if part)
    answer = base.ask(letter)
    assert bool(answer.emergency) == bool(danger)
    assert medicine in _stopped(answer, answer.question.language)


def test_every_reason_is_told_of_a_medicine_that_is_excluded(base: KnowledgeBase) -> None:
    letter = "I had a heart attack, my eGFR is 38, and I take aspirin. Can I take naproxen?"
    stream = io.StringIO()
    print_answer(base.ask(letter), Console(file=stream, width=400))
    [line] = [line for line in stream.getvalue().splitlines() if line.startswith("AVOID  naproxen")]
    assert all(word in line for word in ("aspirin", "heart attack", "kidney"))
