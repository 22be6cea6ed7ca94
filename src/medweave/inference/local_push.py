"""Path ranking that reads only what matters: forward push from the question's entities.

The scores are those of `sweeps` to within a tolerance, but nothing is read of the graph
beyond the things through which a noticeable share of score passes, so a base of a million
statements costs no more than one of ten thousand. Any store that can list neighbours will do.

Algorithm: Andersen, Chung and Lang, "Local graph partitioning using PageRank vectors" (2006),
doi:10.1109/FOCS.2006.44, pushed in rounds so that each round asks the store once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from medweave.model.edge import Edge

EPSILON = 3e-4
"""A residual share below this is not passed on. Measured: decision 0013."""
PER_EDGE = 3e-5
"""Nor one that leaves less than this for each edge: hubs hand everyone next to nothing, and are
most of what there is to read. Measured: decision 0014."""
_ROUNDS = 100

EdgesOf = Callable[[Iterable[int]], Iterable[Edge]]
"""All edges that touch any of these things."""
DegreesOf = Callable[[Iterable[int]], Mapping[int, int]]
"""How many edges touch each of these things."""


@dataclass(slots=True)
class Around:
    """What lies around a thing that was read."""

    edges: list[Edge] = field(default_factory=list)
    others: list[tuple[int, float]] = field(default_factory=list)
    """The thing at the other end of each edge, and the weight of the edge."""
    size: float = 0.0
    """The total weight of the edges."""

    def add(self, edge: Edge, other: int, weight: float) -> None:
        """One more edge."""
        self.edges.append(edge)
        self.others.append((other, weight))
        self.size += weight


@dataclass(slots=True)
class Reached:
    """What the walk has read of a graph, and how it scored it."""

    scores: dict[int, float] = field(default_factory=dict)
    around: dict[int, Around] = field(default_factory=dict)
    degrees: dict[int, int] = field(default_factory=dict)

    def edges(self, thing: int) -> list[Edge]:
        """The edges of a thing that was read."""
        return self.around[thing].edges


def read(edges_of: EdgesOf, things: Iterable[int], reached: Reached) -> None:
    """Read the edges of these things, where they have not been read."""
    new = {thing: Around() for thing in things if thing not in reached.around}
    for edge in edges_of(new) if new else ():
        weight = edge.weight
        if weight > 0:
            subject, object_ = edge.subject, edge.object
            if subject in new:
                new[subject].add(edge, object_, weight)
            if object_ in new:
                new[object_].add(edge, subject, weight)
    reached.around |= new


def push(
    edges_of: EdgesOf,
    seeds: Mapping[int, float],
    *,
    alpha: float,
    epsilon: float = EPSILON,
    degrees_of: DegreesOf | None = None,
    reached: Reached | None = None,
) -> Reached:
    """Scores of what the walk reaches, short of those of `rank` by less than what is left over.

    `epsilon` is a share of the seeds' total. With `degrees_of`, hubs wait until they hold enough
    for all their edges. What `reached` holds already is not read again.

    >>> flu, cold, fever, cough = range(4)
    >>> graph = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> found = push(lambda things: graph, {fever: 1.0, cough: 1.0}, alpha=0.3)
    >>> found.scores[flu] > found.scores[cold] > 0
    True
    """
    reached = reached or Reached()
    residuals = {thing: weight for thing, weight in seeds.items() if weight > 0}
    total = sum(residuals.values())
    for _ in range(_ROUNDS):
        frontier = sorted(thing for thing, left in residuals.items() if left > epsilon * total)
        if degrees_of:
            frontier = without_hubs(frontier, residuals, PER_EDGE * total, degrees_of, reached)
        if not frontier:
            break
        read(edges_of, frontier, reached)
        passing = {thing: residuals.pop(thing) for thing in frontier}
        for thing, held in passing.items():
            _pass_on(thing, held, alpha, reached, residuals)
    for thing, left in sorted(residuals.items()):
        reached.scores[thing] = reached.scores.get(thing, 0.0) + (1 - alpha) * left
    return reached


def without_hubs(
    frontier: list[int],
    residuals: Mapping[int, float],
    least: float,
    degrees_of: DegreesOf,
    reached: Reached,
) -> list[int]:
    """The things that hold at least `least` for each of their edges, or have been read already."""
    counted, known = reached.degrees, reached.around
    new = [thing for thing in frontier if thing not in known and thing not in counted]
    counted.update(dict.fromkeys(new, 0) | dict(degrees_of(new)) if new else {})
    return [t for t in frontier if t in known or residuals[t] > least * counted[t]]


def _pass_on(
    thing: int, held: float, alpha: float, reached: Reached, residuals: dict[int, float]
) -> None:
    """Keep the restart's share of what a thing holds, and hand the rest to its neighbours."""
    reached.scores[thing] = reached.scores.get(thing, 0.0) + (1 - alpha) * held
    around = reached.around[thing]
    share = alpha * held / around.size if around.size else 0.0
    for other, weight in around.others:
        residuals[other] = residuals.get(other, 0.0) + share * weight
