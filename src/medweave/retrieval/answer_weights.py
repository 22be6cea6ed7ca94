"""Weights of what speaks for an answer, learned from pairs of which one is better.

For each question, every better answer against every worse one that was weighed with it: the
logistic loss of the difference of their scores, each question counting the same.
Source: Burges et al., "Learning to rank using gradient descent" (2005), with a linear scorer.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from importlib.resources import files
from math import exp

_PAIRS = 60
"""Of one question, drawn where there are more."""
_RATE, _ROUNDS, _SHRINK = 0.3, 30, 1e-4

Graded = Sequence[tuple[int, Sequence[float]]]
"""The answers weighed for one question: grade and features of each."""


def shipped_weights(*, dense: bool) -> list[float]:
    """Those that ship, with features of vectors or without; decision 28 says what taught them.

    >>> len(shipped_weights(dense=True)) > len(shipped_weights(dense=False))
    True
    """
    text = files("medweave").joinpath("retrieval", "answer_weights.json").read_text("utf-8")
    return list(json.loads(text)["dense" if dense else "lexical"].values())


def learn_weights(questions: Iterable[Graded], *, seed: int = 0) -> list[float]:
    """One weight for each feature; empty where no question has a better and a worse answer.

    >>> weights = learn_weights([[(1, [0.9, 0.1]), (0, [0.1, 0.1])]] * 3)
    >>> weights[0] > 1 > abs(weights[1])
    True
    """
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    pairs = [pair for graded in questions for pair in _pairs(graded, chance)]
    if not pairs:
        return []
    weights = [0.0] * len(pairs[0][1])
    for round_ in range(_ROUNDS):
        chance.shuffle(pairs)
        rate = _RATE / (1 + round_)
        for share, difference in pairs:
            ahead = sum(w * d for w, d in zip(weights, difference, strict=True))
            step = rate * share / (1 + exp(min(ahead, 50.0)))
            shrink = 1 - rate * share * _SHRINK
            weights = [shrink * w + step * d for w, d in zip(weights, difference, strict=True)]
    return [round(weight, 4) for weight in weights]


def _pairs(graded: Graded, chance: random.Random) -> list[tuple[float, list[float]]]:
    """How much each pair counts, and by how much the better answer has more of each feature."""
    found = [
        [b - w for b, w in zip(better, worse, strict=True)]
        for grade, better in graded
        for lower, worse in graded
        if grade > lower
    ]
    if len(found) > _PAIRS:
        found = chance.sample(found, _PAIRS)
    return [(min(1.0, 10 / len(found)), difference) for difference in found]
