"""Weights of what speaks for an answer, learned from judged answers; they differ by question.

A feature weighs what the traits of a question make it weigh: each trait has weights of its own,
and they add up. For each question, the softmax of scores over the answers weighed is drawn towards
their grades, each question counting the same.
Source: Cao et al., "Learning to rank: from pairwise approach to listwise approach" (2007), with a
linear scorer; steps by Duchi et al., "Adaptive subgradient methods" (2011).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from importlib.resources import files
from math import exp, sqrt
from operator import mul

from medweave.retrieval.passages.question_kinds import focus_terms, sought_kinds

_WORSE = 50
"""Answers of grade 0 to one question that are learned from, where there are more."""
_FIRST_ROUNDS, _ROUNDS, _AVERAGED = 3, 6, 3
"""First with worse answers by chance, then with the hardest; the last weights are averaged."""
_RATE, _SHRINK = 0.1, 1e-6
_LONG = 20
"""Words a question is about from which on it is a message that tells a story."""
TRAITS = ("any", "information", "long")

Weights = Sequence[Sequence[float]]
"""For each trait, one weight for each feature."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A question's traits, and the answers weighed for it: grade and features of each."""

    traits: Sequence[float]
    answers: Sequence[tuple[int, Sequence[float]]]


def traits_of(question: str) -> tuple[float, ...]:
    """How much of each of `TRAITS` a question has: whether it asks what a thing is, how long it is.

    >>> traits_of("What is measles?")
    (1.0, 1.0, 0.05)
    """
    long = min(1.0, len(focus_terms(question)) / _LONG)
    return 1.0, float("information" in sought_kinds(question)), long


def weights_for(traits: Sequence[float], weights: Weights) -> list[float]:
    """The weights of features for a question with these traits."""
    return [sum(map(mul, traits, column)) for column in zip(*weights, strict=True)]


def shipped_weights(*, dense: bool) -> list[list[float]]:
    """Those that ship, with features of vectors or without; decision 28 says what taught them.

    >>> len(shipped_weights(dense=True)[0]) > len(shipped_weights(dense=False)[0])
    True
    """
    text = (
        files("medweave")
        .joinpath("retrieval", "passages", "answer_weights.json")
        .read_text("utf-8")
    )
    held: Mapping[str, Mapping[str, float]] = json.loads(text)["dense" if dense else "lexical"]
    return [list(held[trait].values()) for trait in TRAITS]


def learn_weights(questions: Iterable[Judged], *, seed: int = 0) -> list[list[float]]:
    """Weights by trait; empty where no question has a better and a worse answer.

    >>> judged = Judged((1.0,), [(1, [0.9, 0.1]), (0, [0.1, 0.1])])
    >>> [weights] = learn_weights([judged] * 3)
    >>> weights[0] > 0.5 > abs(weights[1])
    True
    """
    chance = random.Random(seed)  # noqa: S311 - chance here decides nothing secret
    given = [judged for judged in questions if _tells(judged)]
    if not given:
        return []
    learning = _Learning(len(given[0].traits), len(given[0].answers[0][1]))
    taught = [_drawn(judged, chance) for judged in given]
    for _ in range(_FIRST_ROUNDS):
        learning.round(taught, chance)
    hard = [learning.hardest(judged) for judged in given]
    recent = []
    for _ in range(_ROUNDS):
        learning.round(hard, chance)
        recent.append(list(learning.weights))
    recent = recent[-_AVERAGED:]
    means = [sum(values) / len(recent) for values in zip(*recent, strict=True)]
    size = learning.features
    return [
        [round(weight, 4) for weight in means[start : start + size]]
        for start in range(0, len(means), size)
    ]


def _tells(judged: Judged) -> bool:
    """Whether one answer is better than another, and right at all."""
    grades = [grade for grade, _ in judged.answers]
    return bool(grades) and max(grades) > max(0, min(grades))


def _drawn(judged: Judged, chance: random.Random) -> Judged:
    """All answers with a grade, and some of those without."""
    right = [one for one in judged.answers if one[0] > 0]
    wrong = [one for one in judged.answers if one[0] <= 0]
    if len(wrong) > _WORSE:
        wrong = chance.sample(wrong, _WORSE)
    return Judged(judged.traits, [*right, *wrong])


class _Learning:
    """Weights in one list, trait after trait, and how far each was moved."""

    def __init__(self, traits: int, features: int) -> None:
        self.features = features
        self.weights = [0.0] * (traits * features)
        self._moved = [1e-8] * len(self.weights)

    def round(self, taught: list[Judged], chance: random.Random) -> None:
        """A step for each question."""
        for judged in chance.sample(taught, len(taught)):
            self._step(judged)

    def hardest(self, judged: Judged) -> Judged:
        """All answers with a grade, and those without that are taken for the best so far."""
        own = self._own(judged)
        right = [one for one in judged.answers if one[0] > 0]
        wrong = [one for one in judged.answers if one[0] <= 0]
        best = nlargest(_WORSE, wrong, key=lambda one: sum(map(mul, own, one[1])))
        return Judged(judged.traits, [*right, *best])

    def _own(self, judged: Judged) -> list[float]:
        size = self.features
        parts = [self.weights[at : at + size] for at in range(0, len(self.weights), size)]
        return weights_for(judged.traits, parts)

    def _step(self, judged: Judged) -> None:
        """One question's part of the gradient."""
        size, own = self.features, self._own(judged)
        rows = [row for _, row in judged.answers]
        scores = [sum(map(mul, own, row)) for row in rows]
        most, whole = max(scores), sum(max(grade, 0) for grade, _ in judged.answers)
        shares = [exp(score - most) for score in scores]
        summed = sum(shares)
        off = [
            share / summed - max(grade, 0) / whole
            for share, (grade, _) in zip(shares, judged.answers, strict=True)
        ]
        slopes = [sum(map(mul, off, column)) for column in zip(*rows, strict=True)]
        for place, trait in enumerate(judged.traits):
            if trait:
                self._move(place * size, trait, slopes)

    def _move(self, start: int, trait: float, slopes: Sequence[float]) -> None:
        for at, slope in enumerate(slopes, start):
            gradient = trait * slope + _SHRINK * self.weights[at]
            self._moved[at] += gradient * gradient
            self.weights[at] -= _RATE * gradient / sqrt(self._moved[at])
