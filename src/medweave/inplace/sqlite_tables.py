"""The tables of a file of SQLite that medweave did not make."""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing
from hashlib import blake2b
from pathlib import Path
from typing import Any

from medweave.errors import NotFoundError
from medweave.inplace.mapping import Part
from medweave.inplace.rows import Mark
from medweave.inplace.sql import ROWID, SETTLED, SqlTables
from medweave.inplace.sqlite_errors import sqlite_errors

_DIGEST = "medweave_row"


class SqliteTables(SqlTables):
    """See `ForeignRows`: the tables of a file."""

    of_several = "VALUES {}"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        if not path.is_file():
            raise NotFoundError("there is no such file", where=str(path), remedy="check the path")
        self._lock = threading.Lock()
        with self._errors():
            self._connection = self._open()
            self._connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()

    def _open(self) -> sqlite3.Connection:
        uri = f"{self._path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
        connection.execute("PRAGMA trusted_schema = OFF")  # its views may be anybody's
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        made: Any = _Digest
        connection.create_aggregate(_DIGEST, -1, made)
        return connection

    def _errors(self) -> AbstractContextManager[None]:
        return sqlite_errors("this file cannot be read as a database", self._path, "check the path")

    def run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        with self._errors(), self._lock:
            return self._connection.execute(sql, dict(values)).fetchall()

    def run_through(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with self._errors(), closing(self._open()) as connection:
            yield from connection.execute(sql)

    def columns(self, table: str) -> dict[str, bool]:
        """See `SqlTables.columns`. A table without a key is told by the numbers of its rows."""
        found = self.run("SELECT name, pk FROM pragma_table_info(:name)", {"name": table})
        columns = {name: pk > 0 for name, pk in found}
        if columns and not any(columns.values()):
            kind = self.run("SELECT type FROM sqlite_master WHERE name = :name", {"name": table})
            if kind == [("table",)] and ROWID not in columns:
                return {**columns, ROWID: True}
        return columns

    def mark(self, parts: Sequence[Part]) -> Mark | None:  # noqa: ARG002 - the file is one
        """See `ForeignRows.mark`: when and how the file and its log were last written."""
        told, latest = [], 0.0
        for file in (self._path, self._path.with_name(f"{self._path.name}-wal")):
            try:
                state = file.stat()
            except OSError:
                continue
            told.append([file.name, state.st_mtime_ns, state.st_size, state.st_ino])
            latest = max(latest, state.st_mtime)
        return Mark(json.dumps(told), settled=latest + SETTLED <= time.time())

    def digest_of(self, table: str, columns: Sequence[str]) -> str:
        return f"SELECT COUNT(*), {_DIGEST}({self._listed(columns)}) FROM {self.name(table)}"

    def table_names(self) -> list[tuple[str, str]]:
        found = self.run(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
            {},
        )
        return [(name, "") for (name,) in found]

    def server(self) -> str:
        return sqlite3.sqlite_version

    def close(self) -> None:
        self._connection.close()


class _Digest:
    """A sum over the digests of rows, so that it hangs on no order."""

    def __init__(self) -> None:
        self._sum = 0

    def step(self, *cells: object) -> None:
        """One more row."""
        digest = blake2b(repr(cells).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        self._sum += int.from_bytes(digest, "big")

    def finalize(self) -> str:
        """The sum of all."""
        return f"{self._sum % (1 << 128):032x}"
