"""A base in one SQLite file: statements, evidence, documents and full text change together."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from medweave.errors import StoreError
from medweave.model.contributions import contributions_from
from medweave.model.document import Extraction
from medweave.model.edge import Edge, asked_number, statement_number
from medweave.model.statement import SupportedStatement
from medweave.model.vectors import EXACT, VectorSearch
from medweave.ports import Compacted, Progress, no_progress
from medweave.stores.address import StoreAddress
from medweave.stores.sqlite.connections import Connections
from medweave.stores.sqlite.counting import SqliteCounts
from medweave.stores.sqlite.name_index import SqliteNames
from medweave.stores.sqlite.opening import check_path, store_errors
from medweave.stores.sqlite.reader import ENDS, NAME, STATEMENT, SqliteReader, at_once, chunks
from medweave.stores.sqlite.rows import mention_of
from medweave.stores.sqlite.upkeep import SqliteUpkeep
from medweave.stores.sqlite.vector_check import drop_unused_embeddings
from medweave.stores.sqlite.vector_index import SqliteVectors
from medweave.stores.sqlite.writer_lock import only_writer

_EDGE = "SELECT s.subject, s.object, s.n, s.strength, s.denied FROM statement s WHERE "


class SqliteNumbers(SqliteReader):
    """See `SupportsNumbers` for what each method promises."""

    @at_once
    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        words = self._words(predicates)
        found: dict[int, Edge] = {}
        ends = [(end, of) for end, of in ENDS if of == "NULL"]
        for query, values in self._touching(list(dict.fromkeys(things)), words, cap, ends):
            for row in self._all(_EDGE + query, *values):
                found[row[2]] = Edge._make(row)
        return [found[n] for n in sorted(found)]

    @at_once
    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        words = self._words(predicates)
        by = f"s.predicate IN ({','.join('?' * len(words))}) AND s.literal IS NULL"
        counted: Counter[int] = Counter()
        distinct = dict.fromkeys(things)
        for end in ("subject", "object"):
            for chunk in chunks(distinct):
                marks = ",".join("?" * len(chunk))
                counted.update(dict(self._all(
                    f"SELECT s.{end}, COUNT(*) FROM statement s"
                    f" WHERE s.{end} IN ({marks}) AND {by} GROUP BY s.{end}",
                    *chunk, *words,
                )))  # fmt: skip
        return dict(counted)

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        words = self._words(predicates)
        marks = ",".join("?" * len(words))
        with store_errors(self._path):
            yield from map(
                Edge._make,
                self._connection.execute(
                    f"{_EDGE} s.literal IS NULL AND s.predicate IN ({marks}) ORDER BY s.n", words
                ),
            )

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        return dict(self._in("SELECT n, id FROM entity WHERE n IN ({})", dict.fromkeys(things)))

    @at_once
    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        distinct = list(dict.fromkeys(identifiers))
        numbers = {i: asked_number(i) for i in distinct}
        query = f"SELECT {STATEMENT} FROM statement s WHERE s.n IN ({{}})"
        found = {
            key: supported
            for supported in self._supported(self._in(query, set(numbers.values())))
            for key in (supported.statement.id, statement_number(supported.statement.id))
        }
        ordered = {found[i].statement.id: found[i] for i in distinct if i in found}
        return list(ordered.values())


def open_store(
    address: StoreAddress, *, create: bool, read_only: bool, search: VectorSearch
) -> SqliteStore:
    """See `stores.registry.Opener`."""
    path = Path(address.path)
    return SqliteStore.open(path, create=create, read_only=read_only, search=search)


class SqliteStore(SqliteNumbers, SqliteNames, SqliteCounts, SqliteUpkeep):
    """See `medweave.ports` for what each method promises. One writer beside many readers."""

    def __init__(self, connections: Connections, search: VectorSearch = EXACT) -> None:
        super().__init__(connections)
        self._depth = 0
        self._writer: int | None = None
        """The thread that writes."""
        self._lock = threading.RLock()
        """Held while a thread writes: all that is counted until it is done is one thread's."""
        self._vectors = SqliteVectors(
            connections,
            search,
            transaction=self.transaction,
            snapshot=self.snapshot,
            changed=self._vectors_changed,
            revision=lambda: self._revision + 1,
            writing=lambda: self._writer == threading.get_ident(),
        )

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        create: bool,
        read_only: bool = False,
        search: VectorSearch = EXACT,
    ) -> SqliteStore:
        """Open a base, or make one where there is none and `create` says so.

        `search` is how its vectors are searched.

        Raises `NotFoundError` for a base that is not there, `StoreError` for a file that is no
        base or cannot be opened, `StoreVersionError` for one of a newer version.
        """
        check_path(path, must_exist=read_only or not create)
        return cls(Connections(path, read_only=read_only), search)

    def server(self) -> str:
        return sqlite3.sqlite_version

    @contextmanager
    def writing(self) -> Iterator[None]:
        with only_writer(self._path):
            self._connections.check_same_file()
            yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing; one inside another is a part of it.

        Another thread that wants to write waits.
        """
        with self._lock, store_errors(self._path), self._part() if self._depth else self._whole():
            yield

    @contextmanager
    def _whole(self) -> Iterator[None]:
        try:
            self._depth, self._writer = 1, threading.get_ident()
            self._connection.execute("BEGIN IMMEDIATE")
            self._begin()
            yield
            self._check_going_on()
            self._finish()
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        finally:
            self._depth, self._writer = 0, None

    @contextmanager
    def _part(self) -> Iterator[None]:
        """Where a part fails and its error is caught, nothing of it is kept, and the rest is."""
        self._check_going_on()
        self._connection.execute("SAVEPOINT part")
        before = self._set_aside()
        try:
            yield
            self._check_going_on()
            self._connection.execute("RELEASE part")
        except BaseException:
            self._take_back(before)
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK TO part")
                self._connection.execute("RELEASE part")
            raise
        self._join(before)

    def _check_going_on(self) -> None:
        """SQLite ends a whole transaction by itself after some errors, such as a full disk."""
        if not self._connection.in_transaction:
            raise StoreError(
                "all that was being written has been undone",
                where=str(self._path),
                remedy="see the first error, then try again",
            )

    def put(self, extractions: Iterable[Extraction]) -> None:
        with self.transaction():
            for extraction in extractions:
                self._put(extraction)

    def remove(self, documents: Iterable[str]) -> int:
        with self.transaction():
            return self._remove(documents)

    @at_once
    def contributions(self, documents: Iterable[str]) -> list[Extraction]:
        held = self.documents(documents)
        among = [each.id for each in held]
        evidence = self._evidence_of(among)
        rows = self._in(
            f"SELECT {STATEMENT} FROM statement s WHERE s.n IN ({{}})",
            {statement_number(item.statement) for _, item, _ in evidence},
        )
        names = self._in(
            f"SELECT {NAME}, d.id FROM document d JOIN mention m ON m.document = d.n"
            " JOIN name n ON n.n = m.name JOIN entity t ON t.n = n.entity WHERE d.id IN ({})",
            among,
        )
        return contributions_from(
            held,
            dict(self._in("SELECT id, build_key FROM document WHERE id IN ({})", among)),
            self._statements_of(rows).values(),
            (item for _, item, _ in evidence),
            names=((mention_of(row[:6]), row[6]) for row in names),
            activities=self.activities(),
        )

    def vectors(self) -> SqliteVectors:
        return self._vectors

    def _vectors_changed(self, loose: Iterable[int]) -> None:
        self._changed = True
        self._loose |= set(loose)

    def set_note(self, key: str, text: str) -> None:
        if self.note(key) == text:
            return
        with self.transaction():
            self._connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (key, text))
            self._changed = True

    def compact(self, *, progress: Progress = no_progress) -> Compacted:
        before, found = self.size(), self.check(progress=progress)
        mended = tuple(problem for problem in found if problem.derived)
        with self.transaction():
            if mended:
                self._mend({problem.part for problem in mended})
            drop_unused_embeddings(self._connection)
        self._shrink(progress)
        left = self.check(progress=progress) if found else []
        return Compacted(before, self.size(), mended, tuple(left))
