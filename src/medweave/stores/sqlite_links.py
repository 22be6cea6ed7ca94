"""Links between the vectors of a base in SQLite: rows beside those of the vectors."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable

from medweave.errors import StoreError
from medweave.model.vector_links import NOT_LINKED, VectorLink, VectorLinks, link_of
from medweave.model.vectors import Space

_LISTED = "IN (SELECT value FROM json_each(?))"
_OF_SPACE = "(SELECT n FROM vector WHERE space = ?)"


def keeps_links(connection: sqlite3.Connection) -> bool:
    """Whether a base has the tables; one of an earlier version has not until it is written to."""
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'vector_link'"
    return connection.execute(query).fetchone() is not None


def links_of(connection: sqlite3.Connection, space: Space) -> VectorLinks:
    """All links of a space."""
    if not keeps_links(connection):
        return NOT_LINKED
    run = connection.execute
    least = run("SELECT least FROM vector_linked WHERE space = ?", (space,)).fetchone()
    if least is None:
        return NOT_LINKED
    compared = run(
        "SELECT v.key FROM vector_compared c JOIN vector v ON v.n = c.vector WHERE v.space = ?",
        (space,),
    )
    pairs = run(
        "SELECT a.key, b.key, l.cosine FROM vector_link l JOIN vector a ON a.n = l.low"
        " JOIN vector b ON b.n = l.high WHERE a.space = ?",
        (space,),
    )
    return VectorLinks(
        float(least[0]),
        frozenset(key for (key,) in compared),
        sorted(link_of(*pair) for pair in pairs),
    )


def add_links(
    connection: sqlite3.Connection,
    space: Space,
    least: float,
    compared: Collection[str],
    links: Iterable[VectorLink],
) -> None:
    """Keep links; `compared` are now among the keys that were compared with each other."""
    run = connection.execute
    kept = run("SELECT least FROM vector_linked WHERE space = ?", (space,)).fetchone()
    if kept is not None and kept[0] != least:
        raise StoreError(
            f"this base is linked from a cosine of {kept[0]} on, not {least}",
            remedy="take its links out first",
        )
    run("INSERT OR IGNORE INTO vector_linked VALUES (?, ?)", (space, least))
    made = list(links)
    keys = {*compared, *(link.first for link in made), *(link.second for link in made)}
    numbers = dict(
        run(
            f"SELECT key, MIN(n) FROM vector WHERE space = ? AND key {_LISTED} GROUP BY key",
            (space, json.dumps(list(keys))),
        )
    )
    if missing := keys - {*numbers}:
        raise StoreError(
            f"a link of a key without a vector: {min(missing)}", remedy="put its vector first"
        )
    connection.executemany(
        "INSERT OR IGNORE INTO vector_compared VALUES (?)", [(numbers[key],) for key in compared]
    )
    connection.executemany(
        "INSERT INTO vector_link VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET cosine = excluded.cosine WHERE cosine IS NOT excluded.cosine",
        [(*sorted((numbers[one.first], numbers[one.second])), one.cosine) for one in made],
    )


def drop_links(connection: sqlite3.Connection, space: Space) -> int:
    """Take out all links of a space, and what was compared; how many links there were."""
    run = connection.execute
    count = run(f"DELETE FROM vector_link WHERE low IN {_OF_SPACE}", (space,)).rowcount
    run(f"DELETE FROM vector_compared WHERE vector IN {_OF_SPACE}", (space,))
    run("DELETE FROM vector_linked WHERE space = ?", (space,))
    return count


def drop_links_of(connection: sqlite3.Connection, vectors: Collection[int]) -> None:
    """Take out the links of vectors that went."""
    gone = json.dumps(list(vectors))
    for column, table in (
        ("low", "vector_link"),
        ("high", "vector_link"),
        ("vector", "vector_compared"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} {_LISTED}", (gone,))


def forget_links(connection: sqlite3.Connection) -> None:
    """Take out everything about links, with all vectors."""
    for table in ("vector_link", "vector_compared", "vector_linked"):
        connection.execute(f"DELETE FROM {table}")
