"""Children in free text with a danger sign, at every age: never GREEN, never nothing."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from medweave.guideline.case_reader import CaseReader
from medweave.guideline.loading import graph_in
from medweave.guideline.search import answer_case
from medweave.language.segmentation import is_chinese
from medweave.model.assessment import STANDS, Assessment
from medweave.model.findings import Findings, FindingValue

TOLD = yaml.safe_load((Path(__file__).parent / "told_children.yaml").read_text("utf-8"))


@cache
def reader() -> CaseReader:
    return CaseReader(graph_in("sample"))


def assessed(text: str, age_days: int | None) -> Assessment:
    return reader().assess(Findings(age_days=age_days, text=text))


def green(found: Assessment) -> list[str]:
    return [
        each.id
        for each in found.classifications
        if each.status in STANDS and each.colour == "green"
    ]


def test_danger_in_a_text_is_read_with_the_age_that_was_given() -> None:
    told = {sign.sign for sign in assessed("floppy", 20).danger or ()}
    assert "sick_newborn" in told
    assert "major_trauma" in {sign.sign for sign in assessed("hit by a car", 2).danger or ()}


def test_a_sign_of_another_age_is_told_by_the_guideline_itself() -> None:
    older = reader().assess(
        Findings(age_days=900, values={"apnoea": True, "severe_chest_indrawing": True})
    )
    assert {each.sign for each in older.danger or ()} >= {"severe_chest_indrawing"}
    assert older.refer


def test_words_that_nothing_took_are_listed() -> None:
    text = "18 month old girl, 9 kg, cough for 3 days, green lightning in her elbow, no fever"
    found = assessed(text, None)
    assert [each.text for each in found.not_understood] == ["green lightning in her elbow"]
    assert [text[e.start : e.end] for e in found.not_understood] == ["green lightning in her elbow"]


def test_nothing_is_left_over_of_a_plain_case() -> None:
    text = (
        "10 months old, 8.2 kg, cough for 3 days, respiratory rate 55, chest indrawing, no stridor"
    )
    assert assessed(text, None).not_understood == ()


def test_a_cough_alone_is_not_green_before_danger_signs_are_asked() -> None:
    breathing: dict[str, FindingValue] = {"cough": True, "respiratory_rate": 30, "stridor": False}
    values = breathing | {"chest_indrawing": False, "fever": True, "malaria_risk": "none"}
    found = reader().assess(Findings(age_days=500, values=values))
    assert not [
        e.id for e in found.classifications if e.status == "provisional" and e.colour == "green"
    ]
    waiting = next(e for e in found.classifications if e.id == "cough_or_cold")
    assert waiting.status == "possible"
    assert "lethargic_or_unconscious" in waiting.missing


@pytest.mark.parametrize(
    "text",
    [
        "cough for 30 days with fits of coughing and whoop",
        "coughing fits at night",
        "had fits of crying",
        "temper fits",
        "he is fit and well, cough",
        "having fits of laughter",
        "a fit of coughing, then vomits",
    ],
)
def test_bouts_of_something_are_no_convulsions(text: str) -> None:
    found = assessed(text, 900)
    assert "convulsions" not in [each.observation for each in found.understood or ()]


@pytest.mark.parametrize(
    "text", ["fits and fever", "had two fits today", "febrile fit", "fever, fits"]
)
def test_fits_are_convulsions(text: str) -> None:
    found = assessed(text, 900)
    said = {each.observation: each.value for each in found.understood or ()}
    assert said["convulsions"] is True


def test_a_chinese_text_is_answered_in_chinese() -> None:
    said = answer_case("孩子3岁，发热两天，咳嗽，胸凹陷", reader())
    assert said.claims
    assert all(is_chinese(claim.text) for claim in said.claims)
    assert any("肺炎" in claim.text for claim in said.claims)
    assert said.assessment.next_question
    assert is_chinese(said.assessment.next_question.text)


@pytest.mark.parametrize(
    "text",
    [
        "My 3 year old has had fever for two days, we live in a malaria area",
        "2 years old, fever since yesterday, lives where there is malaria",
        "child of 30 months with a cough for 3 days",
        "my son is 4 years old and has a runny nose and fever",
        "3岁，发热两天，住在疟疾流行区",
    ],
)
def test_a_child_is_not_green_before_danger_signs_were_asked(text: str) -> None:
    said = answer_case(text, reader())
    assert not green(said.assessment)
    assert said.assessment.next_question


@pytest.mark.parametrize("text", [*TOLD["danger"], *TOLD["quiet"]])
def test_nobody_is_green_by_what_is_told(text: str) -> None:
    assert not green(assessed(text, None))


@pytest.mark.parametrize("text", TOLD["danger"])
def test_a_child_in_danger_is_never_told_nothing(text: str) -> None:
    found = assessed(text, None)
    assert found.danger or found.refer


@pytest.mark.parametrize(
    "text",
    [
        "10 months, no cough, no diarrhoea, swallowed a button battery",
        "2 years, no fever, no rash, fell from the roof and is unconscious",
    ],
)
def test_what_happened_is_not_denied_by_a_list_before_it(text: str) -> None:
    named = [each for each in assessed(text, None).danger or () if each.status == "present"]
    assert any(each.how == "rule" for each in named), text


def test_words_that_were_not_understood_hold_green_back() -> None:
    asked = (
        "10 months, 8 kg, cough for 2 days, respiratory rate 30, no chest indrawing, no stridor, "
        "no convulsions, not lethargic, able to drink, does not vomit everything, no blue lips, "
        "no grunting, saturation 98 %, no fever, no wheezing"
    )
    assert "cough_or_cold" in green(assessed(asked, None))
    assert not green(assessed(f"{asked}, ate the zork of a blim", None))
