"""A message about a child whom a guideline covers leads into the assessment."""

from __future__ import annotations

import io
from functools import cache

import pytest
from rich.console import Console

from medweave.faces.terminal.answer import print_answer
from medweave.knowledge_base import KnowledgeBase
from medweave.language.segmentation import is_chinese
from medweave.model.answer import Answer

LED = (
    "fever for two days, lives in a malaria area, 2 year old girl",
    "My 3 year old coughs since yesterday",
    "my son is 14 months old and has diarrhoea. What should I do?",
    "4 years old, sore throat and fever. What is it?",
    "11 month old boy with ear pain",
    "my daughter has a cough",
    "Baby of 5 months, diarrhoea for 3 days, no blood",
    "2岁女孩，发烧两天，住在疟疾地区",
    "我家宝宝8个月，咳嗽三天，怎么办？",
    "孩子3岁，拉肚子两天",
)
ANSWERED = (
    "My child has a cough, chest pain, shivering and a fever. What disease could it be?",
    "What could a 4 year old with fever, cough, headache and a rash have? Which disease is it?",
)
NOT_OF_A_CHILD = (
    "What are the symptoms of measles in children?",
    "I have had a fever and a cough for two days",
    "My father is 60 and coughs",
    "Can I give ibuprofen to a 2 year old with fever and cough?",
)


@cache
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def asked(text: str) -> Answer:
    return base().ask(text)


def printed(answer: Answer) -> str:
    shown = io.StringIO()
    print_answer(answer, Console(file=shown, width=100))
    return shown.getvalue()


@pytest.mark.parametrize("text", LED)
def test_a_child_is_led_into_the_assessment(text: str) -> None:
    answer = asked(text)
    assert answer.assessment is not None
    assert answer.assessment.way_on.startswith("medweave assess ")
    assert answer.assessment.assessment.next_question
    assert any(sign.status == "ask" for sign in answer.danger or ())
    assert answer.weighing is None
    assert not answer.candidates
    assert not any(sentence.intent == "diagnosis" for sentence in answer.sentences)
    assert not answer.assessment.stands


@pytest.mark.parametrize("text", ANSWERED)
def test_who_asks_which_disease_several_findings_are_is_answered(text: str) -> None:
    answer = asked(text)
    assert answer.weighing is not None
    assert answer.weighing.diseases


@pytest.mark.parametrize("text", NOT_OF_A_CHILD)
def test_others_are_not_led(text: str) -> None:
    answer = asked(text)
    assert answer.assessment is None or not answer.assessment.way_on


def test_danger_signs_are_asked_for_once() -> None:
    shown = printed(asked(LED[0])).lower()
    for sign in ("convulsions (", "cannot drink", "unconscious", "vomits everything"):
        assert shown.count(sign) == 1, sign
    assert "not able to drink" not in shown
    assert "lethargic or unconscious" not in shown


@pytest.mark.parametrize(
    ("text", "signs_asked"),
    [
        ("10 months old, respiratory rate 55, cough for 3 days", False),
        (
            "10 months old, respiratory rate 55, cough for 3 days, no convulsions, not lethargic, "
            "able to drink, does not vomit everything, no blue lips, no grunting, no chest "
            "indrawing, no stridor, no fever",
            True,
        ),
    ],
)
def test_a_class_is_told_only_once_danger_signs_were_asked(text: str, signs_asked: bool) -> None:
    answer = asked(text)
    assert answer.assessment is not None
    found = {each.id: each.status for each in answer.assessment.assessment.classifications}
    assert (found["pneumonia"] in ("provisional", "confirmed")) is signs_asked
    assert bool(answer.assessment.assessment.treatments) is signs_asked


def test_what_is_severe_never_waits() -> None:
    answer = asked("14 months old, convulsing now, fever")
    assert answer.assessment is not None
    found = {each.id: each.status for each in answer.assessment.assessment.classifications}
    assert found["very_severe_disease"] in ("provisional", "confirmed")
    assert answer.assessment.assessment.refer


def test_a_dose_is_asked_for() -> None:
    answer = asked("Which dose of paracetamol for my 2 year old with fever?")
    assert "end of the assessment" in " ".join(answer.missing)
    assert "nothing" not in printed(answer).split("\n")[0].lower()


@pytest.mark.parametrize("text", [each for each in LED if is_chinese(each)])
def test_a_chinese_message_is_answered_in_chinese(text: str) -> None:
    shown = printed(asked(text))
    said = [line for line in shown.splitlines() if "medweave assess" not in line]
    words = [w for line in said for w in line.split() if w.isascii() and w.isalpha()]
    assert words == []


def test_a_parent_whose_child_must_go_now_is_shown_no_injections() -> None:
    told = "barking cough and stridor when calm, fever 38.5, weight 12 kg"
    of_a_parent = printed(asked(f"My 2 year old has a {told}"))
    of_a_worker = printed(asked(f"2 year old boy, {told}"))
    assert "injection" in of_a_worker
    assert "injection" not in of_a_parent
    assert "croup" in of_a_parent
    assert "go now" in of_a_parent
