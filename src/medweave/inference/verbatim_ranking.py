"""Document K's equation 3 as it is printed.

    s_i  =  (1 - a) * a * sum_j  |w_ji| / sum_k |w_jk|  *  s_j

(Huang et al. 2021, doi:10.7717/peerj-cs.667.) Shares sum to 1, so every sweep multiplies the sum of
all scores by (1 - a) a, which is at most a quarter: the scores decay to nothing, and what order is
left depends on when one stops. It is here to be compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.inference.path_ranking import ALPHA
from medweave.inference.sweeps import MAX_SWEEPS, TOLERANCE, sweep
from medweave.model.edge import Edge


def rank_verbatim(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """What is left of the seeds' scores when the sweeps end: less than the tolerance, or nothing.

    >>> flu, fever = range(2)
    >>> scores = rank_verbatim([Edge(flu, fever, 1, 1.0, False)], {fever: 1.0}, tolerance=0)
    >>> max(scores.values()) < 1e-80
    True
    """

    def rule(_: float, handed: float) -> float:
        return (1 - alpha) * alpha * handed

    return sweep(edges, seeds, rule, tolerance=tolerance, max_sweeps=max_sweeps)
