"""A base in MySQL 5.7 or later, or MariaDB 10.6 or later, as rows of a few tables.

Numbers are columns; everything that is text lies together in one column of bytes, so no character
set, collation, length or mode of a server changes a letter of it.
"""

from __future__ import annotations

import json
import re
import ssl
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import URL, CursorResult, bindparam, create_engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from medweave.errors import (
    MedweaveError,
    NotFoundError,
    StoreAccessError,
    StoreBusyError,
    StoreError,
    StoreUnreachableError,
)
from medweave.model.batches import batches
from medweave.model.identifiers import digest
from medweave.stores.address import StoreAddress
from medweave.stores.certificates import untrusted
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Where
from medweave.stores.versioned.store import VersionedStore, opened

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "statement": ("literal",),
    "evidence": ("class", "polarity"),
    "document": ("class", "run_n"),
}
"""What else of a kind is a column, to be counted or limited by."""
_TEXTS = frozenset({"class"})
_FOREVER = (1 << 63) - 1
"""The `until` of a row that nothing ended."""
_ROWS = 1000
"""So many rows are read or written in one turn."""
_BYTES = 1 << 20
"""So many bytes are written in one turn, or one row: every server takes a packet of four times."""
_PACKED = 512
"""Longer texts are compressed."""
_DELETED = 20_000
"""So many rows are deleted in one turn, so that none takes longer than a server may."""
_TRIES = 3
_REFUSED = (1044, 1045, 1095, 1142, 1143, 1227, 1370, 1698, 1820, 3118)
_NO_RIGHT_TO_DATABASE = 1044
_GONE = (2006, 2013, 2014, 2055, 1053, 1927)
_AWAY = (2002, 2003, 2005, 1040, 1129, 1130, 1203)
_BUSY = (1205, 1213)
_NO_TABLE, _NO_DATABASE, _TAKEN = 1146, 1049, 1062
_T = TypeVar("_T")


def open_store(address: StoreAddress, *, create: bool, **_: object) -> VersionedStore:
    """See `stores.registry.Opener`."""
    return opened(MysqlRows(address), str(address), create=create)


def quoted(name: str) -> str:
    """A name of a table or column in a statement; nothing but letters, digits and _ may be in it.

    >>> quoted("medweave_statement")
    '`medweave_statement`'
    """
    if not re.fullmatch(r"[A-Za-z0-9_]{1,64}", name):
        raise StoreError("this cannot be the name of a table", where=repr(name))
    return f"`{name}`"


