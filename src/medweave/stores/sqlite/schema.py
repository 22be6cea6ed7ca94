"""The schema of a base in SQLite, made in a new file and checked in every file that is opened.

A base may come from strangers. Every table, index, view and trigger of a file has to be one that
`schema.sql` makes, to the letter: a view in place of a table could go on for ever, and a trigger
could write what nobody asked for.

Columns without a type give numbers back exactly as they were, which the hash needs (1 is not 1.0,
-0.0 is not 0.0).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from functools import cache

from medweave.errors import StoreError, StoreVersionError
from medweave.language.data import shipped

APPLICATION_ID = 0x6D647776  # "mdwv"
SCHEMA_VERSION = 1

_MADE = "SELECT type, name, tbl_name, sql FROM sqlite_master"
_STATISTICS = frozenset({"sqlite_stat1", "sqlite_stat4"})
"""Tables that SQLite adds by itself."""
_OF_THE_TEXT_INDEX = "passage_"
"""Tables that the text index makes, in the words of the SQLite that made the file."""

_Made = dict[str, tuple[str, str, str | None]]


@cache
def _schema() -> str:
    return shipped("stores", "sqlite", "schema.sql").read_text("utf-8")


def make(connection: sqlite3.Connection) -> None:
    """Make the tables in an empty file, all of them or none.

    Nothing is done where another process has just made them.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _version(connection):
            _run(connection, _schema())
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check(connection: sqlite3.Connection, path: str) -> bool:
    """Whether a file has the schema; False for an empty one.

    Raises `StoreVersionError` for a file of a newer version, and `StoreError` for one that is no
    medweave base, or has anything in it that medweave did not make.
    """
    # Tables first: where another process makes the base just now, its mark comes with its tables.
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    application = int(connection.execute("PRAGMA application_id").fetchone()[0])
    version = _version(connection)
    if tables and application != APPLICATION_ID:
        raise StoreError(
            "this SQLite file is not a medweave base", where=path, remedy="name another file"
        )
    if version > SCHEMA_VERSION:
        raise StoreVersionError(
            f"this base has schema version {version}, this program knows up to {SCHEMA_VERSION}",
            where=path,
            remedy="upgrade medweave",
        )
    if version:
        _check_made(connection, path)
    return bool(version)


def _check_made(connection: sqlite3.Connection, path: str) -> None:
    """Raises `StoreError` for the first part that is not as `schema.sql` makes it."""
    found, right = _made(connection), _ours()
    for name in sorted({*found, *right}):
        if found.get(name) != right.get(name):
            what = "a part that is not medweave's" if name in found else "not all its parts"
            raise StoreError(
                f"this base has {what} ({name!r})",
                where=path,
                remedy="do not use it; build it again from its sources",
            )


def _made(connection: sqlite3.Connection) -> _Made:
    """Everything in a file by its name: what it is, of which table, and how it is written."""
    return {
        name: (kind, table, None if name.startswith(_OF_THE_TEXT_INDEX) else sql)
        for kind, name, table, sql in connection.execute(_MADE)
        if not (name in _STATISTICS and kind == "table")
    }


@cache
def _ours() -> _Made:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        _run(connection, _schema())
        return _made(connection)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _run(connection: sqlite3.Connection, script: str) -> None:
    """The statements of a script one by one: `executescript` would end the transaction."""
    statement = ""
    for part in script.split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            if statement.strip(" \n;"):
                connection.execute(statement)
            statement = ""
