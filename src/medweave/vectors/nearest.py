"""The nearest of some vectors, compared one by one in double precision.

Scores are rounded: so equal vectors tie wherever they lie, and in whichever order a machine adds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum
from operator import mul

from medweave.model.vectors import Near

DIGITS = 6
"""Of a score."""
LEAST = -2.0
"""Below every score."""


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """That of two vectors of length 1.

    >>> cosine([0.6, 0.8], [1.0, 0.0]), cosine([0.0, 1.0], [-1.0, 0.0])
    (0.6, 0.0)
    """
    return round(fsum(map(mul, one, other)), DIGITS) + 0.0  # never -0.0


def nearest(
    query: Sequence[float], among: Iterable[tuple[str, Sequence[float]]], k: int
) -> list[Near]:
    """The `k` nearest keys; one with several vectors is as near as the nearest of them.

    >>> nearest([0.6, 0.8], [("a", [1.0, 0.0]), ("b", [0.0, 1.0]), ("a", [0.6, 0.8])], 1)
    [Near(key='a', score=1.0)]
    """
    found: dict[str, float] = {}
    for key, vector in among:
        found[key] = max(found.get(key, LEAST), cosine(query, vector))
    return [Near(*pair) for pair in best(found, k)]


def best(found: dict[str, float], k: int) -> Sequence[tuple[str, float]]:
    """The `k` keys of the highest scores; ties in the order of the keys.

    >>> best({"b": 0.5, "c": 0.9, "a": 0.5}, 2)
    [('c', 0.9), ('a', 0.5)]
    """
    return sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[: max(k, 0)]
