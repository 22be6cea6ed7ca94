"""Ages and weights as a guideline words them: "2 mo to 60 mo", "below 4 kg", "7 d and over"."""

from __future__ import annotations

import re

from medweave.guideline.yaml.parts import Part
from medweave.model.guideline import ANY_AGE, AgeBand, days_of_months

Span = tuple[float | None, float | None]
_NUMBER = r"(\d+(?:\.\d+)?)"
_UNIT = r"\s*([a-z]+)"
_FROM_TO = re.compile(rf"(?:from )?{_NUMBER}(?:{_UNIT})?\s*(?:to|-|–)\s*{_NUMBER}{_UNIT}")
_BELOW = re.compile(rf"(?:below|under|up to)\s+{_NUMBER}{_UNIT}")
_OVER = re.compile(rf"(?:from )?{_NUMBER}{_UNIT}(?: and (?:over|above|more))?")
_DAYS = {"d": 1.0, "day": 1.0, "days": 1.0, "wk": 7.0, "week": 7.0, "weeks": 7.0}
_MONTHS = {"mo": 1.0, "month": 1.0, "months": 1.0, "y": 12.0, "year": 12.0, "years": 12.0}
_KILOGRAMS = {"kg": 1.0, "g": 0.001}
_EXAMPLES = "write it like `2 mo to 60 mo`, `below 7 d`, `2 mo and over`"


def days_of(number: float, unit: str) -> int | None:
    """An age in a unit as days; None where the unit is none of age.

    >>> days_of(2, "mo"), days_of(5, "y"), days_of(2, "wk"), days_of(2, "kg")
    (60, 1826, 14, None)
    """
    if unit in _DAYS:
        return int(number * _DAYS[unit])
    return days_of_months(number * _MONTHS[unit]) if unit in _MONTHS else None


def read_ages(part: Part) -> AgeBand:
    """An age band: at least the first, below the second."""
    text = part.text().strip()
    if text == "any":
        return ANY_AGE
    low, high = _span(part, text)
    days = [None if end is None else days_of(*end) for end in (low, high)]
    if any(end is not None and day is None for end, day in zip((low, high), days, strict=True)):
        part.refuse(f"'{text}' is in no unit of age", "use d, wk, mo or y")
    if None not in days and days[0] >= days[1]:  # type: ignore[operator]
        part.refuse(f"nobody is of the ages '{text}'", _EXAMPLES)
    return AgeBand(*days)


def read_weights(part: Part) -> Span:
    """Weights in kg: at least the first, below the second."""
    text = part.text().strip()
    ends = _span(part, text)
    if any(end is not None and end[1] not in _KILOGRAMS for end in ends):
        part.refuse(f"'{text}' is no weight", "write it like `4 to 10 kg`")
    low, high = (None if end is None else end[0] * _KILOGRAMS[end[1]] for end in ends)
    if low is not None and high is not None and low >= high:
        part.refuse(f"nobody weighs '{text}'", "write it like `4 to 10 kg`")
    return low, high


_End = tuple[float, str] | None


def _span(part: Part, text: str) -> tuple[_End, _End]:
    if found := _FROM_TO.fullmatch(text):
        first, unit, second, other = found.groups()
        return (float(first), unit or other), (float(second), other)
    if found := _BELOW.fullmatch(text):
        return None, (float(found[1]), found[2])
    if found := _OVER.fullmatch(text):
        return (float(found[1]), found[2]), None
    return part.refuse(f"'{text}' cannot be understood", _EXAMPLES)


def written_ages(band: AgeBand) -> str:
    """An age band in words, which read as the same.

    >>> written_ages(AgeBand(60, 1826)), written_ages(AgeBand(None, 7)), written_ages(AgeBand(7))
    ('2 mo to 60 mo', 'below 7 d', '7 d and over')
    """
    if band == ANY_AGE:
        return "any"
    low = None if band.from_days is None else written_days(band.from_days)
    return _written(low, None if band.to_days is None else written_days(band.to_days))


def written_days(days: int) -> str:
    """An age in months where it is whole months, else in days.

    >>> written_days(304), written_days(61)
    ('10 mo', '61 d')
    """
    months = round(days / 30.4375)
    for number in (months, months + 1):
        if number and days_of_months(number) == days:
            return f"{number} mo"
    return f"{days} d"


def written_weights(span: Span) -> str:
    """Weights in words.

    >>> written_weights((4, 10)), written_weights((None, 4)), written_weights((10.5, None))
    ('4 kg to 10 kg', 'below 4 kg', '10.5 kg and over')
    """
    low, high = (None if end is None else f"{plain(end)} kg" for end in span)
    return _written(low, high)


def _written(low: str | None, high: str | None) -> str:
    if low is None:
        return f"below {high}"
    return f"{low} and over" if high is None else f"{low} to {high}"


def number(value: float) -> float | int:
    """A number without a needless point."""
    return int(value) if float(value).is_integer() else float(value)


def plain(value: float) -> str:
    """The same as a text.

    >>> plain(4.0), plain(0.1)
    ('4', '0.1')
    """
    return repr(number(value))
