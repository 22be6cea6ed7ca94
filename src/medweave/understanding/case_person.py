"""The child a case is about: age, weight and sex, and not the mother's."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from medweave.language.folding import lower
from medweave.language.segmentation import language_of
from medweave.language.values import read_values
from medweave.model.guideline import days_of_months
from medweave.model.value import Value
from medweave.understanding.case_words import CaseWord, case_rules, case_words, word_set
from medweave.understanding.patient import read_patient

_DAYS_OF_A_YEAR = 365.25
_LEAST, _MOST = 0.3, 60.0
"""No child of a guideline weighs less, or more (kg)."""
_GROWN_UP = 18
"""Years."""


@dataclass(frozen=True, slots=True)
class CasePerson:
    """What a text says of the child; `spans` are the places where its age stands."""

    age_days: int | None = None
    weight_kg: float | None = None
    sex: str | None = None
    spans: tuple[tuple[int, int], ...] = ()
    contradictions: tuple[str, ...] = ()


def read_person(text: str, words: list[CaseWord], values: Iterable[Value]) -> CasePerson:
    """Age, weight and sex of the child.

    >>> from medweave.understanding.case_words import case_words
    >>> said = "Mother 24 years old. Her son is 8 months old."
    >>> person = read_person(said, case_words(said), ())
    >>> person.age_days, person.sex
    (243, 'male')
    """
    lowered = lower(text)
    ages: dict[int, None] = {}
    spans: list[tuple[int, int]] = []
    for pattern in _ages():
        for match in pattern.finditer(lowered):
            if spans and any(a < match.end() and match.start() < b for a, b in spans):
                continue
            spans.append(match.span())
            days = _days(match["n"], match["u"])
            if days is not None and _is_childs(words, *match.span()):
                ages[days] = None
    if not ages:
        start = 0
        for clause in re.split(r"([,.;](?!\d))", lowered):
            alone = _bare().match(clause)
            days = _days(alone["n"], alone["u"]) if alone else None
            if alone and start and alone["u"].startswith("d"):
                days = None  # a time that something has lasted
            if days is not None:
                ages[days] = None
                spans.append((start, start + len(clause)))
                break
            start += len(clause)
    weights = dict.fromkeys(
        value.value
        for value in values
        if value.quantity == "body weight"
        and not value.bound
        and _LEAST <= value.value <= _MOST
        and _is_childs(words, value.start, value.end)
        and not _birth().search(lowered[: value.start])
    )
    told = [f"age: {', '.join(f'{days} days' for days in ages)}"] if len(ages) > 1 else []
    told += [f"weight: {', '.join(f'{kg:g} kg' for kg in weights)}"] if len(weights) > 1 else []
    return CasePerson(
        next(iter(ages)) if len(ages) == 1 else None,
        next(iter(weights)) if len(weights) == 1 else None,
        _sex(lowered),
        tuple(spans),
        tuple(told),
    )


def is_of_several(text: str) -> bool:
    """Whether a text tells of more than one child.

    >>> is_of_several("My twins cough"), is_of_several("Third of three children, coughs")
    (True, False)
    """
    return _several().search(lower(text)) is not None


@cache
def _several() -> re.Pattern[str]:
    return re.compile("|".join(case_rules()["several"]))


@cache
def _birth() -> re.Pattern[str]:
    return re.compile("|".join(case_rules()["birth"]))


@cache
def _ages() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern) for pattern in case_rules()["ages"])


@cache
def _bare() -> re.Pattern[str]:
    return re.compile(case_rules()["bare_age"])


def _days(number: str, unit: str) -> int | None:
    """Days of an age: months convert as floor(n x 30.4375), years are of 365.25 days."""
    known: dict[str, int] = case_rules()["numbers"]
    count = float(known[number]) if number in known else float(number)
    if count > 10_000:  # noqa: PLR2004 - nobody's age
        return None
    if unit.startswith("d"):
        return int(count)
    if unit.startswith("w"):
        return int(count * 7)
    years = not unit or unit.startswith("y")  # "he is 3"
    return int(count * _DAYS_OF_A_YEAR) if years else days_of_months(count)


def _is_childs(words: list[CaseWord], start: int, end: int) -> bool:
    """Whether the person named last before it, or right behind it, is the child, or nobody."""
    adults = word_set("mother") | word_set("others")
    persons = adults | word_set("child")
    sentence = next((word.sentence for word in words if word.end > start), -1)
    before = [word for word in words if word.start < start and word.sentence == sentence]
    named = next((word for word in reversed(before) if word.written in persons), None)
    behind = next((word for word in words if word.start >= end), None)
    if behind is not None and behind.written in persons and behind.sentence == sentence:
        named = behind
    return named is None or named.written not in adults


def _sex(text: str) -> str | None:
    """Male or female, where only one of them is said; "she" may be the mother."""
    rules = case_rules()
    male = re.search(rules["male"], text)
    female = re.search(rules["female"], text)
    mothers = any(re.search(rf"\b{word}\b", text) for word in word_set("mother"))
    if female and mothers and re.search(r"\b(girl|daughter|female|granddaughter)\b", text) is None:
        female = None
    if male and female:
        nouns = [
            (re.search(r"\b(boy|son|male)\b", text), "male"),
            (re.search(r"\b(girl|daughter|female)\b", text), "female"),
        ]
        found = [sex for match, sex in nouns if match]
        return found[0] if len(found) == 1 else None
    return "male" if male else "female" if female else None


def may_be_of_a_child(text: str) -> bool:
    """Whether a text can be a case at all: it names a child, a mother, or an age or a weight.

    >>> may_be_of_a_child("What are the symptoms of flu?"), may_be_of_a_child("my baby coughs")
    (False, True)
    """
    if names_a_child(text):
        return True
    return read_person(text, case_words(text), read_values(text, "en")).age_days is not None


def names_a_child(text: str) -> bool:
    """Whether a text speaks of a child or a mother, or, in Chinese, of a child's age.

    >>> names_a_child("孩子咳嗽"), names_a_child("我咳嗽"), names_a_child("she coughs")
    (True, False, False)
    """
    if language_of(text) == "zh":
        youngest = read_patient(text, "zh", ()).age_days
        return youngest is not None and youngest < _GROWN_UP * _DAYS_OF_A_YEAR
    persons = (word_set("child") | word_set("mother")) - {"he", "she", "patient", "patients"}
    return any(word.written in persons for word in case_words(text))
