"""A base in Neo4j 5, as the nodes of a few labels. Neither APOC nor GDS is needed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, cast

import neo4j
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    ConstraintError,
    DriverError,
    Neo4jError,
)

from medweave.errors import (
    MedweaveError,
    NotFoundError,
    StoreAccessError,
    StoreError,
    StoreUnreachableError,
)
from medweave.model.batches import batches
from medweave.stores.address import StoreAddress
from medweave.stores.certificates import distrust, untrusted
from medweave.stores.deadline import Deadline
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Where
from medweave.stores.versioned.store import VersionedStore, opened

logging.getLogger("neo4j").addHandler(logging.NullHandler())  # what matters is raised
_BASE = "MedweaveBase"
_PORT = 7687
_CHUNK = 5000
"""So many nodes are written or taken out in one transaction of the server."""


def open_store(address: StoreAddress, *, create: bool, **_: object) -> VersionedStore:
    """See `stores.registry.Opener`."""
    return opened(Neo4jRows(address), str(address), create=create)


class Neo4jRows:
    """See `Rows`: a node for each row, whose label is its kind."""

    def __init__(self, address: StoreAddress) -> None:
        self._where = str(address)
        self._base = address.base
        self._database = address.path or None
        self._hosts = address.hosts
        self._checked = address.scheme.endswith("+s")
        """Whether the certificate of the server is to be trusted."""
        address.only_options()
        self._deadline = Deadline(address.timeout)
        self._timeout = address.timeout
        with self._errors():
            self._driver = neo4j.GraphDatabase.driver(
                f"{address.scheme}://{address.hosts}",
                auth=(address.user, address.password) if address.user else None,
                connection_timeout=address.timeout,
                connection_acquisition_timeout=address.timeout,
                max_transaction_retry_time=address.timeout,
                notifications_min_severity="OFF",
                user_agent="medweave",
            )

    # the header

    def header(self) -> Header | None:
        found = self._read(f"MATCH (h:{_BASE} {{base: $base}}) RETURN properties(h)")
        return (
            {name: text for name, text in found[0][0].items() if name != "base"} if found else None
        )

    def swap(self, before: Header | None, after: Header) -> bool:
        if before is None:
            return self._make(after)
        # The lock comes first, so that nobody else's header is read before it and written after.
        swapped = self._write(
            f"MATCH (h:{_BASE} {{base: $base}}) SET h.base = $base WITH h"
            " WHERE h.turn IN [$turn, $after.turn] SET h += $after RETURN true",
            turn=before["turn"],
            after=after,
        )
        return bool(swapped)

    def _make(self, header: Header) -> bool:
        self._make_indexes()
        try:
            self._write(f"CREATE (h:{_BASE} {{base: $base}}) SET h += $after", after=header)
        except _TakenError:
            return self.header() == header
        return True

    def _make_indexes(self) -> None:
        self._write(
            f"CREATE CONSTRAINT medweave_base IF NOT EXISTS FOR (h:{_BASE})"
            " REQUIRE h.base IS UNIQUE"
        )
        for kind, fields in NUMBERED.items():
            label = _label(kind)
            self._write(
                f"CREATE CONSTRAINT medweave_{kind} IF NOT EXISTS FOR (r:{label})"
                " REQUIRE (r.base, r.n, r.since) IS UNIQUE"
            )
            more = ("since", "until") if kind == "evidence" else ("until",)
            for field in (*fields[1:], *more):
                self._write(
                    f"CREATE INDEX medweave_{kind}_{field} IF NOT EXISTS FOR (r:{label})"
                    f" ON (r.base, r.{quoted(field)})"
                )
        self._write("CALL db.awaitIndexes(300)")

    # rows

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        for kind, of_kind in rows.items():
            self._insert(kind, of_kind)

    def _insert(self, kind: str, rows: Sequence[Row]) -> None:
        for some in batches(rows, _CHUNK):
            part = [{**row, "base": self._base} for row in some]
            try:
                self._write(f"UNWIND $rows AS row CREATE (r:{_label(kind)}) SET r = row", rows=part)
            except _TakenError:  # a try before this one was not told that it had done its work
                self._write(
                    f"UNWIND $rows AS row MERGE (r:{_label(kind)}"
                    " {base: $base, n: row.n, since: row.since}) SET r = row",
                    rows=part,
                )

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        ours = f"MATCH (r:{_label(kind)}) WHERE r.base = $base AND r.n IN $n AND r.until IS NULL"
        for part in batches(numbers, _CHUNK):
            self._write(f"{ours} AND r.since = $stamp DELETE r", n=part, stamp=stamp)
            self._write(f"{ours} AND r.since < $stamp SET r.until = $stamp", n=part, stamp=stamp)

    def undo(self, kind: str, stamp: int) -> None:
        self._in_parts(kind, "r.since >= $stamp", "DELETE r", stamp)
        self._in_parts(kind, "r.until >= $stamp", "REMOVE r.until", stamp)

    def forget(self, kind: str, stamp: int) -> None:
        self._in_parts(kind, "r.until < $stamp", "DELETE r", stamp)

    def _in_parts(self, kind: str, which: str, do: str, stamp: int) -> None:
        """Do something to many nodes; no transaction of the server holds all of them."""
        query = (
            f"MATCH (r:{_label(kind)}) WHERE r.base = $base AND {which}"
            f" WITH r LIMIT {_CHUNK} {do} RETURN count(*)"
        )
        while self._write(query, stamp=stamp)[0][0]:
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
        query = self.query(kind, where, fields)
        if first is not None:
            query += " ORDER BY r.n LIMIT $first"
        for values in self._read(query, at=at, first=first, **_numbers(where)):
            yield dict(zip(fields, values, strict=True))

    @staticmethod
    def query(kind: str, where: Where, fields: Sequence[str]) -> str:
        """What finds rows, for who wants to see how the server does it."""
        shown = ", ".join(f"r.{quoted(field)}" for field in fields)
        return f"{_match(kind, where)} RETURN {shown}"

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        query = f"{_match(kind, where)} RETURN r.{quoted(field)}, count(*)"
        rows = self._read(query, at=at, **_numbers(where))
        return {row[0]: row[1] for row in rows}

    def changed(self, stamp: int) -> set[int]:
        found: set[int] = set()
        for bound in ("since", "until"):
            query = (
                f"MATCH (r:{_label('evidence')}) WHERE r.base = $base AND r.{bound} >= $stamp"
                " RETURN DISTINCT r.statement_n"
            )
            found.update(row[0] for row in self._read(query, stamp=stamp))
        return found

    # the server

    def server(self) -> str:
        with self._errors():
            info = self._deadline.of(self._driver.get_server_info)
        return str(info.agent).rpartition("/")[2]

    def close(self) -> None:
        self._driver.close()

    def _read(self, query: str, **values: Any) -> list[Sequence[Any]]:
        """All rows of a query, in one turn: a transaction that is begun and ended takes three. What
        drops is tried again in one, as the driver sees to that."""
        asked = neo4j.Query(cast("Any", query), timeout=self._timeout)

        def read() -> list[Sequence[Any]]:
            try:
                with self._session(neo4j.READ_ACCESS) as opened:
                    return _rows(opened.run(asked, self._given(values)))
            except (DriverError, Neo4jError) as error:
                if not error.is_retryable():
                    raise
            with self._session(neo4j.READ_ACCESS) as opened:
                return opened.execute_read(self._work(query, values))

        with self._errors():
            return self._deadline.of(read)

    def _write(self, query: str, **values: Any) -> list[Sequence[Any]]:
        """The same of a query that writes. A connection that drops, or a lock, is tried again by
        the driver."""

        def write() -> list[Sequence[Any]]:
            with self._session(neo4j.WRITE_ACCESS) as opened:
                return opened.execute_write(self._work(query, values))

        with self._errors():
            return self._deadline.of(write)

    def _work(
        self, query: str, values: Mapping[str, Any]
    ) -> Callable[[neo4j.ManagedTransaction], list[Sequence[Any]]]:
        @neo4j.unit_of_work(timeout=self._timeout)
        def work(transaction: neo4j.ManagedTransaction) -> list[Sequence[Any]]:
            return _rows(transaction.run(cast("Any", query), self._given(values)))

        return work

    def _given(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {**values, "base": self._base}

    def _session(self, mode: str) -> neo4j.Session:
        return self._driver.session(
            database=self._database, default_access_mode=mode, fetch_size=2000
        )

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Errors of the driver, as errors a user can act on; none shows a value or a password."""
        try:
            yield
        except ConstraintError as error:
            raise _TakenError("this is there already", where=self._where) from error
        except (TimeoutError, DriverError, OSError) as error:
            if isinstance(error, ConfigurationError):
                raise StoreError(
                    str(error),
                    where=self._where,
                    remedy="see that Neo4j speaks Bolt at this address",
                ) from error
            if self._checked and (why := distrust(self._hosts, _PORT)):
                raise untrusted(why, self._where) from error
            raise StoreUnreachableError(
                f"Neo4j does not answer ({type(error).__name__})",
                where=self._where,
                remedy="see that it runs at this address, and try again",
            ) from error
        except Neo4jError as error:
            raise self._refused(error) from error

    def _refused(self, error: Neo4jError) -> MedweaveError:
        code = error.code or type(error).__name__
        if isinstance(error, AuthError) or ".Security." in code:
            missing = code.endswith(".Forbidden")
            what = "a right is missing" if missing else "the login is refused"
            return StoreAccessError(
                f"{what} ({code})",
                where=self._where,
                remedy="check MEDWEAVE_STORE_USER and MEDWEAVE_STORE_PASSWORD, and its rights",
            )
        if error.is_retryable() or "TransactionTimedOut" in code:
            return StoreUnreachableError(
                f"Neo4j did not do it in time ({code})",
                where=self._where,
                remedy="try again, or raise MEDWEAVE_STORE_TIMEOUT",
            )
        if code.endswith("DatabaseNotFound"):
            what = f"there is no database {self._database!r}"
            return NotFoundError(what, where=self._where, remedy="name one that is there")
        return StoreError(f"Neo4j failed ({code})", where=self._where, remedy="see its log")


class _TakenError(StoreError):
    """A node with the same key is there already."""


def quoted(name: str) -> str:
    """A label, type or property as Cypher writes it, whatever is in it.

    Raises `StoreError` for what Neo4j takes as none: an empty one, and one with a character that
    ends a text.

    >>> quoted("a`b"), quoted("name")
    ('`a``b`', '`name`')
    """
    if not name or "\x00" in name:
        raise StoreError("this can be no name in Neo4j", where=repr(name), remedy="rename it")
    # Cypher reads escapes of Unicode before all else, also one of a backquote.
    return "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`"


def _rows(found: neo4j.Result) -> list[Sequence[Any]]:
    return [record.values() for record in found]


def _label(kind: str) -> str:
    return f"Medweave{kind.title()}"


def _match(kind: str, where: Where) -> str:
    fits = "".join(f" AND r.{quoted(field)} IN $where_{field}" for field in where)
    holds = "r.since < $at AND (r.until IS NULL OR r.until >= $at)"
    return f"MATCH (r:{_label(kind)}) WHERE r.base = $base{fits} AND {holds}"


def _numbers(where: Where) -> dict[str, list[int]]:
    return {f"where_{field}": list(numbers) for field, numbers in where.items()}
