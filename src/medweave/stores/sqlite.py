"""A base in one SQLite file: statements, evidence, documents and full text change together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from medweave.model.document import Extraction
from medweave.stores.sqlite_open import check_path, connect, prepare, store_errors
from medweave.stores.sqlite_writer import SqliteWriter
from medweave.stores.writer_lock import only_writer


class SqliteStore(SqliteWriter):
    """See `medweave.ports` for what each method promises. One writer beside many readers."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        super().__init__(connection, path)
        self._depth = 0

    @classmethod
    def open(cls, path: Path, *, create: bool, read_only: bool = False) -> SqliteStore:
        """Open a base, or make one where there is none and `create` says so.

        Raises `NotFoundError` for a base that is not there, `StoreError` for a file that is no
        base or cannot be opened, `StoreVersionError` for one of a newer version.
        """
        check_path(path, must_exist=read_only or not create)
        with store_errors(path):
            connection = connect(path, read_only=read_only)
        try:
            with store_errors(path):
                prepare(connection, path, read_only=read_only)
        except BaseException:
            connection.close()
            raise
        return cls(connection, path)

    def writing(self) -> AbstractContextManager[None]:
        """See `SupportsOneWriter.writing`."""
        return only_writer(self._path)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing. One inside another joins it."""
        if self._depth:
            yield
            return
        with store_errors(self._path):
            try:
                self._depth = 1
                self._connection.execute("BEGIN IMMEDIATE")
                self._begin()
                yield
                self._finish()
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0

    def put(self, extractions: Iterable[Extraction]) -> None:
        """See `GraphStore.put`."""
        with self.transaction():
            for extraction in extractions:
                self._put(extraction)

    def remove(self, documents: Iterable[str]) -> int:
        """See `GraphStore.remove`."""
        with self.transaction():
            return self._remove(documents)

    def set_note(self, key: str, text: str) -> None:
        """See `SupportsNotes.set_note`."""
        if self.note(key) == text:
            return
        with self.transaction():
            self._connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (key, text))
            self._changed = True