class MysqlRows:
    """See `Rows`: a table for each kind, `NAME_KIND`, and one of a single row for the header."""

    def __init__(self, address: StoreAddress) -> None:
        self._where = str(address)
        # Where names of tables know no capitals, `A` and `a` are two bases all the same.
        plain = address.base == address.base.lower()
        self._base = address.base if plain else f"{address.base}_{digest(address.base, 4)}"
        connect: dict[str, Any] = dict.fromkeys(
            ("connect_timeout", "read_timeout", "write_timeout"), max(1, round(address.timeout))
        )
        if address.only_options("tls").get("tls") == "true":
            connect["ssl"] = ssl.create_default_context()
        self._engine = create_engine(
            URL.create(
                "mysql+pymysql",
                username=address.user or None,
                password=address.password or None,
                host=address.host,
                port=address.port or 3306,
                database=address.path or "medweave",
                query={"charset": "utf8mb4"},
            ),
            connect_args=connect,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,  # or each statement would be followed by another turn
            pool_timeout=address.timeout,
            hide_parameters=True,
        )

    def _table(self, kind: str) -> str:
        return quoted(f"{self._base}_{kind}")

    # the header

    def header(self) -> Header | None:
        try:
            found = self._run(f"SELECT content FROM {self._table('base')}").first()
        except _NoTableError:
            return None
        return None if found is None else _unpacked(found[0])

    def swap(self, before: Header | None, after: Header) -> bool:
        table, values = self._table("base"), {"turn": after["turn"], "content": _packed(after)}
        if before is None:
            self._make_tables()
            made = f"INSERT INTO {table} (k, turn, content) VALUES (0, :turn, :content)"
            try:
                self._run(made, **values)
            except _TakenError:
                return self.header() == after
            return True
        done = self._run(
            f"UPDATE {table} SET turn = :turn, content = :content WHERE k = 0 AND turn IN :turns",
            **values,
            turns=[before["turn"], after["turn"]],
        )
        return bool(done.rowcount)

    def _make_tables(self) -> None:
        how = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 ROW_FORMAT=DYNAMIC"
        self._run(
            f"CREATE TABLE IF NOT EXISTS {self._table('base')} (k TINYINT PRIMARY KEY,"
            f" turn VARBINARY(64) NOT NULL, content LONGBLOB NOT NULL) {how}"
        )
        for kind, fields in NUMBERED.items():
            texts = dict.fromkeys(_TEXTS, "VARBINARY(64)")
            columns = [
                f"{quoted(name)} {texts.get(name, 'BIGINT')} {'NOT NULL' if name == 'n' else ''}"
                for name in (*fields, *COLUMNS.get(kind, ()))
            ]
            keys = [f"KEY {quoted(name)} ({quoted(name)})" for name in (*fields[1:], "until")]
            since = ["KEY `since` (`since`)"]
            self._run(
                f"CREATE TABLE IF NOT EXISTS {self._table(kind)} ({', '.join(columns)},"
                " `since` BIGINT NOT NULL, `until` BIGINT NOT NULL, content LONGBLOB NOT NULL,"
                f" PRIMARY KEY (`n`, `since`), {', '.join([*keys, *since])}) {how}"
            )

    # rows

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        for kind, of_kind in rows.items():
            self._insert(kind, of_kind)

    def _insert(self, kind: str, rows: Sequence[Row]) -> None:
        names = [*NUMBERED[kind], *COLUMNS.get(kind, ()), "since"]
        columns = ", ".join(map(quoted, (*names, "until", "content")))
        values = ", ".join(f":{name}" for name in (*names, "until", "content"))
        sql = (
            f"INSERT INTO {self._table(kind)} ({columns}) VALUES ({values})"
            " ON DUPLICATE KEY UPDATE content = VALUES(content)"
        )
        part: list[dict[str, Any]] = []
        size = 0
        for row in rows:
            rest = {name: value for name, value in row.items() if name not in names}
            written = {name: row.get(name) for name in names}
            content = _packed(rest)
            part.append({**written, "until": _FOREVER, "content": content})
            size += len(content)
            if len(part) >= _ROWS or size >= _BYTES:
                self._run_many(sql, part)
                part, size = [], 0
        if part:
            self._run_many(sql, part)

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        held = f"`n` IN :numbers AND `until` = {_FOREVER} AND `since`"
        for part in batches(numbers, _ROWS):
            values = {"numbers": part, "stamp": stamp}
            self._run(f"DELETE FROM {self._table(kind)} WHERE {held} = :stamp", **values)
            self._run(
                f"UPDATE {self._table(kind)} SET `until` = :stamp WHERE {held} < :stamp", **values
            )

    def undo(self, kind: str, stamp: int) -> None:
        self._delete(kind, "`since` >= :stamp", stamp)
        self._run(
            f"UPDATE {self._table(kind)} SET `until` = {_FOREVER}"
            f" WHERE `until` >= :stamp AND `until` < {_FOREVER}",
            stamp=stamp,
        )

    def forget(self, kind: str, stamp: int) -> None:
        self._delete(kind, "`until` < :stamp", stamp)

    def _delete(self, kind: str, which: str, stamp: int) -> None:
        sql = f"DELETE FROM {self._table(kind)} WHERE {which} LIMIT {_DELETED}"
        while self._run(sql, stamp=stamp).rowcount == _DELETED:
            pass

    def find(
        self,
        kind: str,
        where: Where,
        at: int,
        fields: Sequence[str],
        *,
        first: int | None = None,
    ) -> Iterable[Row]:
        """See `Rows.find`. Where all rows have to be looked at, they come some at a time."""
        if first is not None or not where.keys().isdisjoint(NUMBERED[kind]):
            yield from self._read(kind, where, at, fields, first=first)
            return
        after = (-1, -1)
        while True:
            part = self._read(kind, where, at, ("n", "since", *fields), first=_ROWS, after=after)
            for row in part:
                after = (row["n"], row["since"])
                yield {name: row[name] for name in fields if name in row}
            if len(part) < _ROWS:
                return

    def _read(
        self,
        kind: str,
        where: Where,
        at: int,
        fields: Sequence[str],
        *,
        first: int | None = None,
        after: tuple[int, int] | None = None,
    ) -> list[Row]:
        columns = {*NUMBERED[kind], *COLUMNS.get(kind, ()), "since"}
        own = [name for name in fields if name in columns]
        shown = [*own, *(["content"] if len(own) < len(fields) else [])]
        sql = (
            f"SELECT {', '.join(map(quoted, shown))} FROM {self._table(kind)} WHERE {_fits(where)}"
        )
        values: dict[str, Any] = {"at": at, **_numbers(where)}
        if after is not None:
            sql += " AND `n` >= :n AND (`n` > :n OR `since` > :since)"
            values |= {"n": after[0], "since": after[1]}
        if first is not None:
            sql += " ORDER BY `n`, `since` LIMIT :first"
            values["first"] = first
        return [_row(own, fields, found) for found in self._rows_of(sql, values)]

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        """See `Rows.tally`. What is no column is counted by its number, and read of one row."""
        columns = {*NUMBERED[kind], *COLUMNS.get(kind, ())}
        by = quoted(field if field in columns else f"{field}_n")
        counted = self._rows_of(
            f"SELECT {by}, COUNT(*), MIN(`n`) FROM {self._table(kind)}"
            f" WHERE {_fits(where)} AND {by} IS NOT NULL GROUP BY {by}",
            {"at": at, **_numbers(where)},
        )
        if field in _TEXTS:
            return {bytes(value).decode(): int(count) for value, count, _ in counted}
        if field in columns:
            return {value: int(count) for value, count, _ in counted}
        texts: dict[int, Any] = {}
        for part in batches((row[2] for row in counted), _ROWS):
            for row in self._read(kind, {"n": part}, at, ("n", field)):
                texts[row["n"]] = row[field]
        found: dict[Any, int] = defaultdict(int)
        for _, count, number in counted:
            found[texts[number]] += int(count)
        return dict(found)

    def changed(self, stamp: int) -> set[int]:
        table, found = self._table("evidence"), set[int]()
        for later in ("`since` >= :stamp", f"`until` >= :stamp AND `until` < {_FOREVER}"):
            sql = f"SELECT `statement_n` FROM {table} WHERE {later}"
            found.update(row[0] for row in self._rows_of(sql, {"stamp": stamp}))
        return found

    # the tables of others

    def found(self, sql: str, values: Mapping[str, Any]) -> Sequence[Any]:
        """All rows that a statement finds, whatever tables it reads."""
        rows: Sequence[Any] = self._run(sql, **values).all()
        return rows

    def found_through(self, sql: str) -> Iterator[Any]:
        """The rows that a statement finds, as they come: not all of them are held at once."""
        try:
            with self._engine.connect().execution_options(stream_results=True) as connection:
                yield from connection.execute(text(sql))
        except DBAPIError as error:
            raise self._failed(error, _code(error)[0]) from None
        except (SQLAlchemyError, OSError, RuntimeError) as error:
            raise self._away(type(error).__name__) from None

    # the server

    def server(self) -> str:
        return str(self._run("SELECT VERSION()").scalar())

    def close(self) -> None:
        self._engine.dispose()

    def _rows_of(self, sql: str, values: Mapping[str, Any]) -> Sequence[Any]:
        """What a statement finds; nothing, where no base is made yet."""
        try:
            found: Sequence[Any] = self._run(sql, **values).all()
        except _NoTableError:
            if self.header() is not None:
                raise
            return []
        return found

    def _run(self, sql: str, **values: Any) -> Any:
        """Run a statement; what it finds is read whole."""
        names = [name for name, value in values.items() if isinstance(value, list)]
        lists: list[Any] = [bindparam(name, expanding=True) for name in names]
        statement = text(sql).bindparams(*lists)

        def run(execute: Callable[..., CursorResult[Any]]) -> Any:
            done = execute(statement, values)
            return done.freeze()() if done.returns_rows else done

        return self._try(run)

    def _run_many(self, sql: str, rows: list[dict[str, Any]]) -> None:
        self._try(lambda run: run(text(sql), rows))

    def _try(self, work: Callable[[Callable[..., CursorResult[Any]]], _T]) -> _T:
        """Do something; where its connection is gone or a lock was in its way, once more."""
        for last in (*[False] * (_TRIES - 1), True):
            try:
                with self._engine.connect() as connection:
                    return work(connection.execute)
            except DBAPIError as error:
                code, timed_out = _code(error)
                again = code in _BUSY or (code in _GONE and not timed_out)
                if last or not again:
                    raise self._failed(error, code) from None
            except (SQLAlchemyError, OSError, RuntimeError) as error:
                raise self._away(type(error).__name__) from None
        raise AssertionError("the last try returns or raises")

    def _failed(self, error: DBAPIError, code: int) -> MedweaveError:
        """An error of the driver, as one a user can act on; it shows no value and no password."""
        where = self._where
        if code in _KINDS:
            return _KINDS[code]("this base has not all its tables, or twice a row", where=where)
        if code == _NO_DATABASE:
            return NotFoundError(
                "the server has no such database", where=where, remedy="make it on the server"
            )
        if code in _BUSY:
            return StoreBusyError("another one holds this base", where=where, remedy="try again")
        if refused := self._refused(error, code):
            return refused
        if code in (*_GONE, *_AWAY):
            return self._away(f"code {code}")
        return StoreError(f"MySQL failed (code {code})", where=where, remedy="see its log")

    def _refused(self, error: DBAPIError, code: int) -> StoreAccessError | None:
        """An error of login, rights or trust."""
        where = self._where
        if code in _REFUSED:
            right = re.match(r"([A-Z ]+) command denied", _arguments(error)[-1])
            what = "the login is refused"
            if right:
                what = f"the right to {right[1]} is missing"
            elif code == _NO_RIGHT_TO_DATABASE:
                what = "the right to use this database is missing"
            return StoreAccessError(
                f"{what} (code {code})",
                where=where,
                remedy="check MEDWEAVE_STORE_USER and MEDWEAVE_STORE_PASSWORD, and its rights",
            )
        if "CERTIFICATE_VERIFY_FAILED" in _arguments(error)[-1]:
            return untrusted("", where)
        return None

    def _away(self, why: str) -> StoreUnreachableError:
        return StoreUnreachableError(
            f"MySQL does not answer ({why})",
            where=self._where,
            remedy="see that it runs at this address, and try again",
        )


