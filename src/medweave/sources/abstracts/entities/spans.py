"""Stretches of a text that name something, and labelled texts to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


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


def is_free(start: int, end: int, spans: Iterable[Span]) -> bool:
    """Whether no span stands on any part of a stretch."""
    return not any(span.overlaps(start, end) for span in spans)
