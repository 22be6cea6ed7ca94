"""Rows of vectors in a base in SQLite: what goes, and what is loose then."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable

from medweave.stores.sqlite.vector_links import drop_links_of

GONE_LISTED = 20_000
"""So many vectors that went are remembered; whoever is older than that reads all anew."""
FORGOTTEN = "vectors_from"
"""The entry of `meta`: changes of vectors before this revision cannot be told."""
COVERED = "vectors_to"
"""The entry of `meta`: up to this revision all texts of the base have the vectors they need."""
_LISTED = "IN (SELECT value FROM json_each(?))"


def drop_of_documents(
    connection: sqlite3.Connection, documents: Iterable[int], revision: int
) -> set[int]:
    """Take out what only these documents gave; the embeddings that may be used no more."""
    left = connection.execute(
        f"DELETE FROM vector_document WHERE document {_LISTED} RETURNING vector",
        (json.dumps(list(documents)),),
    )
    return drop_unused(connection, {row[0] for row in left}, revision)


def drop_unused(connection: sqlite3.Connection, vectors: Iterable[int], revision: int) -> set[int]:
    """Take out those vectors that no document gives; the embeddings that may be used no more."""
    gone = connection.execute(
        f"DELETE FROM vector WHERE n {_LISTED} AND NOT EXISTS"
        " (SELECT 1 FROM vector_document WHERE vector_document.vector = vector.n)"
        " RETURNING n, embedding",
        (json.dumps(list(vectors)),),
    ).fetchall()
    connection.executemany(
        "INSERT INTO vector_gone VALUES (?, ?)", [(number, revision) for number, _ in gone]
    )
    if gone:
        drop_links_of(connection, [number for number, _ in gone])
    return {embedding for _, embedding in gone}


def drop_embeddings(connection: sqlite3.Connection, loose: Iterable[int]) -> None:
    """Take out those embeddings that nothing uses; with the last one goes what made them."""
    connection.execute(
        f"DELETE FROM embedding WHERE n {_LISTED}"
        " AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedding = embedding.n)",
        (json.dumps(list(loose)),),
    )
    connection.execute("DELETE FROM vector_model WHERE NOT EXISTS (SELECT 1 FROM embedding)")


def forget_old(connection: sqlite3.Connection) -> None:
    """Keep the list of what went short; who is older than it is told so."""
    count = int(connection.execute("SELECT COUNT(*) FROM vector_gone").fetchone()[0])
    while count > GONE_LISTED:
        oldest = connection.execute("SELECT MIN(revision) FROM vector_gone").fetchone()[0]
        count -= connection.execute(
            "DELETE FROM vector_gone WHERE revision = ?", (oldest,)
        ).rowcount
        set_forgotten(connection, int(oldest))


def set_forgotten(connection: sqlite3.Connection, revision: int) -> None:
    """Nobody who stands before this revision can be told what went."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (FORGOTTEN, str(revision)))


def store_complete_revision(connection: sqlite3.Connection, revision: int | None) -> None:
    """Keep what `VectorIndex.set_complete_revision` says; None where it is true no more."""
    if revision is None:
        connection.execute("DELETE FROM meta WHERE key = ?", (COVERED,))
    else:
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (COVERED, str(revision)))
