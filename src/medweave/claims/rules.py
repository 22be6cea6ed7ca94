"""How sentences claim things, as the rule files have it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml

Pattern = re.Pattern[str]


_ONE = (
    "denying", "absolute", "share", "first_line", "allergy", "joints", "apposition", "likewise",
    "dose", "number", "filler", "predicative", "separators", "opening", "emphasis", "kind",
)  # fmt: skip
_SOME = ("severity", "age", "weeks", "bounds")


@dataclass(frozen=True, slots=True)
class Relation:
    """What is claimed of two things."""

    name: str
    ways: tuple[tuple[str, bool], ...]
    """Predicates that record it, each with whether it goes from the second to the first."""
    inherited: bool
    """Whether what is recorded of a class says it of a member."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a sentence, with its sides as groups `a` and `b`."""

    relation: Relation
    pattern: Pattern
    swap: bool = False
    denies: bool = False
    only: str = ""
    """Of which kinds of things this form is: see `reading.fits`."""
    ends: tuple[tuple[frozenset[str], frozenset[str]], ...] = ()
    """The concepts that its sides may have, either way round; any where there are none."""
    literal: bool = False
    """Whether it is the name of a relation in several words: no other form says it better."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The forms of a language, and the words that change what they claim."""

    language: str
    forms: tuple[Form, ...]
    denying: Pattern
    absolute: Pattern
    share: Pattern
    """Of how many of those who have something a claim is: no record between two things says it."""
    severity: Mapping[str, Pattern]
    first_line: Pattern
    allergy: Pattern
    joints: Pattern
    apposition: Pattern
    likewise: Pattern
    """A clause that says of `a` what the one before said of its subject: "so does x"."""
    age: Mapping[str, Pattern]
    weeks: Mapping[str, Pattern]
    """Of pregnancy."""
    units: Mapping[str, float]
    dose: Pattern
    number: Pattern
    bounds: Mapping[str, Pattern]
    filler: Pattern
    predicative: Pattern
    """What makes words that are passed over elsewhere a claim of their own: "measles is mild"."""
    separators: Pattern
    opening: Pattern
    """Words before a sentence that claim nothing."""
    emphasis: Pattern
    """Words that neither claim nor deny, though a word in them may: "not only"."""
    kind: Pattern
    """A general name that only says of what kind is what is named behind it: it is no name here."""


@cache
def relations() -> dict[str, Relation]:
    """All relations, by name."""
    read = shipped_yaml("claims", "rules", "relations.yaml")
    return {
        name: Relation(name, tuple(map(_way, ways)), name in read["inherited"])
        for name, ways in read["relations"].items()
    }


def _way(written: str) -> tuple[str, bool]:
    return written.removeprefix("~"), written.startswith("~")


@cache
def grades_of_never() -> frozenset[str]:
    """How grave an interaction is of two things that are never to be combined."""
    return frozenset(shipped_yaml("claims", "rules", "relations.yaml")["never"])


@cache
def ages_of_people() -> dict[str, tuple[float, float]]:
    """Of people who are named by their age: from so many days on, and below so many."""
    people = shipped_yaml("claims", "rules", "relations.yaml")["people"]
    return {name: (least, below) for name, (least, below) in people.items()}


@cache
def weeks_of_trimesters() -> dict[str, tuple[float, float]]:
    """Of pregnancy: from so many weeks on, and below so many."""
    read = shipped_yaml("claims", "rules", "relations.yaml")["trimesters"]
    return {name: (least, below) for name, (least, below) in read.items()}


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language; English where there are none for it."""
    language = language_with_rules(language)
    read = shipped_yaml("claims", "rules", f"{language}.yaml")
    one = {name: _compiled(read[name]) for name in _ONE}
    some = {name: {k: _compiled(each) for k, each in read[name].items()} for name in _SOME}
    parts: dict[str, Any] = {**one, **some}
    return Rules(language, tuple(map(_form, read["forms"])), units=read["units"], **parts)


def _form(written: Mapping[str, Any]) -> Form:
    return Form(
        relations()[written["relation"]],
        _compiled(written["pattern"]),
        bool(written.get("swap")),
        bool(written.get("denies")),
        str(written.get("only", "")),
    )


def _compiled(pattern: str) -> Pattern:
    return re.compile(pattern, re.IGNORECASE)
