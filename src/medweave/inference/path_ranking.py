"""Weighted path ranking (document K, equation 3, with restart at the question's entities).

    s_i  =  (1 - a) s0_i  +  a * sum_j  |w_ji| / sum_k |w_jk|  *  s_j

over affirmed statements of positive valence, walked in both directions. The equation as printed
multiplies every score by (1 - a) a at each step and decays to nothing; only the restart makes it
answer the question (Huang et al. 2021, doi:10.7717/peerj-cs.667; the restart is Haveliwala's
topic-sensitive PageRank, 2002). Sweeps are synchronous and in a fixed order, so the same edges and
seeds always give the same digits.

This is the plain form, over edges at hand, and what the faster ones are held against:
`local_push` reads only what matters from a store; `matrix_ranking` serves many questions at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from medweave.model.edge import Edge

ALPHA = 0.85
TOLERANCE = 1e-6
MAX_SWEEPS = 100


def rank(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """Scores of all things reached from the seeds; they sum to the seeds' total.

    `seeds` are the things in the question with their weight. Sweeping ends when the scores change
    by less than `tolerance` in total.

    >>> flu, cold, fever, cough = range(4)
    >>> edges = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> scores = rank(edges, {fever: 1.0, cough: 1.0})
    >>> scores[flu] > scores[cold] > 0
    True
    """
    things, incoming = _incoming(edges, seeds)
    start = [seeds.get(thing, 0.0) for thing in things]
    scores = start[:]
    for _ in range(max_sweeps):
        swept = [
            (1 - alpha) * restart + alpha * sum(share * scores[j] for j, share in sources)
            for restart, sources in zip(start, incoming, strict=True)
        ]
        change = sum(abs(new - old) for new, old in zip(swept, scores, strict=True))
        scores = swept
        if change < tolerance:
            break
    return dict(zip(things, scores, strict=True))


def _incoming(
    edges: Iterable[Edge], seeds: Mapping[int, float]
) -> tuple[list[int], list[list[tuple[int, float]]]]:
    """Things in a fixed order, and for each the shares of score it receives, and from whom."""
    weights: dict[tuple[int, int], float] = {}
    for edge in edges:
        if edge.weight > 0:
            for pair in ((edge.subject, edge.object), (edge.object, edge.subject)):
                weights[pair] = weights.get(pair, 0.0) + edge.weight
    things = sorted({thing for pair in weights for thing in pair} | set(seeds))
    place = {thing: number for number, thing in enumerate(things)}
    total: dict[int, float] = {}
    for (source, _), weight in sorted(weights.items()):
        total[source] = total.get(source, 0.0) + weight
    incoming: list[list[tuple[int, float]]] = [[] for _ in things]
    for (source, target), weight in sorted(weights.items()):
        incoming[place[target]].append((place[source], weight / total[source]))
    return things, incoming
