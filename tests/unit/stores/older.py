"""Bases as earlier versions of the schema had them, for migrations that only add tables."""

from __future__ import annotations

import re
import sqlite3

from medweave.stores.sqlite.schema import MIGRATIONS

_MADE = re.compile(r"CREATE (?:VIRTUAL )?TABLE (\w+)")


def take_back(connection: sqlite3.Connection, version: int) -> None:
    """Make a base of the newest version one of this version, without what came later."""
    for migration in MIGRATIONS[version:]:
        script = migration if isinstance(migration, str) else migration[0]
        for table in _MADE.findall(script):
            connection.execute(f"DROP TABLE IF EXISTS {table}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
