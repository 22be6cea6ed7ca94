"""A base in any store, whose vectors are in Weaviate.

The base itself says in a note which of the rows there are seen. So a change of both is one: what
was written there before the base had its note is seen by nobody, and the next who writes takes it
back.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field

from medweave.errors import StoreError
from medweave.model.document import Extraction
from medweave.model.edge import thing_number
from medweave.model.vectors import BESIDE
from medweave.ports import (
    GraphStore,
    SupportsNotes,
    SupportsTransactions,
    VectorIndex,
)
from medweave.stores.address import StoreAddress
from medweave.stores.contribution import together
from medweave.stores.derived import FAST_WAYS, view_of
from medweave.stores.fast_ways import take_over
from medweave.stores.forwarding import ForwardingStore
from medweave.stores.versioned.rows import Row
from medweave.stores.weaviate.client import Weaviate
from medweave.stores.weaviate.objects import Touched, WeaviateObjects
from medweave.stores.weaviate.rows import VectorRow, WeaviateVectorRows, Where
from medweave.stores.weaviate.vectors import SearchedVectors
from medweave.vectors.nearest import LEAST

_CHANGES_LISTED = 64
"""After so many changes, what ended before the same number of changes is taken out."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """What the note says."""

    stamp: int = 0
    """The last one of what is seen."""
    revision: int = 0
    """Of the base, when it was set."""
    dimension: int = 0
    changes: int = 0
    ended: tuple[int, int] = (0, 0)
    """The stamps at the last but one and the last time that what ended was taken out."""


@dataclass
class _Pending:
    """What this transaction did so far."""

    mark: _Mark
    revision: int
    """That of the base, before it."""
    stamp: int
    dimension: int
    changed: bool = False
    broken: bool = False
    """Whether something that failed stands there half written."""
    clean: set[int] = field(default_factory=set)
    """The dimensions of which it is known that nothing half written is left."""
    touched: Touched = field(default_factory=Touched)


def beside(store: GraphStore, address: StoreAddress, *, read_only: bool) -> GraphStore:
    """A store with its vectors at an address. Raises `StoreError` where it keeps no notes."""
    if not isinstance(store, SupportsNotes) or not isinstance(store, SupportsTransactions):
        raise StoreError("vectors cannot be beside a store of this kind", where=str(address))
    try:
        server = Weaviate(address)
    except BaseException:
        store.close()
        raise
    try:
        return StoreBeside(store, server, read_only=read_only)
    except BaseException:
        server.close()
        store.close()
        raise


class StoreBeside(ForwardingStore):
    """See `medweave.ports` for what each method promises. All but vectors is as in the store."""

    def __init__(self, store: GraphStore, server: Weaviate, *, read_only: bool) -> None:
        super().__init__(store)
        self._view = view_of(store)
        take_over(self, store, (way for way in FAST_WAYS if way is not SupportsNotes))
        self._server = server
        self._rows = WeaviateVectorRows(server)
        self._objects = WeaviateObjects(server, self._view)
        self._vectors = SearchedVectors(self, server.where)
        self._pending: _Pending | None = None
        self._writer: int | None = None
        self._writes = 0
        self._left: tuple[int, set[int]] = (-1, set())
        """The stamp of the last change made here, and the dimensions that were clean then."""
        if not read_only:
            self._catch_up()

    def note(self, key: str) -> str | None:
        return self._view.note(key)

    def close(self) -> None:
        self._server.close()
        super().close()

    # writing

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._view.transaction():  # one thread at a time comes further
            if self._pending is not None:
                with self._part(self._pending):
                    yield
                return
            pending = self._pending = self._begin()
            self._writer = threading.get_ident()
            try:
                with self._part(pending):
                    yield
                if pending.changed:
                    self._check_whole(pending)
                    self._set_mark(pending)
            finally:
                self._pending = self._writer = None
        self._follow(pending)

    def _begin(self) -> _Pending:
        mark = self._mark()
        stamp, clean = self._left
        return _Pending(
            mark,
            self.version().revision,
            mark.stamp,
            mark.dimension,
            clean=set(clean) if stamp == mark.stamp else set(),
        )

    @contextmanager
    def _part(self, pending: _Pending) -> Iterator[None]:
        """Where a part fails, nothing of it is kept, and the rest is."""
        pending.stamp += 1
        started, dimension, changed = pending.stamp, pending.dimension, pending.changed
        try:
            yield
        except BaseException:
            self._undo(pending, started)
            pending.dimension, pending.changed = dimension, changed
            raise
        pending.stamp += 1

    def _undo(self, pending: _Pending, stamp: int) -> None:
        """Who cannot take something back writes nothing any more, and leaves it to the next."""
        self._writes += 1
        undoable, pending.broken = not pending.broken, True
        if undoable:
            with suppress(StoreError):
                for each in pending.clean:
                    self._rows.undo(each, stamp)
                pending.broken = False

    def _set_mark(self, pending: _Pending) -> None:
        """Say in the base what is seen from now on."""
        before = pending.mark
        older, last = before.ended
        if before.changes % _CHANGES_LISTED == _CHANGES_LISTED - 1:
            for each in {before.dimension, pending.dimension} - {0}:
                self._rows.forget(each, older)
            older, last = last, pending.stamp
        mark = _Mark(
            pending.stamp,
            pending.revision + 1,
            pending.dimension,
            before.changes + 1,
            (older, last),
        )
        self._view.set_note(BESIDE, json.dumps(asdict(mark)))

    def _follow(self, pending: _Pending) -> None:
        """Show what was touched, once the base has it."""
        self._left = (pending.stamp if pending.changed else -1, pending.clean)
        if pending.changed:
            after = pending.revision + 1
            self._objects.make()
            self._objects.follow(pending.touched, pending.revision, after)

    def _changing(self) -> _Pending:
        """The transaction that is open, in which something changes."""
        if self._pending is None:
            raise AssertionError("nothing is written outside a transaction")
        self._check_whole(self._pending)
        self._pending.changed = True
        self._writes += 1
        return self._pending

    def _check_whole(self, pending: _Pending) -> None:
        if pending.broken:
            raise StoreError(
                "part of what was written could not be taken back",
                where=self._server.where,
                remedy="try all of it again",
            )

    def _catch_up(self) -> None:
        """What happened to the base while Weaviate was not told."""
        now = self.version().revision
        if not now or self._mark().revision == now == self._objects.shown():
            return
        with self.transaction():
            there = self._objects.states()
            states = {one.id: one.content_key() for one in self.documents(there)}
            self._drop([one for one, state in there.items() if states.get(one) != state])
            self._changing()

    def put(self, extractions: Iterable[Extraction]) -> None:
        with self.transaction():
            for some in together(extractions):
                before = {one.document.id: one for one in self._view.contributions(some)}
                self._view.put(some.values())
                for identifier, extraction in some.items():
                    old = before.get(identifier)
                    if old is not None and _is_as_it_was(old, extraction):
                        continue
                    touched = self._changing().touched
                    touched.add(extraction)
                    if old is not None:
                        touched.add(old)
                self._drop([key for key, old in before.items() if _says(old) != _says(some[key])])

    def remove(self, documents: Iterable[str]) -> int:
        identifiers = list(documents)
        with self.transaction():
            held = self._view.contributions(identifiers)
            count = self._view.remove(identifiers)
            for extraction in held:
                self._changing().touched.add(extraction)
            self._drop([each.document.id for each in held])
        return count

    def set_note(self, key: str, text: str) -> None:
        with self.transaction():
            if self.note(key) != text:
                self._view.set_note(key, text)
                self._changing()

    def _drop(self, documents: Collection[str]) -> None:
        """Take out what these documents gave."""
        if documents:
            numbers = [thing_number(document) for document in documents]
            self._end(self.vector_rows(document_n=numbers))

    # vectors

    def vectors(self) -> VectorIndex:
        return self._vectors

    def _mark(self) -> _Mark:
        told = json.loads(self.note(BESIDE) or "{}")
        return _Mark(**{**told, "ended": tuple(told["ended"])}) if told else _Mark()

    def seen(self) -> tuple[int, int]:
        """The dimension of the vectors, and the stamp at which this thread reads.

        Raises `StoreError` where the base has changed without them.
        """
        pending = self._pending
        if pending is not None and self._writer == threading.get_ident():
            return pending.dimension, pending.stamp + 1
        with self._view.snapshot():
            mark, now = self._mark(), self.version()
        if mark.revision != now.revision and mark.dimension:
            raise StoreError(
                "this base was changed without its vectors",
                where=self._server.where,
                remedy="run `medweave vectors make`",
            )
        return mark.dimension, mark.stamp + 1

    def moment(self) -> object:
        return (*self.seen(), self._writes)

    def vector_rows(
        self,
        fields: Sequence[str] = (),  # noqa: ARG002 - they come whole
        first: int | None = None,
        **where: Iterable[int],
    ) -> list[Row]:
        dimension, at = self.seen()
        numbers = {name: list(dict.fromkeys(has)) for name, has in where.items()}
        if not dimension or not all(numbers.values()):
            return []
        return list(self._rows.find(dimension, numbers, at, first=first))

    def nearest(
        self, query: Sequence[float], count: int, where: Where
    ) -> tuple[list[VectorRow], float] | None:
        dimension, at = self.seen()
        if not dimension:
            return [], LEAST
        return self._rows.nearest(dimension, query, where, at, count)

    def missing_documents(self, documents: Collection[str]) -> set[str]:
        return set(documents) - {one.id for one in self.documents(documents)}

    def put_vectors(self, rows: Iterable[Row]) -> None:
        wanted = {row["n"]: row for row in rows}
        if not wanted:
            return
        dimension = next(iter(wanted.values()))["dimension"]
        there = {row["n"] for row in self.vector_rows(n=wanted)}
        fresh = [row for number, row in wanted.items() if number not in there]
        if not fresh:
            return
        pending = self._changing()
        pending.dimension = dimension
        self._clean(pending)
        stamp = pending.stamp
        self._rows.insert(
            dimension,
            ({**row, "concept_n": thing_number(row["concept"]), "since": stamp} for row in fresh),
        )

    def end_vectors(self, numbers: Iterable[int]) -> None:
        self._end(self.vector_rows(n=numbers))

    def _end(self, rows: Sequence[VectorRow]) -> None:
        if rows:
            pending = self._changing()
            self._clean(pending)
            self._rows.end(pending.dimension, rows, pending.stamp)

    def _clean(self, pending: _Pending) -> None:
        """Take back what another writer left half written, before anything is written here."""
        if pending.dimension not in pending.clean:
            self._objects.make()
            self._rows.make(pending.dimension)
            self._rows.undo(pending.dimension, pending.mark.stamp + 1)
            pending.clean.add(pending.dimension)


def _is_as_it_was(old: Extraction, new: Extraction) -> bool:
    """Whether putting it changes nothing; what decides the names is part of the build key."""
    return old.build_key == new.build_key and _says(old) == _says(new)


def _says(extraction: Extraction) -> tuple[str, frozenset[str]]:
    """The text of a document, and its evidence."""
    return extraction.document.content_key(), frozenset(item.id for item in extraction.evidence)
