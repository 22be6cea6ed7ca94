"""What is measured of a system's outcomes: one function for each measure.

Each takes outcomes and the items they are of, and gives a function of item numbers, so that the
bootstrap can draw items again without counting everything anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

from medweave.evaluation.items import Item
from medweave.evaluation.outcomes import Outcome

_BANDS = 10
"""Bands of confidence in a calibration error."""
_POINTS = 50
"""Points at most of a curve of risk and coverage."""

Measure = Callable[[Sequence[int]], float]


def mean(values: Sequence[float]) -> Measure:
    """The mean of what was measured of each item.

    >>> mean([0.5, 1.0, 0.0])([0, 1])
    0.75
    """

    def measure(draw: Sequence[int]) -> float:
        return sum(map(values.__getitem__, draw)) / len(draw) if draw else 0.0

    return measure


def share(values: Sequence[bool]) -> Measure:
    """The share of items of which something is true."""
    return mean([int(value) for value in values])


def share_of(values: Sequence[bool], among: Sequence[bool]) -> Measure:
    """The share of items of which something is true, among those of which another thing is."""
    both = [int(value and held) for value, held in zip(values, among, strict=True)]
    return ratio(both, [int(held) for held in among])


def mean_of(measures: Sequence[Measure]) -> Measure:
    """The mean of several measures of the same items.

    >>> mean_of([share([True, True]), share([True, False])])([0, 1])
    0.75
    """
    if len(measures) == 1:
        return measures[0]
    return lambda draw: fmean(measure(draw) for measure in measures)


def ratio(some: Sequence[int], whole: Sequence[int]) -> Measure:
    """A share of things of which an item has any number: all `some` by all of the `whole`.

    >>> ratio([1, 0], [2, 2])(range(2))
    0.25
    """

    def measure(draw: Sequence[int]) -> float:
        below = sum(map(whole.__getitem__, draw))
        return sum(map(some.__getitem__, draw)) / below if below else 0.0

    return measure


def harmonic(precision: Measure, recall: Measure) -> Measure:
    """F1 = 2 P R / (P + R); 0 where both are."""

    def measure(draw: Sequence[int]) -> float:
        p, r = precision(draw), recall(draw)
        return 2 * p * r / (p + r) if p + r else 0.0

    return measure


def f1_of(gold: Sequence[bool], found: Sequence[bool]) -> Measure:
    """F1 = 2 TP / (2 TP + FP + FN) of one class against the rest; 0 where nobody names it.

    >>> f1_of([True, True, False], [True, False, False])(range(3))
    0.6666666666666666
    """
    both = [int(a and b) for a, b in zip(gold, found, strict=True)]
    either = [int(a) + int(b) for a, b in zip(gold, found, strict=True)]
    return ratio([2 * count for count in both], either)


def right(outcomes: Sequence[Outcome], within: int = 1) -> list[bool]:
    """Whether a right label is among the first ones."""
    return [0 < outcome.place <= within for outcome in outcomes]


def golds(items: Sequence[Item], outcomes: Sequence[Outcome]) -> list[str]:
    """The gold label of each item; where there are several, the one that was found."""
    return [
        outcome.got if outcome.place == 1 else item.expected[0]
        for item, outcome in zip(items, outcomes, strict=True)
    ]


def macro_f1(items: Sequence[Item], outcomes: Sequence[Outcome]) -> Measure:
    """The mean over gold classes of F1 = 2 TP / (2 TP + FP + FN); classes weigh the same."""
    pairs = list(zip(golds(items, outcomes), [o.got for o in outcomes], strict=True))
    kinds = sorted(set(pairs))
    number = {pair: at for at, pair in enumerate(kinds)}
    of_item = [number[pair] for pair in pairs]

    def measure(draw: Sequence[int]) -> float:
        gold: Counter[str] = Counter()
        found: Counter[str] = Counter()
        both: Counter[str] = Counter()
        for kind, count in Counter(map(of_item.__getitem__, draw)).items():
            labelled, got = kinds[kind]
            gold[labelled] += count
            found[got] += count
            if labelled == got:
                both[labelled] += count
        return sum(2 * both[c] / (gold[c] + found[c]) for c in gold) / len(gold) if gold else 0.0

    return measure


def coverage(items: Sequence[Item], outcomes: Sequence[Outcome]) -> Measure:
    """Document K's coverage: the share of gold classes that were found at least once, first."""
    gold = golds(items, outcomes)
    found = [outcome.place == 1 for outcome in outcomes]

    def measure(draw: Sequence[int]) -> float:
        classes = {gold[at] for at in draw}
        return len({gold[at] for at in draw if found[at]}) / len(classes) if classes else 0.0

    return measure


def calibration_error(outcomes: Sequence[Outcome]) -> Measure:
    """How far confidence and accuracy lie apart on average, over bands of confidence.

    Source: Guo et al., "On calibration of modern neural networks" (2017), equation 3.
    """
    band = [min(int(outcome.confidence * _BANDS), _BANDS - 1) for outcome in outcomes]
    gap = [outcome.confidence - (outcome.place == 1) for outcome in outcomes]

    def measure(draw: Sequence[int]) -> float:
        total: Counter[int] = Counter()
        for at in draw:
            total[band[at]] += gap[at]  # type: ignore[assignment]
        return sum(abs(value) for value in total.values()) / len(draw) if draw else 0.0

    return measure


def per_class(items: Sequence[Item], outcomes: Sequence[Outcome]) -> list[dict[str, Any]]:
    """For each gold class: how many items, precision, recall, F1; the most frequent first."""
    gold_labels = golds(items, outcomes)
    predicted = Counter(outcome.got for outcome in outcomes)
    gold = Counter(gold_labels)
    both = Counter(w for w, o in zip(gold_labels, outcomes, strict=True) if o.place == 1)
    rows = []
    for label in sorted(gold, key=lambda c: (-gold[c], c)):
        precision = both[label] / predicted[label] if predicted[label] else 0.0
        recall = both[label] / gold[label]
        rows.append(
            {
                "class": label,
                "n": gold[label],
                "precision": round(precision, 4),
                "recall": round(recall, 4),
                "f1": round(2 * both[label] / (gold[label] + predicted[label]), 4),
            }
        )
    return rows


def risk_coverage(outcomes: Sequence[Outcome]) -> list[dict[str, float]]:
    """Accuracy over the surest items, from few to all: what answering less would buy.

    Items of the same confidence come and go together, so that their order decides nothing.
    Source: El-Yaniv and Wiener, "On the foundations of noise-free selective classification" (2010).
    """
    order = sorted(outcomes, key=lambda outcome: -outcome.confidence)
    curve: list[dict[str, float]] = []
    hits = 0
    for at, outcome in enumerate(order, 1):
        hits += outcome.place == 1
        last = at == len(order) or order[at].confidence != outcome.confidence
        step = not curve or (at / len(order) - curve[-1]["coverage"]) >= 1 / _POINTS
        if last and (step or at == len(order)):
            curve.append(
                {
                    "coverage": round(at / len(order), 4),
                    "accuracy": round(hits / at, 4),
                    "confidence": round(outcome.confidence, 6),
                }
            )
    return curve
