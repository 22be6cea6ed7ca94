"""Explicit links between dialogues (equation 3): what records say of each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.model.edge import edge_of
from medweave.model.statement import SupportedStatement
from medweave.ports import StoreView
from medweave.retrieval.dialogues.graph_parts import Reference
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


def references(store: StoreView, vocabulary: Vocabulary) -> Iterator[Reference]:
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


def references_of(
    statements_found: Iterable[SupportedStatement], vocabulary: Vocabulary
) -> Iterator[Reference]:
    """Those of some statements that are links by reference."""
    importance = importance_table(vocabulary)
    for supported in statements_found:
        one, edge = supported.statement, edge_of(supported)
        name = one.predicate
        if edge is None or edge.strength <= 0 or name not in importance:
            continue
        if name.startswith(RELATION):
            symmetric = vocabulary.predicates[name].symmetric
            target = str(one.object_entity)
            yield Reference(one.subject, target, name, symmetric, edge.statement)
