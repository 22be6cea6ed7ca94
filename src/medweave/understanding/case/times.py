"""Times of a case that are written as clinics and mothers do: "3/7", "since yesterday"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from medweave.language.folding import lower
from medweave.model.value import Value
from medweave.understanding.case.words import case_rules

_DAYS_OF_PART = {"7": 1, "52": 7}
"""n/7 are days and n/52 weeks; n/12 may be a date as well, and is left."""
_SHORT = re.compile(r"(?<![\d/.])(\d{1,2})/(7|52)(?![\d/])")


def with_short_times(text: str, values: Iterable[Value]) -> list[Value]:
    """The values with such times, in the order of the text.

    >>> [(v.quantity, v.value) for v in with_short_times("fever 3/7, cough since yesterday", ())]
    [('duration', 3.0), ('duration', 1.0)]
    """
    times = list(values)
    for made in (*_shorthand(text), *_since(text)):
        if not any(made.start < held.end and held.start < made.end for held in times):
            times.append(made)
    return sorted(times, key=lambda value: value.start)


def _shorthand(text: str) -> Iterator[Value]:
    for found in _SHORT.finditer(text):
        yield _time(*found.span(), int(found[1]) * _DAYS_OF_PART[found[2]])


def _since(text: str) -> Iterator[Value]:
    for pattern, days in _beginnings():
        for found in pattern.finditer(lower(text)):
            yield _time(*found.span(), days)


@cache
def _beginnings() -> tuple[tuple[re.Pattern[str], float], ...]:
    return tuple((re.compile(rule), days) for rule, days in case_rules()["since"].items())


def _time(start: int, end: int, days: float) -> Value:
    return Value(start, end, "duration", float(days), "d", float(days), None, "d")
