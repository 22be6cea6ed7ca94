"""Files that their owner alone may read: keys, records of assessments and of answers, jobs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_PRIVATE = 0o600
POSIX = os.name == "posix"


@contextmanager
def appended(path: Path, *, new: bool = False) -> Iterator[BinaryIO]:
    """The end of a file, made where there is none, and on the disk when the block is left.

    `new` asks for one that is not there yet. `OSError` where it cannot be written.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "notes"
    >>> with appended(path) as stream:
    ...     _ = stream.write(b"seen")
    >>> path.read_bytes()
    b'seen'
    """
    with _opened(path, os.O_APPEND | os.O_CREAT | (os.O_EXCL if new else 0)) as stream:
        yield stream


@contextmanager
def replaced(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` once it is whole; until then the old one stands.

    >>> from tempfile import mkdtemp
    >>> path = Path(mkdtemp()) / "notes"
    >>> with replaced(path) as stream:
    ...     _ = stream.write(b"anew")
    >>> path.read_bytes()
    b'anew'
    """
    beside = path.with_name(path.name + ".new")
    with _opened(beside, os.O_TRUNC | os.O_CREAT) as stream:
        yield stream
    beside.replace(path)


@contextmanager
def _opened(path: Path, flags: int) -> Iterator[BinaryIO]:
    handle = os.open(path, os.O_WRONLY | flags, _PRIVATE)
    with os.fdopen(handle, "wb") as stream:
        if POSIX:
            os.fchmod(handle, _PRIVATE)  # also of one that was there, and open to others
        yield stream
        stream.flush()
        os.fsync(handle)
