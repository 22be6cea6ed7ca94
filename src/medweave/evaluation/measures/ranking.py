"""Measures of rankings as trec_eval defines them, from the places of judged documents.

A place counts from 1; what was not ranked has none. A grade below 1 gains nothing.
Sources: Manning, Raghavan and Schütze, "Introduction to Information Retrieval" (2008), chapter 8;
Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques" (2002), with the
grade itself as the gain.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log2

RECALLS = (1, 3, 5, 10)
CUTS = (1, 3, 10)


def ranking_measures(
    grades: Mapping[str, int], places: Mapping[str, int], relevant: int = 1
) -> dict[str, float]:
    """All measures of one question; `relevant` is the lowest grade that is a right answer.

    >>> found = ranking_measures({"a": 2, "b": 1, "c": 0}, {"a": 2, "c": 1})
    >>> found["mrr"], found["recall@3"], found["map"], round(found["ndcg@3"], 3)
    (0.5, 0.5, 0.25, 0.48)
    """
    right = {document for document, grade in grades.items() if grade >= relevant}
    found = sorted(place for document, place in places.items() if document in right)
    recalls = {f"recall@{cut}": _recall(found, len(right), cut) for cut in RECALLS}
    gains = {f"ndcg@{cut}": ndcg(grades, places, cut) for cut in CUTS}
    return {
        "mrr": 1 / found[0] if found else 0.0,
        **recalls,
        **gains,
        "map": _average_precision(found, len(right)),
    }


def _recall(found: list[int], right: int, cut: int) -> float:
    """The share of right answers among the first `cut`; 0 where there are none at all."""
    return sum(place <= cut for place in found) / right if right else 0.0


def _average_precision(found: list[int], right: int) -> float:
    """The mean, over right answers, of the precision at each; those not ranked count 0."""
    precisions = (number / place for number, place in enumerate(found, 1))
    return sum(precisions) / right if right else 0.0


def ndcg(grades: Mapping[str, int], places: Mapping[str, int], cut: int) -> float:
    """nDCG at a cut: gain by grade, discounted by log2(place + 1), over that of the best order."""
    best = sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:cut]
    ideal = sum(grade / log2(place + 1) for place, grade in enumerate(best, 1))
    gained = sum(
        grades[document] / log2(place + 1)
        for document, place in places.items()
        if place <= cut and grades.get(document, 0) > 0
    )
    return gained / ideal if ideal else 0.0
