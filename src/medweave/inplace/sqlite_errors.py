"""Errors of a file of SQLite that is no base, as errors a user can act on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from medweave.errors import StoreError


@contextmanager
def sqlite_errors(what: str, file: Path, remedy: str) -> Iterator[None]:
    """Those of SQLite as `StoreError`: what cannot be done with a file, and what remedies that."""
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(f"{what} ({error})", where=str(file), remedy=remedy) from error
