"""Vectors kept as versioned rows, and searched exactly in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from medweave.model.edge import thing_number
from medweave.model.identifiers import canonical_json
from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorModel,
    Vectors,
    VectorTable,
)
from medweave.stores.memory_vectors import MemoryVectors, VectorState
from medweave.stores.versioned.rows import Row
from medweave.vectors.checks import check_documents, check_entries, check_model, check_spaces

FIELDS = ("space", "key", "concept", "text_n", "document", "vector", "model", "dimension")


class VectorRows(Protocol):
    """What vectors need of the store that they are kept with."""

    def transaction(self) -> AbstractContextManager[None]:
        """See `SupportsTransactions.transaction`."""

    def vector_rows(
        self, fields: Sequence[str], first: int | None = None, **where: Iterable[int]
    ) -> list[Row]:
        """Rows of vectors that fit; their `vector` is in bytes."""

    def missing_documents(self, documents: Collection[str]) -> set[str]:
        """Those of these documents that are not in the base."""

    def put_vectors(self, rows: Iterable[Row]) -> None:
        """Keep rows that are not there yet."""

    def end_vectors(self, numbers: Iterable[int]) -> None:
        """Take rows out."""

    def moment(self) -> object:
        """Something that differs when what is seen differs."""


class VersionedVectors:
    """See `VectorIndex` for what each method promises.

    A space is read whole when it is first searched at a revision.
    """

    def __init__(self, store: VectorRows, where: str) -> None:
        self._store = store
        self._where = where
        self._made_by: tuple[object, VectorModel | None] | None = None
        self._held: dict[Space, tuple[object, VectorState]] = {}

    def model(self) -> VectorModel | None:
        moment = self._store.moment()
        if self._made_by is None or self._made_by[0] != moment:
            rows = self._store.vector_rows(("model", "dimension"), 1)
            models = (VectorModel(row["model"], row["dimension"]) for row in rows)
            self._made_by = (moment, next(models, None))
        return self._made_by[1]

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        check_entries(entries, vectors)
        with self._store.transaction():
            check_model(self.model(), vectors.model, self._where)
            wanted = {entry.document for entry in entries}
            check_documents(self._store.missing_documents(wanted), self._where)
            pairs = zip(entries, vectors, strict=True)
            self._store.put_vectors(_row(entry, row, vectors.model) for entry, row in pairs)

    def contributed(self, documents: Iterable[str]) -> tuple[list[VectorEntry], Vectors] | None:
        model = self.model()
        if model is None:
            return None
        found = self._store.vector_rows(FIELDS, document_n=map(thing_number, documents))
        parts = ("space", "key", "concept", "text_n", "document")
        rows = sorted(found, key=lambda row: [row[part] for part in parts])
        entries = [
            VectorEntry(r["space"], r["key"], r["document"], "", r["concept"], r["text_n"])
            for r in rows
        ]
        return entries, Vectors.from_bytes(model, b"".join(r["vector"] for r in rows))

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        check_spaces([space])
        with self._store.transaction():
            rows = self._store.vector_rows(
                ("n", "key"), key_n=map(thing_number, keys), space_n=[thing_number(space)]
            )
            self._store.end_vectors(row["n"] for row in rows)
        return len({row["key"] for row in rows})

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        return self._of(space).search(space, queries, k, concepts=concepts)

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        return self._of(space).tables(space, concepts=concepts)

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        check_spaces([space])
        wanted = [thing_number(key) for key in keys]
        rows = self._store.vector_rows(FIELDS, key_n=wanted, space_n=[thing_number(space)])
        return _searched(lambda: _state_of(rows)).tables(space)

    def _of(self, space: Space) -> MemoryVectors:
        """The space as it is now."""
        check_spaces([space])
        moment = self._store.moment()
        held = self._held.get(space)
        if held is None or held[0] != moment:
            rows = self._store.vector_rows(FIELDS, space_n=[thing_number(space)])
            held = self._held[space] = (moment, _state_of(rows))
        state = held[1]
        if state.made_by is None:  # an empty space: what made the others is asked for
            state = VectorState(self.model())
        return _searched(lambda: state)


def _searched(state: Callable[[], VectorState]) -> MemoryVectors:
    """A state that is only read."""

    def written() -> AbstractContextManager[None]:
        raise AssertionError("vectors that were read are written elsewhere")

    return MemoryVectors(state, tuple, written, lambda: None)


def _row(entry: VectorEntry, vector: memoryview[float], model: VectorModel) -> Row:
    text = entry.text_number(model.id)
    key = [entry.space, entry.key, entry.concept, text, entry.document]
    return {
        "n": thing_number(canonical_json(key)),
        "space_n": thing_number(entry.space),
        "key_n": thing_number(entry.key),
        "document_n": thing_number(entry.document),
        "space": entry.space,
        "key": entry.key,
        "concept": entry.concept,
        "text_n": text,
        "document": entry.document,
        "vector": vector.tobytes(),
        "model": model.id,
        "dimension": model.dimension,
    }


def _state_of(rows: Iterable[Row]) -> VectorState:
    state = VectorState()
    for row in sorted(rows, key=lambda row: str(row["document"])):
        state.made_by = VectorModel(row["model"], row["dimension"])
        vector = memoryview(row["vector"]).cast("f")
        state.hold(row["space"], row["key"], row["concept"], row["text_n"], vector)
    return state
