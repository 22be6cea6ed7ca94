"""The bytes of a file, unpacked piece by piece, as far as they can be had."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from medweave.errors import SourceError

MAX_BYTES = 2_000_000_000
"""No file is read beyond this many bytes, unpacked."""
PIECE = 1 << 18
"""Bytes handed on at once."""
DAMAGED = "this compressed file is damaged"
_GZIP = b"\x1f\x8b"
_MEMBER = 16 + zlib.MAX_WBITS
"""What tells zlib to expect the header and the check sum of gzip."""
_RATIO, _RATIO_FROM = 200, 64_000_000
"""Gzip packs 1032 to 1 at best, one row over and over 400 to 1, and tables hardly 50 to 1: so much
unpacked from so little is no data but an attack."""


class EndsEarly(Exception):  # noqa: N818 - no error: what came before it stands
    """The bytes of a file end before the file does; the reason is its text."""


class Unbounded(EndsEarly):
    """They end because there are far too many of them."""


def check_bounded(path: Path) -> None:
    """Refuse a compressed file that unpacks to far more than data would, before any of it is read.
    Raises `SourceError`; what is damaged otherwise is said when it is read.

    Unpacks it once: about a second for 1 GB.
    """
    with path.open("rb") as stream:
        if stream.read(2) != _GZIP:
            return
    try:
        for _ in pieces(path):
            pass
    except Unbounded as error:
        raise SourceError(
            str(error), where=path.name, remedy="send its content in parts"
        ) from error
    except EndsEarly:
        return


def pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a file in pieces, unpacked where it is compressed.

    Raises `EndsEarly` after the last piece that can be had where the file is damaged or goes on
    for too long, `SourceError` where it cannot be opened.
    """
    done = 0
    with readable(path), path.open("rb") as stream:
        compressed = stream.read(2) == _GZIP
        stream.seek(0)
        for piece in _members(stream) if compressed else iter(lambda: stream.read(PIECE), b""):
            if done + len(piece) > MAX_BYTES:
                yield piece[: MAX_BYTES - done]
                raise Unbounded(f"the file goes on after {MAX_BYTES:,} bytes and is not read on")
            done += len(piece)
            yield piece
            if compressed and done > _RATIO_FROM and done > _RATIO * stream.tell():
                raise Unbounded("the file unpacks to far more than data would")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turns what the system says of a file that cannot be opened or read into a `SourceError`."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a pipe could not be read twice
            raise SourceError("not a file", where=str(path), remedy="save it as a file first")
        yield
    except (FileNotFoundError, ValueError) as error:  # ValueError: a NUL in the path
        raise SourceError("no such file", where=str(path), remedy="check the path") from error
    except OSError as error:
        raise SourceError(
            f"this file cannot be read ({error.strerror})",
            where=str(path),
            remedy="check the path and its permissions",
        ) from error


def _members(stream: BinaryIO) -> Iterator[bytes]:
    """What a gzip file unpacks to; it may be several of them in a row, padded with zeros."""
    packed = stream.read(PIECE)
    while packed:
        unpacker = zlib.decompressobj(_MEMBER)
        while not unpacker.eof:
            if not packed:
                raise EndsEarly(DAMAGED)
            yield from _unpacked(unpacker, packed)
            packed = unpacker.unconsumed_tail or unpacker.unused_data
            if not packed:
                packed = stream.read(PIECE)
        while packed and not packed.strip(b"\0"):
            packed = stream.read(PIECE)
        packed = packed.lstrip(b"\0")


def _unpacked(unpacker: zlib._Decompress, packed: bytes) -> Iterator[bytes]:
    """One step of unpacking; where it fails, what stands before the damage."""
    before = unpacker.copy()
    try:
        piece = unpacker.decompress(packed, PIECE)
    except zlib.error:
        # Again byte by byte: the call that fails keeps to itself what it had unpacked.
        try:
            for byte in packed:
                yield before.decompress(bytes((byte,)))
        except zlib.error as error:
            raise EndsEarly(DAMAGED) from error
        return
    yield piece
