"""Amounts of a medicine that were taken, held against the most that is meant for a day.

The amount is what the numbers around the medicine's name make: mass, or tablets of a strength, so
many times a day, through so many days. The limits are data (`rules/amounts.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.numbers import find_numbers
from medweave.language.passage import passage_of
from medweave.language.prefilter import Expression
from medweave.model.value import Value
from medweave.understanding.danger.table import class_pattern

TOO_MUCH, PEAK_FLOW_FALLEN = "too_much_medicine", "peak_flow_fallen"
"""The findings that are read here."""
_HALF = 0.5
_MOST_PIECES = 100
"""More tablets are no count, but a strength: "metformin 500 tablets daily"."""
_MG = {"mg": 1.0, "g": 1000.0, "ug": 0.001}
_HOURS_A_DAY = 24


@dataclass(frozen=True, slots=True)
class Limit:
    """The most of a medicine that an adult is meant to take in a day."""

    day_mg: float
    piece_mg: float
    """The strength of a tablet where none is told; 0 where they differ too much to assume one."""
    kg_mg: float = 0.0
    """The most for each kilogram of a person's weight; 0 where it is not known."""

    def of(self, weight_kg: float | None) -> float:
        """The most for a person of this weight."""
        by_weight = self.kg_mg * weight_kg if weight_kg and self.kg_mg else self.day_mg
        return min(self.day_mg, by_weight)


@dataclass(frozen=True, slots=True)
class _Rules:
    language: str
    medicines: tuple[tuple[Expression, Limit], ...]
    taken: re.Pattern[str]
    piece: re.Pattern[str]
    times: re.Pattern[str]
    every: re.Pattern[str]
    days: re.Pattern[str]


@cache
def _rules(language: str) -> _Rules:
    held = shipped_yaml("understanding", "danger", "rules", "amounts.yaml")
    words = held["words"][language]
    names = [
        (class_pattern(entry[language], language), _limit(entry))
        for entry in held["medicines"].values()
    ]
    piece = words["piece"].replace("{medicines}", f"(?:{'|'.join(name for name, _ in names)})")
    return _Rules(
        language,
        tuple((Expression(name), limit) for name, limit in names),
        re.compile(words["taken"]),
        re.compile(piece),
        *(re.compile(words[name]) for name in ("times", "every", "days")),
    )


def _limit(entry: dict[str, Any]) -> Limit:
    return Limit(1000 * entry["day_g"], entry.get("tablet_mg", 0), entry.get("kg_mg", 0))


def may_name_medicine(text: str, language: str) -> bool:
    """Whether a text in lower case may name a medicine whose limit is known."""
    medicines = _rules(language_with_rules(language)).medicines
    return any(medicine.may_be_in(text) for medicine, _ in medicines)


def amounts_beyond(
    text: str, language: str, values: Sequence[Value], weight_kg: float | None = None
) -> Iterator[tuple[int, int]]:
    """Where a text in lower case tells that more of a medicine was taken than is meant for a day.

    >>> from medweave.language.values import read_values
    >>> text = "i took 8 g of paracetamol today"
    >>> [text[a:b] for a, b in amounts_beyond(text, "en", read_values(text, "en"))]
    ['paracetamol']
    >>> text = "i take paracetamol 500 mg four times a day"
    >>> list(amounts_beyond(text, "en", read_values(text, "en")))
    []
    """
    rules = _rules(language_with_rules(language))
    passage = passage_of(text, language)
    for medicine, limit in rules.medicines:
        for match in medicine.finditer(text):
            start, end = passage.sentence_at(match.start())
            stretch = text[start:end]
            near = [
                v
                for v in values
                if start <= v.start < end and v.quantity == "dose" and v.bound != "<"
            ]
            if rules.taken.search(stretch):
                amount = _day_amount(stretch, start, near, limit, rules)
                if amount > limit.of(weight_kg):
                    yield match.span()


def _day_amount(
    stretch: str, offset: int, doses: Sequence[Value], limit: Limit, rules: _Rules
) -> float:
    """Milligrams in a day, as a sentence tells them; 0 where it tells none."""
    masses = [v.value * _MG[v.unit] for v in doses if v.unit in _MG]
    apart = [(v.start - offset, v.end - offset) for v in doses if v.unit in _MG]
    pieces = _pieces(stretch, apart, rules)
    one = max(masses, default=limit.piece_mg)
    times, every = (_number(p, stretch, rules) for p in (rules.times, rules.every))
    a_day = times or (_HOURS_A_DAY / every if every else 1.0)
    days = _number(rules.days, stretch, rules) or 1.0
    return one * (pieces or (1.0 if masses else 0.0)) * a_day / days


def _pieces(stretch: str, apart: Sequence[tuple[int, int]], rules: _Rules) -> float:
    """How many tablets: the largest number behind which they stand."""
    found = [0.0]
    for number in find_numbers(stretch, rules.language):
        inside = any(start <= number.start < end for start, end in apart)
        if not inside and number.value <= _MOST_PIECES and rules.piece.match(stretch, number.end):
            found.append(number.value)
    return max(found)


def _number(pattern: re.Pattern[str], stretch: str, rules: _Rules) -> float:
    """The number in what an expression finds; 0 where it finds nothing."""
    match = pattern.search(stretch)
    if match is None:
        return 0.0
    return next((n.value for n in find_numbers(match.group(), rules.language)), 1.0)


def peak_flow_fallen(values: Sequence[Value]) -> tuple[int, int] | None:
    """Where a peak flow stands that is less than half of another one in the text."""
    flows = sorted((v for v in values if v.quantity == "peak flow"), key=lambda v: v.value)
    if flows and flows[0].value < _HALF * flows[-1].value:
        return flows[0].start, flows[0].end
    return None
