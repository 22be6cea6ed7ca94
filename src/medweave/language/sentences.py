"""Sentences of a text, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<=[.!?])(?=\s+[^a-z])|(?<=[。！？])|\n+")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|dr|vs|approx|etc|no|fig)|\b[A-Z])\.$", re.IGNORECASE)


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, sentence) with surrounding space left out of the span.

    >>> list(sentences("It hurts. Rest helps!"))
    [(0, 9, 'It hurts.'), (10, 21, 'Rest helps!')]
    """
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if _ABBREVIATION.search(piece) and match.group() == "":
            continue
        yield from _trimmed(text, start, match.start())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if piece:
        yield start, start + len(piece), piece
