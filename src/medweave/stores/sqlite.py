"""A base in one SQLite file: statements, evidence, documents and full text change together."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from medweave.language.segmentation import index_terms
from medweave.model.answer import BaseVersion
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Document, Extraction
from medweave.model.statement import Literal, Statement, SupportedStatement
from medweave.ports import Counts, Hit, MentionCount
from medweave.stores.contribution import supported_statements
from medweave.stores.order import evidence_order, object_text, statement_order
from medweave.stores.sqlite_open import check_path, connect, prepare, store_errors
from medweave.stores.sqlite_rows import (
    DOCUMENT,
    EVIDENCE,
    STATEMENT,
    Row,
    document_of,
    document_row,
    evidence_of,
    evidence_row,
    mention_of,
    mention_row,
    statement_of,
    statement_row,
)

_CHUNK = 500


class SqliteStore:
    """See `medweave.ports` for what each method promises. One writer beside many readers."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path
        self._depth = 0
        self._changed = False
        self._left: set[str] = set()

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

    def close(self) -> None:
        """See `GraphStore.close`."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing. One inside another joins it."""
        if self._depth:
            yield
            return
        with store_errors(self._path):
            try:
                self._depth, self._changed, self._left = 1, False, set()
                self._connection.execute("BEGIN IMMEDIATE")
                yield
                if self._changed:
                    self._drop_activities(self._left)
                    self._set_meta("revision", str(int(self._meta("revision")) + 1))
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            finally:
                self._depth = 0

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """All that is read inside belongs to one revision, whatever others write meanwhile."""
        joining = self._connection.in_transaction
        if joining:
            yield
            return
        with store_errors(self._path):
            try:
                self._connection.execute("BEGIN")
                yield
            finally:
                if self._connection.in_transaction:
                    self._connection.execute("COMMIT")

    def put(self, extractions: Iterable[Extraction]) -> None:
        """See `GraphStore.put`."""
        with self.transaction():
            for extraction in extractions:
                self._put(extraction)

    def _put(self, extraction: Extraction) -> None:
        identifier = extraction.document.id
        known = self._one("SELECT content_key, build_key FROM document WHERE id = ?", identifier)
        same = known is not None and self._says_the_same(known[0], extraction)
        if known and same and known[1] == extraction.build_key:
            return
        statements = supported_statements(extraction)
        if known:
            returning = {*statements, identifier} if same else {*statements}
            self._cascade(self._drop([identifier]), returning=frozenset(returning))
        self._insert(extraction, statements.values())
        self._changed = True

    def _says_the_same(self, content_key: str, extraction: Extraction) -> bool:
        """Whether the base holds this very text and all its evidence, also what was inferred."""
        if content_key != extraction.document.content_key():
            return False
        stored = self._all("SELECT id FROM evidence WHERE document = ?", extraction.document.id)
        return {row[0] for row in stored} == {item.id for item in extraction.evidence}

    def _insert(self, extraction: Extraction, statements: Iterable[Statement]) -> None:
        self._insert_document(extraction)
        self._connection.executemany(
            f"INSERT OR IGNORE INTO statement ({STATEMENT}) VALUES (?,?,?,?,?,?)",
            [statement_row(statement) for statement in statements],
        )
        self._insert_evidence(extraction)

    def _insert_document(self, extraction: Extraction) -> None:
        execute, document = self._connection.execute, extraction.document
        number = execute(
            "INSERT INTO document (id, source, name, title, fields, language, url, class, sample,"
            " line, content_key, build_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (*document_row(document), document.content_key(), extraction.build_key),
        ).lastrowid
        self._connection.executemany(
            "INSERT INTO mention VALUES (?,?,?,?,?,?,?)",
            [mention_row(mention, document.id) for mention in set(extraction.mentions)],
        )
        text = " ".join(index_terms("\n".join(text for _, text in document.fields)))
        execute("INSERT INTO passage (rowid, text) VALUES (?,?)", (number, text))

    def _insert_evidence(self, extraction: Extraction) -> None:
        evidence, activity = {item.id: item for item in extraction.evidence}, extraction.activity
        if any(item.activity == activity.id for item in evidence.values()):
            self._connection.execute(
                "INSERT OR IGNORE INTO activity VALUES (?,?,?,?,?,?)",
                (activity.id, activity.method, activity.version, activity.vocabulary,
                 activity.model, activity.time),
            )  # fmt: skip
        self._connection.executemany(
            f"INSERT INTO evidence (id, {EVIDENCE}) VALUES ({','.join('?' * 17)})",
            [evidence_row(item) for item in evidence.values()],
        )
        self._connection.executemany(
            "INSERT OR IGNORE INTO premise VALUES (?,?)",
            [(premise, item.id) for item in evidence.values() for premise in item.premises],
        )
        name = extraction.document.name
        self._add(sum(evidence_term(item, name) for item in evidence.values()), 0)

    def remove(self, documents: Iterable[str]) -> int:
        """See `GraphStore.remove`."""
        with self.transaction():
            wanted = dict.fromkeys(documents)
            rows = self._in("SELECT id FROM document WHERE id IN ({})", wanted)
            present = [row[0] for row in rows]
            if present:
                self._cascade(self._drop(present))
                self._changed = True
        return len(present)

    def _drop(self, documents: Sequence[str]) -> set[str]:
        """Take documents out; they, and the statements that died, may have been premises."""
        names = self._names(documents)
        numbers = [row[0] for row in self._in("SELECT n FROM document WHERE id IN ({})", documents)]
        rows = self._in(f"SELECT {EVIDENCE}, id FROM evidence WHERE document IN ({{}})", documents)
        died = self._drop_evidence(rows, names)
        for table in ("mention", "document"):
            column = "id" if table == "document" else "document"
            self._in(f"DELETE FROM {table} WHERE {column} IN ({{}})", documents)
        self._in("DELETE FROM passage WHERE rowid IN ({})", numbers)
        return {*documents, *died}

    def _drop_activities(self, activities: set[str]) -> None:
        """Those that no evidence names any more; once a transaction, for it may read all of it."""
        self._in(
            "DELETE FROM activity WHERE id IN ({})"
            " AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.activity = activity.id)",
            activities,
        )

    def _names(self, documents: Iterable[str]) -> dict[str, str]:
        return dict(self._in("SELECT id, name FROM document WHERE id IN ({})", documents))

    def _drop_evidence(self, rows: list[Row], names: dict[str, str]) -> set[str]:
        if not rows:
            return set()
        identifiers = [row[16] for row in rows]
        self._left |= {row[15] for row in rows}
        self._add(0, sum(evidence_term(evidence_of(row[:16]), names[row[1]]) for row in rows))
        self._in("DELETE FROM evidence WHERE id IN ({})", identifiers)
        self._in("DELETE FROM premise WHERE evidence IN ({})", identifiers)
        touched = {row[0] for row in rows}
        alive = self._in("SELECT DISTINCT statement FROM evidence WHERE statement IN ({})", touched)
        died = touched - {row[0] for row in alive}
        self._in("DELETE FROM statement WHERE id IN ({})", died)
        return died

    def _cascade(self, gone: set[str], *, returning: frozenset[str] = frozenset()) -> None:
        """Inferred evidence goes with its premises, except those that are about to return."""
        while gone := gone - returning:
            rows = self._in(
                f"SELECT {EVIDENCE}, id FROM evidence WHERE id IN"
                " (SELECT evidence FROM premise WHERE premise IN ({}))",
                gone,
            )
            orphans = list(dict.fromkeys(rows))  # one may have lost premises of several chunks
            gone = self._drop_evidence(orphans, self._names({row[1] for row in orphans}))

    def _add(self, added: int, removed: int) -> None:
        total = add_terms(int(self._meta("total"), 16), added, removed)
        self._set_meta("total", as_text(total))

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """See `GraphStore.match`."""
        parts: dict[str, Any] = {"subject": subject, "predicate": predicate}
        if object is not None:
            parts |= {"object": object_text(object), "literal": int(isinstance(object, Literal))}
        given = {name: value for name, value in parts.items() if value is not None}
        where = " AND ".join(f"{name} = ?" for name in given)
        query = (
            f"SELECT {STATEMENT} FROM statement {'WHERE ' + where if where else ''}"
            " ORDER BY subject, predicate, object, qualifiers, literal LIMIT ?"
        )
        rows = self._all(query, *given.values(), -1 if limit is None else limit)
        return self._supported(rows)

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`."""
        wanted = sorted(set(predicates))
        marks = ",".join("?" * len(wanted))
        found: dict[str, Row] = {}
        for entity in dict.fromkeys(entities):
            for end in ("subject", "object"):
                literal = "" if end == "subject" else "AND literal = 0"
                rows = self._all(
                    f"SELECT {STATEMENT} FROM statement WHERE {end} = ? AND predicate IN ({marks})"
                    f" {literal} ORDER BY subject, predicate, object, qualifiers, literal LIMIT ?",
                    entity, *wanted, cap,
                )  # fmt: skip
                found.update((row[0], row) for row in rows)
        supported = self._supported(list(found.values()))
        return sorted(supported, key=lambda item: statement_order(item.statement))

    def statements(self, identifiers: Iterable[str]) -> list[SupportedStatement]:
        """See `GraphStore.statements`."""
        wanted = list(dict.fromkeys(identifiers))
        rows = self._in(f"SELECT {STATEMENT} FROM statement WHERE id IN ({{}})", wanted)
        found = {row[0]: row for row in rows}
        return self._supported([found[identifier] for identifier in wanted if identifier in found])

    def _supported(self, rows: list[Row]) -> list[SupportedStatement]:
        """Statements with their evidence, in the order of the rows.

        One that another process has removed since its row was read is left out.
        """
        evidence: dict[str, list[Row]] = {row[0]: [] for row in rows}
        prefixed = ", ".join("e." + column.strip() for column in EVIDENCE.split(","))
        query = (
            f"SELECT {prefixed}, d.name FROM evidence e JOIN document d ON d.id = e.document"
            " WHERE e.statement IN ({})"
        )
        for row in self._in(query, evidence):
            evidence[row[0]].append(row)
        return [
            SupportedStatement(
                statement_of(row),
                tuple(
                    item
                    for item, _ in sorted(
                        ((evidence_of(found[:16]), found[16]) for found in evidence[row[0]]),
                        key=lambda pair: evidence_order(*pair),
                    )
                ),
            )
            for row in rows
            if evidence[row[0]]
        ]

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        """See `GraphStore.documents`."""
        if identifiers is not None:
            rows = self._in(f"SELECT {DOCUMENT} FROM document WHERE id IN ({{}})", set(identifiers))
        elif source is not None:
            rows = self._all(f"SELECT {DOCUMENT} FROM document WHERE source = ?", source)
        else:
            rows = self._all(f"SELECT {DOCUMENT} FROM document")
        found = [document_of(row) for row in rows]
        kept = [d for d in found if source is None or d.source == source]
        return sorted(kept, key=lambda document: (document.source, document.name))

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        """See `GraphStore.mentions`."""
        columns = "entity, name, language, concept, preferred, xref"
        select = f"SELECT {columns}, COUNT(*) FROM mention"
        if entities is None:
            rows = self._all(f"{select} GROUP BY {columns}")
        else:
            rows = self._in(f"{select} WHERE entity IN ({{}}) GROUP BY {columns}", set(entities))
        rows.sort(key=lambda r: (r[0], r[2], r[1], r[3], not r[4], r[5]))
        return [MentionCount(mention_of(row[:6]), row[6]) for row in rows]

    def build_keys(self, source: str) -> dict[str, str]:
        """See `GraphStore.build_keys`."""
        return dict(self._all("SELECT id, build_key FROM document WHERE source = ?", source))

    def sources(self) -> list[str]:
        """See `GraphStore.sources`."""
        return [row[0] for row in self._all("SELECT DISTINCT source FROM document ORDER BY source")]

    def version(self) -> BaseVersion:
        """See `GraphStore.version`."""
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        return BaseVersion(held["id"], int(held["revision"]), held["total"])

    def counts(self) -> Counts:
        """See `GraphStore.counts`."""
        counted = (
            "SELECT (SELECT COUNT(*) FROM document), (SELECT COUNT(*) FROM statement),"
            " (SELECT COUNT(*) FROM evidence), (SELECT COUNT(DISTINCT entity) FROM mention)"
        )
        return Counts(*self._all(counted)[0])

    def search_text(self, query: str, *, limit: int = 10) -> list[Hit]:
        """See `SupportsTextSearch.search_text`. Words are quoted: the query has no syntax."""
        terms = dict.fromkeys(index_terms(query))
        if not terms:
            return []
        rows = self._all(
            "SELECT d.id, -bm25(passage) AS score FROM passage JOIN document d"
            " ON d.n = passage.rowid WHERE passage MATCH ? ORDER BY score DESC, d.id LIMIT ?",
            " OR ".join('"' + term.replace('"', '""') + '"' for term in terms),
            limit,
        )
        return [Hit(*row) for row in rows]

    def note(self, key: str) -> str | None:
        """See `SupportsNotes.note`."""
        row = self._one("SELECT text FROM note WHERE key = ?", key)
        return row[0] if row else None

    def set_note(self, key: str, text: str) -> None:
        """See `SupportsNotes.set_note`."""
        if self.note(key) == text:
            return
        with self.transaction():
            self._connection.execute("INSERT OR REPLACE INTO note VALUES (?, ?)", (key, text))
            self._changed = True

    def _meta(self, key: str) -> str:
        return str(
            self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()[0]
        )

    def _set_meta(self, key: str, value: str) -> None:
        self._connection.execute("UPDATE meta SET value = ? WHERE key = ?", (value, key))

    def _all(self, query: str, *values: Any) -> list[Row]:
        with store_errors(self._path):
            return self._connection.execute(query, values).fetchall()

    def _one(self, query: str, *values: Any) -> Row | None:
        rows = self._all(query, *values)
        return rows[0] if rows else None

    def _in(self, query: str, values: Iterable[Any]) -> list[Row]:
        """Run a query with `{}` filled by marks for the values, some hundred at a time."""
        found: list[Row] = []
        remaining = iter(values)
        while chunk := list(islice(remaining, _CHUNK)):
            found += self._all(query.format(",".join("?" * len(chunk))), *chunk)
        return found
