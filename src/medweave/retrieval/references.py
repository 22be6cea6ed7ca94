"""Explicit links between dialogues (equation 3): what records say of each other."""

from __future__ import annotations

from collections.abc import Iterator

from medweave.ports import GraphStore
from medweave.retrieval.graph_parts import Reference
from medweave.vocabulary.dialogue_references import RELATION
from medweave.vocabulary.vocabulary import Vocabulary

SIMILAR = RELATION + "similar"
"""The predicate of implicit links; it is never written into a base."""


def importance_table(vocabulary: Vocabulary) -> dict[str, float]:
    """alpha(T): how much each kind of link counts, by predicate."""
    return {
        name: predicate.importance
        for name, predicate in vocabulary.predicates.items()
        if predicate.importance is not None
    }


def references(store: GraphStore, vocabulary: Vocabulary) -> Iterator[Reference]:
    """All links by reference in a base, also to dialogues that are not in it."""
    for name in importance_table(vocabulary):
        if not name.startswith(RELATION):
            continue
        symmetric = vocabulary.predicates[name].symmetric
        edges = [edge for edge in store.all_edges([name]) if edge.strength > 0]
        ends = store.identifiers({end for edge in edges for end in (edge.subject, edge.object)})
        for edge in edges:
            ends_of = ends[edge.subject], ends[edge.object]
            yield Reference(*ends_of, name, symmetric, edge.statement)
