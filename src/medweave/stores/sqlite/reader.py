"""Everything that is read from a base in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from medweave.language.segmentation import index_terms
from medweave.model.answer import BaseVersion
from medweave.model.document import Document
from medweave.model.edge import Edge, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import EvidenceClass, Literal, Statement, SupportedStatement
from medweave.model.topology import Topology
from medweave.ports import ConceptOf, Counts, Hit, MentionCount, SharedName, Tally
from medweave.stores.order import evidence_order, object_text, statement_order
from medweave.stores.sqlite import spelling
from medweave.stores.sqlite.opening import store_errors
from medweave.stores.sqlite.rows import (
    DOCUMENT,
    Row,
    document_of,
    evidence_of,
    mention_of,
    statement_of,
)
from medweave.stores.topology import count_topology

_CHUNK = 500
_KIND = {False: "NULL", True: "NOT NULL"}
"""What the column `literal` is, for things and for literals: each has an index of its own."""
_STATEMENT = "s.n, s.subject, s.predicate, s.object, s.literal, s.qualifiers"
_NAME = "t.id, n.name, n.language, n.concept, n.preferred, n.xref"
_ENDS = (("subject", "NOT NULL"), ("subject", "NULL"), ("object", "NULL"))
"""Where a statement can touch a thing, and the kind of its object then."""
_EDGE = "SELECT s.subject, s.object, s.n, s.strength, s.denied FROM statement s WHERE "

_P = ParamSpec("_P")
_R = TypeVar("_R")


def _at_once(
    method: Callable[Concatenate[SqliteReader, _P], _R],
) -> Callable[Concatenate[SqliteReader, _P], _R]:
    """A method whose queries all read one revision."""

    @wraps(method)
    def read(store: SqliteReader, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with store.snapshot():
            return method(store, *args, **kwargs)

    return read


class SqliteReader:
    """The reading half of a store; see `medweave.ports` for what each method promises."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def close(self) -> None:
        """See `GraphStore.close`."""
        self._connection.close()

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

    @_at_once
    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """See `GraphStore.match`."""
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
                f"SELECT {_STATEMENT} FROM statement s WHERE {where} AND s.literal IS {kind}",
                *parts.values(),
            )
        ]
        return self._supported(rows, limit)

    @_at_once
    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`."""
        words = self._words(predicates)
        things = [thing_number(entity) for entity in dict.fromkeys(entities)]
        found: dict[int, Row] = {}
        for query, values in self._touching(things, words, cap, _ENDS):
            select = f"SELECT {_STATEMENT} FROM statement s WHERE "
            found.update((row[0], row) for row in self._all(select + query, *values))
        return self._supported(list(found.values()))

    @_at_once
    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        """See `GraphStore.edges`."""
        words = self._words(predicates)
        found: dict[int, Edge] = {}
        ends = [(end, of) for end, of in _ENDS if of == "NULL"]
        for query, values in self._touching(list(dict.fromkeys(things)), words, cap, ends):
            for row in self._all(_EDGE + query, *values):
                found[row[2]] = Edge._make(row)
        return [found[n] for n in sorted(found)]

    @_at_once
    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """See `GraphStore.degrees`."""
        words = self._words(predicates)
        by = f"s.predicate IN ({','.join('?' * len(words))}) AND s.literal IS NULL"
        counted: Counter[int] = Counter()
        wanted = dict.fromkeys(things)
        for end in ("subject", "object"):
            for chunk in _chunks(wanted):
                marks = ",".join("?" * len(chunk))
                counted.update(dict(self._all(
                    f"SELECT s.{end}, COUNT(*) FROM statement s"
                    f" WHERE s.{end} IN ({marks}) AND {by} GROUP BY s.{end}",
                    *chunk, *words,
                )))  # fmt: skip
        return dict(counted)

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        """See `GraphStore.all_edges`."""
        words = self._words(predicates)
        marks = ",".join("?" * len(words))
        with store_errors(self._path):
            yield from map(
                Edge._make,
                self._connection.execute(
                    f"{_EDGE} s.literal IS NULL AND s.predicate IN ({marks}) ORDER BY s.n", words
                ),
            )

    def _touching(
        self, things: list[int], words: list[int], cap: int, ends: Iterable[tuple[str, str]]
    ) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Conditions on a statement `s` that together find all that touch these things.

        Many things are asked for at once; a hub has more than `cap` and is asked for by itself.
        """
        by = f"s.predicate IN ({','.join('?' * len(words))})"
        for end, of in ends:
            for chunk in _chunks(things):
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

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        """See `GraphStore.identifiers`."""
        return dict(self._in("SELECT n, id FROM entity WHERE n IN ({})", dict.fromkeys(things)))

    @_at_once
    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        """See `GraphStore.statements`."""
        wanted = list(dict.fromkeys(identifiers))
        numbers = {i: i if isinstance(i, int) else _number(i) for i in wanted}
        query = f"SELECT {_STATEMENT} FROM statement s WHERE s.n IN ({{}})"
        found = {
            key: supported
            for supported in self._supported(self._in(query, set(numbers.values())))
            for key in (supported.statement.id, statement_number(supported.statement.id))
        }
        kept = {found[i].statement.id: found[i] for i in wanted if i in found}
        return list(kept.values())

    def _statements_of(self, rows: Iterable[Row]) -> dict[int, Statement]:
        """Statements from the values of `_STATEMENT`, by number."""
        rows = list(rows)
        ends = {row[1] for row in rows} | {row[3] for row in rows if row[4] is None}
        texts = self.identifiers(ends)
        words: dict[int, str] = dict(self._all("SELECT n, text FROM word"))
        return {
            row[0]: statement_of(texts[row[1]], words[row[2]], texts.get(row[3], ""), row[4:])
            for row in rows
        }

    def _supported(self, rows: list[Row], limit: int | None = None) -> list[SupportedStatement]:
        """Statements with their evidence, in order.

        One that another process has removed since its row was read is left out.
        """
        statements = sorted(self._statements_of(rows).values(), key=statement_order)[:limit]
        numbered = {statement_number(statement.id): statement for statement in statements}
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
            items = [
                (evidence_of(statement.id, row[2], row[3], row[4], row[5:]), row[1])
                for row in evidence[number]
            ]
            items.sort(key=lambda pair: evidence_order(*pair))
            if items:
                found.append(SupportedStatement(statement, tuple(item for item, _ in items)))
        return found

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
        if entities is None:
            return self._mention_counts("1", ())
        return self._mention_counts("n.entity IN ({})", map(thing_number, set(entities)))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        """See `GraphStore.named`."""
        return self._mention_counts("n.key IN ({})", set(keys))

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """See `GraphStore.begun`. What follows in the index is looked at, once for each text."""
        asked = list(beginnings)
        rows = self._all(
            "SELECT asked.key FROM json_each(?) asked WHERE EXISTS (SELECT 1 FROM name n"
            " WHERE n.key >= asked.value AND n.key < asked.value || char(1114111))",
            json.dumps(asked),
        )
        return {asked[row[0]] for row in rows}

    def _mention_counts(self, where: str, values: Iterable[Any]) -> list[MentionCount]:
        query = (
            f"SELECT {_NAME}, (SELECT COUNT(*) FROM mention WHERE name = n.n)"
            f" FROM name n JOIN entity t ON t.n = n.entity WHERE {where}"
        )
        rows = self._in(query, values) if "{}" in where else self._all(query)
        rows.sort(key=lambda r: (r[0], r[2], r[1], r[3], not r[4], r[5]))
        return [MentionCount(mention_of(row[:6]), row[6]) for row in rows]

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        """See `GraphStore.sharing_words`."""
        rows = self._all(
            "SELECT n.entity, GROUP_CONCAT(w.word, ' '), w.words FROM name_word w"
            " JOIN name n ON n.n = w.name"
            " WHERE w.word IN (SELECT value FROM json_each(?))"
            " AND n.concept IN (SELECT value FROM json_each(?))"
            " GROUP BY w.name ORDER BY CAST(COUNT(*) AS REAL) / w.words DESC, n.entity, w.name"
            " LIMIT ?",
            json.dumps(list(words)), json.dumps(list(concepts)), limit,
        )  # fmt: skip
        return [SharedName(thing, frozenset(shared.split()), of) for thing, shared, of in rows]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """See `GraphStore.count_by_word`."""
        return dict(self._all(
            "SELECT w.word, COUNT(DISTINCT n.entity) FROM name_word w JOIN name n ON n.n = w.name"
            " WHERE w.word IN (SELECT value FROM json_each(?))"
            " AND n.concept IN (SELECT value FROM json_each(?)) GROUP BY w.word",
            json.dumps(list(words)), json.dumps(list(concepts)),
        ))  # fmt: skip

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        """See `GraphStore.words_like`."""
        with store_errors(self._path):
            found = {word: spelling.words_like(self._connection, word, slips) for word in words}
        return {word: some for word, some in found.items() if some}

    def bearing(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        """See `GraphStore.bearing`."""
        rows = self._in(
            "SELECT DISTINCT n.xref, t.id FROM name n JOIN entity t ON t.n = n.entity"
            " WHERE n.xref IN ({}) AND n.xref != ''",
            {identifier for identifier in identifiers if identifier},
        )
        found: dict[str, list[str]] = {}
        for identifier, entity in sorted(rows):
            found.setdefault(identifier, []).append(entity)
        return found

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        """See `GraphStore.concept_votes`."""
        query = (
            "SELECT t.id, n.concept, COUNT(*) FROM name n JOIN entity t ON t.n = n.entity"
            " JOIN mention m ON m.name = n.n GROUP BY n.entity, n.concept ORDER BY n.entity"
        )
        with store_errors(self._path):
            rows = self._connection.execute(query)
            for entity, votes in groupby(rows, key=lambda row: str(row[0])):
                yield entity, {row[1]: row[2] for row in votes}

    def all_names(self) -> Iterator[MentionCount]:
        """See `GraphStore.all_names`."""
        query = (
            f"SELECT {_NAME}, (SELECT COUNT(*) FROM mention WHERE name = n.n)"
            " FROM name n JOIN entity t ON t.n = n.entity ORDER BY n.key, n.n"
        )
        with store_errors(self._path):
            for row in self._connection.execute(query):
                yield MentionCount(mention_of(row[:6]), row[6])

    @_at_once
    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        """See `GraphStore.naming_documents`."""
        names = self._all(
            f"SELECT {_NAME}, n.n FROM name n JOIN entity t ON t.n = n.entity WHERE n.entity = ?",
            thing_number(entity),
        )
        names.sort(key=lambda r: (r[2], r[1], r[3], not r[4], r[5]))
        query = (
            "SELECT d.id FROM mention m JOIN document d ON d.n = m.document WHERE m.name = ?"
            " ORDER BY d.id LIMIT ?"
        )
        return [
            (mention_of(row[:6]), document)
            for row in names
            for (document,) in self._all(query, row[6], limit)
        ]

    def count_mentioned_as(self, concept: str) -> int:
        """See `GraphStore.count_mentioned_as`."""
        query = "SELECT COUNT(DISTINCT entity) FROM name WHERE concept = ?"
        return int(self._all(query, concept)[0][0])

    def build_keys(self, source: str) -> dict[str, str]:
        """See `GraphStore.build_keys`."""
        return dict(self._all("SELECT id, build_key FROM document WHERE source = ?", source))

    def documents_called(self, name: str) -> list[str]:
        """See `GraphStore.documents_called`."""
        rows = self._all("SELECT id FROM document WHERE name = ? OR id = ?", name, name)
        return sorted(row[0] for row in rows)

    def sources(self) -> list[str]:
        """See `GraphStore.sources`. Leaps from source to source, over all their documents."""
        rows = self._all(
            "WITH RECURSIVE found(source) AS (SELECT MIN(source) FROM document UNION ALL"
            " SELECT (SELECT MIN(d.source) FROM document d WHERE d.source > found.source)"
            " FROM found WHERE found.source IS NOT NULL)"
            " SELECT source FROM found WHERE source IS NOT NULL"
        )
        return [row[0] for row in rows]

    def version(self) -> BaseVersion:
        """See `GraphStore.version`."""
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        return BaseVersion(held["id"], int(held["revision"]), held["total"])

    def counts(self) -> Counts:
        """See `GraphStore.counts`; kept in step by every write, so that no size is felt."""
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        parts = ("documents", "statements", "evidence", "entities")
        return Counts(*(int(held[part]) for part in parts))

    def tally(self) -> Tally:
        """See `GraphStore.tally`."""
        predicates = self._all(
            "SELECT w.text, COUNT(*) FROM statement s JOIN word w ON w.n = s.predicate"
            " GROUP BY s.predicate"
        )
        classes = self._all(
            "SELECT m.class, COUNT(*) FROM evidence e JOIN manner m ON m.n = e.manner"
            " GROUP BY m.class"
        )
        conflicts = self._all(
            "SELECT COUNT(*) FROM (SELECT 1 FROM evidence e JOIN manner m ON m.n = e.manner"
            " GROUP BY e.statement HAVING MIN(m.polarity) < 0 AND MAX(m.polarity) > 0)"
        )
        return Tally(dict(predicates), dict(classes), int(conflicts[0][0]))

    @_at_once
    def topology(self, concept_of: ConceptOf) -> Topology:
        """See `GraphStore.topology`. Degrees are counted by SQLite, along its two indexes."""
        run = self._connection.execute
        ends = " UNION ALL ".join(
            f"SELECT {end} AS thing, COUNT(*) AS k FROM statement WHERE literal IS NULL"
            f" GROUP BY {end}"
            for end in ("subject", "object")
        )
        with store_errors(self._path):
            votes = run(
                "SELECT n.entity, n.concept, COUNT(*) FROM name n JOIN mention m ON m.name = n.n"
                " GROUP BY n.entity, n.concept ORDER BY n.entity"
            )
            return count_topology(
                ((n, {r[1]: r[2] for r in rows}) for n, rows in groupby(votes, itemgetter(0))),
                run(f"SELECT thing, SUM(k) FROM ({ends}) GROUP BY thing"),
                run("SELECT subject, object FROM statement WHERE literal IS NULL ORDER BY subject"),
                concept_of,
            )

    @_at_once
    def changes(self, since: int) -> frozenset[int] | None:
        """See `SupportsChanges.changes`."""
        if since < int(self._meta("changes_from")):
            return None
        rows = self._all("SELECT statement FROM change WHERE revision > ?", since)
        return frozenset(row[0] for row in rows)

    def search_text(
        self, query: str, *, limit: int = 10, without: Collection[EvidenceClass] = ()
    ) -> list[Hit]:
        """See `SupportsTextSearch.search_text`. Words are quoted: the query has no syntax."""
        terms = dict.fromkeys(index_terms(query))
        if not terms:
            return []
        marks = ",".join("?" * len(without))
        rows = self._all(
            "SELECT d.id, -bm25(passage) AS score FROM passage JOIN document d"
            f" ON d.n = passage.rowid WHERE passage MATCH ? AND d.class NOT IN ({marks})"
            " ORDER BY score DESC, d.id LIMIT ?",
            " OR ".join('"' + term.replace('"', '""') + '"' for term in terms),
            *without,
            limit,
        )
        return [Hit(*row) for row in rows]

    def note(self, key: str) -> str | None:
        """See `SupportsNotes.note`."""
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
        for chunk in _chunks(values):
            found += self._all(query.format(",".join("?" * len(chunk))), *chunk)
        return found


def _chunks(values: Iterable[Any]) -> Iterator[list[Any]]:
    remaining = iter(values)
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk


def _number(identifier: str) -> int:
    """The number of a statement; -1, which none has, for a text that is no identifier."""
    try:
        return statement_number(identifier)
    except ValueError:
        return -1
