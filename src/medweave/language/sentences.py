"""Sentences of a text, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from medweave.language.data import rule_in

_END = re.compile(r"(?<=[.!?])(?=\s+[^a-z])|(?<=[。！？])|\n+")
_ABBREVIATIONS = ("language", "rules", "abbreviations.yaml")
_ABBREVIATED = 16
"""Characters that tell whether a point ends an abbreviation."""


_TYPED_END = re.compile(r"(?<=[.!?])(?=\s+\S)|(?<=[a-z)][.!?])(?=[A-Z][a-z'’])|(?<=[。！？])|\n+")
_BLANKS = 8
"""Blanks that may stand between two sentences."""
_LONGEST = 1500
"""Characters of a typed sentence; what has no end for longer is cut where a part of it ends."""
_PART_ENDS = (",;:，；：、", " ")
"""Where a sentence without an end is cut: at a mark, else at a blank."""
_CAPITAL, _SMALL = re.compile(r"[.!?]\s+[A-Z]"), re.compile(r"[.!?]\s+[a-z]")


def typed_sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """`sentences` of people who type as they speak: without capitals, or without a blank between.

    Who types without any marks for pages has said several: so long a piece is cut in parts.

    >>> [said for _, _, said in typed_sentences("it hurts. approx. 3 days.It is red.")]
    ['it hurts.', 'approx. 3 days.', 'It is red.']
    """
    small = len(_SMALL.findall(text)) > len(_CAPITAL.findall(text))
    start, typed = 0, rule_in("en", "typed", *_ABBREVIATIONS)
    for match in _TYPED_END.finditer(text):
        piece = text[start : match.start()]
        behind = text[match.end() : match.end() + _BLANKS].lstrip()
        goes_on = typed.search(piece) or (behind[:1].islower() and not small)
        if match.group() == "" and piece[-1:] in ".!?" and goes_on:
            continue
        yield from in_parts(text, start, match.start())
        start = match.end()
    yield from in_parts(text, start, len(text))


def sentences(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, sentence) with surrounding space left out of the span.

    >>> list(sentences("It hurts. Rest helps!"))
    [(0, 9, 'It hurts.'), (10, 21, 'Rest helps!')]
    """
    start, printed = 0, rule_in("en", "printed", *_ABBREVIATIONS)
    for match in _END.finditer(text):
        ending = text[max(start, match.start() - _ABBREVIATED) : match.start()]
        if match.group() == "" and printed.search(ending):
            continue
        yield from _trimmed(text, start, match.start())
        start = match.end()
    yield from _trimmed(text, start, len(text))


def in_parts(
    text: str, start: int, end: int, longest: int = _LONGEST
) -> Iterator[tuple[int, int, str]]:
    """What stands between two ends: one sentence, or parts of one that is too long.

    >>> [part for _, _, part in in_parts("no fever, no cough", 0, 18, 10)]
    ['no fever,', 'no cough']
    """
    while end - start > longest:
        cut = _last_part_end(text, start + longest // 2, start + longest)
        yield from _trimmed(text, start, cut)
        start = cut
    yield from _trimmed(text, start, end)


def _last_part_end(text: str, start: int, end: int) -> int:
    for marks in _PART_ENDS:
        found = max(text.rfind(mark, start, end) for mark in marks)
        if found >= 0:
            return found + 1
    return end


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    piece = text[start:end]
    start += len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if piece:
        yield start, start + len(piece), piece
