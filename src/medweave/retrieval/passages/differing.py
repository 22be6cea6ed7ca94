"""Sentences that say the opposite of each other, or another number: shown side by side.

Words that mean the same ("avoided", "contraindicated") are first made one, and what they deny is
counted. Only what is sure counts then: all words that tell anything are the same in both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_han, stop_names, symbol_runs
from medweave.retrieval.passages.fitting import designations, is_about_itself
from medweave.retrieval.passages.question_kinds import content_terms

_DENYING = frozenset(["not", "no", "never", "cannot", "nor", "without"])
_NUMBER = re.compile(
    r"(?<![a-z\d])\d+(?:[.,]\d+)?(?![a-z\d])|[一二三四五六七八九十两]+(?=[个次天次周月年片粒])"
)
_THOUSANDS = re.compile(r",(?=\d{3}\b)")
_LEAST = 3
"""So many telling words two sentences share, at least."""
_NEAR = 0.05
"""Amounts that differ by less are the same: a month and four weeks are not, 30 days are."""
Amount = tuple[str, float]
"""A unit, and how many of it."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What a sentence tells of, whether it denies that, and its numbers."""

    telling: frozenset[str]
    denied: bool
    numbers: frozenset[str]
    amounts: frozenset[Amount]


def differ(one: str, other: str) -> bool:
    """Whether two sentences contradict each other.

    >>> differ("Aspirin should be taken with food.", "Aspirin should not be taken with food.")
    True
    >>> differ("Aspirin is safe in pregnancy.", "Aspirin is contraindicated in pregnant women.")
    True
    >>> differ("Opened insulin keeps four weeks.", "Insulin, once opened, is stored 28 days.")
    False
    >>> differ("Stage 1 tumours are 2 cm or less.", "Stage 2 tumours are 5 cm or less.")
    False
    """
    told, against = _content(one), _content(other)
    if len(told.telling) < _LEAST or told.telling != against.telling:
        return False
    if designations(one) != designations(other) or is_about_itself(one):
        return False
    return told.denied != against.denied or _other_numbers(told, against)


def _other_numbers(one: _Content, other: _Content) -> bool:
    """Whether both hold numbers, and these are others."""
    if one.amounts and other.amounts:
        for some, against in ((one.amounts, other.amounts), (other.amounts, one.amounts)):
            if not all(any(_alike(each, more) for more in against) for each in some):
                return True
    return bool(one.numbers) and bool(other.numbers) and one.numbers != other.numbers


def _alike(one: Amount, other: Amount) -> bool:
    return one[0] == other[0] and abs(one[1] - other[1]) <= _NEAR * max(one[1], other[1])


@lru_cache(maxsize=1 << 12)
def _content(text: str) -> _Content:
    low = text.lower()
    chinese = any(map(is_han, symbol_runs(low)))
    amounts, low = _amounts(low)
    rules = _rules("zh" if chinese else "en")
    for pattern, word in rules.replaced:
        low = pattern.sub(word if chinese else f" {word} ", low)
    denials = len(rules.denies.findall(low))
    plain = _NUMBER.sub(" ", low)
    if chinese:
        held = frozenset(each for each in rules.denies.sub("", plain) if each.isalnum())
    else:
        held = frozenset(content_terms(plain)) - _DENYING - stop_names()
    return _Content(held, denials % 2 == 1, frozenset(_NUMBER.findall(low)), amounts)


def _amounts(text: str) -> tuple[frozenset[Amount], str]:
    """The amounts of a text in the least unit of their kind, and the text with that in their place.

    >>> _amounts("for two weeks")
    (frozenset({('hour', 336)}), 'for  hour ')
    """
    found: set[Amount] = set()

    def first(match: re.Match[str]) -> str:
        number = _numbers().get(match["number"])
        if number is None:
            number = float(_THOUSANDS.sub("", match["number"]).replace(",", "."))
        for unit, of_kind in _units().items():
            for pattern, times in of_kind.items():
                if re.fullmatch(pattern, match["unit"]):
                    found.add((unit, number * times))
                    return f" {unit} "
        return match.group()

    rest = _amount().sub(first, text)
    return frozenset(found), rest


@cache
def _amount() -> re.Pattern[str]:
    units = "|".join(pattern for of_kind in _units().values() for pattern in of_kind)
    words = "|".join(_numbers())
    return re.compile(
        rf"(?<![a-z0-9.])(?P<number>\d[\d.,]*(?<=\d)|{words})[ -]?(?P<unit>{units})(?![a-z])"
    )


@cache
def _units() -> Mapping[str, Mapping[str, float]]:
    held: Mapping[str, Mapping[str, float]] = _held()["units"]
    return held


@cache
def _numbers() -> Mapping[str, float]:
    held: Mapping[str, float] = _held()["numbers"]
    return held


@cache
def _held() -> Mapping[str, Any]:
    return shipped_yaml("retrieval", "passages", "differing.yaml")


@dataclass(frozen=True, slots=True)
class _Rules:
    replaced: tuple[tuple[re.Pattern[str], str], ...]
    denies: re.Pattern[str]


@cache
def _rules(language: str) -> _Rules:
    held = _held()[language]
    replaced = tuple(
        (re.compile("|".join(patterns)), word) for word, patterns in held["replaced"].items()
    )
    return _Rules(replaced, re.compile(held["denies"]))
