"""Fitting texts into boxes: SVG neither measures nor wraps."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import east_asian_width

_MAX_LINES = 3
_LETTER, _IDEOGRAPH = 7.2, 13.0


def text_width(text: str) -> float:
    """About how wide a text is at the size of the picture's names."""
    return sum(_IDEOGRAPH if east_asian_width(c) in "WF" else _LETTER for c in text)


def shortened(text: str, room: float) -> str:
    """The text, cut with an ellipsis where it is wider than the room."""
    if text_width(text) <= room:
        return text
    while text and text_width(text) + _LETTER > room:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, room: float) -> tuple[str, ...]:
    """The text in up to three lines, broken at spaces and between ideographs where possible."""
    lines: list[str] = []
    for piece in (part for word in _pieces(text) for part in _broken(word, room)):
        if lines and text_width(lines[-1] + piece.rstrip()) <= room:
            lines[-1] += piece
        else:
            lines.append(piece)
    shown = [line.strip() for line in lines]
    if len(shown) > _MAX_LINES:
        shown = [*shown[: _MAX_LINES - 1], " ".join(shown[_MAX_LINES - 1 :])]
    return tuple(shortened(line, room) for line in shown)


def _broken(word: str, room: float) -> Iterator[str]:
    """A word that is too long for one line, in parts."""
    letters = max(2, int(room / _LETTER) - 1)
    while text_width(word.rstrip()) > room:
        yield word[:letters] + "-"
        word = word[letters:]
    yield word


def _pieces(text: str) -> list[str]:
    """Words with the space behind them; every ideograph on its own."""
    pieces: list[str] = []
    fresh = True
    for letter in text:
        wide = east_asian_width(letter) in "WF"
        if fresh or wide:
            pieces.append(letter)
        else:
            pieces[-1] += letter
        fresh = wide or letter.isspace()
    return pieces
