"""Ranking by sweeps: scores are handed along edges until they stand still, in three readings of
document K's equation 3 (Huang et al. 2021, doi:10.7717/peerj-cs.667), with

    in_i  =  sum_j  |w_ji| / sum_k |w_jk|  *  s_j

- personalized: `s_i = (1 - a) s0_i + a in_i`. Only the restart at the question's things makes it
  answer the question (Haveliwala's topic-sensitive PageRank, 2002). This plain form, over edges at
  hand, is what the faster one is held against: `local_push` reads only what matters from a store.
- textrank: `s_i = (1 - a) + a in_i` (Mihalcea and Tarau, "TextRank: bringing order into texts",
  2004, which document K cites). It comes to the same scores wherever it begins, so it forgets the
  question: what is central in the part of the graph that was loaded comes first.
- verbatim: `s_i = (1 - a) a in_i`, as it is printed. Shares sum to 1, so every sweep multiplies the
  sum of all scores by (1 - a) a, which is at most a quarter: the scores decay to nothing, and what
  order is left depends on when one stops.

The last two are here to be compared with. An edge is walked in both directions: diseases point to
their symptoms, and questions begin at symptoms. Sweeps are synchronous and in a fixed order, so the
same edges and seeds always give the same digits; document K's random order (its algorithm 2) does
not.

Shares are normalised by the sum of absolute weights. A weight that is not above 0 is not walked:
what speaks against something stops it (`stops`) and hands on no score. So where a thing has one
edge of +1 and one of -1, the sum is 1, and never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from medweave.model.edge import Edge
from medweave.model.ranking import Mode

ALPHA = 0.85
"""Document K's damping."""
TOLERANCE = 1e-6
"""Sweeping ends when the scores change by less than this in total."""
MAX_SWEEPS = 100

_RULES: Mapping[Mode, Callable[[float, float, float], float]] = {
    "personalized": lambda alpha, seed, handed: (1 - alpha) * seed + alpha * handed,
    "textrank": lambda alpha, _, handed: (1 - alpha) + alpha * handed,
    "verbatim": lambda alpha, _, handed: (1 - alpha) * alpha * handed,
}
"""The new score of a thing, from the damping, its seed, and what its neighbours hand it."""


def rank(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    mode: Mode = "personalized",
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """The scores of everything in the edges and the seeds; at first, those of the seeds, which are
    the things in the question with their weight.

    >>> flu, cold, fever, cough = range(4)
    >>> edges = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> scores = rank(edges, {fever: 1.0, cough: 1.0})
    >>> scores[flu] > scores[cold] > 0
    True
    >>> one, other = (rank(edges, {seed: 1.0}, "textrank") for seed in (fever, cough))
    >>> all(abs(one[thing] - other[thing]) < 1e-4 for thing in one)
    True
    >>> max(rank(edges, {fever: 1.0}, "verbatim", tolerance=0).values()) < 1e-80
    True
    """
    rule = _RULES[mode]
    things, incoming = _incoming(edges, seeds)
    start = [seeds.get(thing, 0.0) for thing in things]
    scores = start[:]
    for _ in range(max_sweeps):
        swept = [
            rule(alpha, seed, sum(share * scores[j] for j, share in sources))
            for seed, sources in zip(start, incoming, strict=True)
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
