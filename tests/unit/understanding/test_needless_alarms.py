"""Ordinary questions in words of danger and of crises, and what is due in the same words."""

from __future__ import annotations

import pytest

from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.question import DangerSign
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import SentenceVectors
from medweave.understanding.danger.crisis import (
    SHARE,
    SURE_OF_BOTH,
    SURE_OF_BOTH_IN_A_LETTER,
    hear_crisis,
    shipped_crisis_model,
)
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.meaning import shipped_meaning
from medweave.understanding.patient import read_patient


def found(text: str) -> tuple[DangerSign, ...]:
    language = language_of(text)
    return find_danger(text, language, read_patient(passage_of(text, language)))


def status_of(text: str, kind: str) -> str:
    return next((sign.status for sign in found(text) if sign.kind == kind), "")


@pytest.mark.parametrize(
    "text",
    [
        "what makes you fetch the nurse in the night rather than leave it till the clinic",
        "do i hand them out tonight or wait until he calls",
        "who is to be rung when the last box is finished",
        "今晚打电话还是明天去门诊",
    ],
)
def test_a_question_of_what_to_do_next_is_no_crisis(text: str) -> None:
    assert found(text) == ()


@pytest.mark.parametrize(
    ("figure", "meant"),
    [
        ("a rope burn on her palm, which cream", "I have a rope and tonight is when I use it"),
        (
            "saving up my statins for a trip abroad, do they keep",
            "I am saving up my tablets until there are enough to be gone for good",
        ),
        ("论文周要死了，喝什么提神", "我要死，谁都别拦我"),
        ("跳楼大甩卖买的制氧机好用吗", "我想跳楼，活着没意思"),
    ],
)
def test_a_figure_of_speech_is_not_met_as_the_crisis_that_its_words_tell(
    figure: str, meant: str
) -> None:
    assert status_of(figure, "crisis") in ("", "ask")
    assert status_of(meant, "crisis") == "present"


@pytest.mark.parametrize(
    "text",
    ["I want to die. Which painkiller goes with lisinopril?", "我想死，我吃华法林，能吃布洛芬吗"],
)
def test_a_part_of_a_crisis_is_met_beside_one_that_drowns_it(text: str) -> None:
    assert status_of(text, "crisis") == "present"


@pytest.mark.parametrize(
    ("text", "sign", "told"),
    [
        ("she would like the new one instead of warfarin", "overdose", False),
        ("Is a patch instead of morphine tablets allowed?", "overdose", False),
        ("he got methotrexate 25 mg instead of 2.5", "overdose", True),
        ("took my wife's digoxin instead of my vitamin", "overdose", True),
        ("my boy has to swallow one of my tablets for worms", "child_took_medicine", False),
        ("my boy swallowed one of my tablets", "child_took_medicine", True),
        (
            "my toddler had the pill box in her hand, my tablets are still sealed",
            "child_took_medicine",
            False,
        ),
        ("奶奶翻出一盒小儿布洛芬颗粒，能喂吗", "child_took_medicine", False),
        ("孩子翻出奶奶的安眠药，嘴边有药渣", "child_took_medicine", True),
        ("My liver is fatty and I have stopped drinking since Easter", "unable_to_drink", False),
        ("My baby has stopped drinking since noon", "unable_to_drink", True),
        ("he won't wake up for school, is he too old for pull-ups", "unconscious", False),
        ("背上起水泡，火烧一样疼", "severe_burn", False),
        ("孕十六周牙龈出血，洗牙行吗", "pregnancy_bleeding", False),
        ("孕十六周，下面出血", "pregnancy_bleeding", True),
    ],
)
def test_a_sign_is_told_of_what_was_done_and_not_of_what_is_wanted(
    text: str, sign: str, told: bool
) -> None:
    present = {one.sign for one in found(text) if one.status == "present"}
    assert (sign in present) is told


SAID = "I think of the river and of how quiet it is there."
LETTER = "My back has been sore since spring and my knees are stiff. " * 4 + SAID


@pytest.mark.parametrize(("text", "status"), [(SAID, "present"), (LETTER, "ask")])
def test_a_letter_must_weigh_more_to_be_met_than_a_message(text: str, status: str) -> None:
    between = (SURE_OF_BOTH + SURE_OF_BOTH_IN_A_LETTER) / 2
    passage = passage_of(text)
    wanted = (between - shipped_crisis_model().weigh(passage).score) / SHARE
    assert hear_crisis(passage, vectors_weighing(wanted))[1] == status


def vectors_weighing(score: float) -> SentenceVectors:
    """Vectors that all mean a crisis by so much."""
    weights = shipped_meaning("crisis", "en")
    square = sum(weight * weight for weight in weights.weights)
    row = [(100 * score - weights.bias) * weight / square for weight in weights.weights]
    made = VectorModel(weights.model, len(row))
    return lambda texts, _: Vectors.of(made, [row] * len(texts))


@pytest.mark.parametrize(
    "text", ["G3P1 24/40 sore wrists, splints?", "G1P0 30/40 dry skin, cream?"]
)
def test_weeks_and_births_in_short_are_no_danger(text: str) -> None:
    assert found(text) == ()
