"""The tables of a database that is asked with SQL: MySQL, MariaDB, and SQLite.

Values are parameters. Names of tables and columns cannot be: they go through `quoted`, and only
those that the schema of the database has are ever used.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import MappingError, NotFoundError, StoreError
from medweave.inplace.mapping import Part
from medweave.inplace.reading import columns_of, plain
from medweave.inplace.rows import ForeignRow, Mark, Table
from medweave.sources.triples.reading import EXTRAS
from medweave.stores.versioned.rows import NUMBERED

if TYPE_CHECKING:
    from medweave.stores.mysql import MysqlRows

_SETTLED = 2
"""Seconds after which a clock that counts seconds must show a later change."""
_VALUES = 1000
_ROWID = "rowid"
"""What tells the rows of a table in SQLite apart, where nothing else does."""
_DIGEST = "medweave_row"


def quoted(name: str, mark: str) -> str:
    """A name of a table or column, as SQL writes it between marks.

    Raises `StoreError` for what no database takes as a name.

    >>> quoted('a"b', '"'), quoted("symptom of", "`")
    ('"a""b"', '`symptom of`')
    """
    if not name or "\0" in name:
        raise StoreError("this cannot be the name of a table or column", where=repr(name))
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


class SqlTables(ABC):
    """See `ForeignRows`."""

    quote = '"'

    def __init__(self) -> None:
        self._columns: dict[str, dict[str, bool]] = {}

    # what differs

    @abstractmethod
    def run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """All rows of a statement, whose parameters are written `:name`."""

    @abstractmethod
    def run_through(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """The rows of a statement, as they come."""

    @abstractmethod
    def columns(self, table: str) -> dict[str, bool]:
        """The columns of a table, and whether each is in its primary key; none, if there is no
        such table."""

    @abstractmethod
    def mark(self, parts: Sequence[Part]) -> Mark | None:
        """See `ForeignRows.mark`."""

    @abstractmethod
    def digest_of(self, table: str, columns: Sequence[str]) -> str:
        """What selects a digest of these columns of all rows."""

    @abstractmethod
    def table_names(self) -> list[tuple[str, str]]:
        """All tables and views; and why one is not the user's."""

    @abstractmethod
    def server(self) -> str:
        """See `ForeignRows.server`."""

    @abstractmethod
    def close(self) -> None:
        """See `ForeignRows.close`."""

    # what does not

    def name(self, name: str) -> str:
        """A name as it stands in a statement."""
        return quoted(name, self.quote)

    def check(self, parts: Sequence[Part]) -> None:
        """See `ForeignRows.check`."""
        for part in parts:
            self._key(part)
            known = self._known(part.place)
            missing = sorted(columns_of(part) - {*known, *EXTRAS, *_defaults(part)} - {""})
            if missing:
                raise MappingError(
                    f"the table '{part.place}' has no column {', '.join(missing)}",
                    remedy=f"it has {', '.join(known)}",
                )

    def _known(self, table: str) -> dict[str, bool]:
        if table not in self._columns:
            found = self.columns(table)
            if not found:
                raise MappingError(
                    f"the database has no table '{table}', or it may not be read",
                    remedy="see what is there with `medweave connect URL --suggest`",
                )
            self._columns[table] = found
        return self._columns[table]

    def _key(self, part: Part) -> list[str]:
        """The columns that tell a row."""
        known = self._known(part.place)
        if part.mapping.key_field:
            return [part.mapping.key_field]
        key = [column for column, primary in known.items() if primary]
        if not key:
            raise MappingError(
                f"the table '{part.place}' has no primary key",
                remedy="name a column that tells its rows apart as 'key_field'",
            )
        return key

    def _used(self, part: Part) -> list[str]:
        """The columns that a part reads, in the order of the table."""
        used = columns_of(part) | {*EXTRAS, "sample"}
        return [column for column in self._known(part.place) if column in used]

    def _select(self, part: Part) -> str:
        shown = ", ".join(map(self.name, (*self._key(part), *self._used(part))))
        return f"SELECT {shown} FROM {self.name(part.place)}"

    def _row(self, part: Part, found: Sequence[Any]) -> ForeignRow:
        key = [plain(value) for value in found[: len(self._key(part))]]
        values = dict(zip(self._used(part), found[len(key) :], strict=True))
        return ForeignRow(json.dumps(key), ",".join(map(str, key)), values)

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        """See `ForeignRows.stream`."""
        key = self._key(part)
        sql = self._select(part)
        if not all(self._known(part.place)[column] for column in key):
            sql += f" ORDER BY {', '.join(map(self.name, key))}"
        for found in self.run_through(sql):
            yield self._row(part, found)

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterator[ForeignRow]:
        """See `ForeignRows.fetch`. A database may take `a` and `A` for one key; we do not."""
        columns = self._key(part)
        values: dict[str, Any] = {}
        wanted = []
        for row, key in enumerate(keys):
            names = [f"k{row}_{column}" for column in range(len(columns))]
            values.update(zip(names, json.loads(key), strict=True))
            wanted.append(", ".join(f":{name}" for name in names))
        if len(columns) > 1:
            wanted = [f"({one})" for one in wanted]
        left = ", ".join(map(self.name, columns))
        left = f"({left})" if len(columns) > 1 else left
        inside = ", ".join(wanted)
        if len(columns) > 1 and self.quote == '"':
            inside = f"VALUES {inside}"
        rows = self.run(f"{self._select(part)} WHERE {left} IN ({inside})", values)
        among = frozenset(keys)
        yield from (row for row in (self._row(part, found) for found in rows) if row.key in among)

    def joining(self, part: Part, nodes: Iterable[str]) -> Iterator[ForeignRow]:  # noqa: ARG002
        """See `ForeignRows.joining`: no table joins so."""
        yield from ()

    def digest(self, part: Part) -> str:
        """See `ForeignRows.digest`: the last key, and a digest of all rows up to it."""
        counted = self._counting_key(part)
        last = None
        if counted:
            sql = f"SELECT MAX({self.name(counted)}) FROM {self.name(part.place)}"
            last = self.run(sql, {})[0][0]
        return json.dumps([last, *self._up_to(part, counted, last)])

    def news(self, part: Part, digest: str) -> Iterator[ForeignRow] | None:
        """See `ForeignRows.news`: told where keys count up, as rows are added."""
        last, *before = json.loads(digest)
        counted = self._counting_key(part)
        if not counted or last is None or self._up_to(part, counted, last) != before:
            return None
        sql = f"{self._select(part)} WHERE {self.name(counted)} > :last"
        return (self._row(part, found) for found in self.run(sql, {"last": last}))

    def _up_to(self, part: Part, counted: str, last: int | None) -> list[str]:
        columns = list(dict.fromkeys((*self._key(part), *self._used(part))))
        sql, values = self.digest_of(part.place, columns), {}
        if counted:
            sql, values = f"{sql} WHERE {self.name(counted)} <= :last", {"last": last}
        return [str(plain(each)) for each in self.run(sql, values)[0]]

    def _counting_key(self, part: Part) -> str:
        """The key, where it is one of whole numbers and tells each row."""
        key = self._key(part)
        known = self._known(part.place)
        if len(key) > 1 or not known[key[0]] or sum(known.values()) > 1:
            return ""
        last = self.run(f"SELECT MAX({self.name(key[0])}) FROM {self.name(part.place)}", {})
        return key[0] if isinstance(last[0][0], int) else ""

    def tables(self) -> list[Table]:
        """See `ForeignRows.tables`."""
        found = []
        for name, foreign in self.table_names():
            rows = self.run(f"SELECT COUNT(*) FROM {self.name(name)}", {})[0][0]
            columns = self.columns(name)
            key = [column for column, primary in columns.items() if primary]
            one = key[0] if len(key) == 1 and key != [_ROWID] else ""
            shown = tuple(column for column in columns if column != _ROWID)
            found.append(Table(name, "table", int(rows), shown, one, foreign))
        return found

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        """See `ForeignRows.sample`."""
        shown = ", ".join(map(self.name, table.columns))
        found = self.run(f"SELECT {shown} FROM {self.name(table.name)} LIMIT {rows:d}", {})
        return [dict(zip(table.columns, map(plain, row), strict=True)) for row in found]

    def values(self, table: Table, column: str) -> dict[str, int]:
        """See `ForeignRows.values`."""
        name = self.name(column)
        found = self.run(
            f"SELECT {name}, COUNT(*) FROM {self.name(table.name)} WHERE {name} IS NOT NULL"
            f" GROUP BY {name} ORDER BY COUNT(*) DESC LIMIT {_VALUES}",
            {},
        )
        return {str(plain(value)): int(count) for value, count in found}


