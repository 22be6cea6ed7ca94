"""Rows of a file: JSON, JSONL, CSV and TSV, compressed or not, each with its line.

A broken row becomes a `Skipped` in the stream; only a file that cannot be read at all raises.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.documents.columns import folded, known_columns
from medweave.errors import SourceError
from medweave.language.segmentation import is_chinese
from medweave.model.document import Skipped

MAX_BYTES = 2_000_000_000
"""No file is read beyond this many bytes, unpacked."""
SUFFIXES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")
_COLUMNS_OF_A_HEADER = 2
"""This many words that columns tend to be called make a first row a header."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
NO_HEADER = ("0", "1", "2")
"""Field names of a three-column file without a header."""

csv.field_size_limit(16_000_000)


@dataclass(frozen=True, slots=True)
class Row:
    """One record as the file has it; `line` counts from 1."""

    line: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """The file ends in the middle: what follows it is unknown, not absent."""

    skipped: Skipped


def read_rows(path: Path) -> Iterator[Row | Skipped | Cut]:
    """The rows of a file in their order.

    Raises `SourceError` where the file is missing, empty, a folder, of an unknown format or
    not text.
    """
    text = read_text(path)
    suffix = data_suffix(path)
    if suffix in (".jsonl", ".ndjson"):
        return _jsonl_rows(text, path)
    if suffix == ".json":
        return _json_rows(text, path)
    if suffix in (".csv", ".tsv"):
        return _table_rows(text, path, "," if suffix == ".csv" else "\t")
    raise SourceError(
        "a file of an unknown format", where=str(path), remedy=f"give one of {', '.join(SUFFIXES)}"
    )


def line_count(path: Path) -> int:
    """How many lines a file has, unpacked: what progress is measured against."""
    return read_text(path).count("\n") + 1


def data_suffix(path: Path) -> str:
    """The suffix that tells the format, whatever compression comes after it.

    >>> data_suffix(Path("a/triples.jsonl.gz"))
    '.jsonl'
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def data_stem(path: Path) -> str:
    """The name of a data file without its suffixes."""
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return Path(name).stem


def read_text(path: Path) -> str:
    """The text of a file, unpacked and decoded: UTF-8, UTF-16 with a mark, or GB18030."""
    raw = _read_bytes(path)
    text = _decoded(raw, "utf-16", path) if raw[:2] in _UTF16 else _text_of_bytes(raw, path)
    if not text.strip():
        raise SourceError("this file is empty", where=str(path), remedy="leave it out")
    return text


def _text_of_bytes(raw: bytes, path: Path) -> str:
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        position = error.start
    try:
        text = raw.decode("gb18030")
    except UnicodeDecodeError:
        text = ""
    if is_chinese(text):
        return text
    line = raw.count(b"\n", 0, position) + 1
    raise SourceError(
        "this file is not UTF-8 text", where=f"{path} line {line}", remedy="save it as UTF-8"
    )


def _decoded(raw: bytes, encoding: str, path: Path) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceError(
            f"this file is not {encoding} text", where=str(path), remedy="save it as UTF-8"
        ) from error


def _read_bytes(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
        if raw[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(raw)) as stream:
                raw = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, ValueError) as error:  # ValueError: a NUL in the path
        raise SourceError("no such file", where=str(path), remedy="check the path") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise SourceError(
            "this compressed file is damaged", where=str(path), remedy="fetch it again"
        ) from error
    except OSError as error:
        raise SourceError(
            f"this file cannot be read ({error.strerror})",
            where=str(path),
            remedy="check the path and its permissions",
        ) from error
    if len(raw) > MAX_BYTES:
        raise SourceError("this file is too large", where=str(path), remedy="split it")
    return raw


def _jsonl_rows(text: str, path: Path) -> Iterator[Row | Skipped | Cut]:
    lines = text.split("\n")
    for line, content in enumerate(lines, 1):
        if not content.strip():
            continue
        try:
            value = json.loads(content)
        except (ValueError, RecursionError) as error:
            skipped = Skipped(str(path), line, f"not JSON: {_reason(error)}")
            yield Cut(skipped) if line == len(lines) else skipped  # no line end: it may be cut
            continue
        yield _object_row(value, line, path)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return getattr(error, "msg", "") or "a number has too many digits"


def _object_row(value: Any, line: int, path: Path) -> Row | Skipped:
    if isinstance(value, dict):
        if not _is_text(value):
            return Skipped(str(path), line, "it holds half a character (a lone surrogate)")
        return Row(line, value)
    return Skipped(str(path), line, f"a record must be an object, this is {_kind(value)}")


def _is_text(value: Any) -> bool:
    """Whether all texts can be written: JSON can spell halves of characters that cannot."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")


