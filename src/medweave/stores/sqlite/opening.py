"""Opening a base in SQLite, and its errors as errors a user can act on."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from medweave.errors import MedweaveError, NotFoundError, StoreBusyError, StoreError
from medweave.model.base_hash import as_text
from medweave.stores.sqlite.schema import check, make

_COUNTERS = ("revision", "documents", "statements", "evidence", "entities", "changes_from")
BUSY_SECONDS = 2.0
"""How long a writer waits for another one before it gives up."""


def check_path(path: Path, *, must_exist: bool) -> None:
    """Refuse a folder, a path that cannot be, and a base that is not there."""
    try:
        folder, exists = path.is_dir(), path.exists()
    except OSError as error:
        raise StoreError(
            f"this base cannot be opened ({error.strerror})",
            where=str(path),
            remedy="check the path and its permissions",
        ) from error
    if folder:
        raise StoreError(
            "this is a folder, not a base", where=str(path), remedy="name a file in it"
        )
    if must_exist and not exists:
        raise NotFoundError(
            "there is no base", where=str(path), remedy="make it with `medweave build --kb`"
        )


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection; a base that lies closed in a folder of others is opened as it is."""
    mode = "mode=ro" if read_only else "mode=rwc"
    if read_only and _sealed(path):
        mode += "&immutable=1"
    address = f"file:{quote(str(path.resolve()))}?{mode}"
    connection = sqlite3.connect(
        address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    # Before anything is read: a base may come from strangers. Nothing that its schema says is run
    # as if we had said it, and what a damaged page says of itself is not believed.
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA cell_size_check = ON")
    return connection


def _sealed(path: Path) -> bool:
    """Whether a base lies closed where we may not write: SQLite could not open its log there."""
    path = path.resolve()
    return not os.access(path.parent, os.W_OK) and not path.with_name(path.name + "-wal").exists()


def prepare(connection: sqlite3.Connection, path: Path, *, read_only: bool) -> None:
    """Check what the file is; for writing, make the tables where there are none."""
    made = check(connection, str(path))
    if read_only:
        # Where there is no total, whoever was making it was stopped just then.
        whole = "SELECT 1 FROM meta WHERE key = 'total'"
        if not made or not connection.execute(whole).fetchone():
            raise NotFoundError(
                "this base is empty", where=str(path), remedy="make it with `medweave build --kb`"
            )
        return
    _use_log(connection)
    connection.execute("PRAGMA synchronous = NORMAL")
    if not made:
        make(connection)
    start = {"id": os.urandom(16).hex(), "total": as_text(0), **dict.fromkeys(_COUNTERS, "0")}
    if connection.execute("SELECT COUNT(*) FROM meta").fetchone()[0] < len(start):
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT OR IGNORE INTO meta VALUES (?, ?)", start.items())
        connection.execute("COMMIT")


def _use_log(connection: sqlite3.Connection) -> None:
    """Switch to WAL. SQLite does not wait by itself for another process that does the same."""
    patience = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > patience:
                raise
            time.sleep(0.01)
        else:
            return


@contextmanager
def store_errors(path: Path) -> Iterator[None]:
    """SQLite's errors, as errors a user can act on."""
    try:
        yield
    except sqlite3.Error as error:
        raise _store_error(error, path) from error


def _store_error(error: sqlite3.Error, path: Path) -> MedweaveError:
    text, where = str(error), str(path)
    if "locked" in text or "busy" in text:
        return StoreBusyError(
            "another process is writing to this base",
            where=where,
            remedy="try again when it is done; reading goes on meanwhile",
        )
    if "full" in text or "disk I/O" in text:
        what = "the disk is full" if "full" in text else "the disk is full or failing"
        return StoreError(what, where=where, remedy="make room; nothing was lost")
    if "readonly" in text or "unable to open" in text:
        return StoreError(
            "this base cannot be opened, or not be written",
            where=where,
            remedy="check its folder's rights",
        )
    if "not a database" in text or "malformed" in text:
        return StoreError(
            "this file is not a medweave base, or is damaged", where=where,
            remedy="name another file, or restore a copy",
        )  # fmt: skip
    return StoreError(f"the base failed: {text}", where=where, remedy="see the message")
