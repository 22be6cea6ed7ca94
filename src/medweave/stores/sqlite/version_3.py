"""From schema version 2 to 3: names are found by their words, too.

Like every migration this file is never changed.
"""

from __future__ import annotations

import sqlite3

from medweave.stores.sqlite.rows import name_word_rows


def move_to_version_3(connection: sqlite3.Connection) -> None:
    """Write down the words of all names; nothing of a base's content or hash changes."""
    names = connection.execute("SELECT n, name FROM name")
    connection.executemany(
        "INSERT INTO name_word VALUES (?, ?, ?)",
        (row for number, name in names for row in name_word_rows(number, name)),
    )
