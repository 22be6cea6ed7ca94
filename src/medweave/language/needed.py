"""Rules that are only looked for in texts that have a word they need.

Rules come by the hundred, and most match nothing in most texts. Looking for a few plain words
first saves looking for the rule, and compiling it, which takes a thousand times as long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from operator import add
from typing import Generic, TypeVar

_TOKENS = re.compile(
    r"\\(?:[0-9]+|x..|u.{4}|U.{8}|N\{[^}]*\}|.)|\[\^?\]?(?:\\.|[^\\\]])*\]"  # an escape, a set
    r"|\((?:\?(?::|<?[=!]|P<\w+>))?|[)|.^$]|[?*+]|\{[0-9,]+\}|[^\\\[\](){}|?*+.^$]+|.",
    re.DOTALL,
)
_UNKNOWN = re.compile(r"\(\?(?!:|<?[=!]|P<)")
_LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
_TELLING = 6
"""A word of so many letters is as good as a longer one."""
_MOST = 3
"""So many sets are looked for; more tell little more."""
_BEGINNING = 3
"""A text that has not the first letters of a word has not the word."""

Needs = tuple[frozenset[str], ...]
"""Sets of words; of each of them, a text must have one."""
T = TypeVar("T")


def needed(pattern: str) -> Needs:
    """What every match of an expression has: of each set of words, at least one.

    The sets that tell most come first. An expression of which nothing is known needs nothing.

    >>> [sorted(words) for words in needed(r"(?:bad|sore) ?(?:heads?|tummy)|migraines?")]
    [['head', 'migraine', 'tummy']]
    >>> [sorted(words) for words in needed(r"(?:never|not) \\w* ?hungry")]
    [['hungry'], ['never', 'not']]
    """
    if _UNKNOWN.search(pattern):  # flags, or a group that is no plain one
        return ()
    found = _of_choices(_TOKENS.findall(pattern)[::-1])
    return tuple(sorted(found, key=_worth, reverse=True)[:_MOST])


def has_needed(text: str, needs: Needs) -> bool:
    """Whether a text has one word at least of each set."""
    for words in needs:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True


@lru_cache(maxsize=1 << 6)
def _beginnings(text: str) -> frozenset[str]:
    """All with which a word in a text may begin: its letters, and two and three of them in a row.

    One pass over a text, whatever number of words it is asked for afterwards.
    """
    pairs = list(map(add, text, text[1:]))
    return frozenset({*text, *pairs, *map(add, pairs, text[2:])})


def _of_choices(tokens: list[str]) -> list[frozenset[str]]:
    """What a group needs, whichever way is taken; its tokens are taken off the end of the list."""
    ways: list[list[frozenset[str]]] = [[]]
    while tokens and (part := tokens.pop()) != ")":
        if part == "|":
            ways.append([])
        else:
            ways[-1] += _of_token(part, tokens)
    if len(ways) == 1:
        return ways[0]
    either = [max(way, key=_worth) if len(way) > 1 else way[0] for way in ways if way]
    return [frozenset().union(*either)] if len(either) == len(ways) else []


def _of_token(token: str, tokens: list[str]) -> list[frozenset[str]]:
    group = _of_choices(tokens) if token[0] == "(" else None
    optional = bool(tokens) and tokens[-1][0] in "?*{"
    if group is not None:
        return [] if optional or token in _LOOKS else group
    if token[0] in "\\[].^$?*+{}":
        return []
    word = (token[:-1] if optional else token).strip()
    return [frozenset({word})] if word else []


def _worth(words: frozenset[str]) -> tuple[int, int]:
    """Long words rather than short ones, then few rather than many."""
    return min(_TELLING, *map(len, words)), -len(words)


class ByWord(Generic[T]):
    """Things by the words they need: of hundreds, a text has the words of a few."""

    def __init__(self, things: Iterable[tuple[T, Needs]]) -> None:
        self._things: list[tuple[T, Needs]] = []
        self._always: list[int] = []
        by_word: dict[str, list[int]] = {}
        for place, (thing, needs) in enumerate(things):
            self._things.append((thing, needs[1:]))
            if not needs:
                self._always.append(place)
            for word in needs[0] if needs else ():
                by_word.setdefault(word, []).append(place)
        self._by_beginning: dict[str, list[tuple[str, list[int]]]] = {}
        for word, places in by_word.items():
            self._by_beginning.setdefault(word[:_BEGINNING], []).append((word, places))
        self._beginnings = frozenset(self._by_beginning)

    def of(self, text: str) -> list[T]:
        """Those of which a text has all that they need, in their order.

        >>> named = ByWord([("cold", needed("cold|chill")), ("any", ()), ("hot", needed("hot"))])
        >>> named.of("a chill")
        ['cold', 'any']
        """
        found = set(self._always)
        for beginning in self._beginnings & _beginnings(text):
            for word, places in self._by_beginning[beginning]:
                if word in text:
                    found.update(places)
        things = (self._things[place] for place in sorted(found))
        return [thing for thing, needs in things if has_needed(text, needs)]


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
    def _needs(self) -> Needs:
        return needed(self.pattern)

    def may_be_in(self, text: str) -> bool:
        """Whether a text has the words that the expression needs."""
        return has_needed(text, self._needs)

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


def first_matches(expressions: Sequence[Expression], text: str) -> Iterator[re.Match[str]]:
    """What all expressions joined by | would match, one behind the other.

    >>> both = [Expression("ab"), Expression("a|bc")]
    >>> [match.group() for match in first_matches(both, "abc bc a")]
    ['ab', 'bc', 'a']
    """
    if len(expressions) == 1:
        yield from expressions[0].compiled.finditer(text)
        return
    place = 0
    ahead = [(way.compiled, way.compiled.search(text)) for way in expressions]
    while found := [(way, match) for way, match in ahead if match]:
        first = min((match for _, match in found), key=re.Match.start)  # of two, the earlier way
        yield first
        place = max(first.end(), first.start() + 1)
        ahead = [
            (way, match if match.start() >= place else way.search(text, place))
            for way, match in found
        ]
