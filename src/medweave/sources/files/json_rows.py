"""Rows of JSON: one record a line, a list of records, or one record."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.json_array import HALF_A_CHARACTER, array_rows, reason_of
from medweave.sources.files.row import (
    MAX_RECORD,
    TOO_LONG,
    Cut,
    Row,
    Rows,
    TwiceError,
    fields_once,
    is_text,
    object_row,
)
from medweave.sources.files.text import TextFile, opened
from medweave.sources.kinds import known_record

MAX_WHOLE = 64_000_000
"""A file that is one object is not read beyond this many characters."""
KEY = "@key"
"""The column with the key of a record, in a file that is one object of records."""
_AT_ONCE = 1 << 16


def jsonl_rows(file: TextFile) -> Rows:
    """The rows of a file with one record a line."""
    with opened(file, newline="\n") as stream:
        for line, content in enumerate(_lines(stream), 1):
            if content is None:
                yield Skipped(str(file.path), line, f"this line is {TOO_LONG}")
            elif content and not content.isspace():
                yield _line_row(content, line, file.path)


def _lines(stream: TextIO) -> Iterator[str | None]:
    """The lines of a stream; None for one that is too long."""
    for content in iter(partial(stream.readline, MAX_RECORD + 1), ""):
        if len(content) <= MAX_RECORD or content[-1] == "\n":
            yield content
            continue
        rest = "-"
        while rest and rest[-1] != "\n":
            rest = stream.readline(_AT_ONCE)
        yield None


def _line_row(content: str, line: int, path: Path) -> Row | Skipped | Cut:
    try:
        value = json.loads(content, object_pairs_hook=fields_once)
    except TwiceError as error:
        return Skipped(str(path), line, str(error))
    except (ValueError, RecursionError) as error:
        skipped = Skipped(str(path), line, f"not JSON: {reason_of(error)}")
        return skipped if content[-1] == "\n" else Cut(skipped)  # no line end: it may be cut
    if "\\u" in content and not is_text(value):
        return Skipped(str(path), line, HALF_A_CHARACTER)
    return object_row(value, line, path)


def json_rows(file: TextFile) -> Rows:
    """The rows of a file with a list of records, one record, or one object around such a list.

    Raises `SourceError` where the file is one object that cannot be read.
    """
    with opened(file) as stream:
        line = 1
        start = ""
        while not start:
            start = stream.read(_AT_ONCE)
            line += _blank_lines(start)
            start = start.lstrip()
        if start[0] == "[":
            yield from array_rows(stream, start[1:], line, file.path)
            return
        if _is_one_a_line(start):
            yield from jsonl_rows(file)
            return
        text = start + stream.read(MAX_WHOLE + 1)
    yield from _object_rows(text, line, file.path)


def _is_one_a_line(start: str) -> bool:
    """Whether a file has one record a line though it is not named so, as several graphs have."""
    first, _, rest = start.partition("\n")
    if not rest.lstrip().startswith("{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _blank_lines(text: str) -> int:
    return text.count("\n", 0, len(text) - len(text.lstrip()))


def _object_rows(text: str, line: int, path: Path) -> Rows:
    if len(text) > MAX_WHOLE:
        raise SourceError(
            "this file is too large to be one object",
            where=str(path),
            remedy="write a list of records, or one record a line and name it .jsonl",
        )
    try:
        value = json.loads(text, object_pairs_hook=fields_once)
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"not JSON: {reason_of(error)}",
            where=f"{path} line {line + getattr(error, 'lineno', 1) - 1}",
            remedy="mend the file; JSON with one record a line must be named .jsonl",
        ) from error
    whole = "\\u" not in text or is_text(value)
    if _is_keyed(value):
        for (key, record), its_line in zip(
            value.items(), _lines_of_keys(text, value, line), strict=True
        ):
            if whole or is_text({key: record}):
                yield object_row({KEY: key, **record}, its_line, path)
            else:
                yield Skipped(str(path), its_line, HALF_A_CHARACTER)
        return
    if not _wraps(value):
        yield object_row(value, line, path) if whole else Skipped(str(path), line, HALF_A_CHARACTER)
        return
    name, records = next((n, part) for n, part in value.items() if isinstance(part, list))
    for record, its_line in zip(records, _lines_of(text, name, line, len(records)), strict=True):
        if whole or is_text(record):
            yield object_row(record, its_line, path)
        else:
            yield Skipped(str(path), its_line, HALF_A_CHARACTER)


def _lines_of_keys(text: str, keys: Iterable[str], line: int) -> Iterator[int]:
    """The lines on which the records of these keys begin, as far as their keys are spelled so."""
    done = 0
    for key in keys:
        beginning = re.compile(re.escape(json.dumps(key, ensure_ascii=False)) + r"\s*:\s*\{")
        match = beginning.search(text, done)
        if match:
            line += text.count("\n", done, match.start())
            done = match.start()
        yield line


def _lines_of(text: str, name: str, line: int, count: int) -> list[int]:
    """The lines on which the entries of the list `name` begin; all 1 where it is not found."""
    beginning = re.search(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:\s*\[", text)
    if beginning:
        line += text.count("\n", 0, beginning.end())
        rows = list(array_rows(io.StringIO(text[beginning.end() :]), "", line, Path(), alone=False))
        if len(rows) == count and not any(isinstance(row, Cut) for row in rows):
            return [row.line for row in rows if not isinstance(row, Cut)]
    return [1] * count


def _is_keyed(value: Any) -> bool:
    """Whether an object is nothing but records by their keys."""
    return (
        isinstance(value, dict)
        and len(value) > 1
        and all(isinstance(part, dict) for part in value.values())
    )


def _wraps(value: Any) -> bool:
    """Whether an object only wraps the list of records."""
    return (
        isinstance(value, dict)
        and "name" not in value
        and not known_record(value)
        and [_holds_records(part) for part in value.values() if isinstance(part, list)] == [True]
    )


def _holds_records(part: list[Any]) -> bool:
    return not part or any(isinstance(entry, dict) for entry in part)
