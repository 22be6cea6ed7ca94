"""The schema of a base in SQLite, and the way from each earlier version to it.

`MIGRATIONS[n]` brings a file from version n to n + 1; version 0 is an empty file. A migration is
never changed once released: the next change is one more entry. Columns without a type give numbers
back exactly as they were, which the hash needs (1 is not 1.0, -0.0 is not 0.0).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence

from medweave.errors import StoreError, StoreVersionError
from medweave.stores.sqlite.link_tables import LINK_TABLES, LINKS_NUMBERED
from medweave.stores.sqlite.vector_tables import VECTOR_TABLES
from medweave.stores.sqlite.version_2 import DROP_VERSION_1, move_to_version_2
from medweave.stores.sqlite.version_3 import move_to_version_3
from medweave.stores.sqlite.version_4 import move_to_version_4

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

_VERSION_2 = """
ALTER TABLE activity RENAME TO old_activity;
ALTER TABLE document RENAME TO old_document;
ALTER TABLE statement RENAME TO old_statement;
ALTER TABLE evidence RENAME TO old_evidence;
ALTER TABLE premise RENAME TO old_premise;
ALTER TABLE mention RENAME TO old_mention;
DROP INDEX document_source;
DROP INDEX statement_subject;
DROP INDEX statement_object;
DROP INDEX evidence_statement;
DROP INDEX evidence_document;
DROP INDEX premise_evidence;
DROP INDEX mention_entity;
DROP INDEX mention_document;
-- Texts that repeat on every row, once each.
CREATE TABLE word (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE activity (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL);
CREATE TABLE document (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, source TEXT NOT NULL, name TEXT NOT NULL,
    title TEXT NOT NULL, fields BLOB NOT NULL, language TEXT NOT NULL, url TEXT NOT NULL,
    class TEXT NOT NULL, sample INTEGER NOT NULL, line INTEGER NOT NULL,
    content_key TEXT NOT NULL, build_key TEXT NOT NULL
);
CREATE INDEX document_source ON document (source, name);
CREATE INDEX document_name ON document (name);
-- Things, names and statements are numbered by what they are (see model.edge), so no order of
-- writing can be seen in a base, and no row is looked for before it is written.
CREATE TABLE entity (n INTEGER PRIMARY KEY, id TEXT NOT NULL);
CREATE TABLE name (
    n INTEGER PRIMARY KEY, entity INTEGER NOT NULL, key TEXT NOT NULL, name TEXT NOT NULL,
    language TEXT NOT NULL, concept TEXT NOT NULL, preferred INTEGER NOT NULL, xref TEXT NOT NULL
);
CREATE INDEX name_entity ON name (entity, concept);
CREATE INDEX name_key ON name (key);
CREATE INDEX name_xref ON name (xref) WHERE xref != '';
CREATE INDEX name_concept ON name (concept, entity);
CREATE TABLE mention (
    name INTEGER NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX mention_document ON mention (document);
CREATE TABLE statement (
    n INTEGER PRIMARY KEY, subject INTEGER NOT NULL, predicate INTEGER NOT NULL,
    object INTEGER NOT NULL, literal TEXT, qualifiers TEXT,
    -- An index, not a fact: what the evidence below makes of it (see model.edge).
    strength NOT NULL, denied INTEGER NOT NULL
);
CREATE INDEX statement_subject
    ON statement (subject, predicate, object, strength, denied) WHERE literal IS NULL;
CREATE INDEX statement_object
    ON statement (object, predicate, subject, strength, denied) WHERE literal IS NULL;
CREATE INDEX statement_text ON statement (subject, predicate) WHERE literal IS NOT NULL;
CREATE INDEX statement_literal ON statement (object) WHERE literal IS NOT NULL;
-- How evidence speaks, which few ways repeat: class, polarity, strength and so on, as JSON.
CREATE TABLE manner (
    n INTEGER PRIMARY KEY, content TEXT NOT NULL UNIQUE, class TEXT NOT NULL,
    polarity INTEGER NOT NULL, strength NOT NULL
);
CREATE TABLE evidence (
    n INTEGER PRIMARY KEY, statement INTEGER NOT NULL, document INTEGER NOT NULL,
    manner INTEGER NOT NULL, activity INTEGER NOT NULL, field INTEGER NOT NULL,
    start INTEGER NOT NULL, stop INTEGER NOT NULL, quote TEXT NOT NULL, cites TEXT, premises TEXT
);
CREATE INDEX evidence_statement ON evidence (statement, manner);
CREATE INDEX evidence_document ON evidence (document);
CREATE INDEX evidence_activity ON evidence (activity);
CREATE TABLE premise (
    premise TEXT NOT NULL, evidence INTEGER NOT NULL, PRIMARY KEY (premise, evidence)
) WITHOUT ROWID;
CREATE INDEX premise_evidence ON premise (evidence);
-- The latest revision at which a statement may have changed; what is older is forgotten.
CREATE TABLE change (statement INTEGER PRIMARY KEY, revision INTEGER NOT NULL);
CREATE INDEX change_revision ON change (revision);
"""

_VERSION_3 = """
-- Names by the stems of their words, and how many of these a name has.
CREATE TABLE name_word (
    word TEXT NOT NULL, name INTEGER NOT NULL, words INTEGER NOT NULL, PRIMARY KEY (word, name)
) WITHOUT ROWID;
"""

_VERSION_4 = """
-- Words of names, forwards and backwards, and how many names have them: what misspelt ones may be.
CREATE TABLE spelling (
    word TEXT PRIMARY KEY, back TEXT NOT NULL, names INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX spelling_back ON spelling (back);
"""

Migration = str | tuple[str, Callable[[sqlite3.Connection], None], str]
"""A script; or a script, a step that moves rows, and a script that clears up."""

MIGRATIONS: tuple[Migration, ...] = (
    _VERSION_1,
    (_VERSION_2, move_to_version_2, DROP_VERSION_1),
    (_VERSION_3, move_to_version_3, ""),
    (_VERSION_4, move_to_version_4, ""),
    VECTOR_TABLES,
    LINK_TABLES,
    LINKS_NUMBERED,
)
SCHEMA_VERSION = len(MIGRATIONS)


def migrate(
    connection: sqlite3.Connection, path: str, migrations: Sequence[Migration] = MIGRATIONS
) -> None:
    """Bring a file to the newest version, each step in one transaction.

    Raises `StoreVersionError` for a file of a newer version and `StoreError` for one that is not
    a medweave base.
    """
    version = check(connection, path, len(migrations))
    for number in range(version, len(migrations)):
        try:
            _take(connection, migrations[number], number)
        except sqlite3.Error:
            if connection.in_transaction:
                connection.rollback()
            raise


def _take(connection: sqlite3.Connection, migration: Migration, number: int) -> None:
    """One step, all of it or nothing; nothing where another process has just taken it."""
    first, move, last = (migration, None, "") if isinstance(migration, str) else migration
    connection.execute("BEGIN IMMEDIATE")
    if int(connection.execute("PRAGMA user_version").fetchone()[0]) != number:
        connection.execute("ROLLBACK")
        return
    _run(connection, first)
    if move is not None:
        move(connection)
    _run(connection, last)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {number + 1}")
    connection.execute("COMMIT")


def _run(connection: sqlite3.Connection, script: str) -> None:
    """The statements of a script one by one: `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            if statement.strip(" \n;"):
                connection.execute(statement)
            statement = ""


def check(connection: sqlite3.Connection, path: str, newest: int = SCHEMA_VERSION) -> int:
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
