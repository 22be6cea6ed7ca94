"""Rules that are only looked for in texts that have a word they need.

Rules come by the hundred, and most match nothing in most texts. Looking for a few plain words
first saves looking for the rule, and compiling it, which takes a thousand times as long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Generic, TypeVar

_TOKENS = re.compile(
    r"\\(?:[0-9]+|x..|u.{4}|U.{8}|.)|\[\^?\]?(?:\\.|[^\\\]])*\]"  # an escape, a set
    r"|\((?:\?(?::|<?[=!]|P<\w+>))?|[)|.^$]|[?*+]|\{[0-9,]+\}|[^\\\[\](){}|?*+.^$]+|.",
    re.DOTALL,
)
_UNKNOWN = re.compile(r"\(\?(?!:|<?[=!]|P<)")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_TELLING = 4
"""A word of so many letters is as good as a longer one."""
_NOTHING = frozenset[str]()

T = TypeVar("T")


def needed(pattern: str) -> frozenset[str]:
    """Words one of which stands in every match of an expression; none where that is not known.

    >>> sorted(needed(r"(?:severe|bad)? ?(?:head|tummy) ?aches?|migraines?"))
    ['ache', 'migraine']
    >>> needed(r"no |[0-9]+")
    frozenset()
    """
    if _UNKNOWN.search(pattern):  # flags, or a group that is no plain one
        return _NOTHING
    return _of_choices(_TOKENS.findall(pattern)[::-1])


def _of_choices(tokens: list[str]) -> frozenset[str]:
    """What a group needs, whichever way is taken; its tokens are taken off the end of the list."""
    ways, best = [], _NOTHING
    while tokens and (token := tokens.pop()) != ")":
        if token == "|":
            ways.append(best)
            best = _NOTHING
        else:
            best = max(best, _of_token(token, tokens), key=_worth)
    ways.append(best)
    return _NOTHING.union(*ways) if all(ways) else _NOTHING


def _of_token(token: str, tokens: list[str]) -> frozenset[str]:
    group = _of_choices(tokens) if token[0] == "(" else None
    optional = bool(tokens) and tokens[-1][0] in "?*{"
    if group is not None:
        return _NOTHING if optional or token in _LOOKS else group
    if token[0] in "\\[].^$?*+{}":
        return _NOTHING
    word = (token[:-1] if optional else token).strip()
    return frozenset({word}) if word else _NOTHING


def _worth(words: frozenset[str]) -> tuple[int, int]:
    """Long words rather than short ones, then few rather than many."""
    return min(_TELLING, min(map(len, words), default=0)), -len(words)


class ByWord(Generic[T]):
    """Things by the words they need: of hundreds, a text has the words of a few."""

    def __init__(self, things: Iterable[tuple[T, frozenset[str]]]) -> None:
        self._things: list[T] = []
        self._always: list[int] = []
        self._by_word: dict[str, list[int]] = {}
        for place, (thing, words) in enumerate(things):
            self._things.append(thing)
            if not words:
                self._always.append(place)
            for word in words:
                self._by_word.setdefault(word, []).append(place)

    def of(self, text: str) -> list[T]:
        """Those that a text has a word of, and those that need none, in their order.

        >>> ByWord([("cold", {"cold", "chill"}), ("any", {}), ("hot", {"hot"})]).of("a chill")
        ['cold', 'any']
        """
        found = set(self._always)
        for word, places in self._by_word.items():
            if word in text:
                found.update(places)
        return [self._things[place] for place in sorted(found)]


class Expression:
    """A regular expression that is compiled when it is looked for in a text that may have it.

    >>> Expression(r"\\d+ (?:years|months) old").search("he is 5 years old").group()
    '5 years old'
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression for `re`."""
        return re.compile(self.pattern)

    @cached_property
    def _needs(self) -> tuple[str, ...]:
        return tuple(needed(self.pattern))

    def may_be_in(self, text: str) -> bool:
        """Whether a text has a word that the expression needs."""
        for word in self._needs:
            if word in text:
                return True
        return not self._needs

    def search(self, text: str) -> re.Match[str] | None:
        """See `re.Pattern.search`."""
        return self.compiled.search(text) if self.may_be_in(text) else None

    def match(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.match`."""
        return self.compiled.match(text, *span) if self.may_be_in(text) else None

    def fullmatch(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, *span) if self.may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """See `re.Pattern.finditer`."""
        return self.compiled.finditer(text) if self.may_be_in(text) else iter(())

    def sub(self, put: str | Callable[[re.Match[str]], str], text: str) -> str:
        """See `re.Pattern.sub`."""
        return self.compiled.sub(put, text) if self.may_be_in(text) else text


@cache
def expression(pattern: str) -> Expression:
    """The expression of a pattern that stands in a file of rules."""
    return Expression(pattern)


def first_matches(patterns: Sequence[str], text: str) -> Iterator[re.Match[str]]:
    """What all expressions joined by | would match, one behind the other.

    >>> [match.group() for match in first_matches(["ab", "a|bc"], "abc bc a")]
    ['ab', 'bc', 'a']
    """
    ways = [expression(pattern).compiled for pattern in patterns]
    if len(ways) == 1:
        yield from ways[0].finditer(text)
        return
    place = 0
    ahead = [(way, way.search(text)) for way in ways]
    while found := [(way, match) for way, match in ahead if match]:
        first = min((match for _, match in found), key=re.Match.start)  # of two, the earlier way
        yield first
        place = max(first.end(), first.start() + 1)
        ahead = [
            (way, match if match.start() >= place else way.search(text, place))
            for way, match in found
        ]
