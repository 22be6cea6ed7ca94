"""Intents by information gain (document K, equations 1 and 2).

    joint:  IG(x, c) = p(x, c) ln( p(x, c) / (p(x) p(c)) )
    paper:  IG(x, c) = p(x|c)  ln( p(x|c)  / (p(x) p(c)) )        as printed
    score:  c(q)     = sum over the features x of the question q of IG(x, c)

The form that is printed does not vanish where x and c are independent: it leaves -p(x) ln p(c),
and so prefers rare classes. `joint` is one cell of the mutual information of x and c, and vanishes.

Source: Huang et al. 2021, doi:10.7717/peerj-cs.667. Probabilities are smoothed as Laplace has it,
by adding a count to every cell (feature present or absent, by class) of the table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Literal as OneOf

Mode = OneOf["joint", "paper"]


@dataclass(frozen=True, slots=True)
class InformationGain:
    """What every feature says for every class."""

    labels: tuple[str, ...]
    weights: Mapping[str, Sequence[float]]
    """By feature, its information gain for each of `labels`."""

    def scores(self, features: Iterable[str]) -> list[float]:
        """The score of each of `labels`, equation 2."""
        totals = [0.0] * len(self.labels)
        for feature in sorted(features):
            for at, weight in enumerate(self.weights.get(feature, ())):
                totals[at] += weight
        return totals


def train_information_gain(
    questions: Sequence[tuple[Iterable[str], Sequence[str]]],
    *,
    mode: Mode = "joint",
    smoothing: float = 1.0,
) -> InformationGain:
    """Count features by class; a question with several labels counts for each in part.

    >>> model = train_information_gain([({"how", "prevent"}, ["prevention"]),
    ...                                 ({"what", "symptoms"}, ["symptom"])])
    >>> scores = model.scores({"how", "prevent", "flu"})
    >>> model.labels[scores.index(max(scores))]
    'prevention'
    """
    labels = tuple(sorted({label for _, named in questions for label in named}))
    of_class: Counter[str] = Counter()
    together: dict[str, Counter[str]] = defaultdict(Counter)
    for features, named in questions:
        for label in named:
            of_class[label] += 1 / len(named)  # type: ignore[assignment]
            for feature in features:
                together[feature][label] += 1 / len(named)  # type: ignore[assignment]
    cells = len(questions) + 2 * len(labels) * smoothing
    prior = {label: (of_class[label] + 2 * smoothing) / cells for label in labels}
    weights = {}
    for feature, counted in sorted(together.items()):
        joint = {label: (counted[label] + smoothing) / cells for label in labels}
        alone = sum(joint.values())
        weights[feature] = [_gain(joint[label], alone, prior[label], mode=mode) for label in labels]
    return InformationGain(labels, weights)


def _gain(joint: float, feature: float, label: float, *, mode: Mode) -> float:
    """Equation 1 for one cell; 0 ln 0 is 0."""
    first = joint if mode == "joint" else joint / label
    return first * log(first / (feature * label)) if first > 0 else 0.0
