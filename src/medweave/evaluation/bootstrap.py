"""Intervals by the bootstrap: how a figure moves when the items are drawn again.

Items are drawn with replacement, as many as there are; the 2.5th and 97.5th percentiles of the
figure over all draws, less its bias, are its 95 % interval. All systems get the same draws.
The bias is how far the mean over the draws lies from the figure: none for shares, but where classes
are counted that were found at least once, every draw misses some of them.
Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 10 and 13.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

DRAWS = 1000


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and its 95 % interval."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """The form of a measure in an Evaluation."""
        return {"value": self.value, "low": self.low, "high": self.high}


def draws(items: int, *, seed: int, count: int = DRAWS) -> Iterator[list[int]]:
    """`count` draws of `items` item numbers each; the same seed gives the same draws."""
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    numbers = range(items)
    for _ in range(count):
        yield chance.choices(numbers, k=items)


def interval(drawn: Sequence[float]) -> tuple[float, float]:
    """The 2.5th and the 97.5th percentile, between the values next to them.

    >>> interval([0.0, 1.0, 2.0, 3.0, 4.0])
    (0.1, 3.9)
    """
    ordered = sorted(drawn)
    return _percentile(ordered, 0.025), _percentile(ordered, 0.975)


def _percentile(ordered: Sequence[float], share: float) -> float:
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (at - below) * (ordered[above] - ordered[below])


def bootstrap(
    measures: dict[str, Callable[[Sequence[int]], float]], items: int, *, seed: int
) -> dict[str, Figure]:
    """Each measure over all items, with its interval; a measure is a function of item numbers."""
    everything = list(range(items))
    values = {name: measure(everything) for name, measure in measures.items()}
    drawn: dict[str, list[float]] = {name: [] for name in measures}
    for draw in draws(items, seed=seed) if items else ():
        for name, measure in measures.items():
            drawn[name].append(measure(draw))
    return {name: _figure(value, drawn[name]) for name, value in values.items()}


def _figure(value: float, drawn: Sequence[float]) -> Figure:
    """All measures lie between 0 and 1, and so do their intervals."""
    if not drawn:
        return Figure(round(value, 4), 0.0, 0.0)
    bias = fmean(drawn) - value
    low, high = (min(1.0, max(0.0, end - bias)) for end in interval(drawn))
    return Figure(round(value, 4), round(low, 4), round(high, 4))
