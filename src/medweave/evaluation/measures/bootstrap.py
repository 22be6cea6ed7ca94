"""Intervals by the bootstrap: how a figure moves when the items are drawn again.

Items are drawn with replacement, as many as there are; the 2.5th and 97.5th percentiles of the
figure over all draws, less its bias, are its 95 % interval. All systems get the same draws.
The bias is how far the mean over the draws lies from the figure: none for shares, but where classes
are counted that were found at least once, every draw misses some of them.
Source: Efron and Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 10 and 13.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TypeVar

from medweave.model.json_form import json_of

DRAWS = 1000
Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and its 95 % interval."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, float]:
        """The form of a measure in an Evaluation."""
        return json_of(self, "value low high")


def draws(items: int, *, seed: int) -> Iterator[list[int]]:
    """So many draws of `items` item numbers each; the same seed gives the same draws."""
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    numbers = range(items)
    for _ in range(DRAWS):
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


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure over all items, and over each draw of them."""

    value: float
    values: Sequence[float]

    def figure(self) -> Figure:
        """All measures lie between 0 and 1, and so do their intervals."""
        if not self.values:
            return Figure(_short(self.value), 0.0, 0.0)
        bias = fmean(self.values) - self.value
        low, high = (min(1.0, max(0.0, end - bias)) for end in interval(self.values))
        return Figure(_short(self.value), _short(low), _short(high))

    def less(self, other: Drawn) -> Figure:
        """The difference to another figure over the same draws."""
        low, high = interval([a - b for a, b in zip(self.values, other.values, strict=True)])
        return Figure(_short(self.value - other.value), _short(low), _short(high))


def draw_all(
    measures: Mapping[Key, Callable[[Sequence[int]], float]], items: int, *, seed: int
) -> dict[Key, Drawn]:
    """Each measure over all items and over the same draws; it is a function of item numbers."""
    everything = list(range(items))
    values: dict[Key, list[float]] = {name: [] for name in measures}
    for draw in draws(items, seed=seed) if items else ():
        for name, measure in measures.items():
            values[name].append(measure(draw))
    return {name: Drawn(measure(everything), values[name]) for name, measure in measures.items()}


def _short(value: float) -> float:
    return round(value, 4)
