"""The graph of a base's dialogues as the base is now, made once and then brought up to date."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from medweave.model.dialogue_tree import WHOLE
from medweave.model.similar import SimilarHow
from medweave.model.vector_links import NOT_LINKED, LinkMark, VectorLink
from medweave.model.vectors import Space, VectorMark, VectorUpdate
from medweave.ports import StoreView, VectorView
from medweave.retrieval.dialogues.dialogue_graph import DialogueGraph
from medweave.retrieval.dialogues.graph_parts import GraphParts, GraphUpdate
from medweave.retrieval.dialogues.references import (
    SIMILAR,
    importance_table,
    references,
    references_of,
)
from medweave.vocabulary.vocabulary import Vocabulary

_LINKED: tuple[Space, ...] = ("publication", "section")


@dataclass
class _Made:
    """A graph, and what of the base it was made of."""

    graph: DialogueGraph
    how: tuple[object, object]
    revision: int
    wholes: VectorMark
    sections: VectorMark
    links: dict[Space, LinkMark | None]


class CurrentGraph:
    """It is never older than the base, and equals one made anew.

    What came and went since the last time is asked of the store and its vectors, and costs what is
    new; where they cannot tell, the graph is made anew.
    """

    def __init__(self, store: StoreView, vocabulary: Vocabulary) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self._made: _Made | None = None

    def now(self, index: VectorView, how: SimilarHow) -> DialogueGraph:
        """The graph of all trees that have vectors.

        Raises `ConfigurationError` where numpy is not installed.
        """
        revision = self._store.version().revision
        made, self._made = self._made, None  # what is stopped half-way is not used again
        if made is not None and made.revision > revision:  # another thread reads a later one
            self._made, other = made, self._make(index, how, revision)
            return other.graph
        fits = made is not None and made.how == (how.weight, how.direction)
        if made is None or not fits or not self._brought_up(made, index, revision):
            made = self._make(index, how, revision)
        self._made = made
        return made.graph

    @property
    def link_marks(self) -> dict[Space, LinkMark | None]:
        """Up to where the links are in the graph that was asked for last, for `links_since`."""
        return self._made.links if self._made else {}

    def _make(self, index: VectorView, how: SimilarHow, revision: int) -> _Made:
        links = {space: index.links(space) for space in _LINKED}
        parts = GraphParts(
            wholes=index.tables("publication", concepts=[WHOLE]),
            sections=index.tables("section"),
            references=list(references(self._store, self._vocabulary)),
            alike=[link for of_space in links.values() for link in of_space.links],
            importance=importance_table(self._vocabulary),
            similar=SIMILAR,
        )
        graph = DialogueGraph(parts, how.weight, how.direction)
        return _Made(
            graph,
            (how.weight, how.direction),
            revision,
            index.mark("publication"),
            index.mark("section"),
            {space: of_space.mark for space, of_space in links.items()},
        )

    def _brought_up(self, made: _Made, index: VectorView, revision: int) -> bool:
        """Bring a graph up to a revision; False where it has to be made anew."""
        if made.revision == revision:
            return True
        store = self._store
        changed = store.changes(made.revision)
        wholes = index.updates_since("publication", made.wholes)
        sections = index.updates_since("section", made.sections)
        alike = links_since(index, made.links)
        if changed is None or wholes is None or sections is None or alike is None:
            return False
        made.revision, made.wholes, made.sections = revision, wholes.mark, sections.mark
        statements = store.statements(sorted(changed))
        update = GraphUpdate(
            _of_dialogues(wholes), sections, changed,
            list(references_of(statements, self._vocabulary)), alike,
        )  # fmt: skip
        return made.graph.update(update)


def _of_dialogues(update: VectorUpdate) -> VectorUpdate:
    changes = [change for change in update.changes if change[0] == WHOLE]
    vectors = {concept: held for concept, held in update.vectors.items() if concept == WHOLE}
    return VectorUpdate(update.mark, changes, vectors)


def links_since(index: VectorView, marks: dict[Space, LinkMark | None]) -> list[VectorLink] | None:
    """The links that came since some marks, which are moved; None where that cannot be told."""
    found: list[VectorLink] = []
    for space, mark in list(marks.items()):
        if mark is None:
            if index.link_state(space).least != NOT_LINKED.least:
                return None
            continue
        new = index.links_since(space, mark)
        if new is None:
            return None
        found += new.links
        marks[space] = cast("LinkMark", new.mark)
    return found
