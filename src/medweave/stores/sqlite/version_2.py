"""From schema version 1 to 2: whole texts on every row become numbers.

A base of version 1 repeated identifiers of things and documents in every row and index (1.2 kB a
statement); version 2 writes them once. Like every migration this file is never changed.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from typing import Any

from medweave.language.folding import name_key
from medweave.model.edge import statement_number, thing_number
from medweave.model.identifiers import canonical_json

DROP_VERSION_1 = """
DROP TABLE old_premise;
DROP TABLE old_evidence;
DROP TABLE old_statement;
DROP TABLE old_mention;
DROP TABLE old_document;
DROP TABLE old_activity;
"""


def move_to_version_2(connection: sqlite3.Connection) -> None:
    """Move all rows of a base of version 1; nothing of its content or hash changes."""
    _Move(connection).everything()


class _Move:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._execute = connection.execute
        self._many = connection.executemany
        self._words: dict[str, int] = {}
        self._manners: dict[str, int] = {}

    def everything(self) -> None:
        """In an order in which what is referred to is there already."""
        self._activities()
        self._documents()
        self._entities()
        self._names()
        self._statements()
        self._evidence()
        self._counters()

    def _activities(self) -> None:
        self._many(
            "INSERT INTO activity (id, content) VALUES (?, ?)",
            (
                (row[0], canonical_json(list(row[1:])))
                for row in self._execute(
                    "SELECT id, method, version, vocabulary, model, time FROM old_activity"
                )
            ),
        )
        self._execute(
            "INSERT OR IGNORE INTO activity (id, content)"
            " SELECT DISTINCT activity, 'null' FROM old_evidence"
        )

    def _documents(self) -> None:
        rows = self._execute(
            "SELECT n, id, source, name, title, fields, language, url, class, sample, line,"
            " content_key, build_key FROM old_document"
        )
        self._many(
            f"INSERT INTO document VALUES ({','.join('?' * 13)})",
            ((*row[:5], zlib.compress(row[5].encode()), *row[6:]) for row in rows),
        )

    def _entities(self) -> None:
        rows = self._execute(
            "SELECT subject FROM old_statement UNION SELECT object FROM old_statement"
            " WHERE literal = 0 UNION SELECT entity FROM old_mention"
        )
        self._many(
            "INSERT INTO entity VALUES (?, ?)", ((thing_number(row[0]), row[0]) for row in rows)
        )

    def _names(self) -> None:
        columns = "m.entity, m.name, m.language, m.concept, m.preferred, m.xref"
        for row in self._execute(f"SELECT DISTINCT {columns} FROM old_mention m"):
            entity, name, language, concept, preferred, xref = row
            self._execute(
                "INSERT INTO name VALUES (?,?,?,?,?,?,?,?)",
                (_name_number(row), thing_number(entity), name_key(name), name, language, concept,
                 preferred, xref),
            )  # fmt: skip
        rows = self._execute(
            f"SELECT {columns}, d.n FROM old_mention m JOIN old_document d ON d.id = m.document"
        )
        self._many(
            "INSERT OR IGNORE INTO mention VALUES (?, ?)",
            ((_name_number(row[:6]), row[6]) for row in rows),
        )

    def _statements(self) -> None:
        rows = self._execute(
            "SELECT id, subject, predicate, object, literal, qualifiers FROM old_statement"
        )
        self._many("INSERT INTO statement VALUES (?,?,?,?,?,?,0,0)", self._numbered(rows))

    def _numbered(self, rows: sqlite3.Cursor) -> Iterator[tuple[Any, ...]]:
        for identifier, subject, predicate, object_, literal, qualifiers in rows:
            yield (
                statement_number(identifier),
                thing_number(subject),
                self._word(predicate),
                thing_number(object_),
                object_ if literal else None,
                None if qualifiers == "[]" else qualifiers,
            )

    def _evidence(self) -> None:
        rows = self._execute(
            "SELECT e.n, e.id, e.statement, d.n, a.n, e.field, e.start, e.stop, e.quote, e.class,"
            " e.polarity, e.strength, e.confidence, e.knowledge_level, e.agent_type, e.method,"
            " e.cites, e.premises FROM old_evidence e JOIN old_document d ON d.id = e.document"
            " JOIN activity a ON a.id = e.activity"
        )
        for row in rows:
            manner = self._manner(row[9:16])
            cites, premises = (None if text == "[]" else text for text in row[16:18])
            self._execute(
                "INSERT INTO evidence VALUES (?,?,?,?,?,?,?,?,?,?,?)",
                (row[0], statement_number(row[2]), row[3], manner, row[4], self._word(row[5]),
                 *row[6:9], cites, premises),
            )  # fmt: skip
            for premise in json.loads(row[17]):
                self._execute("INSERT OR IGNORE INTO premise VALUES (?, ?)", (premise, row[0]))

        self._execute(
            "UPDATE statement SET (strength, denied) = (SELECT"
            " MAX(CASE WHEN m.polarity > 0 THEN m.strength ELSE 0 END), MIN(m.polarity) < 0"
            " FROM evidence e JOIN manner m ON m.n = e.manner WHERE e.statement = statement.n)"
        )

    def _word(self, text: str) -> int:
        if text not in self._words:
            made = self._execute("INSERT INTO word (text) VALUES (?)", (text,))
            self._words[text] = int(made.lastrowid or 0)
        return self._words[text]

    def _manner(self, values: tuple[Any, ...]) -> int:
        content = canonical_json(list(values))
        if content not in self._manners:
            made = self._execute(
                "INSERT INTO manner (content, class, polarity, strength) VALUES (?,?,?,?)",
                (content, *values[:3]),
            )
            self._manners[content] = int(made.lastrowid or 0)
        return self._manners[content]

    def _counters(self) -> None:
        if not self._execute("SELECT COUNT(*) FROM meta").fetchone()[0]:
            return  # a new file: whoever makes it counts from nothing
        counted = {
            "documents": "SELECT COUNT(*) FROM document",
            "statements": "SELECT COUNT(*) FROM statement",
            "evidence": "SELECT COUNT(*) FROM evidence",
            "entities": "SELECT COUNT(DISTINCT entity) FROM name",
        }
        for key, query in counted.items():
            self._execute("INSERT INTO meta SELECT ?, (" + query + ")", (key,))
        self._execute("INSERT INTO meta SELECT 'changes_from', value FROM meta"
                      " WHERE key = 'revision'")  # fmt: skip


def _name_number(row: tuple[Any, ...]) -> int:
    return thing_number(canonical_json(list(row)))
