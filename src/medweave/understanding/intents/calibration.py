"""From a classifier's scores to probabilities that hold what they say.

    P(label holds) = 1 / (1 + exp(-(a s + d m + b))),   m = s minus the best other score

fitted on scores that the classifier gave to questions it was not trained on. It is Platt's scaling
("Probabilistic outputs for support vector machines", 1999) with the lead beside the score, so that
it serves scores whose size depends on the length of a question, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp

_ROUNDS = 50
_STEADY = 1e-3
"""A little is added to what is divided by, so that separable scores do not run away."""
_SETTLED = 1e-9


@dataclass(frozen=True, slots=True)
class Calibration:
    """The three numbers of the curve."""

    score: float = 1.0
    lead: float = 0.0
    bias: float = 0.0

    def probabilities(self, scores: Sequence[float]) -> list[float]:
        """For each label, how likely it holds.

        >>> [round(p, 2) for p in Calibration().probabilities([0.0, 2.0])]
        [0.5, 0.88]
        """
        return [
            _logistic(self.score * s + self.lead * lead + self.bias)
            for s, lead in zip(scores, leads(scores), strict=True)
        ]


def leads(scores: Sequence[float]) -> list[float]:
    """Each score minus the best of the others.

    >>> leads([1.0, 3.0, 2.0])
    [-2.0, 1.0, -1.0]
    """
    if len(scores) == 1:
        return list(scores)
    best, second = sorted(scores, reverse=True)[:2]
    return [s - (second if s == best else best) for s in scores]


def calibrate(observed: Iterable[tuple[Sequence[float], Sequence[bool]]]) -> Calibration:
    """Fit the curve to scores and whether each label held, by Newton's method.

    Fewer than two different outcomes leave the scores as they are.
    """
    points = [
        ((s, lead, 1.0), float(held))
        for scores, holds in observed
        for s, lead, held in zip(scores, leads(scores), holds, strict=True)
    ]
    if len({held for _, held in points}) < 2:  # noqa: PLR2004 - both outcomes are needed
        return Calibration()
    scale = sum(abs(x[0]) for x, _ in points) / len(points) or 1.0
    points = [((s / scale, lead / scale, one), held) for (s, lead, one), held in points]
    found = [0.0, 0.0, 0.0]
    for _ in range(_ROUNDS):
        step = _newton_step(points, found)
        found = [value + change for value, change in zip(found, step, strict=True)]
        if sum(abs(change) for change in step) < _SETTLED:
            break
    return Calibration(found[0] / scale, found[1] / scale, found[2])


def _newton_step(
    points: Sequence[tuple[tuple[float, float, float], float]], at: Sequence[float]
) -> list[float]:
    slope = [-_STEADY * value for value in at]
    bend = [[_STEADY * (i == j) for j in range(3)] for i in range(3)]
    for x, held in points:
        expected = _logistic(sum(a * value for a, value in zip(at, x, strict=True)))
        weight = expected * (1 - expected)
        for i in range(3):
            slope[i] += (held - expected) * x[i]
            for j in range(i + 1):
                bend[i][j] += weight * x[i] * x[j]
    return _solve(bend, slope)


def _solve(lower: list[list[float]], right: list[float]) -> list[float]:
    """Solve a symmetric system of three, given its lower half, by Cramer's rule."""
    (a, _, _), (b, d, _), (c, e, f) = lower
    whole = a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)
    if whole == 0:
        return [0.0, 0.0, 0.0]
    x, y, z = right
    return [
        (x * (d * f - e * e) + y * (c * e - b * f) + z * (b * e - c * d)) / whole,
        (x * (c * e - b * f) + y * (a * f - c * c) + z * (b * c - a * e)) / whole,
        (x * (b * e - c * d) + y * (b * c - a * e) + z * (a * d - b * b)) / whole,
    ]


def _logistic(value: float) -> float:
    if value >= 0:
        return 1 / (1 + exp(-min(value, 700.0)))
    held = exp(max(value, -700.0))
    return held / (1 + held)
