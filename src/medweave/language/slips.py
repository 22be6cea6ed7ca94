"""How many slips of the pen lie between what was written and a word that may be meant.

A slip is a letter left out, put in, put for another, or two letters exchanged: Damerau's four, as
counted by optimal string alignment (no letter is touched twice). What is put for another letter
must be like it by ear or beside it on the keyboard, or it is another word: "lasik" is not "lasix".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise, permutations
from typing import Any

from medweave.language.data import shipped_yaml

SHORTEST = 5
"""Shorter words are not taken for misspelt."""
SHORTEST_CORRECTED = 4
LONGEST = 30
MOST = 2
"""More slips are not taken for slips."""
_PAIR = 2
_UNLIKE = 2
Pairs = frozenset[tuple[str, str]]
"""Letters that are put for each other."""
_TWO_FROM = 9
"""From so many letters on, two slips may be; below, one."""
_WORD = re.compile(rf"(?<![^\W_])[a-z]{{{SHORTEST_CORRECTED},{LONGEST}}}(?![^\W_])")


def most_slips(written: str) -> int:
    """How many slips there may be in a word of this length.

    >>> most_slips("ache"), most_slips("feaver"), most_slips("hemmorhage")
    (0, 1, 2)
    """
    if len(written) < SHORTEST:
        return 0
    return 1 if len(written) < _TWO_FROM else MOST


def name_words(key: str) -> frozenset[str]:
    """The words of a folded name that another may be a misspelling of: letters alone, English.

    >>> sorted(name_words("high blood pressure in type 2 diabetes"))
    ['blood', 'diabetes', 'high', 'pressure', 'type']
    """
    return frozenset(_WORD.findall(key))


def slips(written: str, intended: str, *, most: int = MOST, alike: Pairs | None = None) -> int:
    """How many slips lie between two words; `most` + 1 where there are more.

    A letter that is put for one that it is not `alike` counts twice; without these, all are alike.

    >>> slips("diarhea", "diarrhea"), slips("pnuemonia", "pneumonia"), slips("cat", "dog")
    (1, 1, 3)
    """
    if abs(len(written) - len(intended)) > most:
        return most + 1
    written, intended = _where_they_differ(written, intended)
    if not (written and intended):
        return len(written or intended)
    if most == 1 and len(written) > 1:
        return 1 if len(written) == _PAIR and written == intended[::-1] else most + 1
    if _letters_apart(written, intended) > most:
        return most + 1
    return min(_aligned(written, intended, most, alike), most + 1)


def _letters_apart(written: str, intended: str) -> int:
    """How many letters one word has that the other has not: at least so many slips."""
    left, more = intended, 0
    for letter in written:
        if letter in left:
            left = left.replace(letter, "", 1)
        else:
            more += 1
    return max(more, len(left))


def _aligned(written: str, intended: str, most: int, alike: Pairs | None) -> int:
    """Optimal string alignment, of prefixes that differ in length by `most` letters or fewer."""
    far = most + 1
    before: list[int] = []
    row = [min(j, far) for j in range(len(intended) + 1)]
    for i, letter in enumerate(written, 1):
        before, last, row = row, before, [far] * (len(intended) + 1)
        row[0] = min(i, far)
        for j in range(max(1, i - most), min(len(intended), i + most) + 1):
            other = intended[j - 1]
            put = int(letter != other)
            if put and alike is not None and (letter, other) not in alike:
                put = _UNLIKE
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + put)
            if last and j > 1 and letter == intended[j - 2] and written[i - 2] == other:
                best = min(best, last[j - 2] + 1)
            row[j] = best
        if min(row) > most and min(before) > most:
            return far
    return row[-1]


def may_mean(written: str, intended: str) -> int:
    """How many slips make one word of the other; 0 where it is not likely, or is the same.

    The first letter stays, unless it is exchanged with the second, or not heard. Two slips are no
    syllable, nor at the end, nor by hand: that makes another word, as myopathy is not myelopathy.

    >>> may_mean("feaver", "fever"), may_mean("neumonia", "pneumonia"), may_mean("lasik", "lasix")
    (1, 1, 0)
    >>> may_mean("pregancey", "pregnancy"), may_mean("myelopathy", "myopathy")
    (2, 0)
    """
    most = most_slips(written)
    counted = slips(written, intended, most=most)
    if not 0 < counted <= most or opposite(written, intended):
        return 0
    if not _begins_as(written, intended, counted) or (
        counted > 1 and _another_form(written, intended)
    ):
        return 0
    alike = _alike_by_ear_or_hand() if counted == 1 else _alike_by_ear()
    return counted if slips(written, intended, most=most, alike=alike) == counted else 0


class Spelling:
    """Words that another may be a misspelling of, found by their ends."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        self._forwards = sorted(self._words)
        self._backwards = sorted(word[::-1] for word in self._words)

    def __contains__(self, word: str) -> bool:
        return word in self._words

    def like(self, written: str, most: int) -> frozenset[str]:
        """Those that differ from a word by so many slips at most, and have an end in common.

        If one slip lies between two words, they have; mostly also if there are two.

        >>> sorted(Spelling(["fever", "weaver", "rash"]).like("feaver", 2))
        ['fever', 'weaver']
        """
        ends = end_length(written, most)
        found = set(_beginning_with(self._forwards, written[:ends]))
        found |= {w[::-1] for w in _beginning_with(self._backwards, written[: -ends - 1 : -1])}
        return within(written, found, most)


