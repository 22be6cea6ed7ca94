"""Which row of a database is which document, and what it joins: by numbers alone.

It holds no text of a row but its key. So a walk over the graph reads no rows, and only those that
are told of are read.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.inplace.sqlite_errors import sqlite_errors
from medweave.model.document import Extraction
from medweave.model.edge import Edge, statement_number, thing_number
from medweave.stores.sqlite.reader import chunks

_SCHEMA = """
CREATE TABLE IF NOT EXISTS row (
    n INTEGER PRIMARY KEY, document TEXT NOT NULL UNIQUE, part INTEGER NOT NULL,
    keys TEXT NOT NULL, digest TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS said (
    row INTEGER NOT NULL, statement INTEGER NOT NULL, subject INTEGER NOT NULL, object INTEGER,
    predicate TEXT NOT NULL, strength REAL NOT NULL, denied INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS said_row ON said (row);
CREATE INDEX IF NOT EXISTS said_statement ON said (statement);
CREATE INDEX IF NOT EXISTS said_subject ON said (subject);
CREATE INDEX IF NOT EXISTS said_object ON said (object);
CREATE INDEX IF NOT EXISTS said_predicate ON said (predicate);
"""
_EDGE = (
    "SELECT subject, object, statement, MAX(CASE WHEN denied THEN 0 ELSE strength END), MAX(denied)"
    " FROM said WHERE object IS NOT NULL AND predicate IN ({predicates}){which}"
    " GROUP BY statement, subject, object ORDER BY statement"
)
_ROWS_SAYING = (
    "SELECT DISTINCT part, keys FROM said JOIN row ON row.n = said.row WHERE {where} ORDER BY row.n"
)
RowsOfParts = dict[int, list[str]]
"""The keys of rows by the numbers of their parts."""


@dataclass(frozen=True, slots=True)
class IndexedRow:
    """A row as it is put into the index."""

    part: int
    document: str
    keys: tuple[str, ...]
    digest: str
    said: tuple[Extraction, ...]


class RowIndex:
    """A file of the user's cache; see `SupportsNumbers` for what is told by numbers."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.RLock()
        with self._errors():
            self._connection = sqlite3.connect(
                file, check_same_thread=False, isolation_level=None, timeout=30
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.executescript(_SCHEMA)

    def _errors(self) -> AbstractContextManager[None]:
        what, remedy = "the index of names cannot be used", "delete it: it is made again"
        return sqlite_errors(what, self._file, remedy)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _all(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._errors(), self._lock:
            return self._connection.execute(sql, values).fetchall()

    def _in(self, sql: str, values: Iterable[Any], first: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of a statement for each of many values, which stand where it says `{}`."""
        for part in chunks(dict.fromkeys(values)):
            yield from self._all(sql.format(",".join("?" * len(part))), (*first, *part))

    # writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """All that is written inside, or nothing."""
        with self._errors(), self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise

    def put(self, rows: Iterable[IndexedRow]) -> None:
        """Put rows in the place of those that are the same documents."""
        run = self._connection.execute
        for row in rows:
            self.remove([row.document])
            made = run(
                "INSERT INTO row (document, part, keys, digest) VALUES (?, ?, ?, ?)",
                (row.document, row.part, json.dumps(row.keys), row.digest),
            )
            said = [line for each in row.said for line in _lines(each)]
            self._connection.executemany(
                "INSERT INTO said VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(made.lastrowid, *line) for line in said],
            )

    def remove(self, documents: Iterable[str]) -> None:
        """Take rows out."""
        for document in documents:
            for (n,) in self._all("SELECT n FROM row WHERE document = ?", (document,)):
                self._connection.execute("DELETE FROM said WHERE row = ?", (n,))
                self._connection.execute("DELETE FROM row WHERE n = ?", (n,))

    # reading

    def digests(self, part: int) -> dict[str, str]:
        """The digest of each row of a part, by its document."""
        return dict(self._all("SELECT document, digest FROM row WHERE part = ?", (part,)))

    def digest_of(self, document: str) -> str:
        """The digest of one row; '' where it is unknown."""
        found = self._all("SELECT digest FROM row WHERE document = ?", (document,))
        return str(found[0][0]) if found else ""

    def say(self, predicate: str) -> bool:
        """Whether any row says something by a predicate."""
        return bool(self._all("SELECT 1 FROM said WHERE predicate = ? LIMIT 1", (predicate,)))

    def subjects(self, predicate: str | None) -> dict[int, int]:
        """How many statements by a predicate, or by any, each thing is the subject of."""
        where, values = ("", ()) if predicate is None else (" WHERE predicate = ?", (predicate,))
        sql = f"SELECT subject, COUNT(DISTINCT statement) FROM said{where} GROUP BY subject"
        return dict(self._all(sql, values))

    def rows_called(self, documents: Iterable[str]) -> RowsOfParts:
        """The rows that are these documents."""
        sql = "SELECT part, keys FROM row WHERE document IN ({}) ORDER BY n"
        return _by_part(self._in(sql, documents))

    def rows_saying(self, statements: Iterable[int]) -> RowsOfParts:
        """The rows that say these statements."""
        sql = _ROWS_SAYING.format(where="statement IN ({})")
        return _by_part(self._in(sql, statements))

    def rows_fitting(
        self, subject: str | None, predicate: str | None, object_: str | None
    ) -> RowsOfParts:
        """The rows that say anything of this pattern, in which a subject or an object is named."""
        given = (
            ("subject", thing_number(subject) if subject else None),
            ("object", thing_number(object_) if object_ else None),
            ("predicate", predicate),
        )
        named = {column: value for column, value in given if value is not None}
        return _by_part(self._all(_rows_where(named), list(named.values())))

    def rows_touching(self, things: Iterable[str], predicates: Iterable[str]) -> RowsOfParts:
        """The rows that say anything of any of these things by any of these predicates."""
        among, asked = list(dict.fromkeys(predicates)), [thing_number(each) for each in things]
        marks, found = ",".join("?" * len(among)), dict[tuple[int, str], None]()
        for end in ("subject", "object"):
            where = f"predicate IN ({marks}) AND said.{end} IN ({{}})"
            found.update(dict.fromkeys(self._in(_ROWS_SAYING.format(where=where), asked, among)))
        return _by_part(found)

    def edges(self, things: Iterable[int], predicates: Iterable[str], cap: int) -> list[Edge]:
        among, found = list(predicates), dict[tuple[int, int, int], Edge]()
        asked = list(dict.fromkeys(things))
        for end in ("subject", "object"):
            sql = _edge_sql(among, f" AND {end} IN ({{}})")
            taken = Counter[int]()
            for edge in self._edges(self._in(sql, asked, among)):
                thing = edge.subject if end == "subject" else edge.object
                taken[thing] += 1
                if taken[thing] <= cap:
                    found[edge[:3]] = edge
        return sorted(found.values(), key=lambda edge: edge.statement)

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        among, counts = list(predicates), Counter[int]()
        asked = list(dict.fromkeys(things))
        marks = ",".join("?" * len(among))
        for end in ("subject", "object"):
            sql = (
                f"SELECT {end}, COUNT(DISTINCT statement) FROM said WHERE object IS NOT NULL"
                f" AND predicate IN ({marks}) AND {end} IN ({{}}) GROUP BY {end}"
            )
            counts.update(dict(self._in(sql, asked, among)))
        return {thing: counts[thing] for thing in asked if thing in counts}

    def all_edges(self, predicates: Iterable[str]) -> list[Edge]:
        among = list(dict.fromkeys(predicates))
        return self._edges(self._all(_edge_sql(among, ""), among))

    @staticmethod
    def _edges(rows: Iterable[tuple[Any, ...]]) -> list[Edge]:
        return [Edge(s, o, n, strength, bool(denied)) for s, o, n, strength, denied in rows]


def _rows_where(named: Iterable[str]) -> str:
    return _ROWS_SAYING.format(where=" AND ".join(f"said.{column} = ?" for column in named))


def _edge_sql(predicates: Sequence[str], which: str) -> str:
    return _EDGE.format(predicates=",".join("?" * len(predicates)), which=which)


def _lines(made: Extraction) -> Iterator[tuple[int, int, int | None, str, float, bool]]:
    """What a row says, one line for each piece of evidence."""
    statements = {one.id: one for one in made.statements}
    for item in made.evidence:
        one = statements[item.statement]
        end = one.object_entity
        yield (
            statement_number(one.id),
            thing_number(one.subject),
            None if end is None else thing_number(end),
            one.predicate,
            item.strength,
            item.polarity < 0,
        )


def _by_part(rows: Iterable[tuple[int, str]]) -> RowsOfParts:
    found: RowsOfParts = {}
    for part, keys in rows:
        found.setdefault(part, []).extend(json.loads(keys))
    return found
