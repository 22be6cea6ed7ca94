"""Links between the vectors of a base in SQLite: rows beside those of the vectors."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable, Sequence

from medweave.errors import StoreError
from medweave.model.vector_links import (
    NOT_LINKED,
    LinkMark,
    LinkState,
    VectorLink,
    VectorLinks,
    link_of,
)
from medweave.model.vectors import Space

_LISTED = "IN (SELECT value FROM json_each(?))"
_OF_SPACE = "(SELECT n FROM vector WHERE space = ?)"
# Of crossed joins SQLite keeps the order: what is new is read first, and never all of a space.
_WAITING = (
    "SELECT v.key FROM vector_waiting w CROSS JOIN vector v WHERE v.n = w.vector AND v.space = ?"
)
_OF_KEYS = (
    "SELECT a.key, b.key, l.cosine FROM vector v CROSS JOIN vector_link l CROSS JOIN vector a"
    " CROSS JOIN vector b WHERE v.space = ? AND v.key {listed} AND l.{end} = v.n"
    " AND a.n = l.low AND b.n = l.high"
)
_PAIRS = (
    "SELECT a.key, b.key, l.cosine FROM vector_link l CROSS JOIN vector a CROSS JOIN vector b"
    " WHERE l.n > ? AND a.n = l.low AND b.n = l.high AND a.space = ?"
)


def links_of(connection: sqlite3.Connection, space: Space) -> VectorLinks:
    """All links of a space."""
    mark = _mark(connection, space)
    if mark is None:
        return NOT_LINKED
    run = connection.execute
    waiting = {key for (key,) in run(_WAITING, (space,))}
    keys = {key for (key,) in run("SELECT key FROM vector WHERE space = ?", (space,))}
    return VectorLinks(mark.least, frozenset(keys - waiting), _links(connection, space, 0), mark)


def links_of_keys(
    connection: sqlite3.Connection, space: Space, keys: Sequence[str]
) -> list[VectorLink]:
    """The links that any of these keys has."""
    values = (space, json.dumps(keys))
    found = {
        link_of(*pair)
        for end in ("low", "high")
        for pair in connection.execute(_OF_KEYS.format(listed=_LISTED, end=end), values)
    }
    return sorted(found)


def links_since(
    connection: sqlite3.Connection, space: Space, since: LinkMark
) -> VectorLinks | None:
    """The links of a space that came since a mark, and were not taken out with all others."""
    mark = _mark(connection, space)
    if mark is None or mark[:2] != since[:2]:
        return None
    return VectorLinks(mark.least, frozenset(), _links(connection, space, since.last), mark)


def _links(connection: sqlite3.Connection, space: Space, after: int) -> list[VectorLink]:
    return sorted(link_of(*pair) for pair in connection.execute(_PAIRS, (after, space)))


def _mark(connection: sqlite3.Connection, space: Space) -> LinkMark | None:
    """Where the links of a space stand; None where it is not linked."""
    query = "SELECT least, after FROM vector_linked WHERE space = ?"
    row = connection.execute(query, (space,)).fetchone()
    return row and LinkMark(float(row[0]), int(row[1]), _last(connection))


def _last(connection: sqlite3.Connection) -> int:
    """The greatest number that a link ever had."""
    row = connection.execute(
        "SELECT seq FROM sqlite_sequence WHERE name = 'vector_link'"
    ).fetchone()
    return int(row[0]) if row else 0


def link_state(connection: sqlite3.Connection, space: Space) -> LinkState:
    """What is still to be compared, without reading what was."""
    mark = _mark(connection, space)
    if mark is None:
        return LinkState(NOT_LINKED.least, (), 0)
    run = connection.execute
    waiting = sorted({key for (key,) in run(_WAITING, (space,))})
    [spaces] = run("SELECT COUNT(*) FROM vector_linked").fetchone()
    [count] = (
        run("SELECT COUNT(*) FROM vector_link")
        if spaces == 1
        else run(f"SELECT COUNT(*) FROM vector_link WHERE low IN {_OF_SPACE}", (space,))
    ).fetchone()
    return LinkState(mark.least, waiting, int(count))


def newest_vector(connection: sqlite3.Connection) -> int:
    """The greatest number of a vector that is there."""
    return int(connection.execute("SELECT IFNULL(MAX(n), 0) FROM vector").fetchone()[0])


def wait_for_links(connection: sqlite3.Connection, after: int) -> None:
    """Vectors of greater numbers are new: where their space is linked, they are to be compared."""
    connection.execute(
        "INSERT OR IGNORE INTO vector_waiting SELECT n FROM vector"
        " WHERE n > ? AND space IN (SELECT space FROM vector_linked)",
        (after,),
    )


def add_links(
    connection: sqlite3.Connection,
    space: Space,
    least: float,
    compared: Collection[str],
    links: Iterable[VectorLink],
) -> None:
    """Keep links; `compared` are now among the keys that were compared with each other."""
    _begin(connection, space, least)
    made = list(links)
    keys = {*compared, *(link.first for link in made), *(link.second for link in made)}
    numbers = dict(
        connection.execute(
            f"SELECT key, MIN(n) FROM vector WHERE space = ? AND key {_LISTED} GROUP BY key",
            (space, json.dumps(list(keys))),
        )
    )
    if missing := keys - {*numbers}:
        raise StoreError(
            f"a link of a key without a vector: {min(missing)}", remedy="put its vector first"
        )
    connection.executemany(
        "DELETE FROM vector_waiting WHERE vector = ?", [(numbers[key],) for key in compared]
    )
    connection.executemany(
        "INSERT INTO vector_link (low, high, cosine) VALUES (?, ?, ?) ON CONFLICT DO UPDATE"
        " SET cosine = excluded.cosine WHERE cosine IS NOT excluded.cosine",
        [(*sorted((numbers[one.first], numbers[one.second])), one.cosine) for one in made],
    )


def _begin(connection: sqlite3.Connection, space: Space, least: float) -> None:
    """Where a space is not linked yet, all of it waits. Raises `StoreError` for another `least`."""
    run = connection.execute
    stored = run("SELECT least FROM vector_linked WHERE space = ?", (space,)).fetchone()
    if stored is not None and stored[0] != least:
        raise StoreError(
            f"this base is linked from a cosine of {stored[0]} on, not {least}",
            remedy="take its links out first",
        )
    if stored is None:
        run("INSERT INTO vector_linked VALUES (?, ?, ?)", (space, least, _last(connection)))
        run("INSERT OR IGNORE INTO vector_waiting SELECT n FROM vector WHERE space = ?", (space,))


def drop_links(connection: sqlite3.Connection, space: Space) -> int:
    """Take out all links of a space, and what was compared; how many links there were."""
    run = connection.execute
    if _mark(connection, space) is None:
        return 0
    count = run(f"DELETE FROM vector_link WHERE low IN {_OF_SPACE}", (space,)).rowcount
    run(f"DELETE FROM vector_waiting WHERE vector IN {_OF_SPACE}", (space,))
    run("DELETE FROM vector_linked WHERE space = ?", (space,))
    return count


def drop_links_of(connection: sqlite3.Connection, vectors: Collection[int]) -> None:
    """Take out the links of vectors that went."""
    gone = json.dumps(list(vectors))
    for column, table in (
        ("low", "vector_link"),
        ("high", "vector_link"),
        ("vector", "vector_waiting"),
    ):
        connection.execute(f"DELETE FROM {table} WHERE {column} {_LISTED}", (gone,))


def forget_links(connection: sqlite3.Connection) -> None:
    """Take out everything about links, with all vectors."""
    for table in ("vector_link", "vector_waiting", "vector_linked"):
        connection.execute(f"DELETE FROM {table}")
