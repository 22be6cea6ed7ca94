"""The walk from a question's things, in the mode of a `Ranking`: the place where modes differ."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from medweave.inference.local_push import Reached, push
from medweave.inference.neighbourhood import neighbourhood
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
