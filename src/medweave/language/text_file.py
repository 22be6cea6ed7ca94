"""Small files of text that people write, whole: packed or not, and records of one line.

What is large is read piece by piece: sources in `sources/files`, and texts a line each by the
command line.
"""

from __future__ import annotations

import gzip
import json
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from medweave.errors import MedweaveError, SourceError

PACKED = b"\x1f\x8b"
"""How a file that is compressed with gzip begins."""
Pairs = Callable[[list[tuple[str, Any]]], dict[str, Any]]


def unpacked(held: bytes) -> bytes:
    """The bytes of a file, out of gzip where they are in it."""
    return gzip.decompress(held) if held[:2] == PACKED else held


def read_text(file: str | Path, *, remedy: str, error: type[MedweaveError] = SourceError) -> str:
    """The text of a file, or of stdin (`-`); `error` where it cannot be had, or is not UTF-8."""
    try:
        held = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return unpacked(held).decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise error("this file is not UTF-8", where=str(file), remedy="save it as UTF-8") from cause
    except (OSError, EOFError, zlib.error) as cause:
        raise error("this file cannot be read", where=str(file), remedy=remedy) from cause


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; they end at a line feed only.

    >>> list(lines_of("one\\n\\n two\\u2028three\\n"))
    [(1, 'one'), (3, ' two\\u2028three')]
    """
    return ((number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def read_record(
    line: str | bytes,
    *,
    where: str,
    remedy: str,
    error: type[MedweaveError] = SourceError,
    pairs: Pairs | None = None,
) -> dict[str, Any]:
    """A JSON object of one line; `error` where it is none. `pairs` joins its pairs otherwise.

    >>> read_record('{"text": "I cough."}', where="line 1", remedy="")
    {'text': 'I cough.'}
    """
    try:
        found = json.loads(line, object_pairs_hook=pairs)
    except (ValueError, RecursionError) as cause:
        raise error("this is not JSON", where=where, remedy=remedy) from cause
    if not isinstance(found, dict):
        raise error("this is no record", where=where, remedy=remedy)
    return found
