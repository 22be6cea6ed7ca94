"""One writer at a time, for as long as a whole build takes.

SQLite itself lets one transaction write at a time; a build is many of them. The lock is the
operating system's, on a small file beside the base, so it ends with the process that holds it,
however that ends. Readers do not ask for it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from medweave.errors import StoreBusyError, StoreError

POSIX = os.name == "posix"
"""Elsewhere SQLite's own locks must do."""


@contextmanager
def only_writer(base: Path) -> Iterator[None]:
    """While this is open, no other process gets past it.

    Raises `StoreBusyError` at once where another process is inside, naming it.
    """
    if not POSIX:
        yield
        return
    base = base.resolve()  # a link leads to the same base
    path = base.with_name(base.name + "-writer")
    held = _held(path, base)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(held)


def _held(path: Path, base: Path) -> int:
    """The lock file, open and locked."""
    import fcntl

    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise StoreError(
                f"this base cannot be written ({error.strerror})",
                where=str(base),
                remedy="check its folder's rights",
            ) from error
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(file, 20).decode("ascii", "replace")
            os.close(file)
            raise StoreBusyError(
                f"another process{f' ({holder})' if holder else ''} is writing to this base",
                where=str(base),
                remedy="try again when it is done; reading goes on meanwhile",
            ) from error
        if _same_file(file, path):
            with suppress(
                OSError
            ):  # a courtesy to whoever is refused; a full disk has no room for it
                os.ftruncate(file, 0)
                os.write(file, str(os.getpid()).encode())
            return file
        os.close(file)  # whoever held it has just taken it away: make a new one


def _same_file(file: int, path: Path) -> bool:
    try:
        return os.fstat(file).st_ino == path.stat().st_ino
    except FileNotFoundError:
        return False
