"""Vectors in memory, in plain Python: the double that says what an index has to do.

Every search reads all vectors, one number at a time: good for some thousands.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from math import fsum
from operator import mul
from typing import NamedTuple

from medweave.errors import StoreError
from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorModel,
    Vectors,
    VectorTable,
    text_number,
)
from medweave.vectors.checks import check_entries, check_model, check_spaces, check_vectors

_DIGITS = 6
"""Of a score."""
_WHERE = "memory:"


class _Kept(NamedTuple):
    """An entry: what it stands for, and the number of its text."""

    space: Space
    key: str
    concept: str
    text: int


@dataclass
class VectorState:
    """All that is kept; a part of the state of a store, and undone with it."""

    model: VectorModel | None = None
    vectors: dict[int, memoryview[float]] = field(default_factory=dict)
    """By the numbers of the texts."""
    entries: dict[_Kept, frozenset[str]] = field(default_factory=dict)
    """Each with the documents that gave it."""
    complete_revision: int | None = None
    """See `VectorIndex.complete_revision`."""
    loose: set[int] = field(default_factory=set)
    """Texts that may be used no more, until the transaction ends."""

    def snapshot(self) -> VectorState:
        """What can be gone back to."""
        return VectorState(
            self.model,
            dict(self.vectors),
            dict(self.entries),
            self.complete_revision,
            set(self.loose),
        )

    def drop(self, document: str) -> None:
        """Take out what this document alone gave."""
        for kept, documents in list(self.entries.items()):
            if document in documents:
                self._leave(kept, documents - {document})

    def _leave(self, kept: _Kept, documents: frozenset[str]) -> None:
        if documents:
            self.entries[kept] = documents
        else:
            del self.entries[kept]
            self.loose.add(kept.text)

    def take_out(self, space: Space, keys: set[str]) -> set[str]:
        """Take out what stands for these keys; those that were there."""
        found = [kept for kept in self.entries if kept.space == space and kept.key in keys]
        for kept in found:
            self._leave(kept, frozenset())
        return {kept.key for kept in found}

    def tidy(self) -> None:
        """At the end of a transaction: what nothing uses any more goes."""
        used = {kept.text for kept in self.entries}
        for text in self.loose - used:
            self.vectors.pop(text, None)
        if self.loose and not self.vectors:
            self.model = None
        self.loose = set()


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
        """See `VectorIndex.model`."""
        return self._state.model

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        """See `VectorIndex.put`."""
        check_entries(entries, vectors)
        missing = {entry.document for entry in entries} - {*self._documents()}
        with self._transaction():
            self._keep([entry.text for entry in entries], vectors)
            if missing:
                raise StoreError(
                    f"vectors of a document that is not in the base: {min(missing)}",
                    where=_WHERE,
                    remedy="put the document first",
                )
            for entry in entries:
                self._put(entry, text_number(vectors.model.id, entry.text))

    def _put(self, entry: VectorEntry, text: int) -> None:
        kept = _Kept(entry.space, entry.key, entry.concept, text)
        documents = self._state.entries.get(kept, frozenset())
        if entry.document not in documents:
            self._state.entries[kept] = documents | {entry.document}
            self._changed()

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        """See `VectorIndex.keep`."""
        check_vectors(vectors, len(texts))
        with self._transaction():
            self._keep(texts, vectors)

    def _keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        check_model(self._state.model, vectors.model, _WHERE)
        for text, row in zip(texts, vectors, strict=True):
            self._state.model = vectors.model
            number = text_number(vectors.model.id, text)
            self._state.vectors.setdefault(number, memoryview(array("f", row)))

    def known(self, model: VectorModel, texts: Iterable[str]) -> dict[str, memoryview[float]]:
        """See `VectorIndex.known`."""
        if self._state.model != model:
            return {}
        numbers = {text: text_number(model.id, text) for text in texts}
        held = self._state.vectors
        return {text: held[number] for text, number in numbers.items() if number in held}

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        """See `VectorIndex.remove`."""
        check_spaces([space])
        with self._transaction():
            gone = self._state.take_out(space, set(keys))
            self._state.complete_revision = None
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
        """See `VectorIndex.search`."""
        check_spaces([space])
        check_vectors(queries, len(queries))
        check_model(self._state.model, queries.model, _WHERE)
        entries = self._entries(space, concepts)
        return [self._nearest(query, entries, k) for query in queries]

    def _nearest(self, query: memoryview[float], entries: list[_Kept], k: int) -> list[Near]:
        texts = {kept.text for kept in entries}
        scores = {text: self._cosine(query, self._state.vectors[text]) for text in texts}
        best: dict[str, float] = {}
        for kept in entries:
            best[kept.key] = max(best.get(kept.key, -2), scores[kept.text])
        ordered = sorted(best.items(), key=lambda pair: (-pair[1], pair[0]))
        return [Near(*pair) for pair in ordered[: max(k, 0)]]

    @staticmethod
    def _cosine(one: memoryview[float], other: memoryview[float]) -> float:
        return round(fsum(map(mul, one, other)), _DIGITS) + 0.0

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        """See `VectorIndex.tables`."""
        check_spaces([space])
        entries = self._entries(space, concepts)
        return [
            self._table(concept, [kept for kept in entries if kept.concept == concept])
            for concept in sorted({kept.concept for kept in entries})
        ]

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        """See `VectorIndex.fetch`."""
        check_spaces([space])
        wanted = set(keys)
        entries = [kept for kept in self._entries(space, None) if kept.key in wanted]
        return [
            self._table(concept, [kept for kept in entries if kept.concept == concept])
            for concept in sorted({kept.concept for kept in entries})
        ]

    def _table(self, concept: str, entries: list[_Kept]) -> VectorTable:
        model = self._state.model or VectorModel("", 1)
        rows = {text: row for row, text in enumerate(dict.fromkeys(e.text for e in entries))}
        vectors = Vectors.of(model, (self._state.vectors[text] for text in rows))
        return VectorTable(concept, [e.key for e in entries], [rows[e.text] for e in entries],
                           vectors)  # fmt: skip

    def complete_revision(self) -> int | None:
        """See `VectorIndex.complete_revision`."""
        return self._state.complete_revision

    def set_complete_revision(self, revision: int | None) -> None:
        """See `VectorIndex.set_complete_revision`."""
        with self._transaction():
            self._state.complete_revision = revision

    def _entries(self, space: Space, concepts: Collection[str] | None) -> list[_Kept]:
        """The entries of a space and these concepts, by key."""
        found = [
            kept
            for kept in self._state.entries
            if kept.space == space and (concepts is None or kept.concept in concepts)
        ]
        return sorted(found, key=lambda kept: (kept.key, kept.concept, kept.text))
