"""Abbreviations that a text defines: "age-related macular degeneration (AMD)".

The algorithm is that of Schwartz and Hearst, "A simple algorithm for identifying abbreviation
definitions in biomedical text" (2003): from the last letter of the short form backwards, each is
looked for in what stands before the bracket; the first must begin a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_SHORT = re.compile(r"\(([^\W_][\w./+-]{1,9})(?=[);,:])")
_REACH = 200
"""Characters before the bracket in which the long form must begin."""


class Abbreviation(NamedTuple):
    """The places of a long form and of the short form that it is given."""

    long_start: int
    long_end: int
    short_start: int
    short_end: int


def abbreviations(text: str) -> Iterator[Abbreviation]:
    """All that are defined in a text, in its order.

    >>> text = "Age-related macular degeneration (AMD) is common (see below)."
    >>> [text[a.long_start : a.long_end] for a in abbreviations(text)]
    ['Age-related macular degeneration']
    """
    for match in _SHORT.finditer(text):
        short = match[1]
        if any(character.isupper() for character in short):
            end = match.start()
            while end and text[end - 1].isspace():
                end -= 1
            start = _long_start(text[max(0, end - _REACH) : end], short)
            if start is not None:
                yield Abbreviation(end - min(_REACH, end) + start, end, *match.span(1))


def _long_start(before: str, short: str) -> int | None:
    """Where the long form begins in what stands before the bracket; None where there is none."""
    place = len(before)
    wanted = [character.lower() for character in short if character.isalnum()]
    for number in range(len(wanted) - 1, -1, -1):
        place -= 1
        while place >= 0 and not _fits(before, place, wanted[number], first=number == 0):
            place -= 1
        if place < 0:
            return None
    long = before[place:]
    words = len(long.split())
    if "\n" in long or len(long) <= len(short) or words > min(len(short) + 5, 2 * len(short)):
        return None
    return place


def _fits(before: str, place: int, letter: str, *, first: bool) -> bool:
    begins_word = place == 0 or not before[place - 1].isalnum()
    return before[place].lower() == letter and (begins_word or not first)
