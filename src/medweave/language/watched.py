"""Words that rules need, and which of them a text has: seen once for all rules that there are.

A text is cut at its blanks. What a piece has of the words is remembered: most pieces of most texts
were met before, so a text costs a look at each of its pieces, whatever number of rules there is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from operator import add

_BEGINNING = 3
"""A piece that has not the first letters of a word has not the word."""
_LONG = 40
"""Longer pieces are not met again: they are not remembered."""
_PIECES, _TEXTS = 1 << 14, 1 << 9
"""So many are remembered; beyond that all are forgotten."""

Words = frozenset[str]


class _Pieces(dict[str, Words]):
    """The words in pieces of texts, looked for when a piece is met."""

    def __init__(self, by_beginning: dict[str, list[str]]) -> None:
        super().__init__()
        self._by_beginning = by_beginning
        self._texts: dict[str, Words] = {}

    def __missing__(self, piece: str) -> Words:
        known = self._by_beginning
        found = frozenset(
            word
            for beginning in _beginnings(piece)
            if beginning in known
            for word in known[beginning]
            if word in piece
        )
        if len(piece) <= _LONG:
            if len(self) >= _PIECES:
                self.clear()
            self[piece] = found
        return found

    def of_text(self, text: str) -> Words:
        """The words in all pieces of a text."""
        found = self._texts.get(text)
        if found is None:
            found = frozenset[str]().union(*map(self.__getitem__, text.split()))
            if len(self._texts) >= _TEXTS:
                self._texts.clear()
            self._texts[text] = found
        return found


class Watched:
    """Words that are looked for in every text.

    >>> watched = Watched()
    >>> watched.watch(["head", "ache", "cold"])
    >>> sorted(watched.of_text("my headaches"))
    ['ache', 'head']
    """

    def __init__(self) -> None:
        self._by_beginning: dict[str, list[str]] = defaultdict(list)
        self._words: set[str] = set()
        self._pieces = _Pieces(self._by_beginning)

    def watch(self, words: Iterable[str]) -> None:
        """Look for these words as well; none has a blank in it."""
        new = set(words) - self._words
        if not new:
            return
        self._words |= new
        for word in new:
            self._by_beginning[word[:_BEGINNING]].append(word)
        # what is remembered lacks them; who reads a text meanwhile remembers in the old place
        self._pieces = _Pieces(self._by_beginning)

    def of_text(self, text: str) -> Words:
        """Those of the words that a text has, also within others."""
        return self._pieces.of_text(text)


def _beginnings(piece: str) -> set[str]:
    """All with which a word in a piece may begin: its letters, and two and three in a row."""
    pairs = list(map(add, piece, piece[1:]))
    return {*piece, *pairs, *map(add, pairs, piece[2:])}


WATCHED = Watched()
"""The words of all rules."""
