"""Vectors in memory, in plain Python: the double that says what an index has to do.

Every search reads all vectors, one number at a time: good for some thousands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import NamedTuple

from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorModel,
    Vectors,
    VectorTable,
)
from medweave.vectors.checks import (
    check_documents,
    check_entries,
    check_model,
    check_search,
    check_spaces,
)
from medweave.vectors.nearest import nearest

_WHERE = "memory:"


class _Entry(NamedTuple):
    """What a vector stands for."""

    space: Space
    key: str
    concept: str
    text: int
    """The number of the text."""


class _Stored(NamedTuple):
    """A vector, and the documents that gave it."""

    vector: memoryview[float]
    documents: frozenset[str]


@dataclass
class VectorState:
    """All vectors; a part of the state of a store, and undone with it."""

    made_by: VectorModel | None = None
    entries: dict[_Entry, _Stored] = field(default_factory=dict)

    @property
    def model(self) -> VectorModel | None:
        """What made the vectors that are there."""
        return self.made_by if self.entries else None

    def snapshot(self) -> VectorState:
        """What can be gone back to."""
        return VectorState(self.made_by, dict(self.entries))

    def hold(
        self, space: Space, key: str, concept: str, text: int, vector: memoryview[float]
    ) -> None:
        """Keep a vector that was read elsewhere, unless there is one for this entry."""
        entry = _Entry(space, key, concept, text)
        self.entries.setdefault(entry, _Stored(vector, frozenset()))

    def drop(self, document: str) -> None:
        """Take out what this document alone gave."""
        for entry, stored in list(self.entries.items()):
            left = stored.documents - {document}
            if left:
                self.entries[entry] = stored._replace(documents=left)
            else:
                del self.entries[entry]

    def take_out(self, space: Space, keys: set[str]) -> set[str]:
        """Take out what stands for these keys; those that were there."""
        found = [entry for entry in self.entries if entry.space == space and entry.key in keys]
        for entry in found:
            del self.entries[entry]
        return {entry.key for entry in found}


class MemoryVectors:
    """See `VectorIndex` for what each method promises."""

    def __init__(
        self,
        state: Callable[[], VectorState],
        documents: Callable[[], Collection[str]],
        transaction: Callable[[], AbstractContextManager[None]],
        changed: Callable[[], None],
    ) -> None:
        self._of_store = state
        self._documents = documents
        self._transaction = transaction
        self._changed = changed

    @property
    def _state(self) -> VectorState:
        return self._of_store()

    def model(self) -> VectorModel | None:
        return self._state.model

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        check_entries(entries, vectors)
        check_model(self._state.model, vectors.model, _WHERE)
        check_documents({entry.document for entry in entries} - {*self._documents()}, _WHERE)
        with self._transaction():
            for entry, row in zip(entries, vectors, strict=True):
                number = entry.text_number(vectors.model.id)
                self._put(_Entry(entry.space, entry.key, entry.concept, number), entry, row)
                self._state.made_by = vectors.model

    def _put(self, place: _Entry, entry: VectorEntry, row: Sequence[float]) -> None:
        stored = self._state.entries.get(place)
        if stored is None:
            stored = _Stored(memoryview(array("f", row)), frozenset())
        if entry.document not in stored.documents:
            documents = stored.documents | {entry.document}
            self._state.entries[place] = stored._replace(documents=documents)
            self._changed()

    def contributed(self, documents: Iterable[str]) -> tuple[list[VectorEntry], Vectors] | None:
        model, among = self._state.model, set(documents)
        if model is None:
            return None
        given = sorted(
            (entry, document)
            for entry, stored in self._state.entries.items()
            for document in stored.documents & among
        )
        rows = (self._state.entries[entry].vector for entry, _ in given)
        return [_known_by_number(*pair) for pair in given], Vectors.of(model, rows)

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        check_spaces([space])
        with self._transaction():
            gone = self._state.take_out(space, set(keys))
            if gone:
                self._changed()
        return len(gone)

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        check_search(space, queries, self._state.model, _WHERE)
        stored = self._state.entries
        among = [(entry.key, stored[entry].vector) for entry in self._entries(space, concepts)]
        return [nearest(query, among, k) for query in queries]

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        check_spaces([space])
        return self._tables(self._entries(space, concepts))

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        check_spaces([space])
        among = set(keys)
        return self._tables([entry for entry in self._entries(space, None) if entry.key in among])

    def _tables(self, entries: list[_Entry]) -> list[VectorTable]:
        model = self._state.model or VectorModel("", 1)
        tables = []
        for concept in sorted({entry.concept for entry in entries}):
            some = [entry for entry in entries if entry.concept == concept]
            vectors = Vectors.of(model, (self._state.entries[entry].vector for entry in some))
            keys = [entry.key for entry in some]
            tables.append(VectorTable(concept, keys, list(range(len(some))), vectors))
        return tables

    def _entries(self, space: Space, concepts: Collection[str] | None) -> list[_Entry]:
        return sorted(
            entry
            for entry in self._state.entries
            if entry.space == space and (concepts is None or entry.concept in concepts)
        )


def _known_by_number(entry: _Entry, document: str) -> VectorEntry:
    return VectorEntry(entry.space, entry.key, document, "", entry.concept, entry.text)
