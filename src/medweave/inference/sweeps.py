"""Sweeping scores over edges until they stand still: what all plain ranking modes share.

A sweep gives every thing what its neighbours hand it, each of them sharing out its score by the
weights of its edges. An edge is walked in both directions: diseases point to their symptoms, and
questions begin at symptoms. Sweeps are synchronous and in a fixed order, so the same edges and
seeds always give the same digits; document K's random order (its algorithm 2) does not.

Shares are normalised by the sum of absolute weights. A weight that is not above 0 is not walked:
what speaks against something stops it (`stops`) and hands on no score. So where a thing has one
edge of +1 and one of -1, the sum is 1, and never 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from medweave.model.edge import Edge

TOLERANCE = 1e-6
"""Sweeping ends when the scores change by less than this in total."""
MAX_SWEEPS = 100

Rule = Callable[[float, float], float]
"""The new score of a thing, from its seed and from what its neighbours hand it."""


def sweep(
    edges: Iterable[Edge],
    seeds: Mapping[int, float],
    rule: Rule,
    *,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[int, float]:
    """The scores of everything in the edges and the seeds; at first, those of the seeds.

    >>> flu, fever, cough = range(3)
    >>> edges = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False)]
    >>> sweep(edges, {flu: 1.0}, lambda seed, handed: handed, max_sweeps=1)
    {0: 0.0, 1: 0.5, 2: 0.5}
    """
    things, incoming = _incoming(edges, seeds)
    start = [seeds.get(thing, 0.0) for thing in things]
    scores = start[:]
    for _ in range(max_sweeps):
        swept = [
            rule(seed, sum(share * scores[j] for j, share in sources))
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
