"""A connection for each thread that uses a base, so that each reads a revision of its own."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from weakref import WeakSet

from medweave.errors import StoreBusyError, StoreError
from medweave.stores.sqlite.opening import connect, prepare, store_errors


class Connections:
    """Connections to one file. They go with their threads, or with `close`."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        """Raises what `opening.prepare` raises."""
        self.path = path
        self._read_only = read_only
        self._of_thread = threading.local()
        self._opened: WeakSet[_Held] = WeakSet()
        self._closed = False
        self._lock = threading.Lock()
        self._file: tuple[int, int] | None = None
        self._open()
        self._file = file_of(path)

    @property
    def mine(self) -> sqlite3.Connection:
        """The connection of this thread.

        Raises `StoreError` where the base is closed, and `StoreBusyError` where a new connection
        would lead to another file.
        """
        held: _Held | None = getattr(self._of_thread, "held", None)
        return (held or self._open()).connection

    def check_same_file(self) -> None:
        """Raises `StoreBusyError` where the file is gone, or another is in its place."""
        if file_of(self.path) != self._file:
            raise StoreBusyError(
                "this base was removed or replaced since it was opened",
                where=str(self.path),
                remedy="open it again",
            )

    def close(self) -> None:
        """Close those of all threads."""
        with self._lock:
            self._closed = True
            for held in list(self._opened):
                held.connection.close()

    def _open(self) -> _Held:
        if self._file is not None:
            self.check_same_file()
        with store_errors(self.path):
            connection = connect(self.path, read_only=self._read_only)
        try:
            with store_errors(self.path):
                prepare(connection, self.path, read_only=self._read_only)
            held = _Held(connection)
            with self._lock:
                if self._closed:
                    raise StoreError("this base is closed", where=str(self.path))
                self._opened.add(held)
        except BaseException:
            connection.close()
            raise
        self._of_thread.held = held
        return held


class _Held:
    """A connection that is closed when nothing holds this any more: when its thread ends."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def __del__(self) -> None:
        self.connection.close()


def file_of(path: Path) -> tuple[int, int] | None:
    """Which file stands at a path; None where none does."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
