"""Danger told beside a question about a medicine, and routine questions in the same words."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.model.configuration import Configuration
from medweave.model.question import DangerSign
from medweave.understanding.danger.crisis import hear_crisis, shipped_crisis_model
from medweave.understanding.danger.find import find_danger
from medweave.understanding.danger.model import DangerModel, shipped_danger_model
from medweave.understanding.danger.table import literal
from medweave.understanding.patient import read_patient

POLITE_EN = (
    "Hi, quick question: {}",
    "Hello doctor, I hope you are well. {}",
    "{} Thanks so much!",
)
POLITE_ZH = ("请问，{}", "医生您好！{}", "{}谢谢医生！")
CLOSED = ("{} 🙏😟", "{} God bless.", "{}\nKind regards,\nJane")


def found(text: str) -> tuple[DangerSign, ...]:
    language = language_of(text)
    return find_danger(text, language, read_patient(passage_of(text, language)))


def told(text: str) -> set[str]:
    return {sign.sign for sign in found(text) if sign.status == "present"}


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("He went all grey and clammy at lunch. Is it the heat?", (*POLITE_EN, *CLOSED)),
        ("I care for two aunts. Both take pills. I mix them up.", (*POLITE_EN, *CLOSED)),
        ("孩子又吐又拉，眼窝凹了。能喝米汤吗？", POLITE_ZH),
    ],
)
def test_politeness_weighs_nothing(text: str, forms: tuple[str, ...]) -> None:
    passage = literal(text, language_of(text))
    for form in forms:
        polite = literal(form.format(text), passage.language)
        for model in (shipped_danger_model(), shipped_crisis_model()):
            assert model.weigh(polite).score == pytest.approx(model.weigh(passage).score)


@pytest.mark.parametrize(
    "text",
    [
        "Thank you for everything, goodbye. I have the pills ready and I want to die",
        "Hello, I don't want to live any more. Thanks in advance",
        "您好！我不想活了，药都攒好了。谢谢",
    ],
)
def test_a_crisis_told_politely_is_met(text: str) -> None:
    assert told(text) & {"suicidal_intent", "self_harm"}


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("My stents are from 2019, chest tight since breakfast. May I take GTN?", "cardiac"),
        ("我放过支架，今早胸口闷得慌，能吃速效救心丸吗", "cardiac"),
        ("Gran on edoxaban banged the back of her head, vomited three times", "head_injury"),
        ("I take iron, but today my stools are black and sticky like tar", "black_stools"),
        ("吃铁片的，今天大便又黑又臭像柏油", "black_stools"),
        ("Tooth out on Monday, my neck is swollen and I can't open my mouth", "epiglottitis"),
        ("妈妈刚才突然说不清话", "stroke"),
    ],
)
def test_what_is_there_now_is_told(text: str, sign: str) -> None:
    assert any(each.startswith(sign) for each in told(text))


@pytest.mark.parametrize(
    "text",
    [
        "Five years ago carbamazepine gave me blisters in my mouth and my skin came off. And now?",
        "Ferrous fumarate since Monday and my stools are black, normal?",
        "大便黑黑的是什么引起的？婆婆在补铁",
        "药店的人也说不清楚，这两个药能一起吃吗",
        "我说不清楚是哪种降压药，反正是白色小片",
        "My head is bursting from all the leaflets, is co-codamol an opioid?",
    ],
)
def test_the_past_the_expected_and_figures_are_not_asked_about(text: str) -> None:
    assert not found(text)


@pytest.mark.parametrize(
    "text",
    [
        "His left hand rolls when it lies in his lap and stops when he lifts his cup",
        "im nursing my 6 wk old, they sent me home with a box of codeine",
    ],
)
def test_a_place_of_the_body_or_an_age_is_no_danger(text: str) -> None:
    assert "unnamed" not in told(text)


def test_an_illness_told_with_its_place_is_one() -> None:
    assert "unnamed" in told("He went all grey and clammy at lunch, his hand is cold")


@pytest.mark.parametrize(("weight", "status"), [(130, "ask"), (300, "present")])
def test_what_is_little_like_danger_beside_a_medicine_is_asked_below_the_answer(
    tmp_path: Path, weight: int, status: str
) -> None:
    path = tmp_path / "danger.json"
    path.write_text(DangerModel({"@yellow": 10, "@blood": 10}, weight).to_text(), "utf-8")
    text = "Since nitrofurantoin my wee is yellow brown, and I am bleeding?"
    with KnowledgeBase.sample(configuration=Configuration.of(danger=str(path))) as base:
        answer = base.ask(text)
    signs = answer.question.danger or ()
    assert [(sign.sign, sign.status) for sign in signs] == [("unnamed", status)]
    assert bool(answer.danger) == (status == "present")
    assert any("urgent" in note for note in answer.missing) == (status == "ask")


def test_a_letter_of_one_who_cares_for_others_is_not_cut_off() -> None:
    text = (
        "Good evening. I look after my parents and do their boxes. Dad (79) had an ulcer and takes "
        "warfarin; his knees ache. Mum (77) has ankles that swell and takes furosemide, and she "
        "keeps diclofenac in a drawer. May Dad have the diclofenac? Should Mum be on it herself? "
        "What could each of them use for pain instead? Thank you for your patience."
    )
    assert hear_crisis(passage_of(text, "en"))[1] != "present"
    assert "suicidal_intent" not in told(text)
