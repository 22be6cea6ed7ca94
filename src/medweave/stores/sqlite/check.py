"""Is a base in SQLite whole? Everything it holds is read once, a row at a time."""

from __future__ import annotations

import sqlite3
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from medweave.language.folding import name_key
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.edge import statement_number, thing_number
from medweave.model.statement import Evidence, Statement
from medweave.ports import Problem, Progress, no_progress
from medweave.stores.sqlite.rows import (
    DOCUMENT,
    Row,
    document_of,
    evidence_of,
    mention_of,
    name_row,
    name_word_rows,
    statement_of,
)
from medweave.stores.sqlite.spelling import counted
from medweave.stores.sqlite.vector_check import VECTOR_REFERENCES

COUNTERS = {
    "documents": "SELECT COUNT(*) FROM document",
    "statements": "SELECT COUNT(*) FROM statement",
    "evidence": "SELECT COUNT(*) FROM evidence",
    "entities": "SELECT COUNT(DISTINCT entity) FROM name",
}
"""The counters kept in `meta`, and how they are counted anew."""

NAMELESS = (
    "SELECT n FROM entity t WHERE NOT EXISTS (SELECT 1 FROM name WHERE entity = t.n)"
    " AND NOT EXISTS (SELECT 1 FROM statement WHERE subject = t.n AND literal IS NULL)"
    " AND NOT EXISTS (SELECT 1 FROM statement WHERE subject = t.n AND literal IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM statement WHERE object = t.n AND literal IS NULL)"
)
"""Things that nothing names and no statement is about."""
UNUSED_NAMES = "SELECT n FROM name t WHERE NOT EXISTS (SELECT 1 FROM mention WHERE name = t.n)"
_LOST_PREMISES = (
    "SELECT evidence FROM premise WHERE evidence NOT IN"
    " (SELECT n FROM evidence WHERE premises IS NOT NULL)"
)


def _without(table: str, column: str, other: str, where: str = "1") -> str:
    """Rows of a table that refer to a row of another that is not there."""
    row = "name" if table == "mention" else "n"
    return (
        f"SELECT {row} FROM {table} t WHERE {where}"
        f" AND NOT EXISTS (SELECT 1 FROM {other} WHERE n = t.{column})"
    )


_REFERRING = (
    ("pieces of evidence", "evidence", "statement document manner activity field=word"),
    ("statements", "statement", "subject=entity predicate=word"),
    ("names", "name", "entity=entity"),
    ("mentions", "mention", "name document"),
)
"""What rows are called, their table, and its columns that refer to another table (`=` where that
has another name)."""
_NOWHERE = tuple(
    ("facts", f"{rows} without {column.replace('entity', 'thing')}", query)
    for rows, table, columns in _REFERRING
    for column, _, other in (each.partition("=") for each in columns.split())
    for query in (_without(table, column, other or column),)
)
_REFERENCES = (
    *_NOWHERE,
    (
        "facts",
        "statements without evidence",
        "SELECT n FROM statement t WHERE NOT EXISTS (SELECT 1 FROM evidence WHERE statement = t.n)",
    ),
    (
        "facts",
        "statements without object",
        _without("statement", "object", "entity", "literal IS NULL"),
    ),
    ("things", "names that no document uses", UNUSED_NAMES),
    ("things", "things that nothing names", NAMELESS),
    ("premises", "premises of no evidence", _LOST_PREMISES),
    (
        "text",
        "documents that are not in the text index",
        "SELECT n FROM document t WHERE NOT EXISTS (SELECT 1 FROM passage WHERE rowid = t.n)",
    ),
    (
        "text",
        "texts in the index of no document",
        "SELECT rowid FROM passage p WHERE NOT EXISTS (SELECT 1 FROM document WHERE n = p.rowid)",
    ),
)
"""The part of the base, what is wrong, and a query for the rows with which it is."""

