"""The shape of a graph out of three passes over a store, none of which holds an edge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from medweave.model.topology import ConceptTopology, Topology
from medweave.ports import ConceptOf


def count_topology(
    votes: Iterable[tuple[int, Mapping[str, int]]],
    degrees: Iterable[tuple[int, int]],
    edges: Iterable[tuple[int, int]],
    concept_of: ConceptOf,
) -> Topology:
    """Count by concept.

    `votes` are those for the concept of each thing, `degrees` the ends of edges at each that has
    any, `edges` their two ends. What is held in memory is one number for each thing.
    """
    nodes: Counter[str] = Counter()
    concepts: dict[int, str] = {}
    for thing, of_thing in votes:
        concepts[thing] = concept_of(of_thing)
        nodes[concepts[thing]] += 1
    unnamed = concept_of({})
    ends: Counter[str] = Counter()
    touched: Counter[str] = Counter()
    of_degree: Counter[int] = Counter()
    for thing, degree in degrees:
        concept = concepts.get(thing, unnamed)
        nodes[concept] += thing not in concepts
        ends[concept] += degree
        touched[concept] += 1
        of_degree[degree] += 1
    inside: Counter[str] = Counter()
    for subject, object_ in edges:
        concept = concepts.get(subject, unnamed)
        if concept == concepts.get(object_, unnamed):
            inside[concept] += 1
    isolated = nodes.total() - touched.total()
    if isolated:
        of_degree[0] = isolated
    by_concept = {
        c: ConceptTopology(n, n - touched[c], ends[c] - inside[c], ends[c])
        for c, n in nodes.items()
        if n
    }
    return Topology(ends.total() // 2, dict(of_degree), by_concept)
