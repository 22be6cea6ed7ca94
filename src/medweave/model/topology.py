"""How densely a base is knit: document K's table 3, over all and for each concept.

Nodes are all things that a base names, and edges all statements between two things, whoever affirms
or denies them. Nodes that no edge touches are nodes too; how many they are is said apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from medweave.model.json_form import json_of


def average_neighbours(nodes: int, edges: int) -> float:
    """2E/N: each edge is a neighbour at both its ends.

    >>> round(average_neighbours(34_788, 601_475), 2)  # document K, table 3
    34.58
    """
    return 2 * edges / nodes if nodes else 0.0


def density(nodes: int, edges: int) -> float:
    """2E/(N(N-1)): edges, as a share of all that there could be one of between two nodes.

    >>> f"{density(34_788, 601_475):.2e}"  # document K, table 3
    '9.94e-04'
    """
    return 2 * edges / (nodes * (nodes - 1)) if nodes > 1 else 0.0


@dataclass(frozen=True, slots=True)
class ConceptTopology:
    """The part of a graph that is of one concept."""

    nodes: int
    isolated: int
    edges: int
    """Edges that touch any of its nodes; one between two of them counts once."""
    ends: int
    """Ends of edges at its nodes; an edge between two of them has both its ends here."""

    @property
    def average_degree(self) -> float:
        """Ends of edges for each node."""
        return self.ends / self.nodes if self.nodes else 0.0


@dataclass(frozen=True, slots=True)
class Topology:
    """The shape of a whole graph.

    >>> Topology(edges=2, degrees={0: 1, 1: 2, 2: 1}).to_json()["average_neighbours"]
    1.0
    """

    edges: int = 0
    degrees: Mapping[int, int] = field(default_factory=dict)
    """Nodes by how many ends of edges touch them."""
    concepts: Mapping[str, ConceptTopology] = field(default_factory=dict)

    @property
    def nodes(self) -> int:
        """All things."""
        return sum(self.degrees.values())

    @property
    def isolated(self) -> int:
        """Things that no edge touches."""
        return self.degrees.get(0, 0)

    def bins(self) -> list[dict[str, int]]:
        """Nodes by degree, in bins that double: 1, 2 to 3, 4 to 7; nought is apart.

        >>> Topology(degrees={0: 5, 1: 4, 3: 2, 6: 1}).bins()[1:3]
        [{'from': 1, 'to': 1, 'nodes': 4}, {'from': 2, 'to': 3, 'nodes': 2}]
        """
        highest = max(self.degrees, default=0)
        starts = [0, *(2**power for power in range(highest.bit_length()))]
        counted = dict.fromkeys(starts, 0)
        for degree, nodes in self.degrees.items():
            counted[1 << degree.bit_length() >> 1] += nodes
        return [
            {"from": start, "to": min(max(2 * start - 1, start), highest), "nodes": nodes}
            for start, nodes in counted.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """The form under `topology` in `medweave stats --json`."""
        by_size = sorted(self.concepts.items(), key=lambda pair: (-pair[1].nodes, pair[0]))
        of_each = "nodes isolated edges average_degree"
        return json_of(self, "nodes edges isolated") | {
            "average_neighbours": average_neighbours(self.nodes, self.edges),
            "density": density(self.nodes, self.edges),
            "concepts": {name: json_of(part, of_each) for name, part in by_size},
            "degrees": self.bins(),
        }
