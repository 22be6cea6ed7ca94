"""Phrases: whom or what a condition names, and under which qualifiers."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.sources.prose.phrases import MAX_PHRASE, read_phrase
from medweave.sources.prose.templates import template_set


def read(text: str, language: str) -> tuple[str, dict[str, Any]]:
    found = read_phrase(text, template_set(language))
    assert found is not None
    return found.kind, found.qualifiers


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("children under 6 months", "6个月以下儿童"),
        ("people over 60 years", "60岁以上者"),
        ("early pregnancy", "孕早期"),
        ("third trimester of pregnancy", "妊娠晚期"),
        ("newborns", "新生儿"),
        ("the elderly", "老年人"),
        ("allergy to penicillin", "对青霉素过敏"),
        ("acute gastritis", "急性胃炎"),
        ("breastfeeding", "哺乳期妇女"),
    ],
)
def test_both_languages_give_the_same_qualifiers(english: str, chinese: str) -> None:
    assert read(english, "en") == read(chinese, "zh")


@given(st.integers(1, 120))
def test_an_age_in_years_is_the_same_in_both_languages(years: int) -> None:
    wanted = ("population", {"age_max_days": round(years * 365.25)})
    assert read(f"children under {years} years", "en") == wanted
    assert read(f"{years}岁以下儿童", "zh") == wanted


def test_an_impossible_age_is_no_population() -> None:
    assert read(f"children under {'9' * 200} years", "en")[0] == "condition"


def test_a_very_long_text_is_no_phrase() -> None:
    assert read_phrase("x" * (MAX_PHRASE + 1), template_set("en")) is None
