"""Rules that are only looked for in texts that have a word they need.

Rules come by the hundred, and most match nothing in most texts. Looking for a few plain words
first saves looking for the rule, and compiling it, which takes a thousand times as long.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, reduce
from operator import or_
from typing import Generic, TypeVar

from medweave.language.parsed_cache import cached
from medweave.language.watched import WATCHED

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
"""So many sets are looked for; more tell little more. `Prefilter` holds
three against each other."""
_LONG = 40
"""Longer pieces of a text are hardly met in another one: they are not remembered."""
_PIECES = 1 << 14
"""So many are remembered; beyond that all are forgotten."""
_FEW = 8
"""What so few expressions need is not worth keeping."""
_READING = "needed 1"
"""Raised when `needed` reads otherwise: what is kept is made anew."""

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
    """
    if _UNKNOWN.search(pattern):  # flags, or a group that is no plain one
        return ()
    found = _of_choices(_TOKENS.findall(pattern)[::-1])
    return tuple(sorted(found, key=_worth, reverse=True)[:_MOST])


def has_required(text: str, needs: Requirements) -> bool:
    """Whether a text has one word at least of each set."""
    for words in needs:
        for word in words:
            if word in text:
                break
        else:
            return False
    return True


def requirements_of(patterns: Sequence[str]) -> list[Requirements]:
    """What many expressions need, kept for the next process: reading a thousand takes a while.

    >>> requirements_of(["colds?", "hot|warm"])[0]
    (frozenset({'cold'}),)
    """
    if len(patterns) < _FEW:
        return list(map(required_words, patterns))
    stored = cached(
        "\n".join((_READING, *patterns)),
        lambda: [[sorted(words) for words in required_words(pattern)] for pattern in patterns],
    )
    return [tuple(map(frozenset, some)) for some in stored]


def _parts(words: Iterable[str]) -> frozenset[str]:
    """Of each word that is several, the longest one: `WATCHED` knows no blanks."""
    return frozenset(max(word.split(), key=len) for word in words)


def _spaced(needs: Requirements) -> bool:
    return any(len(word.split()) > 1 for words in needs for word in words)


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


class Prefilter(Generic[T]):
    """Things by the words they need: of hundreds, a text has the words of a few.

    A text is cut at its blanks, and of each piece it is remembered which things it may be for, a
    bit for each: a text costs little more than its pieces, whatever number of things there is.
    """

    def __init__(self, things: Iterable[tuple[T, Requirements]]) -> None:
        held = list(things)
        self._things = [(thing, needs if _spaced(needs) else ()) for thing, needs in held]
        self._many = len(held)
        self._always = 0
        by_word: dict[str, int] = defaultdict(int)
        for place, (_, needs) in enumerate(held):
            for at in range(_MOST):  # a lane of bits for the first sets, one for the second, ...
                bit = at * self._many + place
                if at >= len(needs):
                    self._always |= 1 << bit
                for word in _parts(needs[at]) if at < len(needs) else ():
                    by_word[word] |= 1 << bit
        self._of_piece = _ByPiece(by_word).__getitem__

    def of(self, text: str) -> list[T]:
        """Those of which a text has all that they need, in their order.

        >>> hot, cold = required_words("hot"), required_words("cold|chill")
        >>> named = Prefilter([("cold", cold), ("any", ()), ("hot", hot)])
        >>> named.of("a chill")
        ['cold', 'any']
        """
        found = self._likely(text)
        return [thing for thing, spaced in found if not spaced or has_required(text, spaced)]

    def likely(self, text: str) -> list[T]:
        """The same, and perhaps a few more: of words with a blank in them one part is looked for.

        It is for what costs as little to look for as to look at what it needs.
        """
        return [thing for thing, _ in self._likely(text)]

    def _likely(self, text: str) -> list[tuple[T, Requirements]]:
        lanes = reduce(or_, map(self._of_piece, text.split()), self._always)
        bits = lanes & (lanes >> self._many) & (lanes >> 2 * self._many) & ((1 << self._many) - 1)
        found = []
        while bits:
            lowest = bits & -bits
            bits ^= lowest
            found.append(self._things[lowest.bit_length() - 1])
        return found


class _ByPiece(dict[str, int]):
    """By a piece of a text, a bit for each thing that it has a word of."""

    def __init__(self, by_word: Mapping[str, int]) -> None:
        super().__init__()
        self._by_word = by_word
        WATCHED.watch(by_word)

    def __missing__(self, piece: str) -> int:
        words = WATCHED.of_piece(piece) & self._by_word.keys()
        bits = reduce(or_, map(self._by_word.__getitem__, words), 0)
        if len(piece) <= _LONG:
            if len(self) >= _PIECES:
                self.clear()
            self[piece] = bits
        return bits


class Expression:
    """A regular expression that is compiled when it is looked for in a text that may have it.

    >>> Expression(r"\\d+ (?:years|months) old").search("he is 5 years old").group()
    '5 years old'
    """

    def __init__(self, pattern: str, needs: Requirements | None = None) -> None:
        """`needs` are given where more is known of them than the pattern tells."""
        self.pattern = pattern
        self._needs = needs

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The expression for `re`."""
        return re.compile(self.pattern)

    @property
    def needs(self) -> Requirements:
        """The words that every match has."""
        if self._needs is None:
            self._needs = required_words(self.pattern)
        return self._needs

    def may_be_in(self, text: str) -> bool:
        """Whether a text has the words that the expression needs."""
        return has_required(text, self.needs)

    def search(self, text: str) -> re.Match[str] | None:
        """See `re.Pattern.search`."""
        return self.compiled.search(text) if self.may_be_in(text) else None

    def match(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.match`."""
        if not span and not self.may_be_in(text):  # a part of a text is not worth a look at it all
            return None
        return self.compiled.match(text, *span)

    def fullmatch(self, text: str, *span: int) -> re.Match[str] | None:
        """See `re.Pattern.fullmatch`."""
        return self.compiled.fullmatch(text, *span) if self.may_be_in(text) else None

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """See `re.Pattern.finditer`."""
        return self.compiled.finditer(text) if self.may_be_in(text) else iter(())

    def sub(self, put: str | Callable[[re.Match[str]], str], text: str) -> str:
        """See `re.Pattern.sub`."""
        return self.compiled.sub(put, text) if self.may_be_in(text) else text


def expressions(patterns: Sequence[str]) -> list[Expression]:
    """The expressions of a file of rules, with what they need kept for the next process."""
    pairs = zip(patterns, requirements_of(patterns), strict=True)
    return [Expression(pattern, needs) for pattern, needs in pairs]


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
