"""The stretches of a text that could be names.

A text of sixty words has more than a thousand of them, and hardly two words in a row begin any
name. So longer stretches are only made where some name is known to go on like the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from medweave.language.folding import singular

LONGEST_NAME = 24
"""Names of more words, or Chinese characters, are not looked for in texts."""
_BEGUN = 2
"""A stretch of more words is made where a name begins with so many of them."""
WORD = r"(?:(?![\u3400-\u9fff])[^\W_])+|\S"
"""A run of letters and digits, a Chinese character, or a mark."""
_WORD = re.compile(WORD)
_ENGLISH_WORD = re.compile(r"[a-zA-Z0-9]+|\S")
"""The same in a text of ASCII alone, where it takes a quarter of the time."""

Place = tuple[int, int]
Stretch = tuple[int, int, str]
"""Where a stretch of a folded text that could be a name begins and ends, and the key it would have.

A plain tuple, since a text has hundreds of them.
"""
Begun = Callable[[set[str]], set[str]]
"""With which of some beginnings of names any name goes on."""


def words_of(text: str) -> list[Place]:
    """Where a name may begin and end in a folded text, so that no Latin word is cut in two.

    Chinese has no word boundaries to respect: every character counts as a word.

    >>> words_of("a cold 感冒")
    [(0, 1), (2, 6), (7, 8), (8, 9)]
    """
    word = _ENGLISH_WORD if text.isascii() else _WORD
    return [found.span() for found in word.finditer(text)]


def stretches(text: str, words: Sequence[Place], begun: Begun) -> Iterator[Stretch]:
    """Every stretch of a folded text that could be a name.

    >>> found = stretches("a common cold now", words_of("a common cold now"), lambda _: set())
    >>> [key for _, _, key in found]
    ['a', 'a common', 'common', 'common cold', 'cold', 'cold now', 'now']
    """
    starts = [start for start, _ in words]
    beginnings = [text[start:third] for start, third in zip(starts, starts[_BEGUN:], strict=False)]
    going_on = begun(set(beginnings))
    for first, start in enumerate(starts):
        more = first < len(beginnings) and beginnings[first] in going_on
        for _, end in words[first : first + (LONGEST_NAME if more else _BEGUN)]:
            yield start, end, singular(text[start:end])


def begins_any(beginning: str, keys: Sequence[str]) -> bool:
    """Whether any of some sorted keys begins so.

    >>> begins_any("common", ["cold", "common cold"]), begins_any("cold ", ["cold", "common cold"])
    (True, False)
    """
    place = bisect_left(keys, beginning)
    return place < len(keys) and keys[place].startswith(beginning)
