"""Many texts, one a line: one JSON object a line comes out, in order."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from medweave.cli.common import print_json
from medweave.errors import MedweaveError, QuestionError, SourceError


def each_line(file: str, answer: Callable[[str], Any]) -> None:
    """Answer every line of a file, or of stdin (`-`); a refused line gives an error in its place.

    A name that ends in `.jsonl` (or `.jsonl.gz`) means records with a `text`. Lines end at
    a line feed only.
    """
    records = file.removesuffix(".gz").endswith(".jsonl")
    for line in _lines(file):
        try:
            print_json(answer(_text(line) if records else line))
        except MedweaveError as error:
            print_json({"error": error.to_json()})


def _lines(file: str) -> Iterator[str]:
    if file == "-":
        raw = sys.stdin.buffer.read()
    else:
        try:
            raw = Path(file).read_bytes()
            raw = gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
        except (OSError, EOFError) as error:
            raise SourceError("this file cannot be read", where=file, remedy="check it") from error
    lines = raw.split(b"\n")
    for line in lines[:-1] if lines[-1] == b"" else lines:
        yield line.decode("utf-8", errors="replace")


def _text(line: str) -> str:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QuestionError("this line is not JSON", where=line[:60], remedy="mend it") from error
    text = record.get("text") if isinstance(record, dict) else None
    if isinstance(text, str) and not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # half a character can be spelled
    if not isinstance(text, str):
        raise QuestionError("this record has no 'text'", where=line[:60], remedy="give it one")
    return text
