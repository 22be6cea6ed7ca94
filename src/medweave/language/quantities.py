"""What is measured, in which units, and how these are converted. The data is quantities.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit in which a quantity is written: (x + add) · times is the unit we reason in."""

    add: float = 0.0
    times: float = 1.0

    def reasoned(self, written: float) -> float:
        """A value in this unit, in the unit we reason in.

        >>> round(quantities()["body temperature"].units["[degF]"].reasoned(100.4), 6)
        38.0
        """
        return (written + self.add) * self.times

    def written(self, reasoned: float) -> float:
        """The way back."""
        return reasoned / self.times - self.add


@dataclass(frozen=True, slots=True)
class Quantity:
    """Something that is measured. See the head of quantities.yaml."""

    name: str
    unit: str
    units: Mapping[str, Unit]
    range: Range
    alone: Mapping[str, Range]
    bare: Mapping[str, Range]
    read_as: str

    def holds(self, value: float, code: str) -> bool:
        """Whether a value in a unit can be one of this quantity at all."""
        low, high = self.range
        return code in self.units and low <= self.units[code].reasoned(value) <= high

    def code_of(self, value: float, code: str, *, named: bool) -> str | None:
        """The unit that a number is in, written beside `code` (or nothing); None if it is none.

        `named` if a name of the quantity stands beside it.
        """
        if code in ("", "degree"):
            if not named and not _within(self.alone.get(code), value):
                return None
            ranges = self.bare if code == "" or self.bare else {}
            return next((c for c, span in ranges.items() if _within(span, value)), None)
        fits = self.holds(value, code) and (named or _within(self.alone.get(code), value))
        return code if fits else None


def _within(span: Range | None, value: float) -> bool:
    return span is not None and span[0] <= value <= span[1]


@cache
def quantities() -> dict[str, Quantity]:
    """All quantities by name; "" is what keeps a number from being read."""
    return {entry["quantity"]: _quantity(entry) for entry in _content()["quantities"]}


@cache
def units_alone() -> dict[str, tuple[Quantity, ...]]:
    """For a unit, the quantities that need no name beside it."""
    found: dict[str, list[Quantity]] = {}
    for quantity in quantities().values():
        for code in quantity.alone:
            found.setdefault(code, []).append(quantity)
    return {code: tuple(some) for code, some in found.items()}


def unit_codes() -> dict[str, str]:
    """The code of each unit, by how it is written."""
    return {form: code for code, forms in _content()["written"].items() for form in forms}


@cache
def unit_pattern() -> re.Pattern[str]:
    """What a unit behind a number looks like: the longest way of writing it."""
    forms = sorted(unit_codes(), key=len, reverse=True)
    ascii_forms = "|".join(re.escape(form) for form in forms if _ends_in_letter(form))
    others = "|".join(re.escape(form) for form in forms if not _ends_in_letter(form))
    return re.compile(rf"\s?-?\s?((?:{ascii_forms})(?![a-z0-9/])|(?:{others}))")


def _ends_in_letter(form: str) -> bool:
    return form[-1].isascii() and form[-1].isalnum()


@cache
def names(language: str) -> dict[str, str]:
    """The quantity that each name of a language stands for; English ones in Chinese texts too."""
    wanted = ("en", "zh") if language == "zh" else ("en",)
    return {
        name: entry["quantity"]
        for entry in _content()["quantities"]
        for each in wanted
        for name in entry[each]
    }


@cache
def name_pattern(language: str) -> re.Pattern[str]:
    """What names of quantities look like, the longest first; whole words if they are Latin."""
    forms = sorted(names(language), key=len, reverse=True)
    by_letter: dict[str, list[str]] = {}  # most words begin none, which one letter then tells
    for form in forms:
        if form.isascii():
            by_letter.setdefault(form[0], []).append(re.escape(form[1:]))
    latin = "|".join(f"{re.escape(one)}(?:{'|'.join(rest)})" for one, rest in by_letter.items())
    han = "|".join(re.escape(form) for form in forms if not form.isascii())
    pattern = rf"(?<![a-z0-9'])(?:{latin})(?![a-z])"
    return re.compile(f"{pattern}|{han}" if han else pattern)


def _content() -> dict[str, Any]:
    return shipped_yaml("language", "rules", "quantities.yaml")


def _quantity(entry: dict[str, Any]) -> Quantity:
    return Quantity(
        entry["quantity"],
        entry["unit"],
        {code: _unit(given) for code, given in entry["units"].items()},
        _range(entry["range"]),
        {code: _range(span) for code, span in entry.get("alone", {}).items()},
        {code: _range(span) for code, span in entry.get("bare", {}).items()},
        entry.get("read_as", entry["quantity"]),
    )


def _unit(given: dict[str, float]) -> Unit:
    return Unit(given.get("add", 0.0), given.get("times", 1.0) / given.get("over", 1.0))


def _range(given: list[float]) -> Range:
    return float(given[0]), float(given[1])
