"""What can be wrong with the vectors of a base in SQLite, and how it is made good.

Vectors can be made again from their texts, so what is out of step is taken out.
"""

from __future__ import annotations

import sqlite3

from medweave.model.vectors import FLOAT
from medweave.stores.sqlite.vector_rows import set_forgotten, store_complete_revision

_NO_NUMBERS = (
    "SELECT n FROM vector WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.n = vector.embedding)"
)
_WRONG_SIZE = (
    "SELECT n FROM embedding WHERE LENGTH(vector) IS NOT"
    f" (SELECT {FLOAT} * dimension FROM vector_model)"
)
_NO_DOCUMENT = (
    "SELECT n FROM vector WHERE NOT EXISTS (SELECT 1 FROM vector_document v"
    " JOIN document d ON d.n = v.document WHERE v.vector = vector.n)"
)
_LOST = (
    "SELECT vector FROM vector_document v WHERE NOT EXISTS"
    " (SELECT 1 FROM vector WHERE vector.n = v.vector)"
)
_LOST_LINKS = (
    "SELECT low FROM vector_link WHERE low NOT IN (SELECT n FROM vector)"
    " OR high NOT IN (SELECT n FROM vector)"
)
_LOST_WAITING = "SELECT vector FROM vector_waiting WHERE vector NOT IN (SELECT n FROM vector)"
VECTOR_REFERENCES = (
    ("vectors", "vectors without numbers", _NO_NUMBERS),
    ("vectors", "vectors of a wrong size", _WRONG_SIZE),
    ("vectors", "vectors of no document", _NO_DOCUMENT),
    ("vectors", "documents of vectors that are gone", _LOST),
    ("vectors", "links of vectors that are gone", _LOST_LINKS),
    ("vectors", "comparisons of vectors that are gone", _LOST_WAITING),
)
"""The part of the base, what is wrong, and a query for the rows with which it is."""


def mend_vectors(connection: sqlite3.Connection, revision: int) -> None:
    """Take out what is out of step; whoever searches reads all anew from this revision on."""
    run = connection.execute
    run(f"DELETE FROM embedding WHERE n IN ({_WRONG_SIZE})")
    run(f"DELETE FROM vector WHERE n IN ({_NO_NUMBERS}) OR n IN ({_NO_DOCUMENT})")
    run(
        f"DELETE FROM vector_document WHERE vector IN ({_LOST})"
        " OR document NOT IN (SELECT n FROM document)"
    )
    run(
        "DELETE FROM vector_link WHERE low NOT IN (SELECT n FROM vector)"
        " OR high NOT IN (SELECT n FROM vector)"
    )
    run(f"DELETE FROM vector_waiting WHERE vector IN ({_LOST_WAITING})")
    run("DELETE FROM vector_gone")
    set_forgotten(connection, revision)
    store_complete_revision(connection, None)


def drop_unused_embeddings(connection: sqlite3.Connection) -> None:
    """Take out embeddings that were kept for texts which nothing uses."""
    connection.execute(
        "DELETE FROM embedding WHERE NOT EXISTS"
        " (SELECT 1 FROM vector WHERE vector.embedding = embedding.n)"
    )
    connection.execute("DELETE FROM vector_model WHERE NOT EXISTS (SELECT 1 FROM embedding)")
