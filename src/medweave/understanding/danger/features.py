"""A message as the learned reader of danger sees it: words, classes of words, and pairs of these.

Pairs have no order: "his lips are blue" and "blue, his lips" are one. What is denied, or told of
years ago, is a class of its own, and in no pair.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations, pairwise

from medweave.language.segmentation import is_han, symbol_runs
from medweave.understanding.danger.word_classes import Heard, frame

Blocks = tuple[Counter[str], ...]
"""Words, classes, pairs: each is brought to one length, so that none drowns the others."""
CLASS = "@"
DENIED = "~"
PAST = "^"
WITHIN = "<"
"""Between a class of the frame and one of its sentence."""
_LONG_AGO = "long_ago"
_NOW = "now"
_WORD = re.compile(r"\w")
_END = re.compile(r"[.?!;\n。！？；]+(?!\d)")


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text stand, with what ends them; marks alone are none.

    >>> sentences("Blue. Cold")
    [(0, 5), (5, 10)]
    """
    ends = [match.end() for match in _END.finditer(text)]
    spans = pairwise((0, *ends, len(text)))
    return [(start, end) for start, end in spans if _WORD.search(text, start, end)]


def danger_features(plain_text: str, classes: Iterable[Heard]) -> Blocks:
    """The features of a text in lower case in which these classes are heard, counted.

    >>> from medweave.language.passage import passage_of
    >>> from medweave.understanding.danger.word_classes import heard
    >>> words, classes, pairs = danger_features("lips blue", heard(passage_of("lips blue")))
    >>> sorted(words), sorted(classes)
    (['blue', 'lips', 'lips blue'], ['@blue', '@face', '@lips'])
    >>> sorted(pairs)
    ['@blue @face', '@blue @lips', '@face @lips']
    """
    named: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for some in _by_sentence(plain_text, classes):
        reported = {one.name for one in some if not one.denied}
        how_told = reported & frame()
        named_things = reported - how_told
        over = PAST if _LONG_AGO in reported and _NOW not in reported else ""
        for one in some:
            how = DENIED if one.denied else "" if one.name in frame() else over
            named[f"{CLASS}{one.name}{how}"] += 1
        for how in how_told:
            for name in named_things:
                pairs[f"{how}{WITHIN}{name}"] += 1
    present = sorted(name for name in named if name[-1] not in (DENIED, PAST))
    pairs.update(map(" ".join, combinations(present, 2)))
    return _words(plain_text), named, pairs


def shares(feature: str) -> tuple[str, ...]:
    """The classes told in a feature: one, or both of a pair; none in one that tells of denial.

    >>> shares("@blue @lips"), shares("@blue~"), shares("now<blue")
    (('@blue', '@lips'), (), ('@blue',))
    """
    if feature[-1] in (DENIED, PAST):
        return ()
    _, within, name = feature.rpartition(WITHIN)
    return (f"{CLASS}{name}",) if within else tuple(feature.split(" "))


def _words(text: str) -> Counter[str]:
    """One and two words in a row; in Chinese, characters."""
    symbols = symbol_runs(text)
    if not text.isascii():
        symbols = [symbol for run in symbols for symbol in (run if is_han(run) else (run,))]
    found = Counter(symbols)
    found.update(map(" ".join, pairwise(symbols)))
    return found


def _by_sentence(text: str, classes: Iterable[Heard]) -> Iterable[list[Heard]]:
    ends = [match.end() for match in _END.finditer(text)]
    found: dict[int, list[Heard]] = defaultdict(list)
    for one in classes:
        found[bisect_right(ends, one.start)].append(one)
    return found.values()
