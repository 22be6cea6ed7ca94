"""From schema version 3 to 4: what a misspelt word may be is found by an index.

Like every migration this file is never changed.
"""

from __future__ import annotations

import sqlite3

from medweave.stores.sqlite.spelling import spell_all


def move_to_version_4(connection: sqlite3.Connection) -> None:
    """Write down the words of all names; nothing of a base's content or hash changes."""
    spell_all(connection)