def _beginning_with(words: list[str], letters: str) -> list[str]:
    return words[bisect_left(words, letters) : bisect_left(words, letters + "{")]


def within(written: str, words: Iterable[str], most: int) -> frozenset[str]:
    """Those of some words that differ from one by so many slips at most."""
    return frozenset(word for word in words if slips(written, word, most=most) <= most)


def end_length(written: str, most: int) -> int:
    """How many letters the beginnings or ends of words must have in common with this one.

    Two letters that are exchanged in the middle are in neither.
    """
    return max(1, min(len(written) // (most + 1), (len(written) - 1) // 2))


def opposite(word: str, other: str) -> bool:
    """Whether two words begin, or end, with what makes them different things.

    >>> opposite("hypotension", "hypertension"), opposite("hypertention", "hypertension")
    (True, False)
    >>> opposite("tendinosis", "tendinitis")
    True
    """
    begin_apart = any(_apart(word, other, group) for group in _groups("opposites"))
    back, other_back = word[::-1], other[::-1]
    return begin_apart or any(_apart(back, other_back, group) for group in _groups("endings"))


def opposites_of(word: str) -> Iterator[str]:
    """What a word would be with another beginning: hypotension, of hypertension."""
    for group in _groups("opposites"):
        begins = _beginning(word, group)
        if begins:
            yield from (other + word[len(begins) :] for other in group if other != begins)


def _where_they_differ(written: str, intended: str) -> tuple[str, str]:
    """Two words without what they begin and end with in common."""
    start, shorter = 0, min(len(written), len(intended))
    while start < shorter and written[start] == intended[start]:
        start += 1
    end = len(written)
    longer = len(intended) - end
    while end > start and end + longer > start and written[end - 1] == intended[end + longer - 1]:
        end -= 1
    return written[start:end], intended[start : end + longer]


def _begins_as(written: str, intended: str, counted: int) -> bool:
    if written[0] == intended[0]:
        return True
    exchanged = written[:2] == intended[1::-1] and slips(written[2:], intended[2:]) < counted
    unheard = intended[:2] in _rules()["silent"] and slips(written, intended[1:]) < counted
    return exchanged or unheard


def _another_form(written: str, intended: str) -> bool:
    """Whether two words differ by a syllable that one has more, or by their last letters."""
    return "" in _where_they_differ(written, intended) or written[-1] != intended[-1]


def _apart(word: str, other: str, group: Iterable[str]) -> bool:
    begin, other_begin = _beginning(word, group), _beginning(other, group)
    return begin != other_begin and "" not in (begin, other_begin)


def _beginning(word: str, group: Iterable[str]) -> str:
    return max((part for part in group if word.startswith(part)), key=len, default="")


@cache
def _alike_by_ear() -> Pairs:
    return frozenset(p for letters in _rules()["sounds_alike"] for p in permutations(letters, 2))


@cache
def _alike_by_ear_or_hand() -> Pairs:
    beside = {pair for row in _rules()["keyboard"] for pair in pairwise(row)}
    return _alike_by_ear().union(beside, (pair[::-1] for pair in beside))


@cache
def _groups(kind: str) -> tuple[tuple[str, ...], ...]:
    """Beginnings that make different things of a word; endings, turned round."""
    turn = -1 if kind == "endings" else 1
    return tuple(tuple(part[::turn] for part in group) for group in _rules()[kind])


def _rules() -> dict[str, Any]:
    return shipped_yaml("language", "rules", "slips.yaml")