def _json_rows(text: str, path: Path) -> Iterator[Row | Skipped | Cut]:
    start = len(text) - len(text.lstrip())
    if text[start : start + 1] == "[":
        yield from _array_rows(text, start + 1, path)
        return
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"not JSON: {_reason(error)}",
            where=f"{path} line {getattr(error, 'lineno', 1)}",
            remedy="mend the file; JSON with one record a line must be named .jsonl",
        ) from error
    if not _wraps(value):
        yield _object_row(value, text.count("\n", 0, start) + 1, path)
        return
    name, records = next((n, part) for n, part in value.items() if isinstance(part, list))
    for record, line in zip(records, _lines_of(text, name, len(records)), strict=True):
        yield _object_row(record, line, path)


def _lines_of(text: str, name: str, count: int) -> list[int]:
    """The lines on which the entries of the list `name` begin; all 1 where it is not found."""
    opening = re.search(re.escape(json.dumps(name, ensure_ascii=False)) + r"\s*:\s*\[", text)
    if opening:
        rows = list(_array_rows(text, opening.end(), Path()))
        if len(rows) == count and not any(isinstance(row, Cut) for row in rows):
            return [row.line for row in rows if not isinstance(row, Cut)]
    return [1] * count


def _wraps(value: Any) -> bool:
    """Whether an object only wraps the list of records."""
    return (
        isinstance(value, dict)
        and "name" not in value
        and sum(isinstance(part, list) for part in value.values()) == 1
    )


def _array_rows(text: str, position: int, path: Path) -> Iterator[Row | Skipped | Cut]:
    decoder = json.JSONDecoder()
    line, counted = 1, 0
    while True:
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        line += text.count("\n", counted, position)
        counted = position
        if text[position : position + 1] == "]":
            return
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            reason = f"not JSON from here on: {_reason(error)}"
            yield Cut(Skipped(str(path), line, reason))
            return
        yield _object_row(value, line, path)


def _table_rows(text: str, path: Path, delimiter: str) -> Iterator[Row | Skipped | Cut]:
    lines = io.StringIO(text, newline="")
    quoted = delimiter == ","
    if quoted:
        reader = csv.reader(lines)
    else:
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    header: list[str] | None = None
    while True:
        start, line = lines.tell(), reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Cut(Skipped(str(path), line, f"not a table from here on: {error}"))
            return
        reason = _cut(text[start:], cells, header, quoted) if lines.tell() == len(text) else ""
        if reason:
            yield Cut(Skipped(str(path), line, reason))
            return
        if not any(cell.strip() for cell in cells):
            continue
        if header is None:
            header = _header(cells)
            if header is not None:
                continue
            header = list(NO_HEADER)
        yield _table_row(header, cells, line, path)


def _cut(last: str, cells: list[str], header: list[str] | None, quoted: bool) -> str:
    """Why the last row of a table seems to be cut in its middle, '' where it does not."""
    if quoted and last.count('"') % 2:
        try:
            list(csv.reader(io.StringIO(last, newline=""), strict=True))
        except csv.Error:
            return "a quote is opened here and not closed"
    if header and last.strip() and last[-1] not in "\r\n" and len(cells) < len(header):
        return f"{len(cells)} cells where the header has {len(header)}, and the file ends there"
    return ""


def _header(cells: list[str]) -> list[str] | None:
    """The header, or None where the first row of three is data already."""
    known = {"subject", "predicate", "object", "h", "r", "t", "name", "concept"}
    lowered = {cell.strip().lower() for cell in cells}
    columns = sum(folded(cell) in known_columns() for cell in cells)
    if len(cells) == len(NO_HEADER) and not lowered & known and columns < _COLUMNS_OF_A_HEADER:
        return None
    return [cell.strip() for cell in cells]


def _table_row(header: list[str], cells: list[str], line: int, path: Path) -> Row | Skipped:
    if len(cells) != len(header):
        reason = f"{len(cells)} cells where the header has {len(header)}"
        return Skipped(str(path), line, reason)
    return Row(line, {name: cell for name, cell in zip(header, cells, strict=True) if name})
