"""Weighted path ranking (document K, equation 3, with restart at the question's entities).

    s_i  =  (1 - a) s0_i  +  a * sum_j  |w_ji| / sum_k |w_jk|  *  s_j

over affirmed statements of positive valence, walked in both directions. The equation as printed
multiplies every score by (1 - a) a at each step and decays to nothing; only the restart makes it
answer the question (Huang et al. 2021, doi:10.7717/peerj-cs.667; the restart is Haveliwala's
topic-sensitive PageRank, 2002). Sweeps are synchronous and in a fixed order, so the same base and
question always give the same digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from medweave.model.statement import SupportedStatement

ALPHA = 0.85
TOLERANCE = 1e-6
MAX_SWEEPS = 100


@dataclass(frozen=True, slots=True)
class Edge:
    """One statement between two things, with the weight it is walked by (> 0)."""

    source: str
    target: str
    weight: float
    statement: str


def edges_of(statements: Iterable[SupportedStatement]) -> list[Edge]:
    """The edges that may be walked: affirmed, and not only denied.

    The weight is the greatest strength an affirming source gives; a statement whose sources
    disagree is walked by half of it.
    """
    found = []
    for supported in statements:
        target = supported.statement.object_entity
        strength = max((item.strength for item in supported.affirmed), default=0.0)
        if target is not None and strength > 0:
            weight = strength / 2 if supported.denied else strength
            found.append(Edge(supported.statement.subject, target, weight, supported.statement.id))
    return found


def rank(
    edges: Iterable[Edge],
    seeds: Mapping[str, float],
    *,
    alpha: float = ALPHA,
    tolerance: float = TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
) -> dict[str, float]:
    """Scores of all things reached from the seeds; they sum to the seeds' total.

    `seeds` are the things in the question with their weight. Sweeping ends when the scores change
    by less than `tolerance` in total.

    >>> edges = [Edge("flu", "fever", 1.0, "s1"), Edge("flu", "cough", 1.0, "s2"),
    ...          Edge("cold", "cough", 1.0, "s3")]
    >>> scores = rank(edges, {"fever": 1.0, "cough": 1.0})
    >>> scores["flu"] > scores["cold"] > 0
    True
    """
    names, incoming = _incoming(edges, seeds)
    start = [seeds.get(name, 0.0) for name in names]
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
    return dict(zip(names, scores, strict=True))


def _incoming(
    edges: Iterable[Edge], seeds: Mapping[str, float]
) -> tuple[list[str], list[list[tuple[int, float]]]]:
    """Things in a fixed order, and for each the shares of score it receives, and from whom."""
    weights: dict[tuple[str, str], float] = {}
    for edge in edges:
        for pair in ((edge.source, edge.target), (edge.target, edge.source)):
            weights[pair] = weights.get(pair, 0.0) + edge.weight
    names = sorted({name for pair in weights for name in pair} | set(seeds))
    place = {name: number for number, name in enumerate(names)}
    total: dict[str, float] = {}
    for (source, _), weight in weights.items():
        total[source] = total.get(source, 0.0) + weight
    incoming: list[list[tuple[int, float]]] = [[] for _ in names]
    for (source, target), weight in sorted(weights.items()):
        incoming[place[target]].append((place[source], weight / total[source]))
    return names, incoming
