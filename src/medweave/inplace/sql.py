"""The tables of a database that is asked with SQL, whichever it is.

Values are parameters. Names of tables and columns cannot be: they go through `quoted`, and only
those that the schema of the database has are ever used.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from medweave.errors import MappingError, StoreError
from medweave.inplace.mapping import Part, not_there
from medweave.inplace.reading import columns_of, plain
from medweave.inplace.rows import ForeignRow, ForeignRows, Table
from medweave.sources.triples.reading import EXTRAS

SETTLED = 2
"""Seconds after which a clock that counts seconds must show a later change."""
ROWID = "rowid"
"""What tells the rows of a table in SQLite apart, where nothing else does."""
_VALUES = 1000


def quoted(name: str, mark: str) -> str:
    """A name of a table or column, as SQL writes it between marks.

    Raises `StoreError` for what no database takes as a name.

    >>> quoted('a"b', '"'), quoted("symptom of", "`")
    ('"a""b"', '`symptom of`')
    """
    if not name or "\0" in name:
        raise StoreError("this cannot be the name of a table or column", where=repr(name))
    return f"{mark}{name.replace(mark, mark * 2)}{mark}"


class SqlTables(ForeignRows, ABC):
    """See `ForeignRows`."""

    quote = '"'
    """What stands around a name."""
    of_several = "{}"
    """A list of values of several columns each."""

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
    def digest_of(self, table: str, columns: Sequence[str]) -> str:
        """What selects a digest of these columns of all rows."""

    @abstractmethod
    def table_names(self) -> list[tuple[str, str]]:
        """All tables and views; and why one is not the user's."""

    # what does not

    def name(self, name: str) -> str:
        """A name as it stands in a statement."""
        return quoted(name, self.quote)

    def check(self, parts: Sequence[Part]) -> None:
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
                raise not_there(f"the database has no table '{table}', or it may not be read")
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
        shown = self._listed((*self._key(part), *self._used(part)))
        return f"SELECT {shown} FROM {self.name(part.place)}"

    def _listed(self, columns: Iterable[str]) -> str:
        return ", ".join(map(self.name, columns))

    def _rows(self, part: Part, found: Iterable[Sequence[Any]]) -> Iterator[ForeignRow]:
        width, used = len(self._key(part)), self._used(part)
        for cells in found:
            key = [plain(value) for value in cells[:width]]
            values = dict(zip(used, cells[width:], strict=True))
            yield ForeignRow(json.dumps(key), ",".join(map(str, key)), values)

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        key = self._key(part)
        sql = self._select(part)
        if not all(self._known(part.place)[column] for column in key):
            sql += f" ORDER BY {self._listed(key)}"
        yield from self._rows(part, self.run_through(sql))

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterator[ForeignRow]:
        """See `ForeignRows.fetch`. A database may take `a` and `A` for one key; we do not."""
        columns = self._key(part)
        values: dict[str, Any] = {}
        wanted = []
        for row, key in enumerate(keys):
            names = [f"k{row}_{column}" for column in range(len(columns))]
            values.update(zip(names, json.loads(key), strict=True))
            wanted.append(", ".join(f":{name}" for name in names))
        if len(columns) == 1:
            where = f"{self._listed(columns)} IN ({', '.join(wanted)})"
        else:
            among = ", ".join(f"({one})" for one in wanted)
            where = f"({self._listed(columns)}) IN ({self.of_several.format(among)})"
        found = self._rows(part, self.run(f"{self._select(part)} WHERE {where}", values))
        asked = frozenset(keys)
        yield from (row for row in found if row.key in asked)

    def digest(self, part: Part) -> str:
        """See `ForeignRows.digest`: the last key, and a digest of all rows up to it."""
        counted, last = self._counting_key(part)
        return json.dumps([last, *self._up_to(part, counted, last)])

    def new_rows(self, part: Part, digest: str) -> Iterator[ForeignRow] | None:
        """See `ForeignRows.news`: told where keys count up, as rows are added."""
        last, *before = json.loads(digest)
        counted, _ = self._counting_key(part)
        if not counted or last is None or self._up_to(part, counted, last) != before:
            return None
        sql = f"{self._select(part)} WHERE {self.name(counted)} > :last"
        return self._rows(part, self.run(sql, {"last": last}))

    def _up_to(self, part: Part, counted: str, last: int | None) -> list[str]:
        columns = list(dict.fromkeys((*self._key(part), *self._used(part))))
        sql, values = self.digest_of(part.place, columns), {}
        if counted:
            sql, values = f"{sql} WHERE {self.name(counted)} <= :last", {"last": last}
        return [str(plain(each)) for each in self.run(sql, values)[0]]

    def _counting_key(self, part: Part) -> tuple[str, int | None]:
        """The key, where it is one of whole numbers and tells each row, and the last there is."""
        key = self._key(part)
        known = self._known(part.place)
        if len(key) > 1 or not known[key[0]] or sum(known.values()) > 1:
            return "", None
        sql = f"SELECT MAX({self.name(key[0])}) FROM {self.name(part.place)}"
        last = self.run(sql, {})[0][0]
        return (key[0], last) if isinstance(last, int) else ("", None)

    def tables(self) -> list[Table]:
        found = []
        for name, foreign in self.table_names():
            rows = self.run(f"SELECT COUNT(*) FROM {self.name(name)}", {})[0][0]
            columns = self.columns(name)
            key = [column for column, primary in columns.items() if primary]
            one = key[0] if len(key) == 1 and key != [ROWID] else ""
            shown = tuple(column for column in columns if column != ROWID)
            found.append(Table(name, "table", int(rows), shown, one, foreign))
        return found

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        shown = self._listed(table.columns)
        found = self.run(f"SELECT {shown} FROM {self.name(table.name)} LIMIT {rows:d}", {})
        return [dict(zip(table.columns, map(plain, row), strict=True)) for row in found]

    def values(self, table: Table, column: str) -> dict[str, int]:
        name = self.name(column)
        found = self.run(
            f"SELECT {name}, COUNT(*) FROM {self.name(table.name)} WHERE {name} IS NOT NULL"
            f" GROUP BY {name} ORDER BY COUNT(*) DESC LIMIT {_VALUES}",
            {},
        )
        return {str(plain(value)): int(count) for value, count in found}


def _defaults(part: Part) -> set[str]:
    """Columns that a mapping looks for wherever they may be, without being told."""
    mapping = part.mapping
    return {mapping.document_column} if mapping.document_column == "document" else set()
