"""The vectors of a base in SQLite: kept in its file, searched in memory.

What a search needs of a space is read once, kept as matrices, and brought up to date by what came
and went since: numbers of entries only grow, and what went is listed with its revision. So it is
never older than the base, and what is written in a transaction shows in it at once.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from itertools import groupby
from operator import itemgetter
from typing import Any

from medweave.model.batches import batches
from medweave.model.vector_links import LinkMark, LinkState, VectorLink, VectorLinks
from medweave.model.vectors import (
    NO_MARK,
    Near,
    Space,
    VectorEntry,
    VectorMark,
    VectorModel,
    Vectors,
    VectorSearch,
    VectorTable,
    VectorUpdate,
    check_unit,
    text_number,
)
from medweave.stores.sqlite.connections import Connections
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.vector_links import (
    add_links,
    drop_links,
    forget_links,
    link_state,
    links_of,
    links_of_keys,
    links_since,
    newest_vector,
    wait_for_links,
)
from medweave.stores.sqlite.vector_rows import (
    COVERED,
    FORGOTTEN,
    drop_unused,
    set_forgotten,
    store_complete_revision,
)
from medweave.vectors.checks import (
    check_documents,
    check_entries,
    check_model,
    check_spaces,
    check_vectors,
)
from medweave.vectors.matrix import numpy
from medweave.vectors.space import VectorSpace

_LISTED = "IN (SELECT value FROM json_each(?))"
_AT_ONCE = 10_000
"""So many texts are looked up at one time."""


class SqliteVectors:
    """See `VectorIndex` for what each method promises. Searching needs numpy, keeping does not.

    It works over the connections of a store: `transaction` and `snapshot` are the store's,
    `changed` tells it that something changed and which embeddings may be used no more,
    `revision` is the one that is being written, and `writing` whether this thread writes it.
    """

    def __init__(
        self,
        connections: Connections,
        search: VectorSearch,
        *,
        transaction: Callable[[], AbstractContextManager[None]],
        snapshot: Callable[[], AbstractContextManager[None]],
        changed: Callable[[Iterable[int]], None],
        revision: Callable[[], int],
        writing: Callable[[], bool],
    ) -> None:
        self._connections = connections
        self._path = connections.path
        self._search = search
        self._transaction = transaction
        self._snapshot = snapshot
        self._changed = changed
        self._revision = revision
        self._writing = writing
        self._spaces: dict[Space, VectorSpace] = {}
        self._known_counts: tuple[int, dict[Space, int]] | None = None
        """At which revision, and how many vectors there were: counting them takes as long as
        comparing a fifth of them."""
        self._lock = threading.RLock()
        """Held while a space is brought up to date or looked at: all threads share it."""

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._connections.mine

    def model(self) -> VectorModel | None:
        rows = self._all("SELECT id, dimension FROM vector_model")
        return VectorModel(*rows[0]) if rows else None

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        check_entries(entries, vectors)
        with self._transaction():
            self._keep([entry.text_number(vectors.model.id) for entry in entries], vectors)
            documents = self._documents(entries)
            before, newest = self._connection.total_changes, newest_vector(self._connection)
            for entry in entries:
                self._put(entry, documents[entry.document], vectors.model)
            wait_for_links(self._connection, newest)
            if self._connection.total_changes != before:
                self._changed(())

    def _put(self, entry: VectorEntry, document: int, model: VectorModel) -> None:
        place = (entry.space, entry.key, entry.concept, entry.text_number(model.id))
        self._connection.execute(
            "INSERT OR IGNORE INTO vector (space, key, concept, embedding)"
            " SELECT ?, ?, ?, n FROM embedding WHERE text = ?",
            place,
        )
        self._connection.execute(
            "INSERT OR IGNORE INTO vector_document SELECT ?, v.n FROM vector v WHERE v.space = ?"
            " AND v.key = ? AND v.concept = ?"
            " AND v.embedding = (SELECT n FROM embedding WHERE text = ?)",
            (document, *place),
        )

    def _documents(self, entries: Sequence[VectorEntry]) -> dict[str, int]:
        """The numbers of the documents of entries. Raises `StoreError` where one is not there."""
        wanted = list({entry.document for entry in entries})
        rows = self._all(f"SELECT id, n FROM document WHERE id {_LISTED}", json.dumps(wanted))
        found: dict[str, int] = dict(rows)
        check_documents([one for one in wanted if one not in found], str(self._path))
        return found

    def keep(self, texts: Sequence[str], vectors: Vectors) -> None:
        check_vectors(vectors, len(texts))
        with self._transaction():
            self._keep([text_number(vectors.model.id, text) for text in texts], vectors)

    def _keep(self, texts: Sequence[int], vectors: Vectors) -> None:
        model, stored = vectors.model, self.model()
        check_model(stored, model, str(self._path))
        if stored is None and texts:
            self._connection.execute(
                "INSERT INTO vector_model VALUES (?, ?)", (model.id, model.dimension)
            )
        self._connection.executemany(
            "INSERT OR IGNORE INTO embedding (text, vector) VALUES (?, ?)",
            ((text, row.tobytes()) for text, row in zip(texts, vectors, strict=True)),
        )

    def known(self, model: VectorModel, texts: Iterable[str]) -> dict[str, memoryview[float]]:
        with self._snapshot():
            if self.model() != model:
                return {}
            numbers = {text_number(model.id, text): text for text in texts}
            found: dict[str, memoryview[float]] = {}
            for part in batches(numbers, _AT_ONCE):
                for text, vector in self._all(
                    f"SELECT text, vector FROM embedding WHERE text {_LISTED}", json.dumps(part)
                ):
                    found[numbers[text]] = memoryview(vector).cast("f")
            return found

    def contributed(self, documents: Iterable[str]) -> tuple[list[VectorEntry], Vectors] | None:
        with self._snapshot():
            model = self.model()
            if model is None:
                return None
            rows = self._all(
                "SELECT v.space, v.key, d.id, v.concept, e.text, e.vector FROM document d"
                " JOIN vector_document g ON g.document = d.n JOIN vector v ON v.n = g.vector"
                f" JOIN embedding e ON e.n = v.embedding WHERE d.id {_LISTED}"
                " ORDER BY v.space, v.key, v.concept, e.text, d.id",
                json.dumps(list(documents)),
            )
        entries = [VectorEntry(row[0], row[1], row[2], "", row[3], row[4]) for row in rows]
        return entries, Vectors.from_bytes(model, b"".join(row[5] for row in rows))

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        check_spaces([space])
        with self._transaction():
            rows = self._all(
                f"SELECT n, key FROM vector WHERE space = ? AND key {_LISTED}",
                space,
                json.dumps(list(keys)),
            )
            numbers = [row[0] for row in rows]
            store_complete_revision(self._connection, None)
            self._all(f"DELETE FROM vector_document WHERE vector {_LISTED}", json.dumps(numbers))
            if rows:
                self._changed(drop_unused(self._connection, numbers, self._revision()))
            return len({key for _, key in rows})

    def forget(self) -> int:
        with self._transaction():
            count = sum(self.counts().values())
            model = self.model()
            forget_links(self._connection)
            store_complete_revision(self._connection, None)
            for table in ("vector_document", "vector", "vector_gone", "embedding", "vector_model"):
                self._connection.execute(f"DELETE FROM {table}")
            if model is not None:
                set_forgotten(self._connection, self._revision())
                self._changed(())
            return count

    def counts(self) -> dict[Space, int]:
        if self._writing():
            return self._counted()
        with self._lock, self._snapshot():
            revision, _ = self._revisions()
            if self._known_counts is None or self._known_counts[0] != revision:
                self._known_counts = revision, self._counted()
            return dict(self._known_counts[1])

    def _counted(self) -> dict[Space, int]:
        return dict(self._all("SELECT space, COUNT(*) FROM vector GROUP BY space ORDER BY space"))

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        """See `VectorIndex.search`. Raises `ConfigurationError` where numpy is not installed."""
        check_unit(queries)
        with self._lock:
            held = self._space(space)
            if held is None:
                return [[] for _ in range(len(queries))]
            check_model(held.model, queries.model, str(self._path))
            return held.nearest(queries, k, concepts, self._search)

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        """See `VectorIndex.tables`. Raises `ConfigurationError` where numpy is not installed."""
        with self._lock:
            held = self._space(space)
            return held.tables(concepts) if held is not None else []

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        """See `VectorIndex.fetch`; a few rows of the file, and nothing else is read."""
        check_spaces([space])
        with self._snapshot():
            model = self.model()
            if model is None:
                return []
            rows = self._all(
                "SELECT v.concept, v.key, e.n, e.vector FROM vector v JOIN embedding e"
                f" ON e.n = v.embedding WHERE v.space = ? AND v.key {_LISTED}"
                " ORDER BY v.concept, v.key, e.n",
                space,
                json.dumps(list(keys)),
            )
        return [
            _table(concept, model, [row[1:] for row in of_concept])
            for concept, of_concept in groupby(rows, itemgetter(0))
        ]

    def complete_revision(self) -> int | None:
        rows = self._all("SELECT value FROM meta WHERE key = ?", COVERED)
        return int(rows[0][0]) if rows else None

    def set_complete_revision(self, revision: int | None) -> None:
        if self.complete_revision() != revision:
            with self._transaction():
                store_complete_revision(self._connection, revision)

    def mark(self, space: Space) -> VectorMark:
        with self._lock:
            held = self._space(space)
            return held.mark() if held is not None else NO_MARK

    def updates_since(self, space: Space, since: VectorMark) -> VectorUpdate | None:
        with self._lock:
            held = self._space(space)
            return held.updates_since(since) if held is not None else None

    def alike(self, space: Space, keys: Collection[str], least: float) -> list[VectorLink]:
        with self._lock, self._snapshot():
            held = self._space(space)
            if held is None:
                return []
            entries = self._all(
                f"SELECT key, concept, embedding FROM vector WHERE space = ? AND key {_LISTED}",
                space,
                json.dumps(list(keys)),
            )
            return held.alike(entries, least)

    def links(self, space: Space) -> VectorLinks:
        check_spaces([space])
        with self._snapshot(), store_errors(self._path):
            return links_of(self._connection, space)

    def links_of(self, space: Space, keys: Iterable[str]) -> list[VectorLink]:
        check_spaces([space])
        with store_errors(self._path):
            return links_of_keys(self._connection, space, list(keys))

    def links_since(self, space: Space, since: LinkMark) -> VectorLinks | None:
        check_spaces([space])
        with self._snapshot(), store_errors(self._path):
            return links_since(self._connection, space, since)

    def link_state(self, space: Space) -> LinkState:
        check_spaces([space])
        with self._snapshot(), store_errors(self._path):
            return link_state(self._connection, space)

    def link(
        self,
        space: Space,
        least: float,
        compared: Collection[str],
        links: Iterable[VectorLink],
    ) -> None:
        check_spaces([space])
        with self._transaction():
            before = self._connection.total_changes
            add_links(self._connection, space, least, compared, links)
            if self._connection.total_changes != before:
                self._changed(())

    def unlink(self, space: Space) -> int:
        check_spaces([space])
        with self._transaction():
            before = self._connection.total_changes
            count = drop_links(self._connection, space)
            if self._connection.total_changes != before:
                self._changed(())
            return count

    def _space(self, space: Space) -> VectorSpace | None:
        """A space as the base has it now; None where there are no vectors."""
        check_spaces([space])
        numpy()
        with self._snapshot():
            model = self.model()
            if model is None:
                return None
            revision, forgotten = self._revisions()
            held = self._spaces.get(space)
            if self._writing() or (held is not None and held.revision > revision):
                # What is not finished yet, or is of an earlier revision, is this thread's alone.
                own = VectorSpace(model, revision)
                self._refresh(space, own, revision)
                return own
            # Out of reach until it is whole: what stops the reading must not leave half of it.
            self._spaces.pop(space, None)
            if held is None or held.model != model or held.revision < forgotten:
                held = VectorSpace(model, revision)
            self._refresh(space, held, revision)
            self._spaces[space] = held
            return held

    def _refresh(self, space: Space, held: VectorSpace, revision: int) -> None:
        """What went since, and what came. Within a transaction its own writing is seen, too."""
        gone = self._all("SELECT vector FROM vector_gone WHERE revision > ?", held.revision)
        if gone:
            held.remove(row[0] for row in gone)
        came = self._all(  # the plus keeps SQLite from reading the whole space by its index
            "SELECT n, key, concept, embedding FROM vector WHERE n > ? AND +space = ? ORDER BY n",
            held.newest,
            space,
        )
        for concept, embeddings in held.add(came).items():
            with store_errors(self._path):
                vectors = self._connection.execute(
                    f"SELECT n, vector FROM embedding WHERE n {_LISTED}", (json.dumps(embeddings),)
                )
                held.fill(concept, vectors, len(embeddings))
        held.revision = revision

    def _revisions(self) -> tuple[int, int]:
        """The base's revision, and the one before which it is not known what went."""
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        return int(held["revision"]), int(held.get(FORGOTTEN, 0))

    def _all(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with store_errors(self._path):
            return self._connection.execute(query, values).fetchall()


def _table(concept: str, model: VectorModel, rows: Sequence[tuple[str, int, bytes]]) -> VectorTable:
    """A table of (key, number of an embedding, its vector)."""
    places: dict[int, int] = {}
    data = bytearray()
    for _, number, vector in rows:
        if number not in places:
            places[number] = len(places)
            data += vector
    vectors = Vectors.from_bytes(model, data)
    return VectorTable(
        concept, [key for key, _, _ in rows], [places[number] for _, number, _ in rows], vectors
    )
