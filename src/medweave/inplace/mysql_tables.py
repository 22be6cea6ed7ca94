"""The tables of a database in MySQL or MariaDB that medweave did not make."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from medweave.inplace.mapping import Part
from medweave.inplace.reading import plain
from medweave.inplace.rows import OURS, Mark
from medweave.inplace.sql import SETTLED, SqlTables
from medweave.stores.mysql import MysqlRows
from medweave.stores.versioned.rows import NUMBERED

_KINDS_OF_BASE = (*NUMBERED, "base")


class MysqlTables(SqlTables):
    """See `ForeignRows`: the tables of a database in MySQL or MariaDB."""

    quote = "`"

    def __init__(self, server: MysqlRows) -> None:
        super().__init__()
        self._server = server
        self._version = ""

    def name(self, name: str) -> str:
        """See `SqlTables.name`; a colon would begin a parameter."""
        return super().name(name).replace(":", "\\:")

    def run(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in self._server.found(sql, values)]

    def run_through(self, sql: str) -> Iterator[tuple[Any, ...]]:
        for row in self._server.found_through(sql):
            yield tuple(row)

    def columns(self, table: str) -> dict[str, bool]:
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
            f" UPDATE_TIME < NOW() - INTERVAL {SETTLED} SECOND FROM information_schema.TABLES"
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
        found = self.run(
            "SELECT TABLE_NAME FROM information_schema.TABLES"
            " WHERE TABLE_SCHEMA = DATABASE() ORDER BY TABLE_NAME",
            {},
        )
        names = [str(plain(name)) for (name,) in found]
        bases = {name.removesuffix("_evidence") for name in names if name.endswith("_evidence")}
        bases = {base for base in bases if f"{base}_statement" in names and f"{base}_base" in names}
        ours = {f"{base}_{kind}" for base in bases for kind in _KINDS_OF_BASE}
        return [(name, OURS if name in ours else "") for name in names]

    def server(self) -> str:
        self._version = self._version or self._server.server()
        return self._version

    def close(self) -> None:
        self._server.close()
