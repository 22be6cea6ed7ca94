"""Words that rules need, and which of them are in a piece of a text: seen once for all rules.

What a piece has of the words is remembered: most pieces of most texts were met before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import add

_BEGINNING = 3
"""A piece that has not the first letters of a word has not the word."""
_LONG = 40
"""Longer pieces are hardly met in another text: few are remembered."""
_PIECES, _LONG_PIECES = 1 << 14, 1 << 5
"""So many are remembered; beyond that all are forgotten."""

Words = frozenset[str]


class Watched:
    """Words that are looked for in all texts; none has a blank in it.

    >>> watched = Watched()
    >>> watched.watch(["head", "ache", "cold"])
    >>> sorted(watched.of_piece("headaches,"))
    ['ache', 'head']
    """

    def __init__(self) -> None:
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        self._words: set[str] = set()
        self._forget()

    def _forget(self) -> None:
        self._pieces: dict[str, Words] = {}
        self._long: dict[str, Words] = {}

    def watch(self, words: Iterable[str]) -> None:
        """Look for these words as well."""
        new = set(words) - self._words
        self._words |= new
        for word in new:
            self._by_beginning[word[:_BEGINNING]].append(word)
        if new:  # what is remembered lacks them; who reads a piece meanwhile fills the old place
            self._forget()

    def of_piece(self, piece: str) -> Words:
        """Those of the words that a piece of a text has, also within others."""
        many, held = (_PIECES, self._pieces) if len(piece) <= _LONG else (_LONG_PIECES, self._long)
        found = held.get(piece)
        if found is None:
            known = self._by_beginning
            beginnings = _beginnings(piece) & known.keys()
            found = frozenset(w for begin in beginnings for w in known[begin] if w in piece)
            if len(held) >= many:
                held.clear()
            held[piece] = found
        return found


def _beginnings(piece: str) -> set[str]:
    """All with which a word in a piece may begin: its letters, and two and three in a row."""
    pairs = list(map(add, piece, piece[1:]))
    return {*piece, *pairs, *map(add, pairs, piece[2:])}


WATCHED = Watched()
"""The words of all rules."""