_KINDS_OF_BASE = (*NUMBERED, "base")


def _defaults(part: Part) -> set[str]:
    """Columns that a mapping looks for wherever they may be, without being told."""
    mapping = part.mapping
    return {mapping.document_column} if mapping.document_column == "document" else set()


class SqliteTables(SqlTables):
    """The tables of a file."""

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
        connection.text_factory = lambda text: text.decode("utf-8", "replace")
        made: Any = _Digest
        connection.create_aggregate(_DIGEST, -1, made)
        return connection

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(
                f"this file cannot be read as a database ({error})",
                where=str(self._path),
                remedy="check the path",
            ) from error

    def run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """See `SqlTables.run`."""
        with self._errors(), self._lock:
            return self._connection.execute(sql, dict(values)).fetchall()

    def run_through(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """See `SqlTables.run_through`."""
        with self._errors(), closing(self._open()) as connection:
            yield from connection.execute(sql)

    def columns(self, table: str) -> dict[str, bool]:
        """See `SqlTables.columns`. A table without a key is told by the numbers of its rows."""
        found = self.run("SELECT name, pk FROM pragma_table_info(:name)", {"name": table})
        columns = {name: pk > 0 for name, pk in found}
        if columns and not any(columns.values()):
            kind = self.run("SELECT type FROM sqlite_master WHERE name = :name", {"name": table})
            if kind == [("table",)] and _ROWID not in columns:
                return {**columns, _ROWID: True}
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
        return Mark(json.dumps(told), settled=latest + _SETTLED <= time.time())

    def digest_of(self, table: str, columns: Sequence[str]) -> str:
        """See `SqlTables.digest_of`."""
        shown = ", ".join(map(self.name, columns))
        return f"SELECT COUNT(*), {_DIGEST}({shown}) FROM {self.name(table)}"

    def table_names(self) -> list[tuple[str, str]]:
        """See `SqlTables.table_names`."""
        found = self.run(
            "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
            {},
        )
        return [(name, "") for (name,) in found]

    def server(self) -> str:
        """See `ForeignRows.server`."""
        return sqlite3.sqlite_version

    def close(self) -> None:
        """See `ForeignRows.close`."""
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


class MysqlTables(SqlTables):
    """The tables of a database in MySQL or MariaDB."""

    quote = "`"

    def __init__(self, server: MysqlRows) -> None:
        super().__init__()
        self._server = server
        self._version = ""

    def name(self, name: str) -> str:
        """See `SqlTables.name`; a colon would begin a parameter."""
        return super().name(name).replace(":", "\\:")

    def run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """See `SqlTables.run`."""
        return [tuple(row) for row in self._server.found(sql, values)]

    def run_through(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """See `SqlTables.run_through`."""
        for row in self._server.found_through(sql):
            yield tuple(row)

    def columns(self, table: str) -> dict[str, bool]:
        """See `SqlTables.columns`."""
        found = self.run(
            "SELECT COLUMN_NAME, COLUMN_KEY FROM information_schema.COLUMNS"
            " WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = :name ORDER BY ORDINAL_POSITION",
            {"name": table},
        )
        return {str(plain(name)): plain(key) == "PRI" for name, key in found}

    def mark(self, parts: Sequence[Part]) -> Mark | None:
        """See `ForeignRows.mark`: when each table was last written, where the server knows.

        MySQL 8 tells what it knew a day ago; what was not written since the server was started has
        no such time.
        """
        version = self.server()
        if "MariaDB" not in version and not version.startswith("5."):
            return None
        names = list(dict.fromkeys(part.place for part in parts))
        values: dict[str, Any] = {f"t{n}": name for n, name in enumerate(names)}
        among = ", ".join(f":{name}" for name in values)
        found = self.run(
            "SELECT TABLE_NAME, CREATE_TIME, UPDATE_TIME,"
            f" UPDATE_TIME < NOW() - INTERVAL {_SETTLED} SECOND FROM information_schema.TABLES"
            f" WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ({among}) ORDER BY TABLE_NAME",
            values,
        )
        if len(found) < len(names) or any(written is None for _, _, written, _ in found):
            return None
        text = json.dumps([[plain(each) for each in row[:3]] for row in found])
        return Mark(text, settled=all(settled for *_, settled in found))

    def digest_of(self, table: str, columns: Sequence[str]) -> str:
        """See `SqlTables.digest_of`; bytes are compared, so no collation takes two for one."""
        cells = ", ".join(f"IFNULL(HEX(CAST({self.name(c)} AS BINARY)), '-')" for c in columns)
        number = f"CONV(LEFT(MD5(CONCAT_WS('|', {cells})), 15), 16, 10)"
        return f"SELECT COUNT(*), SUM(CAST({number} AS UNSIGNED)) FROM {self.name(table)}"

    def table_names(self) -> list[tuple[str, str]]:
        """See `SqlTables.table_names`."""
        found = self.run(
            "SELECT TABLE_NAME FROM information_schema.TABLES"
            " WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME",
            {},
        )
        names = [str(plain(name)) for (name,) in found]
        bases = {name.removesuffix("_evidence") for name in names if name.endswith("_evidence")}
        bases = {base for base in bases if f"{base}_statement" in names and f"{base}_base" in names}
        ours = {f"{base}_{kind}" for base in bases for kind in _KINDS_OF_BASE}
        return [
            (name, "it belongs to a base of medweave" if name in ours else "") for name in names
        ]

    def server(self) -> str:
        """See `ForeignRows.server`."""
        self._version = self._version or self._server.server()
        return self._version

    def close(self) -> None:
        """See `ForeignRows.close`."""
        self._server.close()
