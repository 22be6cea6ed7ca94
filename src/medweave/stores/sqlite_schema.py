"""The schema of a base in SQLite, and the way from each earlier version to it.

`MIGRATIONS[n]` brings a file from version n to n + 1; version 0 is an empty file. A migration is
never changed once released: the next change is one more entry. Columns without a type give numbers
back exactly as they were, which the hash needs (1 is not 1.0, -0.0 is not 0.0).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from medweave.errors import StoreError, StoreVersionError

APPLICATION_ID = 0x6D647776  # "mdwv"

_VERSION_1 = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE note (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE activity (
    id TEXT PRIMARY KEY, method TEXT, version TEXT, vocabulary TEXT, model TEXT, time TEXT
) WITHOUT ROWID;
CREATE TABLE document (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, name TEXT NOT NULL,
    title TEXT NOT NULL, fields TEXT NOT NULL, language TEXT NOT NULL, url TEXT NOT NULL,
    class TEXT NOT NULL, sample INTEGER NOT NULL, line INTEGER NOT NULL,
    content_key TEXT NOT NULL, build_key TEXT NOT NULL
);
CREATE INDEX document_source ON document (source, name);
CREATE TABLE statement (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, subject TEXT NOT NULL,
    predicate TEXT NOT NULL, object TEXT NOT NULL, literal INTEGER NOT NULL,
    qualifiers TEXT NOT NULL
);
CREATE INDEX statement_subject ON statement (subject, predicate, object, qualifiers, literal, id);
CREATE INDEX statement_object ON statement (object, predicate, subject, qualifiers, literal, id);
CREATE TABLE evidence (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, statement TEXT NOT NULL, document TEXT NOT NULL,
    field TEXT NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, quote TEXT NOT NULL,
    class TEXT NOT NULL, polarity INTEGER NOT NULL, strength NOT NULL,
    confidence NOT NULL, knowledge_level TEXT NOT NULL, agent_type TEXT NOT NULL,
    method TEXT NOT NULL, cites TEXT NOT NULL, premises TEXT NOT NULL, activity TEXT NOT NULL
);
CREATE INDEX evidence_statement ON evidence (statement);
CREATE INDEX evidence_document ON evidence (document);
CREATE TABLE premise (
    premise TEXT NOT NULL, evidence TEXT NOT NULL, PRIMARY KEY (premise, evidence)
) WITHOUT ROWID;
CREATE INDEX premise_evidence ON premise (evidence);
CREATE TABLE mention (
    entity TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL, concept TEXT NOT NULL,
    preferred INTEGER NOT NULL, xref TEXT NOT NULL, document TEXT NOT NULL
);
CREATE INDEX mention_entity ON mention (entity, language, name, concept, preferred, xref);
CREATE INDEX mention_document ON mention (document);
CREATE VIRTUAL TABLE passage USING fts5 (text, tokenize = "unicode61 remove_diacritics 0");
"""

MIGRATIONS: tuple[str, ...] = (_VERSION_1,)


def migrate(
    connection: sqlite3.Connection, path: str, migrations: Sequence[str] = MIGRATIONS
) -> None:
    """Bring a file to the newest version, each step in one transaction.

    Raises `StoreVersionError` for a file of a newer version and `StoreError` for one that is not
    a medweave base.
    """
    version = check(connection, path, len(migrations))
    for number in range(version, len(migrations)):
        script = (
            f"BEGIN IMMEDIATE; {migrations[number]} PRAGMA application_id = {APPLICATION_ID};"
            f"PRAGMA user_version = {number + 1}; COMMIT;"
        )
        try:
            connection.executescript(script)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            if check(connection, path, len(migrations)) <= number:
                raise  # otherwise another process has taken this very step


def check(connection: sqlite3.Connection, path: str, newest: int = len(MIGRATIONS)) -> int:
    """The version of a file, 0 for an empty one; foreign and newer files are refused."""
    # Tables first: where another process makes the base just now, its mark comes with its tables.
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if tables and application != APPLICATION_ID:
        raise StoreError(
            "this SQLite file is not a medweave base", where=path, remedy="name another file"
        )
    if version > newest:
        raise StoreVersionError(
            f"this base has schema version {version}, this program knows up to {newest}",
            where=path,
            remedy="upgrade medweave",
        )
    return version
