"""A message as the learned reader of danger sees it: n-grams, classes of words, and pairs of these.

Pairs have no order: "his lips are blue" and "blue, his lips" are one. What is denied is a class of
its own, and in no pair.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from medweave.understanding.danger_classes import Heard
from medweave.understanding.question_features import AskedText, gram_features

Blocks = tuple[Counter[str], ...]
"""N-grams, classes, pairs: each is brought to one length, so that none drowns the others."""
CLASS = "@"
DENIED = "~"


def danger_features(plain_text: str, classes: Iterable[Heard]) -> Blocks:
    """The features of a `plain` text in which these classes are heard, counted.

    >>> from medweave.understanding.danger_classes import heard
    >>> grams, classes, pairs = danger_features("lips blue", heard("lips blue", "en"))
    >>> sorted(classes), sorted(pairs)
    (['@blue', '@face', '@lips'], ['@blue @face', '@blue @lips', '@face @lips'])
    """
    named = Counter(f"{CLASS}{one.name}{DENIED * one.denied}" for one in classes)
    told = sorted(name for name in named if not name.endswith(DENIED))
    pairs = Counter(f"{one} {other}" for one, other in combinations(told, 2))
    return gram_features(AskedText(plain_text)), named, pairs
