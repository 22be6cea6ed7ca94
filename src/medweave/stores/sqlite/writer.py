"""Everything that is written to a base in SQLite, inside one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from medweave.language.segmentation import index_terms
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.batches import batches
from medweave.model.document import Extraction
from medweave.model.edge import statement_number, thing_number
from medweave.model.identifiers import canonical_json
from medweave.model.statement import Activity, Evidence, Statement
from medweave.stores.contribution import supported_statements
from medweave.stores.manner import manner_of
from medweave.stores.sqlite.reader import SqliteReader
from medweave.stores.sqlite.rows import (
    Row,
    activity_content,
    document_row,
    evidence_of,
    name_row,
    name_word_rows,
    statement_row,
    texts_or_none,
)
from medweave.stores.sqlite.spelling import spell, unspell
from medweave.stores.sqlite.vector_rows import drop_embeddings, drop_of_documents, forget_old

CHANGES_LISTED = 20_000
"""So many changed statements are remembered; after a larger change what is derived is remade."""
_AT_ONCE = 20
"""Documents taken out at once: a page of triples holds a thousand pieces of evidence."""
_MARK = "INSERT OR REPLACE INTO change VALUES (?, ?)"

WEIGHED = (
    "(SELECT MAX(CASE WHEN m.polarity > 0 THEN m.strength ELSE 0 END), MIN(m.polarity) < 0"
    " FROM evidence e JOIN manner m ON m.n = e.manner WHERE e.statement = statement.n)"
)
"""The strength of a statement, and whether it is denied, as its evidence says."""
WEIGH = f"UPDATE statement SET (strength, denied) = {WEIGHED}"


@dataclass(frozen=True, slots=True)
class _Pending:
    """What a transaction has counted so far and not yet written."""

    total: int
    counted: Counter[str]
    left: set[int]
    loose: set[int]
    touched: set[int]
    changed: bool


class SqliteWriter(SqliteReader):
    """The writing half. Counters and the hash are kept in memory until `_finish`."""

    def _begin(self) -> None:
        held: dict[str, str] = dict(self._all("SELECT key, value FROM meta"))
        self._revision = int(held["revision"])
        self._total = int(held["total"], 16)
        self._changes_from = int(held["changes_from"])
        self._counted: Counter[str] = Counter(
            {name: int(held[name]) for name in ("documents", "statements", "evidence", "entities")}
        )
        self._numbers: dict[tuple[str, str], int] = {}
        self._left: set[int] = set()
        self._loose: set[int] = set()
        self._touched: set[int] = set()
        self._changed = False

    def _set_aside(self) -> _Pending:
        """What was counted before a part of the transaction; the part counts on."""
        before = _Pending(
            self._total, Counter(self._counted), self._left, self._loose, self._touched,
            self._changed,
        )  # fmt: skip
        self._left, self._loose, self._touched = set(), set(), set()
        return before

    def _take_back(self, before: _Pending) -> None:
        """Forget what a part counted: it is undone."""
        self._total, self._counted = before.total, before.counted
        self._left, self._loose, self._touched = before.left, before.loose, before.touched
        self._changed = before.changed
        self._numbers.clear()

    def _join(self, before: _Pending) -> None:
        """What a part counted belongs to the whole."""
        self._left, part_left = before.left, self._left
        self._touched, part_touched = before.touched, self._touched
        self._left |= part_left
        self._loose |= before.loose
        self._touched |= part_touched

    def _finish(self) -> None:
        """Write what was counted, where anything changed."""
        if not self._changed:
            return
        self._drop_activities()
        self._drop_embeddings()
        self._weigh(self._touched)
        self._mark_changes()
        values = {**self._counted, "revision": self._revision + 1, "total": as_text(self._total)}
        values["changes_from"] = self._changes_from
        self._connection.executemany(
            "UPDATE meta SET value = ? WHERE key = ?",
            [(str(value), key) for key, value in values.items()],
        )

    def _weigh(self, statements: Iterable[int]) -> None:
        """Bring what the evidence makes of statements up to date."""
        self._in(f"{WEIGH} WHERE n IN ({{}}) AND (strength, denied) IS NOT {WEIGHED}", statements)

    def _mark_changes(self) -> None:
        """Remember which statements changed, or that too many did."""
        revision = self._revision + 1
        if len(self._touched) > CHANGES_LISTED:
            self._connection.execute("DELETE FROM change")
            self._changes_from = revision
            return
        self._connection.executemany(_MARK, [(number, revision) for number in self._touched])
        count = int(self._all("SELECT COUNT(*) FROM change")[0][0])
        while count > CHANGES_LISTED:
            oldest = int(self._all("SELECT MIN(revision) FROM change")[0][0])
            count -= self._connection.execute(
                "DELETE FROM change WHERE revision = ?", (oldest,)
            ).rowcount
            self._changes_from = oldest

    def _put(self, extraction: Extraction) -> None:
        identifier = extraction.document.id
        known = self._all("SELECT content_key, build_key FROM document WHERE id = ?", identifier)
        same = bool(known) and self._says_the_same(known[0][0], extraction)
        if same and known[0][1] == extraction.build_key:
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
        stored = self._evidence_of([extraction.document.id])
        return {item.id for _, item, _ in stored} == {item.id for item in extraction.evidence}

    def _insert(self, extraction: Extraction, statements: Iterable[Statement]) -> None:
        document = self._insert_document(extraction)
        self._insert_names(extraction, document)
        evidence: dict[str, list[Evidence]] = {}
        for item in extraction.evidence:
            evidence.setdefault(item.statement, []).append(item)
        rows = [
            statement_row(s, self._numbered("word", s.predicate), evidence[s.id])
            for s in statements
        ]
        self._insert_things(
            {end for s in statements for end in (s.subject, s.object_entity) if end is not None}
        )
        made = self._connection.executemany(
            "INSERT OR IGNORE INTO statement VALUES (?,?,?,?,?,?,?,?)", rows
        )
        self._counted["statements"] += max(0, made.rowcount)
        self._touched.update(row[0] for row in rows)
        self._insert_evidence(extraction, document)

    def _insert_document(self, extraction: Extraction) -> int:
        execute, document = self._connection.execute, extraction.document
        number = execute(
            "INSERT INTO document (id, source, name, title, fields, language, url, class, sample,"
            " line, content_key, build_key) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",
            (*document_row(document), document.content_key(), extraction.build_key),
        ).lastrowid
        text = " ".join(index_terms(document.words()))
        execute("INSERT INTO passage (rowid, text) VALUES (?,?)", (number, text))
        self._counted["documents"] += 1
        return int(number or 0)

    def _insert_names(self, extraction: Extraction, document: int) -> None:
        mentions = set(extraction.mentions)
        entities = {mention.entity for mention in mentions}
        self._insert_things(entities)
        numbers = {thing_number(entity) for entity in entities}
        known = self._in("SELECT DISTINCT entity FROM name WHERE entity IN ({})", numbers)
        self._counted["entities"] += len(numbers) - len(known)
        rows = [name_row(mention) for mention in mentions]
        old = {n for (n,) in self._in("SELECT n FROM name WHERE n IN ({})", (r[0] for r in rows))}
        spell(self._connection, (row[3] for row in rows if row[0] not in old))
        self._connection.executemany("INSERT OR IGNORE INTO name VALUES (?,?,?,?,?,?,?,?)", rows)
        self._connection.executemany(
            "INSERT OR IGNORE INTO name_word VALUES (?,?,?)",
            [entry for row in rows for entry in name_word_rows(row[0], row[3])],
        )
        self._connection.executemany(
            "INSERT INTO mention VALUES (?,?)", [(row[0], document) for row in rows]
        )

    def _insert_things(self, entities: Iterable[str]) -> None:
        self._connection.executemany(
            "INSERT OR IGNORE INTO entity VALUES (?,?)",
            [(thing_number(entity), entity) for entity in entities],
        )

    def _insert_evidence(self, extraction: Extraction, document: int) -> None:
        evidence = {item.id: item for item in extraction.evidence}
        number = int(self._all("SELECT COALESCE(MAX(n), 0) FROM evidence")[0][0])
        rows, premises = [], []
        for item in evidence.values():
            number += 1
            rows.append(self._evidence_row(number, item, document, extraction.activity))
            premises += [(premise, number) for premise in item.premises]
        self._connection.executemany(f"INSERT INTO evidence VALUES ({','.join('?' * 11)})", rows)
        self._connection.executemany("INSERT OR IGNORE INTO premise VALUES (?,?)", premises)
        name = extraction.document.name
        self._counted["evidence"] += len(rows)
        added = sum(evidence_term(item, name) for item in evidence.values())
        self._total = add_terms(self._total, added, 0)

    def _evidence_row(self, number: int, item: Evidence, document: int, run: Activity) -> Row:
        return (
            number,
            statement_number(item.statement),
            document,
            self._manner(item),
            self._activity(item.activity, run),
            self._numbered("word", item.place.field),
            item.place.start,
            item.place.end,
            item.quote,
            texts_or_none(item.cites),
            texts_or_none(item.premises),
        )

    def _manner(self, item: Evidence) -> int:
        values = (item.evidence_class, item.polarity, item.strength)
        return self._numbered("manner", manner_of(item), ("class", "polarity", "strength"), values)

    def _activity(self, identifier: str, run: Activity) -> int:
        content = activity_content(run) if identifier == run.id else canonical_json(None)
        return self._numbered("activity", identifier, ("content",), (content,))

    def _numbered(
        self, table: str, text: str, columns: Sequence[str] = (), values: Sequence[object] = ()
    ) -> int:
        """The number of a text that many rows share, given to it when it is first met."""
        known = self._numbers.get((table, text))
        if known is None:
            key = {"word": "text", "manner": "content", "activity": "id"}[table]
            found = self._all(f"SELECT n FROM {table} WHERE {key} = ?", text)
            if not found:
                self._connection.execute(
                    f"INSERT INTO {table} ({', '.join((key, *columns))})"
                    f" VALUES ({','.join('?' * (1 + len(columns)))})",
                    (text, *values),
                )
                found = self._all(f"SELECT n FROM {table} WHERE {key} = ?", text)
            known = self._numbers[table, text] = int(found[0][0])
        return known

    def _remove(self, documents: Iterable[str]) -> int:
        distinct = dict.fromkeys(documents)
        present = [row[0] for row in self._in("SELECT id FROM document WHERE id IN ({})", distinct)]
        gone: set[str] = set()
        for part in batches(present, _AT_ONCE):
            gone |= self._drop(part)
        if present:
            self._cascade(gone)
            self._changed = True
        return len(present)

    def _drop(self, documents: Sequence[str]) -> set[str]:
        """Take documents out; they, and the statements that died, may have been premises."""
        died = self._drop_evidence(self._evidence_of(documents))
        rows = self._in("SELECT n FROM document WHERE id IN ({})", documents)
        numbers = [row[0] for row in rows]
        self._drop_names(numbers)
        self._loose |= drop_of_documents(self._connection, numbers, self._revision + 1)
        self._in("DELETE FROM passage WHERE rowid IN ({})", numbers)
        self._in("DELETE FROM document WHERE n IN ({})", numbers)
        self._counted["documents"] -= len(numbers)
        return {*documents, *died}

    def _drop_names(self, documents: list[int]) -> None:
        rows = self._in("SELECT DISTINCT name FROM mention WHERE document IN ({})", documents)
        names = {row[0] for row in rows}
        self._in("DELETE FROM mention WHERE document IN ({})", documents)
        entities = {
            row[0] for row in self._in("SELECT DISTINCT entity FROM name WHERE n IN ({})", names)
        }
        gone = self._in(
            "DELETE FROM name WHERE n IN ({})"
            " AND NOT EXISTS (SELECT 1 FROM mention WHERE mention.name = name.n)"
            " RETURNING n, name",
            names,
        )
        self._connection.executemany(
            "DELETE FROM name_word WHERE word = ? AND name = ?",
            [entry[:2] for number, name in gone for entry in name_word_rows(number, name)],
        )
        unspell(self._connection, (name for _, name in gone))
        left = self._in("SELECT DISTINCT entity FROM name WHERE entity IN ({})", entities)
        self._counted["entities"] -= len(entities) - len(left)
        self._drop_things(entities)

    def _drop_things(self, things: Iterable[int]) -> None:
        """Things that nothing names and no statement is about."""
        self._in(
            "DELETE FROM entity WHERE n IN ({})"
            " AND NOT EXISTS (SELECT 1 FROM name WHERE name.entity = entity.n)"
            " AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.subject = entity.n"
            " AND statement.literal IS NULL)"
            " AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.subject = entity.n"
            " AND statement.literal IS NOT NULL)"
            " AND NOT EXISTS (SELECT 1 FROM statement WHERE statement.object = entity.n"
            " AND statement.literal IS NULL)",
            things,
        )

    def _evidence_of(self, documents: Iterable[str]) -> list[tuple[int, Evidence, str]]:
        return self._evidence_rows("d.id IN ({})", documents)

    def _evidence_rows(self, where: str, values: Iterable[str]) -> list[tuple[int, Evidence, str]]:
        rows = self._in(
            "SELECT e.n, d.name, e.statement, d.id, m.content, a.id, w.text, e.start, e.stop,"
            " e.quote, e.cites, e.premises FROM evidence e JOIN document d ON d.n = e.document"
            " JOIN manner m ON m.n = e.manner JOIN activity a ON a.n = e.activity"
            f" JOIN word w ON w.n = e.field WHERE {where}",
            values,
        )
        statements = self._statements_of(
            self._in(
                "SELECT n, subject, predicate, object, literal, qualifiers FROM statement"
                " WHERE n IN ({})",
                {row[2] for row in rows},
            )
        )
        return [
            (row[0], evidence_of(statements[row[2]].id, row[3], row[4], row[5], row[6:]), row[1])
            for row in rows
        ]

    def _drop_evidence(self, found: list[tuple[int, Evidence, str]]) -> set[str]:
        """Take evidence out; the statements that died of it."""
        if not found:
            return set()
        numbers = [number for number, _, _ in found]
        self._total = add_terms(self._total, 0, sum(evidence_term(e, d) for _, e, d in found))
        rows = self._in("SELECT DISTINCT activity FROM evidence WHERE n IN ({})", numbers)
        self._left |= {row[0] for row in rows}
        self._in("DELETE FROM evidence WHERE n IN ({})", numbers)
        self._in("DELETE FROM premise WHERE evidence IN ({})", numbers)
        self._counted["evidence"] -= len(numbers)
        touched = {statement_number(item.statement): item.statement for _, item, _ in found}
        self._touched.update(touched)
        alive = self._in("SELECT DISTINCT statement FROM evidence WHERE statement IN ({})", touched)
        died = set(touched) - {row[0] for row in alive}
        self._drop_statements(died)
        return {touched[number] for number in died}

    def _drop_statements(self, numbers: set[int]) -> None:
        rows = self._in("SELECT subject, object FROM statement WHERE n IN ({})", numbers)
        self._in("DELETE FROM statement WHERE n IN ({})", numbers)
        self._counted["statements"] -= len(numbers)
        self._drop_things({end for row in rows for end in row})

    def _cascade(self, gone: set[str], *, returning: frozenset[str] = frozenset()) -> None:
        """Inferred evidence goes with its premises, except those that are about to return."""
        while gone := gone - returning:
            premised = "e.n IN (SELECT evidence FROM premise WHERE premise IN ({}))"
            rows = self._evidence_rows(premised, gone)
            orphans = {number: (number, item, name) for number, item, name in rows}
            gone = self._drop_evidence(list(orphans.values()))

    def _drop_activities(self) -> None:
        """Those that no evidence names any more; looked at once a transaction."""
        self._in(
            "DELETE FROM activity WHERE n IN ({})"
            " AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.activity = activity.n)",
            self._left,
        )
        self._numbers.clear()

    def _drop_embeddings(self) -> None:
        """Those that nothing uses any more; looked at once a transaction, as texts may return."""
        if self._loose:
            drop_embeddings(self._connection, self._loose)
            forget_old(self._connection)
            self._loose = set()
