"""Naive Bayes over features that are there or not named.

    log P(c | x)  ~  log p(c) + sum over features x of log ( (n(x, c) + 1) / (n(c) + |V|) )

Multinomial, with Laplace smoothing (Manning, Raghavan and Schütze, "Introduction to Information
Retrieval", 2008, chapter 13). Features that no training case has say nothing and are left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import exp, log

from medweave.evaluation.items import Item, Ranked

Features = Callable[[Item], Iterable[str]]


class NaiveBayes:
    """Counts features by class; a feature may weigh less than one (`weight_of`)."""

    def __init__(
        self,
        cases: Sequence[Item],
        features: Features,
        *,
        weight_of: Callable[[Item, str], float] = lambda _, __: 1.0,
    ) -> None:
        self._features = features
        self._cases: Counter[str] = Counter()
        self._sizes: dict[str, float] = defaultdict(float)
        self._classes: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for case in cases:
            for label in case.expected:
                self._cases[label] += 1
                for feature in features(case):
                    weight = weight_of(case, feature)
                    self._classes[feature][label] += weight
                    self._sizes[label] += weight
        vocabulary = len(self._classes)
        whole = sum(self._cases.values())
        self._empty = {label: -log(self._sizes[label] + vocabulary) for label in self._cases}
        self._prior = {label: log(count / whole) for label, count in self._cases.items()}

    def rank(self, item: Item) -> Ranked:
        """Classes by posterior."""
        known = sorted({f for f in self._features(item) if f in self._classes})
        scores = {
            label: prior + len(known) * self._empty[label] for label, prior in self._prior.items()
        }
        for feature in known:
            for label, weight in self._classes[feature].items():
                scores[label] += log(weight + 1)
        ranked = Ranked.by_score(scores)
        if not ranked.answered:
            return ranked
        share = 1 / sum(exp(score - ranked.confidence) for score in scores.values())
        return Ranked(ranked.labels, share, recognised=bool(known), answered=bool(known))
