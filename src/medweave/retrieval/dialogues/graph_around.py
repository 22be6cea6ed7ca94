"""The part of the graph of dialogues that a few of them stand in.

What the terms of a dialogue are hangs on its own sections and on those they are linked with, and on
nothing else. So a few dialogues are explained from a few vectors, and not from all of a base.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from medweave.model.dialogue_tree import HAS_SECTION, WHOLE, TreeKey
from medweave.model.similar import SimilarHow
from medweave.ports import StoreView, VectorView
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph
from medweave.retrieval.dialogues.graph_parts import GraphParts, Reference
from medweave.retrieval.dialogues.references import (
    SIMILAR,
    importance_table,
    references_of,
)
from medweave.vocabulary.dialogue_references import RELATION
from medweave.vocabulary.dialogue_trees import dialogue_roots, roots_called, trees_of
from medweave.vocabulary.vocabulary import Vocabulary

_ALL = 1 << 40
"""More links than a dialogue can have."""


def graph_around(
    documents: Iterable[str],
    store: StoreView,
    index: VectorView,
    vocabulary: Vocabulary,
    how: SimilarHow,
) -> DialogueGraph:
    """A graph in which the terms of these documents are those of the graph of all.

    Raises `ConfigurationError` where numpy is not installed.
    """
    names = [document.name for document in store.documents(documents)]
    roots = roots_called(store, names)
    own = [tree for trees in trees_of(store, roots) for tree in trees]
    sections = sorted({name for tree in own for name in tree.sections})
    alike = index.links_of("publication", [tree.key.text() for tree in own])
    alike += index.links_of(
        "section", [tree.key.section(name) for tree in own for name in tree.sections]
    )
    references = references_around(store, vocabulary, roots)
    others = {end for one in references for end in (one.source, one.target)} - {*roots}
    keys = {TreeKey.of(key) for link in alike for key in (link.first, link.second)}
    keys |= {tree.key for tree in own}
    keys |= {tree.key for trees in trees_of(store, sorted(others)) for tree in trees}
    wholes = index.fetch("publication", [key.text() for key in sorted(keys)])
    parts = GraphParts(
        wholes=[table for table in wholes if table.concept == WHOLE],
        sections=index.fetch(
            "section", [key.section(name) for key in sorted(keys) for name in sections]
        ),
        references=references,
        alike=alike,
        importance=importance_table(vocabulary),
        similar=SIMILAR,
    )
    return DialogueGraph(parts, how.weight, how.direction)


def references_around(
    store: StoreView, vocabulary: Vocabulary, roots: Sequence[str]
) -> list[Reference]:
    """The links by reference that any of these roots has."""
    relations = [name for name in importance_table(vocabulary) if name.startswith(RELATION)]
    return list(references_of(store.neighbours(roots, relations, cap=_ALL), vocabulary))


def count_without_vectors(store: StoreView, index: VectorView) -> int:
    """How many dialogues have no vectors, nor has any of the same root.

    Where it is known up to which revision all have them, only what came since is looked at.
    """
    since = index.complete_revision()
    changed = None if since is None else store.changes(since)
    if changed is None:
        tables = index.tables("publication", concepts=[WHOLE])
        having = {TreeKey.of(key).root for table in tables for key in table.keys}
        return len(_trees(store, [root for root in dialogue_roots(store) if root not in having]))
    statements = (found.statement for found in store.statements(sorted(changed)))
    keys = _trees(
        store, sorted({one.subject for one in statements if one.predicate == HAS_SECTION})
    )
    found = index.fetch("publication", [key.text() for key in keys])
    having = {TreeKey.of(key).root for table in found for key in table.keys}
    return sum(key.root not in having for key in keys)


def _trees(store: StoreView, roots: Collection[str]) -> set[TreeKey]:
    return {tree.key for trees in trees_of(store, roots) for tree in trees}
