"""The stretches of a text that may each describe something: clauses, and parts of English ones.

What else a clause says is weighed with what describes something, and hides it (decision 383).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from medweave.language.data import rule_in
from medweave.language.passage import Passage
from medweave.understanding.rule_files import CLAUSE_RULES

_CLAUSES = 40
"""So many clauses are read."""
_SHORTEST_PART = 3
"""Words of a part: "my HIV" is none."""
_LONGEST = 160
_SHORTEST = {"zh": 2}
_FEW = 6
"""Characters of a clause that tells something."""
OF_NO_STATE = frozenset(("", "dose", "duration", "onset"))
"""What a number may be besides a measurement."""
AROUND = " ,.;:?!，。？！；、"
"""Marks and blanks around a clause."""


class Stretch(NamedTuple):
    """A clause of a text, or a part of one."""

    start: int
    end: int
    is_part: bool


def stretches(passage: Passage, measured: Sequence[int] = ()) -> Iterator[Stretch]:
    """Clauses in which nothing is measured that is a state, each before its parts; `measured` are
    the places of values.

    >>> from medweave.language.passage import passage_of
    >>> text = "The clinic where I have my blood changed rang."
    >>> [text[start:end].strip() for start, end, _ in stretches(passage_of(text))]
    ['The clinic where I have my blood changed rang.', 'I have my blood changed rang.']
    """
    least = _SHORTEST.get(passage.language, _FEW)
    for start, end in passage.clauses[:_CLAUSES]:
        length = len(passage.text[start:end].strip(AROUND))
        if least <= length <= _LONGEST and not any(start <= place < end for place in measured):
            yield Stretch(start, end, False)
            if passage.language != "zh":
                yield from _parts(passage.text, start, end)


def _parts(text: str, start: int, end: int) -> Iterator[Stretch]:
    joins = list(rule_in("en", "joins", *CLAUSE_RULES).finditer(text, start, end))
    borders = [start, *(place for join in joins for place in join.span()), end]
    for first, last in zip(borders[::2], borders[1::2], strict=True):
        if joins and len(text[first:last].split()) >= _SHORTEST_PART:
            yield Stretch(first, last, True)


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """A clause but for the marks and blanks around it."""
    inner = text[start:end].strip(AROUND)
    first = text.index(inner, start)
    return first, first + len(inner)