class _NoTableError(StoreError):
    """A table is not there."""


class _TakenError(StoreError):
    """A row with the same key is there already."""


_KINDS: Mapping[int, type[StoreError]] = {_NO_TABLE: _NoTableError, _TAKEN: _TakenError}


def _code(error: DBAPIError) -> tuple[int, bool]:
    """The code of an error, and whether it is that the time was over."""
    first, last = _arguments(error)[0], _arguments(error)[-1]
    return int(first) if first.isdigit() else 0, "timed out" in last


def _arguments(error: DBAPIError) -> list[str]:
    return [str(each) for each in (error.orig.args if error.orig else ())] or [""]


def _fits(where: Where) -> str:
    parts = [f"{quoted(name)} IN :of_{name}" for name in where]
    return " AND ".join((*parts, "`since` < :at AND `until` >= :at"))


def _numbers(where: Where) -> dict[str, list[int]]:
    return {f"of_{name}": [*has] for name, has in where.items()}


def _row(own: Sequence[str], fields: Sequence[str], found: Sequence[Any]) -> Row:
    rest = _unpacked(found[-1]) if len(found) > len(own) else {}
    row = {name: rest[name] for name in fields if name in rest}
    for name, value in zip(own, found, strict=False):
        if value is not None:
            row[name] = bytes(value).decode() if name in _TEXTS else value
    return row


def _packed(row: Mapping[str, Any]) -> bytes:
    written = json.dumps(row, ensure_ascii=False, separators=(",", ":"))
    whole = written.encode("utf-8", "surrogatepass")
    return b"z" + zlib.compress(whole) if len(whole) > _PACKED else whole


def _unpacked(content: bytes) -> dict[str, Any]:
    whole = zlib.decompress(content[1:]) if content[:1] == b"z" else content
    found: dict[str, Any] = json.loads(whole.decode("utf-8", "surrogatepass"))
    return found
