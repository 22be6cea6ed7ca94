"""Weighted path ranking (document K, equation 3, with restart at the question's entities).

    s_i  =  (1 - a) s0_i  +  a * sum_j  |w_ji| / sum_k |w_jk|  *  s_j

over affirmed statements of positive valence, walked in both directions (`sweeps`). The equation as
printed decays to nothing (`verbatim_ranking`), and without a restart it forgets the question
(`textrank`); only the restart makes it answer (Huang et al. 2021, doi:10.7717/peerj-cs.667; the
restart is Haveliwala's topic-sensitive PageRank, 2002).

This is the plain form, over edges at hand, and what the faster one is held against: `local_push`
reads only what matters from a store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.inference.sweeps import MAX_SWEEPS, TOLERANCE, sweep
from medweave.model.edge import Edge

ALPHA = 0.85
"""Document K's damping."""


def rank(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """Scores of all things reached from the seeds; they sum to the seeds' total.

    `seeds` are the things in the question with their weight.

    >>> flu, cold, fever, cough = range(4)
    >>> edges = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> scores = rank(edges, {fever: 1.0, cough: 1.0})
    >>> scores[flu] > scores[cold] > 0
    True
    """

    def rule(seed: float, handed: float) -> float:
        return (1 - alpha) * seed + alpha * handed

    return sweep(edges, seeds, rule, tolerance=tolerance, max_sweeps=max_sweeps)
