"""Who is who in an evaluation: ours, variants of ours, baselines, and the best of these."""

from __future__ import annotations

from medweave.evaluation.result import Evaluation, SystemResult
from medweave.evaluation.runner import OURS


def is_baseline(name: str) -> bool:
    """Whether a system is neither ours nor a variant of ours.

    >>> is_baseline("naive bayes"), is_baseline("medweave textrank")
    (True, False)
    """
    return name != OURS and not name.startswith(f"{OURS} ")


def first_measure(result: Evaluation) -> str:
    """The measure by which systems are compared: the first that ours has."""
    return next(iter(result.systems[0].measures))


def best_baseline(result: Evaluation) -> SystemResult | None:
    """The baseline with the highest first measure; `None` where no baseline took part."""
    first = first_measure(result)
    baselines = [s for s in result.systems if is_baseline(s.name) and first in s.measures]
    return max(baselines, key=lambda s: s.measures[first].value, default=None)
