"""The text of a file: looked at once to know its encoding and its end, then read as a stream."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from medweave.errors import SourceError
from medweave.language.segmentation import is_chinese
from medweave.sources.files.unpacked import DAMAGED, EndsEarly, pieces

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_SAMPLE = 1_000_000
"""Characters by which a text is judged to be Chinese."""
_NULS = 10
"""A text of which every tenth character is a NUL is none: pictures and archives are like that."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """What was found out about a file. `ends` says why it ends early, '' where it is whole."""

    path: Path
    encoding: str
    length: int
    """Bytes, unpacked, that can be read."""
    ends: str = ""


@dataclass(slots=True)
class _Look:
    """What one pass over a file in one encoding has found."""

    decoded: int = 0
    nuls: int = 0
    blank: bool = True
    plain: bool = True
    sample: str = ""
    left: int = 0
    """Bytes at the end that are no whole character."""
    wrong_line: int = 0
    ends: str = ""


def examined(path: Path) -> TextFile:
    """A file with its encoding: UTF-8, UTF-16 with a mark, or GB18030 where it is Chinese.

    Raises `SourceError` where the file is missing, empty, binary or in another encoding.
    """
    encoding = "utf-16" if _head(path)[:2] in _UTF16 else "utf-8-sig"
    look = _looked(path, encoding)
    if encoding != "utf-16" and (look.wrong_line or (look.left and look.plain)):
        chinese = _looked(path, "gb18030")
        damaged = chinese.ends == DAMAGED and look.plain
        if (damaged or not chinese.wrong_line) and is_chinese(chinese.sample):
            encoding, look = "gb18030", chinese
    if look.ends == DAMAGED:
        look.wrong_line = 0  # what comes out of a damaged file may go wrong before it stops
    _refuse(look, encoding, path)
    ends = look.ends or ("the file ends in the middle of a character" if look.left else "")
    return TextFile(path, encoding, look.decoded - look.left, ends)


def _head(path: Path) -> bytes:
    try:
        return next(pieces(path), b"")
    except EndsEarly:
        return b""


def _looked(path: Path, encoding: str) -> _Look:
    look = _Look()
    decoder = codecs.getincrementaldecoder(encoding)()
    lines = 1
    unread = pieces(path)
    try:
        for piece in unread:
            waiting = len(decoder.getstate()[0])
            try:
                text = decoder.decode(piece)
            except UnicodeDecodeError as error:
                _stop(look, piece, error.start - waiting, encoding)
                look.wrong_line = lines + piece.count(b"\n", 0, max(0, error.start - waiting))
                look.ends = _end_of(unread)
                return look
            look.decoded += len(piece)
            look.nuls += text.count("\0")
            look.blank = look.blank and not text.strip()
            look.plain = look.plain and text.isascii()
            lines += text.count("\n")
            if len(look.sample) < _SAMPLE and encoding == "gb18030":
                look.sample += text
    except EndsEarly as end:
        look.ends = str(end)
    look.left = len(decoder.getstate()[0])
    return look


def _stop(look: _Look, piece: bytes, wrong: int, encoding: str) -> None:
    """Take what stands before the byte that is wrong."""
    good = piece[: max(0, wrong)]
    look.nuls += piece.count(0)
    look.decoded += wrong
    look.blank = look.blank and not good.strip()
    look.plain = look.plain and good.isascii()
    look.sample += good.decode(encoding, "ignore")[:_SAMPLE]


def _end_of(unread: Iterator[bytes]) -> str:
    """Why a file ends early, found by going to its end; '' where it does not."""
    try:
        for _ in unread:
            pass
    except EndsEarly as end:
        return str(end)
    return ""


def _refuse(look: _Look, encoding: str, path: Path) -> None:
    """Raise where there is no text to read."""
    if look.nuls * _NULS > look.decoded or (look.wrong_line and look.nuls):
        raise SourceError(
            "this file is binary, not text", where=str(path), remedy="export it as text, in UTF-8"
        )
    if look.wrong_line:
        known = "UTF-16" if encoding == "utf-16" else "UTF-8"
        raise SourceError(
            f"this file is not {known} text",
            where=f"{path} line {look.wrong_line}",
            remedy="save it as UTF-8",
        )
    if look.blank and look.ends:
        raise SourceError(look.ends, where=str(path), remedy="fetch it again")
    if look.blank:
        raise SourceError("this file is empty", where=str(path), remedy="leave it out")


@contextmanager
def opened(file: TextFile, *, newline: str = "") -> Iterator[io.TextIOWrapper]:
    """The text of a file as a stream. `newline` is where lines end, '' for any of the usual."""
    raw = io.BufferedReader(_Bytes(file), 1 << 16)  # type: ignore[type-var]
    stream = io.TextIOWrapper(raw, encoding=file.encoding, newline=newline)
    try:
        yield stream
    except UnicodeDecodeError as error:
        raise SourceError(
            "this file changed while it was read", where=str(file.path), remedy="read it again"
        ) from error
    finally:
        stream.close()


class _Bytes(io.RawIOBase):
    """The bytes of an examined file, up to where they can be read."""

    def __init__(self, file: TextFile) -> None:
        self._pieces = pieces(file.path)
        self._left = file.length
        self._piece = memoryview(b"")

    def readable(self) -> bool:
        """Always: this is what the stream is for."""
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        """Fill a buffer; 0 where the bytes end."""
        while not self._piece and self._left:
            try:
                piece = next(self._pieces)
            except (StopIteration, EndsEarly):
                return 0
            self._piece = memoryview(piece)[: self._left]
            self._left -= len(self._piece)
        count = min(len(buffer), len(self._piece))
        buffer[:count] = self._piece[:count]
        self._piece = self._piece[count:]
        return count
