"""The part of a graph around a question: document K loads "the connected entities and relations".

The ranking modes that sweep over every edge need a part that is bounded, whatever the base. It is
two steps wide, and hubs bound it as they bound `local_push`: a thing at the first step is read when
what the seeds hand it is more than `EPSILON`, and more than `PER_EDGE` for each of its edges. So no
more than 1 / PER_EDGE edges are read behind the seeds' own.
"""

from __future__ import annotations

from collections.abc import Mapping

from medweave.inference.local_push import (
    EPSILON,
    PER_EDGE,
    DegreesOf,
    EdgesOf,
    Reached,
    read,
    without_hubs,
)
from medweave.model.edge import Edge


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
