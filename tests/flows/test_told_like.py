"""A complaint in pictures is answered by what it is told like, and stops nothing by it."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.app import weights_status

pytestmark = pytest.mark.skipif(
    bool(weights_status().wrong or weights_status().missing),
    reason="MiniLM is not installed (medweave weights install)",
)
GOUT = (
    "Woke at four with the ball of my foot on fire, shiny and purple, no sock goes on. What is it?"
)


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def test_the_answer_names_it_and_says_that_it_is_by_how_it_is_told(base: KnowledgeBase) -> None:
    answer = base.ask(GOUT)
    assert answer.text.startswith("Told like this, gout fits best")
    assert "not a diagnosis" in answer.text
    first = answer.sentences[0]
    assert first.statements


def test_in_chinese_too(base: KnowledgeBase) -> None:
    answer = base.ask("喝了顿大酒，半夜脚拇指那儿又红又肿，袜子都套不上，疼得直冒汗，这是啥？")
    assert answer.text.startswith("照这样描述")
    assert answer.candidates[0].entity.name("zh") == "痛风"


def test_no_medicine_is_held_against_a_likeness(base: KnowledgeBase) -> None:
    told = base.understand(GOUT)
    assert told.likened
    assert not told.patient.conditions


def test_who_asks_for_a_medicine_is_not_told_what_they_have(base: KnowledgeBase) -> None:
    assert not base.understand("Can I take ibuprofen for my back?").likened


def test_in_danger_nothing_is_named_before_the_danger(base: KnowledgeBase) -> None:
    answer = base.ask(
        "Crushing weight on my chest for half an hour, arm numb, cold sweat. What is it?"
    )
    assert answer.danger
    assert answer.emergency


def test_what_needs_help_at_once_is_a_danger(base: KnowledgeBase) -> None:
    text = (
        "wasp got my mate in the neck ten minutes ago. he has big red lumps all over, croaks like "
        "a frog, pulls his breath in with a whistle and just wants to lie down"
    )
    for told in (text, "爷爷刚才整个人往一边倒，筷子也拿不住，怎么办？"):
        signs = base.understand(told).danger_present
        assert any(sign.has_name and sign.grade == "now" for sign in signs)


def test_what_is_known_to_be_dangerous_is_not_called_something_else(base: KnowledgeBase) -> None:
    text = (
        "Aged 79. A new ache at my left temple, my jaw tires when I chew meat, combing hair hurts "
        "there, and this morning that eye went grey for five minutes. What do these add up to?"
    )
    answer = base.ask(text)
    assert any(sign.sign == "temporal_arteritis" for sign in answer.danger or ())
    assert not answer.question.likened
