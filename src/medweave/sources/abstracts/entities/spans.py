"""Stretches of a text that name something, and labelled texts to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

_BLOCK = 64
"""Characters of a text whose spans are held together."""


class Span(NamedTuple):
    """Where a text names something of a type; offsets count Unicode characters."""

    start: int
    end: int
    type: str

    def overlaps(self, start: int, end: int) -> bool:
        """Whether it shares a character with a stretch.

        >>> Span(0, 4, "drug").overlaps(3, 9), Span(0, 4, "drug").overlaps(4, 9)
        (True, False)
        """
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with all that it names, as somebody labelled it."""

    text: str
    spans: Sequence[Span]


class SpanIndex:
    """Spans by their places, so that those at a place are found however many there are.

    >>> index = SpanIndex([Span(0, 4, "drug")])
    >>> index.overlapping(3, 9), index.is_free(4, 9)
    ({Span(start=0, end=4, type='drug')}, True)
    """

    def __init__(self, spans: Iterable[Span] = ()) -> None:
        self.spans: set[Span] = set()
        self._blocks: dict[int, set[Span]] = {}
        for span in spans:
            self.add(span)

    def add(self, span: Span) -> None:
        """One more."""
        self.spans.add(span)
        for block in _blocks(span.start, span.end):
            self._blocks.setdefault(block, set()).add(span)

    def remove(self, span: Span) -> None:
        """One less."""
        self.spans.discard(span)
        for block in _blocks(span.start, span.end):
            self._blocks.get(block, set()).discard(span)

    def overlapping(self, start: int, end: int) -> set[Span]:
        """Those that share a character with a stretch."""
        near = (self._blocks.get(block, ()) for block in _blocks(start, end))
        return {span for spans in near for span in spans if span.overlaps(start, end)}

    def is_free(self, start: int, end: int) -> bool:
        """Whether no span stands on any part of a stretch."""
        return not self.overlapping(start, end)


def _blocks(start: int, end: int) -> range:
    return range(start // _BLOCK, max(start, end - 1) // _BLOCK + 1)
