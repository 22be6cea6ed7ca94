"""The learned reader of crises: what it hears in indirect words, what it lets be, and its model."""

from __future__ import annotations

import pytest

from medweave import Configuration, KnowledgeBase
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.embedder import EmbedderName
from medweave.model.question import DangerSign
from medweave.understanding.danger.crisis import CrisisModel, shipped_crisis_model
from medweave.understanding.danger.crisis_training import (
    shipped_crises,
    train_crisis,
)
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.table import literal
from medweave.understanding.patient import read_patient


def crises(text: str) -> list[DangerSign]:
    language = language_of(text)
    signs = find_danger(text, language, read_patient(passage_of(text, language)))
    return [sign for sign in signs if sign.kind == "crisis"]


@pytest.mark.parametrize(
    ("text", "of_another"),
    [
        ("nobody would miss me, I wish I could vanish for good", False),
        ("my sister keeps saying she wants to vanish, nobody would miss her", True),
        ("我什么盼望都没有，活着多余，想从此消失", False),
    ],
)
def test_who_tells_it_in_other_words_is_met(text: str, of_another: bool) -> None:
    (sign,) = crises(text)
    assert (sign.sign, sign.status, sign.how) == ("suicidal_intent", "present", "learned")
    assert sign.of_another is of_another
    assert sign.advice
    assert all(word in text for word in sign.words)


@pytest.mark.parametrize(
    "text",
    [
        "I wish my cough would vanish for good",
        "nobody would miss my wisdom teeth, does it hurt to have them out?",
        "How do I get through a night shift without coffee?",
        "希望咳嗽从此消失，吃什么药好",
        "笑到不行，腮帮子酸",
    ],
)
def test_the_same_words_of_other_things_are_let_be(text: str) -> None:
    assert crises(text) == []


def test_what_is_met_has_a_contact_and_nothing_else_and_what_is_asked_about_is_asked_mildly() -> (
    None
):
    with KnowledgeBase.sample(configuration=Configuration(embedder=EmbedderName("none"))) as base:
        met = base.ask("nobody would miss me, I wish I could vanish for good")
        assert "Please talk to somebody now" in met.emergency
        assert [sign.kind for sign in met.danger or ()] == ["crisis"]
        assert met.candidates == ()
        asked = base.ask("my life is a mess and I am done with it all")
    assert [(s.kind, s.status) for s in asked.danger or ()] == [("crisis", "ask")]
    assert asked.danger is not None
    assert "Are there thoughts of not wanting to live" in asked.danger[0].text
    assert asked.emergency == ""


def test_beside_an_emergency_it_is_asked_about() -> None:
    text = "I swallowed a whole bottle of bleach. nobody would miss me, I wish I could vanish"
    language = language_of(text)
    signs = find_danger(text, language, read_patient(passage_of(text, language)))
    assert ("poisoning", "present") in {(sign.sign, sign.status) for sign in signs}
    assert ("crisis", "ask") in {(sign.kind, sign.status) for sign in signs}


@pytest.mark.thorough
def test_the_model_that_ships_is_made_from_the_messages_that_ship() -> None:
    made, ships = train_crisis(shipped_crises()), shipped_crisis_model()
    same = made.weights.keys() & ships.weights.keys()
    assert len(same) > 0.99 * len(ships.weights)  # machines differ in the last place
    assert all(abs(made.weights[name] - ships.weights[name]) <= 5 for name in same)
    again = CrisisModel.from_text(ships.to_text(), where="made")
    assert again.to_text() == ships.to_text()


@pytest.mark.thorough
def test_a_theme_that_was_not_learned_is_heard_and_its_twins_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    few = {"en": 180, "zh": 90}  # of the ordinary messages that are made: all of those written stay
    monkeypatch.setattr("medweave.understanding.danger.training._ORDINARY", few)
    messages, apart = shipped_crises(), {"burden", "累赘", "euphemism"}
    model = train_crisis([each for each in messages if each.theme not in apart])

    def raised(*, in_crisis: bool) -> float:
        some = [m for m in messages if m.theme in apart and m.in_crisis is in_crisis]
        scores = [model.weigh(literal(m.text, language_of(m.text))).score for m in some]
        return sum(score > 0 for score in scores) / len(scores)

    assert raised(in_crisis=True) > 0.5
    assert raised(in_crisis=False) < 0.15


def test_no_message_is_in_the_list_twice() -> None:
    held = ["".join(filter(str.isalnum, m.text.lower())) for m in shipped_crises()]
    assert len(set(held)) == len(held)
