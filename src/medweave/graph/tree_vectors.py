"""Vectors of dialogues: one for each section, and one for each whole tree (T3, equation 4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from medweave.graph.context_vectors import ContextMade
from medweave.model.dialogue_tree import HAS_SECTION, WHOLE, Tree
from medweave.model.vectors import VectorEntry
from medweave.ports import (
    Embedder,
    Progress,
    StoreView,
    VectorView,
    no_progress,
)
from medweave.vocabulary.dialogue_trees import dialogue_roots, trees_of


@dataclass(frozen=True, slots=True)
class VectorsMade:
    """How many dialogues and sections were seen to: those that came since the last time."""

    dialogues: int
    sections: int
    context: ContextMade = field(default_factory=ContextMade)
    """What of papers was seen to."""
    passages: int = 0
    """How many passages of texts had none."""


def make_tree_vectors(
    store: StoreView, index: VectorView, embedder: Embedder, *, progress: Progress = no_progress
) -> VectorsMade:
    """Keep a vector for every section and every tree of the base.

    Once all have been made, only what came since is looked at, where the store can tell. Some trees
    at a time are embedded and put, so that it may be stopped at any moment and goes on from there:
    an embedder that knows its texts already (`CachedEmbedder`) makes none twice. Where nothing is
    new nothing changes, not even the revision. Raises `VectorError` where the base has the vectors
    of another model, and `EmbeddingError`.
    """
    revision = store.version().revision
    roots = _roots(store, index, embedder)
    done = dialogues = sections = 0
    for trees in trees_of(store, roots):
        entries = [entry for tree in trees for entry in tree_entries(tree)]
        _put(index, entries, embedder)
        dialogues += len(trees)
        sections += len(entries) - len(trees)
        done = min(len(roots), done + len({tree.key.root for tree in trees}))
        progress(done, len(roots), "vectors of dialogues")
    if index.model() is not None:
        index.set_complete_revision(revision)
    return VectorsMade(dialogues, sections)


def _roots(store: StoreView, index: VectorView, embedder: Embedder) -> list[str]:
    """The roots of the trees that may have no vectors yet."""
    since = index.complete_revision() if index.model() == embedder.model else None
    changed = None if since is None else store.changes(since)
    if changed is None:
        index.set_complete_revision(None)  # what is begun now may be stopped
        return dialogue_roots(store)
    statements = (supported.statement for supported in store.statements(sorted(changed)))
    return sorted({one.subject for one in statements if one.predicate == HAS_SECTION})


def tree_entries(tree: Tree) -> Iterator[VectorEntry]:
    """What is embedded of a tree: all of it, and each of its sections."""
    key = tree.key
    yield VectorEntry("publication", key.text(), key.document, tree.text, WHOLE)
    for name, text in tree.sections.items():
        yield VectorEntry("section", key.section(name), key.document, text, name)


def _put(index: VectorView, entries: Sequence[VectorEntry], embedder: Embedder) -> None:
    if entries:
        index.put(entries, embedder.embed([entry.text for entry in entries]))
