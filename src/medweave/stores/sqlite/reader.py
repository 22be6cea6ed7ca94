"""Everything that is read from a base in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from medweave.language.segmentation import index_terms
from medweave.model.answer import BaseVersion
from medweave.model.batches import batches
from medweave.model.document import Document
from medweave.model.edge import thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import EvidenceClass, Literal, Statement, SupportedStatement
from medweave.ports import Hit, Pattern
from medweave.stores.order import in_evidence_order, object_text
from medweave.stores.sqlite.connections import Connections
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.rows import (
    DOCUMENT,
    Row,
    document_of,
    evidence_of,
    mention_of,
    statement_of,
)
from medweave.stores.text_index import rare_enough

_CHUNK = 500
_SPARE = 2
"""So many times as many texts are ranked as are wanted, since some may be of another class."""
_MANY = 500
"""Of more words it is looked first which of them any document holds."""
_KIND = {False: "NULL", True: "NOT NULL"}
"""What the column `literal` is, for things and for literals: each has an index of its own."""
STATEMENT = "s.n, s.subject, s.predicate, s.object, s.literal, s.qualifiers"
NAME = "t.id, n.name, n.language, n.concept, n.preferred, n.xref"
ENDS = (("subject", "NOT NULL"), ("subject", "NULL"), ("object", "NULL"))
"""Where a statement can touch a thing, and the kind of its object then."""

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Reader = TypeVar("_Reader", bound="SqliteReader")


def at_once(
    method: Callable[Concatenate[_Reader, _P], _R],
) -> Callable[Concatenate[_Reader, _P], _R]:
    """A method whose queries all read one revision."""

    @wraps(method)
    def read(store: _Reader, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with store.snapshot():
            return method(store, *args, **kwargs)

    return read


class SqliteReader:
    """The reading half of a store; see `medweave.ports` for what each method promises."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._path = connections.path

    @property
    def _connection(self) -> sqlite3.Connection:
        return self._connections.mine

    def close(self) -> None:
        self._connections.close()

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

    @at_once
    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        parts: dict[str, Any] = {}
        if subject is not None:
            parts["s.subject = ?"] = thing_number(subject)
        if object is not None:
            parts["s.object = ?"] = thing_number(object_text(object))
        if predicate is not None:
            parts["s.predicate = (SELECT n FROM word WHERE text = ?)"] = predicate
        where = " AND ".join(("1", *parts))
        kinds = ("NULL", "NOT NULL") if object is None else (_KIND[isinstance(object, Literal)],)
        rows = [
            row
            for kind in kinds
            for row in self._all(
                f"SELECT {STATEMENT} FROM statement s WHERE {where} AND s.literal IS {kind}",
                *parts.values(),
            )
        ]
        return self._supported(rows, limit)

    @at_once
    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """See `SupportsBatches.matches`: things at one end, of one predicate, are read at once."""
        batches: dict[tuple[str, str], dict[str, None]] = {}
        for subject, predicate, object_ in patterns:
            if predicate and object_ is None and subject:
                batches.setdefault(("subject", predicate), {})[subject] = None
            elif predicate and subject is None and isinstance(object_, str):
                batches.setdefault(("object", predicate), {})[object_] = None
        found: dict[Pattern, list[SupportedStatement]] = {}
        for (end, predicate), things in batches.items():
            if len(things) > 1:
                found |= self._match_all(end, predicate, list(things))
        return [found[one] if one in found else self.match(*one) for one in patterns]

    def _match_all(
        self, end: str, predicate: str, things: list[str]
    ) -> dict[Pattern, list[SupportedStatement]]:
        words = self._words([predicate])
        rows = [
            row
            for of in ("NULL", "NOT NULL")
            if words and (end, of) in ENDS
            for row in self._in(
                f"SELECT {STATEMENT} FROM statement s WHERE s.{end} IN ({{}})"
                f" AND s.predicate = {words[0]} AND s.literal IS {of}",
                map(thing_number, things),
            )
        ]
        by_subject = end == "subject"
        found: dict[Pattern, list[SupportedStatement]] = {
            (thing, predicate, None) if by_subject else (None, predicate, thing): []
            for thing in things
        }
        for supported in self._supported(rows):
            one = supported.statement
            key = (one.subject, predicate, None) if by_subject else (None, predicate, one.object)
            found[key].append(supported)
        return found

    @at_once
    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        words = self._words(predicates)
        if not words:
            return []
        things = [thing_number(entity) for entity in dict.fromkeys(entities)]
        found: dict[int, Row] = {}
        for query, values in self._touching(things, words, cap, ENDS):
            select = f"SELECT {STATEMENT} FROM statement s WHERE "
            found.update((row[0], row) for row in self._all(select + query, *values))
        return self._supported(list(found.values()))

    def _touching(
        self, things: list[int], words: list[int], cap: int, ends: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Conditions on a statement `s` that together find all that touch these things.

        Many things are asked for at once; a hub has more than `cap` and is asked for by itself.
        """
        by = f"s.predicate IN ({','.join('?' * len(words))})"
        for end, of in ends:
            for chunk in chunks(things):
                inside = f"s.{end} IN ({','.join('?' * len(chunk))}) AND {by} AND s.literal IS {of}"
                counted = self._all(
                    f"SELECT s.{end} FROM statement s WHERE {inside} GROUP BY s.{end}"
                    " HAVING COUNT(*) > ?",
                    *chunk, *words, cap,
                )  # fmt: skip
                hubs = {row[0] for row in counted}
                one = f"s.{end} = ? AND {by} AND s.literal IS {of} ORDER BY s.n LIMIT ?"
                yield from ((one, (hub, *words, cap)) for hub in sorted(hubs))
                rest = [thing for thing in chunk if thing not in hubs]
                marks = ",".join("?" * len(rest))
                yield f"s.{end} IN ({marks}) AND {by} AND s.literal IS {of}", (*rest, *words)

    def _statements_of(self, rows: Iterable[Row]) -> dict[int, Statement]:
        """Statements from the values of `STATEMENT`, by number."""
        rows = list(rows)
        ends = {row[1] for row in rows} | {row[3] for row in rows if row[4] is None}
        texts: dict[int, str] = dict(self._in("SELECT n, id FROM entity WHERE n IN ({})", ends))
        predicates = {row[2] for row in rows}
        words: dict[int, str] = dict(
            self._in("SELECT n, text FROM word WHERE n IN ({})", predicates)
        )
        return {
            row[0]: statement_of(texts[row[1]], words[row[2]], texts.get(row[3], ""), row[4:])
            for row in rows
        }

    def _supported(self, rows: list[Row], limit: int | None = None) -> list[SupportedStatement]:
        """Statements with their evidence, in order.

        One that another process has removed since its row was read is left out.
        """
        if not rows:  # most of what is asked for is not there
            return []
        statements = self._statements_of(rows)
        texts = {row[0]: row[4:] for row in rows}
        order = {n: _order(statement, *texts[n]) for n, statement in statements.items()}
        numbered = {n: statements[n] for n in sorted(order, key=order.__getitem__)[:limit]}
        evidence: dict[int, list[Row]] = {number: [] for number in numbered}
        query = (
            "SELECT e.statement, d.name, d.id, m.content, a.id, w.text, e.start, e.stop, e.quote,"
            " e.cites, e.premises FROM evidence e JOIN document d ON d.n = e.document"
            " JOIN manner m ON m.n = e.manner JOIN activity a ON a.n = e.activity"
            " JOIN word w ON w.n = e.field WHERE e.statement IN ({})"
        )
        for row in self._in(query, evidence):
            evidence[row[0]].append(row)
        found = []
        for number, statement in numbered.items():
            ordered = in_evidence_order(
                (evidence_of(statement.id, row[2], row[3], row[4], row[5:]), row[1])
                for row in evidence[number]
            )
            if ordered:
                found.append(SupportedStatement(statement, tuple(ordered)))
        return found

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        select = f"SELECT {DOCUMENT} FROM document"
        if identifiers is not None:
            rows = self._in(f"{select} WHERE id IN ({{}})", set(identifiers))
        elif source is not None:
            rows = self._all(f"{select} WHERE source = ?", source)
        else:
            rows = self._all(select)
        found = [document_of(row) for row in rows]
        matching = [one for one in found if source is None or one.source == source]
        return sorted(matching, key=lambda document: (document.source, document.name))

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        query = (
            f"SELECT {NAME}, d.id FROM name n JOIN entity t ON t.n = n.entity"
            " JOIN mention m ON m.name = n.n JOIN document d ON d.n = m.document"
        )
        if entities is None:
            with store_errors(self._path):
                for row in self._connection.execute(query):
                    yield mention_of(row[:6]), row[6]
            return
        numbers = map(thing_number, set(entities))
        for row in self._in(f"{query} WHERE n.entity IN ({{}})", numbers):
            yield mention_of(row[:6]), row[6]

    def version(self) -> BaseVersion:
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        return BaseVersion(held["id"], int(held["revision"]), held["total"])

    @at_once
    def changes(self, since: int) -> frozenset[int] | None:
        if since < int(self._meta("changes_from")):
            return None
        rows = self._all("SELECT statement FROM change WHERE revision > ?", since)
        return frozenset(row[0] for row in rows)

    def search_text(
        self,
        query: str,
        *,
        limit: int = 10,
        without: Collection[EvidenceClass] = (),
        frequent: int | None = None,
    ) -> list[Hit]:
        """See `SupportsTextSearch.search_text`. Words are quoted: the query has no syntax."""
        terms = list(dict.fromkeys(index_terms(query)))
        if frequent is not None:
            terms = rare_enough(self._having(terms), frequent)
        elif len(terms) > _MANY:  # what no document holds changes nothing and takes seconds
            terms = [term for term, documents in self._having(terms).items() if documents]
        if not terms:
            return []
        words = " OR ".join('"' + term.replace('"', '""') + '"' for term in terms)
        found = self._first_hits(words, limit, without) if limit > 0 else None
        return self._hits(words, limit, without) if found is None else found

    def _having(self, terms: Sequence[str]) -> dict[str, int]:
        """How many documents hold each of these words: a tenth of what ranking them takes."""
        self._all(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.passage_word"
            " USING fts5vocab(main, passage, row)"
        )
        held = self._in("SELECT term, doc FROM temp.passage_word WHERE term IN ({})", terms)
        return dict.fromkeys(terms, 0) | dict(held)

    def _first_hits(
        self, words: str, limit: int, without: Collection[EvidenceClass]
    ) -> list[Hit] | None:
        """The hits, where these are among the best of all documents; None where they may not be.

        To look up every document that has a word takes twice as long as to rank it.
        """
        most = _SPARE * limit
        rows = self._all(
            "SELECT d.id, -best.score, d.class FROM (SELECT rowid AS n, bm25(passage) AS score"
            " FROM passage WHERE passage MATCH ? ORDER BY score LIMIT ?) best"
            " JOIN document d ON d.n = best.n ORDER BY best.score, d.id",
            words,
            most,
        )
        found = [Hit(document, score) for document, score, held in rows if held not in without]
        if len(rows) < most:
            return found[:limit]
        least = rows[-1][1]  # of what is as good as the last, some may be missing
        sure = found[limit - 1 : limit] and found[limit - 1].score > least
        return found[:limit] if sure else None

    def _hits(self, words: str, limit: int, without: Collection[EvidenceClass]) -> list[Hit]:
        marks = ",".join("?" * len(without))
        rows = self._all(
            "SELECT d.id, -bm25(passage) AS score FROM passage JOIN document d"
            f" ON d.n = passage.rowid WHERE passage MATCH ? AND d.class NOT IN ({marks})"
            " ORDER BY score DESC, d.id LIMIT ?",
            words,
            *without,
            limit,
        )
        return [Hit(*row) for row in rows]

    def note(self, key: str) -> str | None:
        rows = self._all("SELECT text FROM note WHERE key = ?", key)
        return str(rows[0][0]) if rows else None

    def _words(self, texts: Iterable[str]) -> list[int]:
        """The numbers of words; unknown ones are left out."""
        rows = self._in("SELECT n FROM word WHERE text IN ({})", set(texts))
        return sorted(row[0] for row in rows)

    def _meta(self, key: str) -> str:
        return str(self._all("SELECT value FROM meta WHERE key = ?", key)[0][0])

    def _all(self, query: str, *values: Any) -> list[Row]:
        with store_errors(self._path):
            return self._connection.execute(query, values).fetchall()

    def _in(self, query: str, values: Iterable[Any]) -> list[Row]:
        """Run a query with `{}` filled by marks for the values, some hundred at a time."""
        found: list[Row] = []
        for chunk in chunks(values):
            found += self._all(query.format(",".join("?" * len(chunk))), *chunk)
        return found


def chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    """As many values at a time as a query may name."""
    return batches(values, _CHUNK)


def _order(
    statement: Statement, literal: str | None, qualifiers: str | None
) -> tuple[str, str, str, str, bool]:
    """`stores.order.statement_order` of a statement, from the texts that a base has of it."""
    value = str(statement.object) if literal is None else literal
    return statement.subject, statement.predicate, value, qualifiers or "[]", literal is not None