_SUPPORTED = (
    "SELECT s.n, t.id, w.text, o.id, s.object, s.literal, s.qualifiers, s.strength, s.denied,"
    " e.n, d.id, d.name, m.content, a.id, f.text, e.start, e.stop, e.quote, e.cites, e.premises"
    " FROM statement s CROSS JOIN evidence e ON e.statement = s.n"
    " JOIN entity t ON t.n = s.subject JOIN word w ON w.n = s.predicate"
    " LEFT JOIN entity o ON o.n = s.object AND s.literal IS NULL"
    " JOIN document d ON d.n = e.document JOIN manner m ON m.n = e.manner"
    " JOIN activity a ON a.n = e.activity JOIN word f ON f.n = e.field ORDER BY s.n"
)
_NAME_WORD = "SELECT 1 FROM name_word WHERE word = ? AND name = ? AND words = ?"
_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, zlib.error)
_SHOWN = 3
_PROGRESS_EVERY = 2000


class Check:
    """One look at a whole base, from a connection that need not be able to write."""

    def __init__(self, connection: sqlite3.Connection, progress: Progress = no_progress) -> None:
        self._connection = connection
        self._progress = progress
        self._found: dict[tuple[str, str], list[str]] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._done = self._total = 0

    def everything(self) -> list[Problem]:
        """All that is wrong. A file too damaged to be read on is told as such."""
        try:
            self._file()
            self._total = sum(
                self._one(f"SELECT COUNT(*) FROM {table}")
                for table in ("evidence", "document", "name", "entity")
            )
            self._references()
            self._things()
            self._documents()
            self._manners()
            total = self._evidence()
            self._counters(total)
            self._text()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise
            self._note("file", f"places that cannot be read: {error}", "")
        return self._problems()

    def hash(self) -> str:
        """The hash of the evidence that is there, whatever the base says its hash is."""
        return as_text(self._evidence())

    def _problems(self) -> list[Problem]:
        return [
            Problem(part, what, self._counts[part, what], tuple(filter(None, examples)))
            for (part, what), examples in self._found.items()
        ]

    def _note(self, part: str, what: str, example: object) -> None:
        examples = self._found.setdefault((part, what), [])
        self._counts[part, what] = self._counts.get((part, what), 0) + 1
        if len(examples) < _SHOWN:
            examples.append(str(example))

    def _rows(self, query: str) -> Iterator[Row]:
        """Rows as they are read: never all of them at once."""
        return iter(self._connection.execute(query))

    def _counted(self, rows: Iterable[Row], what: str) -> Iterator[Row]:
        self._progress(self._done, self._total, what)
        for row in rows:
            self._done += 1
            if self._done % _PROGRESS_EVERY == 0:
                self._progress(self._done, self._total, what)
            yield row

    def _one(self, query: str) -> int:
        return int(self._connection.execute(query).fetchone()[0])

    def _file(self) -> None:
        self._progress(0, 0, "the file")
        for row in self._rows("PRAGMA integrity_check(20)"):
            if row[0] != "ok":
                self._note("file", "faults of the file", row[0])

    def _references(self) -> None:
        queries = (
            *_REFERENCES,
            *VECTOR_REFERENCES,
        )
        for part, what, query in queries:
            self._progress(0, 0, what)
            for row in self._rows(query):
                self._note(part, what, row[0])

    def _things(self) -> None:
        for number, identifier in self._counted(self._rows("SELECT n, id FROM entity"), "things"):
            if thing_number(identifier) != number:
                self._note("facts", "things with a wrong number", identifier)
        query = (
            "SELECT n.n, n.key, t.id, n.name, n.language, n.concept, n.preferred, n.xref"
            " FROM name n JOIN entity t ON t.n = n.entity"
        )
        indexed = 0
        spelled: Counter[str] = Counter()
        for row in self._counted(self._rows(query), "names"):
            if name_row(mention_of(row[2:]))[0] != row[0]:
                self._note("facts", "names with a wrong number", row[3])
            if name_key(row[3]) != row[1]:
                self._note("names", "names with a wrong key", row[3])
            words = name_word_rows(row[0], row[3])
            indexed += len(words)
            spelled.update(counted([row[3]]))
            if not all(self._connection.execute(_NAME_WORD, word).fetchone() for word in words):
                self._note("names", "names not found by their words", row[3])
        if self._one("SELECT COUNT(*) FROM name_word") > indexed:
            self._note("names", "indexes of words of names that are gone", "")
        self._spelling(spelled)

    def _spelling(self, right: Counter[str]) -> None:
        """The words of names by which misspelt ones are found."""
        rows = self._rows("SELECT word, names, back FROM spelling")
        held = {word: names for word, names, back in rows if back == word[::-1]}
        for word in sorted(right.keys() | held.keys()):
            if right[word] != held.get(word):
                self._note("names", "words of names wrongly counted", word)

    def _documents(self) -> None:
        query = f"SELECT id, content_key, {DOCUMENT} FROM document"
        for identifier, key, *row in self._counted(self._rows(query), "documents"):
            try:
                document = document_of(tuple(row))
                right = document.id == identifier and document.content_key() == key
            except _UNREADABLE:
                right = False
            if not right:
                self._note("facts", "documents that are not as they were written", identifier)

    def _manners(self) -> None:
        for content, *columns in self._rows(
            "SELECT content, class, polarity, strength FROM manner"
        ):
            if manner_columns(content) != columns:
                self._note("strengths", "manners of evidence out of step", content)

    def _evidence(self) -> int:
        """Look at each statement with its evidence; the sum that the hash is."""
        total = 0
        rows = self._counted(self._rows(_SUPPORTED), "evidence")
        for number, group in groupby(rows, key=lambda row: row[0]):
            try:
                total = add_terms(total, self._supported(list(group)))
            except _UNREADABLE:
                self._note("facts", "statements that cannot be read", number)
        return total

    def _supported(self, rows: list[Row]) -> int:
        number, subject, predicate, thing, value, literal, qualifiers, *weight = rows[0][:9]
        statement = statement_of(subject, predicate, thing or "", (literal, qualifiers))
        self._numbers(number, value, literal, statement)
        evidence = [evidence_of(statement.id, r[10], r[12], r[13], r[14:]) for r in rows]
        affirming = (item.strength for item in evidence if item.polarity > 0)
        denied = any(item.polarity < 0 for item in evidence)
        if weight != [max(affirming, default=0), denied]:
            self._note("strengths", "statements with a wrong strength", statement.id)
        for row, item in zip(rows, evidence, strict=True):
            self._premises(row[9], item)
        terms = (evidence_term(item, r[11]) for r, item in zip(rows, evidence, strict=True))
        return sum(terms)

    def _numbers(self, number: int, value: int, literal: str | None, statement: Statement) -> None:
        if statement_number(statement.id) != number:
            self._note("facts", "statements with a wrong number", statement.id)
        if literal is not None and thing_number(literal) != value:
            self._note("facts", "values with a wrong number", statement.id)

    def _premises(self, number: int, item: Evidence) -> None:
        if not item.premises:
            return
        held = self._connection.execute("SELECT premise FROM premise WHERE evidence = ?", (number,))
        if {row[0] for row in held} != set(item.premises):
            self._note("premises", "pieces of evidence with wrong premises", item.id)

    def _counters(self, total: int) -> None:
        held: dict[str, str] = dict(self._rows("SELECT key, value FROM meta"))
        for key, query in COUNTERS.items():
            if held.get(key) != str(self._one(query)):
                self._note("counters", "counters out of step", key)
        if held.get("total") != as_text(total):
            self._note("facts", "hash that is not the sum of the evidence", "")

    def _text(self) -> None:
        """Read the whole index of words: it must count as many as the texts have."""
        self._progress(0, 0, "the text index")
        sizes = (_first_number(row[0]) for row in self._rows("SELECT sz FROM passage_docsize"))
        try:
            words = self._words_indexed()
        except sqlite3.DatabaseError as error:
            self._note("text", f"faults of the text index: {error}", "")
            return
        if words != sum(sizes):
            self._note("text", "text index out of step with its texts", "")

    def _words_indexed(self) -> int:
        self._connection.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS temp.passage_word"
            " USING fts5vocab('main', 'passage', 'row')"
        )
        return self._one("SELECT COALESCE(SUM(cnt), 0) FROM temp.passage_word")


def manner_columns(content: str) -> list[Any]:
    """What the columns beside the content of a manner should hold; nothing if it is unreadable."""
    try:
        evidence = evidence_of("", "", content, "", ("", 0, 0, "", None, None))
    except _UNREADABLE:
        return []
    return [evidence.evidence_class, evidence.polarity, evidence.strength]


def _first_number(held: bytes) -> int:
    """The first of the numbers SQLite packs into a row of sizes."""
    number = 0
    for byte in held:
        number = number << 7 | byte & 0x7F
        if not byte & 0x80:
            break
    return number
