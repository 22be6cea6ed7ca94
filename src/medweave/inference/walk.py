"""The walk from a question's things, in the mode of a `Ranking`: the place where modes differ.

Document K loads "the connected entities and relations" around a question. The ranking modes that
sweep over every edge need a part that is bounded, whatever the base. It is two steps wide, and hubs
bound it as they bound `local_push`: a thing at the first step is read when what the seeds hand it
is more than `EPSILON`, and more than `PER_EDGE` for each of its edges. So no more than 1 / PER_EDGE
edges are read behind the seeds' own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from medweave.inference.local_push import (
    EPSILON,
    PER_EDGE,
    DegreesOf,
    EdgesOf,
    Reached,
    push,
    read,
    without_hubs,
)
from medweave.inference.sweeps import TOLERANCE, rank
from medweave.model.edge import Edge
from medweave.model.ranking import Ranking
from medweave.ports import StoreView

MOST_EDGES = 10_000
"""So many edges are read of one thing in each direction; a finding of more diseases than that tells
them apart no longer."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The edges of a base by some predicates, read when they are needed."""

    store: StoreView
    predicates: tuple[str, ...]

    def edges_of(self, things: Iterable[int]) -> list[Edge]:
        """The edges that touch any of these things."""
        return self.store.edges(things, self.predicates, cap=MOST_EDGES)

    def degrees_of(self, things: Iterable[int]) -> dict[int, int]:
        """How many edges touch each of these things."""
        return self.store.degrees(things, self.predicates)


def walk(
    graph: Graph, seeds: Mapping[int, float], ranking: Ranking, reached: Reached | None = None
) -> Reached:
    """The scores of what the seeds lead to; what `reached` holds already is not read again.

    A score that has decayed to less than the tolerance of the sweeps is nothing, and left out.
    """
    reached = reached or Reached()
    if ranking.mode == "personalized":
        return push(
            graph.edges_of,
            seeds,
            alpha=ranking.damping,
            degrees_of=graph.degrees_of,
            reached=reached,
        )
    equal = dict.fromkeys(seeds, 1.0)  # where all is swept each seed weighs 1, as document K has it
    edges = neighbourhood(graph.edges_of, equal, degrees_of=graph.degrees_of, reached=reached)
    swept = rank(edges, equal, ranking.mode, alpha=ranking.damping)
    reached.scores = {thing: score for thing, score in swept.items() if score > TOLERANCE}
    return reached


def neighbourhood(
    edges_of: EdgesOf,
    seeds: Mapping[int, float],
    *,
    degrees_of: DegreesOf,
    reached: Reached | None = None,
) -> list[Edge]:
    """The edges of the seeds, and of their neighbours that are no hubs, by statement.

    What `reached` holds already is not read again.

    >>> flu, cold, fever, cough = range(4)
    >>> graph = [Edge(flu, fever, 1, 1.0, False), Edge(flu, cough, 2, 1.0, False),
    ...          Edge(cold, cough, 3, 1.0, False)]
    >>> touching = lambda things: [e for e in graph if {e.subject, e.object} & set(things)]
    >>> degrees = lambda things: {t: len(touching([t])) for t in things}
    >>> [edge.statement for edge in neighbourhood(touching, {fever: 1.0}, degrees_of=degrees)]
    [1, 2]
    """
    reached = reached or Reached()
    read(edges_of, seeds, reached)
    held: dict[int, float] = {}
    for seed, weight in seeds.items():
        around = reached.around[seed]
        for other, of_edge in around.others:
            held[other] = held.get(other, 0.0) + weight * of_edge / around.size
    total = sum(seeds.values())
    near = sorted(thing for thing, share in held.items() if share > EPSILON * total)
    opened = without_hubs(near, held, PER_EDGE * total, degrees_of, reached)
    read(edges_of, opened, reached)
    found = {e.statement: e for thing in (*seeds, *opened) for e in reached.edges(thing)}
    return [found[statement] for statement in sorted(found)]
