"""Who may be pregnant is held to be until it is known; who cannot be, or once was, is not."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def _levels(answer: Answer) -> set[str]:
    """How hard the stops are that apply to the person."""
    return {stop.level for stop in answer.stops if stop.status == "applies"}


@pytest.mark.parametrize(
    "question",
    [
        "could be pregnant, can I take doxycycline?",
        "period is late, possibly pregnant. Doxycycline ok?",
        "I'm not sure whether I am pregnant. Is doxycycline alright?",
        "My wife might be pregnant. Doxycycline?",
        "可能怀孕了，能吃四环素吗",
    ],
)
def test_a_possible_pregnancy_stops_as_a_known_one(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    assert "stop" in _levels(answer)
    assert "supposed" in {taken.how for taken in answer.taken}


@pytest.mark.parametrize(
    "question",
    [
        "no chance of being pregnant, doxycycline?",
        "I was pregnant two years ago. Can I take doxycycline?",
        "My sister might be pregnant. Can I take doxycycline for my acne?",
    ],
)
def test_no_pregnancy_stops_nothing(base: KnowledgeBase, question: str) -> None:
    assert not _levels(base.ask(question)) & {"stop", "avoid"}


def test_a_possible_pregnancy_is_taken_into_a_list(base: KnowledgeBase) -> None:
    answer = base.ask("acne in a 16 year old who might be pregnant: which drugs")
    stopped = {s.entity.id for s in answer.stops if s.status == "applies" and s.level == "stop"}
    assert {"mw.substance:doxycycline", "mw.substance:isotretinoin"} <= stopped
