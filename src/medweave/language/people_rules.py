"""The rules by which people and their ages are found: rules/people.*.yaml, compiled."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any
from typing import Literal as OneOf

from medweave.language.data import any_of, language_with_rules, rules_in
from medweave.language.numbers import find_numbers
from medweave.language.person import Role, Sex
from medweave.language.prefilter import Alternatives, Expression

WRITER: OneOf["writer"] = "writer"
DAYS_IN_YEAR = 365.25
DECADE = 10
INFANCY = 2
"""Years; of older people the last day of a range is the one before the next birthday."""
_FRIEND = "friend"
_SEXES = ("male", "female")
_ALTERNATIVES = ("nobody", "announced", "offered_to")
_PRONOUNS = ("male_pronoun", "female_pronoun", "other_pronoun")


def days_of(number: float, unit_days: float) -> int:
    """Days of an age: whole days of n units; somebody is n months old from floor(n x 30.4375) on.

    >>> days_of(3, 365.25), days_of(10, 30.4375)
    (1095, 304)
    """
    return int(number * unit_days)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a noun says of whom it names: role, sex, and the ages it stands for, in days."""

    role: Role
    sex: Sex | None
    days: tuple[int, int] | None


@dataclass(frozen=True)
class PeopleRules:
    """The rules of one language; see people.en.yaml."""

    kinds: Mapping[str, Kind]
    anybody: re.Pattern[str]
    """Every word for somebody; the name of the group is its kind."""
    owned: re.Pattern[str]
    """What follows a possessive whose noun is a person itself."""
    object_pronouns: frozenset[str]
    possessives: frozenset[str]
    """Words for somebody that only say whose something is."""
    number: re.Pattern[str]
    """Where a number begins."""
    nobody: Alternatives
    """What only looks like a word for somebody."""
    announced: Alternatives
    """What stands before whom a text says that it is about."""
    offered_to: Alternatives
    """What stands before whom something was offered."""
    patterns: Mapping[str, Expression]
    ages_at_number: tuple[Expression, ...]
    ages_behind_person: tuple[Expression, ...]
    ages_anywhere: tuple[Expression, ...]
    units: Mapping[str, float]

    def __getattr__(self, name: str) -> Expression:
        try:
            return self.patterns[name]
        except KeyError:
            raise AttributeError(name) from None

    def whose(self, kind: str, before: str) -> OneOf["", "writer", "other", "somebody"]:
        """Whose relative is named behind this. A friend of nobody is somebody who stands by."""
        if kind == _FRIEND and self.patterns["of_nobody"].search(before):
            return "somebody"
        if self.patterns["own_relative"].search(before) or self.patterns["own_kin"].search(before):
            return "writer"
        if self.patterns["anothers_relative"].search(before):
            return "other"
        return "somebody" if self.patterns["introduced"].search(before) else ""

    def is_writer(self, kind: str, before: str) -> bool:
        """Whether a noun behind this says what the writer is: "I am a 34-year-old woman"."""
        if self.patterns["writer_is"].search(before):
            return True
        return kind in _SEXES and self.patterns["sex_alone"].search(before) is not None

    def days(self, parts: Mapping[str, str | None], language: str) -> int | None:
        """Days of an age as a pattern found it; years where it names no unit."""
        number = _number(parts["n"], language)
        if number is None:
            return None
        unit = parts.get("unit")
        if unit == "":  # "day 5 of life"
            return int(number)
        days = self.units[unit or next(iter(self.units))]
        more, lesser = _number(parts.get("more"), language), parts.get("more_unit")
        if more is not None and lesser and self.units[lesser] >= days:
            return days_of(more, self.units[lesser])  # "2 months, 14 months old": two times
        half = 0.5 if parts.get("half") else 0.0
        rest = days_of(more, self.units[lesser]) if more and lesser else 0
        short = 1 if parts.get("nearly") else 0
        return max(days_of(number + half, days) + rest - short, 0)

    def decade_of(self, n: str, language: str) -> tuple[int, int]:
        """The days in which a decade of life begins and ends: seventies, 七十, 七 (旬).

        >>> people_rules("en").decade_of("seventies", "en")
        (25567, 29219)
        """
        first = _number(n.replace("ies", "y"), language) or 0
        years = first if first >= DECADE else DECADE * first
        return days_of(years, DAYS_IN_YEAR), days_of(years + DECADE, DAYS_IN_YEAR) - 1


def _number(text: str | None, language: str) -> float | None:
    if not text:
        return None
    return next((found.value for found in find_numbers(text, language)), None)


@cache
def people_rules(language: str) -> PeopleRules:
    """The rules that ship for a language; English where there are none for it."""
    held = rules_in(language, "language", "rules", "people.*.yaml")
    edge = r"\b" if language_with_rules(language) == "en" else ""
    nouns = {kind: entry["words"] for kind, entry in held["people"].items()}
    person = "|".join(nouns.values())
    groups = {**nouns, **{kind: held[kind] for kind in ("writer", *_PRONOUNS)}}
    filled = {"person": person, "number": held["number"], "ends": held["ends"]}
    ages = {
        place: tuple(Expression(_filled(pattern, filled)) for pattern in patterns)
        for place, patterns in held["ages"].items()
    }
    joined = {
        rule: Alternatives(_filled(one, filled) for one in held[rule]) for rule in _ALTERNATIVES
    }
    return PeopleRules(
        {kind: _kind(entry) for kind, entry in held["people"].items()},
        _anybody(groups, edge),
        re.compile(_filled(held["owned"], filled)),
        frozenset(held["object_pronouns"]),
        frozenset(held["possessives"]),
        re.compile(rf"(?<![\d.])(?:{edge}|(?<=\b[mf]))(?:{held['number']})"),
        joined["nobody"],
        joined["announced"],
        joined["offered_to"],
        {
            rule: Expression(_filled(pattern, filled))
            for rule, pattern in held.items()
            if isinstance(pattern, str | list) and rule not in (*groups, *_ALTERNATIVES)
        },
        ages["at_number"],
        ages["behind_person"],
        ages["anywhere"],
        held["units"],
    )


def _anybody(groups: Mapping[str, str], edge: str) -> re.Pattern[str]:
    """The longest words first: "baby boy" is no "baby"."""
    order = sorted(groups.items(), key=lambda item: -max(map(len, item[1].split("|"))))
    ways = "|".join(f"(?P<{kind}>{words})" for kind, words in order)
    return re.compile(rf"{edge}(?=\w)(?:{ways}){edge}")  # most places begin no word


def _filled(pattern: str | list[str], parts: Mapping[str, str]) -> str:
    joined = any_of(pattern)
    for name, part in parts.items():
        joined = joined.replace("{" + name + "}", part)
    return joined


def _kind(entry: Mapping[str, Any]) -> Kind:
    years = entry.get("years")
    days = (
        (int(years[0] * DAYS_IN_YEAR), int(years[1] * DAYS_IN_YEAR) - (years[1] > INFANCY))
        if years
        else None
    )
    return Kind(entry["role"], entry.get("sex"), days)
