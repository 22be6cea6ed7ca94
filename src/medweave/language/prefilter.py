"""Rules that are only looked for in texts that have a word they need.

Rules come by the hundred, and most match nothing in most texts. Looking for a few plain words
first saves looking for the rule, and compiling it, which takes a thousand times as long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from operator import add
from typing import Generic, TypeVar

_TOKENS = re.compile(
    r"\\(?:[0-9]+|x..|u.{4}|U.{8}|N\{[^}]*\}|.)|\[\^?\]?(?:\\.|[^\\\]])*\]"  # an escape, a set
    r"|\((?:\?(?::|<?[=!]|P<\w+>))?|[)|.^$]|[?*+]|\{[0-9,]+\}|[^\\\[\](){}|?*+.^$]+|.",
    re.DOTALL,
)
_SIGNS = re.compile(r"[\\\[\](){}|?*+.^$]")
"""What no plain words have."""
_NOT_PLAIN = re.compile(r"\(\?(?!:|<?[=!]|P<)")
_NOT_THERE = ("(?!", "(?<!")
_LONG_ENOUGH = 6
"""A word of so many letters tells as much as a longer one."""
_START = 3
"""By so many first letters a word is found."""
_PIECES = 1 << 13
"""So many pieces of texts are remembered for each set of rules."""

Requirements = tuple[frozenset[str], ...]
"""Sets of words; of each of them, a text must have one."""
T = TypeVar("T")


def required_words(pattern: str) -> Requirements:
    """What every match of an expression has: of each set of words, at least one.

    The sets that tell most come first. An expression of which nothing is known needs nothing.

    >>> [sorted(words) for words in required_words(r"(?:bad|sore) ?(?:heads?|tummy)|migraines?")]
    [['head', 'migraine', 'tummy']]
    >>> [sorted(words) for words in required_words(r"(?:never|not) \\w* ?hungry")]
    [['hungry'], ['never', 'not']]
    >>> [sorted(words) for words in required_words(r"(?=he (?:is|was) told)(?!told off)")]
    [['told'], ['he'], ['is', 'was']]
    """
    if not _SIGNS.search(pattern):
        return (frozenset({pattern.strip()}),) if pattern.strip() else ()
    if _NOT_PLAIN.search(pattern):  # flags, or a group that is no plain one
        return ()
    return tuple(sorted(_of_group(_TOKENS.findall(pattern)[::-1]), key=_worth, reverse=True))


def _of_group(tokens: list[str]) -> list[frozenset[str]]:
    """What a group needs, whichever way is taken; its tokens are taken off the end of the list."""
    ways: list[list[frozenset[str]]] = [[]]
    while tokens and (token := tokens.pop()) != ")":
        if token == "|":  # noqa: S105 - a part of an expression
            ways.append([])
        else:
            ways[-1] += _of_token(token, tokens)
    if len(ways) == 1:
        return ways[0]
    if not all(ways):
        return []
    best = (max(way, key=_worth) if len(way) > 1 else way[0] for way in ways)
    return [frozenset().union(*best)]


def _of_token(token: str, tokens: list[str]) -> list[frozenset[str]]:
    group = _of_group(tokens) if token[0] == "(" else None
    optional = bool(tokens) and tokens[-1][0] in "?*{"
    if group is not None:
        return [] if optional or token in _NOT_THERE else group
    if token[0] in "\\[].^$?*+{}":
        return []
    word = (token[:-1] if optional else token).strip()
    return [frozenset({word})] if word else []


def _worth(words: frozenset[str]) -> tuple[int, int]:
    """Long words rather than short ones, then few rather than many."""
    return min(_LONG_ENOUGH, *map(len, words)), -len(words)


def has_required(text: str, needs: Requirements) -> bool:
    """Whether a text has one word at least of each set."""
    for words in needs:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True


class Prefilter(Generic[T]):
    """Things by the words they need: of hundreds, a text has the words of a few.

    A text is cut at its blanks, and of each piece it is remembered which things it speaks for:
    most pieces of most texts were met before.
    """

    def __init__(self, things: Iterable[tuple[T, Requirements]]) -> None:
        self._things: list[tuple[T, Requirements]] = []
        self._always = set()
        self._by_start: dict[str, dict[str, set[int]]] = defaultdict(dict)
        for place, (thing, needs) in enumerate(things):
            words = needs[0] if needs else frozenset()
            in_pieces = all(len(word.split()) == 1 for word in words)
            self._things.append((thing, needs[1:] if in_pieces else needs))
            if not words:
                self._always.add(place)
            for word in words:
                part = max(word.split(), key=len)
                self._by_start[part[:_START]].setdefault(part, set()).add(place)
        self._places = lru_cache(maxsize=_PIECES)(self._places_of)

    def _places_of(self, piece: str) -> frozenset[int]:
        """The things of which a piece of a text has a word of the first set."""
        pairs = list(map(add, piece, piece[1:]))
        starts = {*piece, *pairs, *map(add, pairs, piece[2:])} & self._by_start.keys()
        words = (found for start in starts for found in self._by_start[start].items())
        return frozenset().union(*(places for word, places in words if word in piece))

    def things(self) -> Iterator[T]:
        """All of them, in their order."""
        return (thing for thing, _ in self._things)

    def of(self, text: str) -> list[T]:
        """Those of which a text has all that they need, in their order.

        >>> hot, cold = required_words("hot"), required_words("cold|chill")
        >>> named = Prefilter([("cold", cold), ("any", ()), ("hot", hot)])
        >>> named.of("a chill")
        ['cold', 'any']
        """
        places = self._always.union(*map(self._places, text.split()))
        found = map(self._things.__getitem__, sorted(places))
        return [thing for thing, needs in found if not needs or has_required(text, needs)]


def grouped(found: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """Things by the names of their groups.

    >>> grouped([("fever", "hot"), ("pain", "ache"), ("fever", "burning up")])
    {'fever': ['hot', 'burning up'], 'pain': ['ache']}
    """
    groups: dict[str, list[T]] = {}
    for name, thing in found:
        groups.setdefault(name, []).append(thing)
    return groups


class Expression:
    """A regular expression that is compiled when it is looked for in a text that may have it.

    >>> Expression(r"\\d+ (?:years|months) old").search("he is 5 years old").group()
    '5 years old'
    """

    def __init__(self, pattern: str, needs: Requirements | None = None) -> None:
        """`needs` are given where more is known of them than the pattern tells."""
        self.pattern = pattern
        if needs is not None:
            self.needs = needs

    @cached_property
    def needs(self) -> Requirements:
        """The words that every match has."""
        return required_words(self.pattern)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression for `re`."""
        return re.compile(self.pattern)

    def may_be_in(self, text: str) -> bool:
        """Whether a text has the words that the expression needs."""
        return has_required(text, self.needs)

    def search(self, text: str) -> re.Match[str] | None:
        """See `re.Pattern.search`."""
        return self.compiled.search(text) if has_required(text, self.needs) else None

    def match(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.match`; looking for words would take longer."""
        return self.compiled.match(text, *span)

    def fullmatch(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, *span)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """See `re.Pattern.finditer`."""
        return self.compiled.finditer(text) if self.may_be_in(text) else iter(())

    def sub(self, put: str | Callable[[re.Match[str]], str], text: str) -> str:
        """See `re.Pattern.sub`."""
        return self.compiled.sub(put, text) if self.may_be_in(text) else text


class Alternatives:
    """Expressions of which the first match counts, as if they were joined by |: each is only
    looked for in a text that has its words.

    >>> numbers = Alternatives([r"\\d+ days", "(?:one|two) days?"])
    >>> [match.group() for match in numbers.finditer("one day, or 2 days")]
    ['one day', '2 days']
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self._ways = tuple(map(Expression, patterns))

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """The matches, one behind the other."""
        return first_matches([way.compiled for way in self._ways if way.may_be_in(text)], text)


def first_matches(patterns: Sequence[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    """What all patterns joined by | would match, one behind the other.

    >>> both = [re.compile("ab"), re.compile("a|bc")]
    >>> [match.group() for match in first_matches(both, "abc bc a")]
    ['ab', 'bc', 'a']
    """
    if len(patterns) == 1:  # mostly
        return patterns[0].finditer(text)
    return _first_of_several(patterns, text)


def _first_of_several(patterns: Iterable[re.Pattern[str]], text: str) -> Iterator[re.Match[str]]:
    ahead = [match for way in patterns if (match := way.search(text))]
    while ahead:
        first = min(ahead, key=re.Match.start)  # of two, the earlier way
        yield first
        place = max(first.end(), first.start() + 1)
        following = (m if m.start() >= place else m.re.search(text, place) for m in ahead)
        ahead = [match for match in following if match]
