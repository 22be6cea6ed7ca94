"""TextRank over a part of the graph: the other reading of document K's equation 3.

    s_i  =  (1 - a)  +  a * sum_j  |w_ji| / sum_k |w_jk|  *  s_j

(Mihalcea and Tarau, "TextRank: bringing order into texts", 2004, which document K cites.) The
sweeps come to the same scores wherever they begin, so it forgets the question: what is central in
the part of the graph that was loaded comes first. It is here to be compared with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.inference.path_ranking import ALPHA
from medweave.inference.sweeps import MAX_SWEEPS, TOLERANCE, sweep
from medweave.model.edge import Edge


def textrank(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """Scores of all things in the edges; on average 1 where every thing has an edge.

    >>> flu, cold, fever, cough = range(4)
    >>> edges = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> one, other = textrank(edges, {fever: 1.0}), textrank(edges, {cough: 1.0})
    >>> all(abs(one[thing] - other[thing]) < 1e-4 for thing in one)
    True
    """

    def rule(_: float, handed: float) -> float:
        return (1 - alpha) + alpha * handed

    return sweep(edges, seeds, rule, tolerance=tolerance, max_sweeps=max_sweeps)
