"""Rows of tables: CSV with quotes, and columns between tabs."""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TextIO

from medweave.model.document import Skipped
from medweave.sources.files.columns import folded, known_columns
from medweave.sources.files.row import MAX_RECORD, TOO_LONG, Cut, Row, Rows
from medweave.sources.files.text import TextFile, opened
from medweave.sources.kinds import layout_of

NO_HEADER = ("0", "1", "2")
"""Field names of a three-column file without a header."""
_COLUMNS_OF_A_HEADER = 2
"""This many words that columns tend to be called make a first row a header."""
_AT_ONCE = 1 << 16
_AGAIN = 10
"""So often a file is read again from the line after a quote that never closes."""

csv.field_size_limit(MAX_RECORD)


class _TooLong(Exception):  # noqa: N818 - becomes a row that is skipped
    """The row being read is too long."""


class _Lines:
    """The lines of a table, those of the present row kept until it is whole."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.row: list[str] = []
        self.again: deque[str] = deque()
        self.number = 0
        """Lines handed out so far."""
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        length, read = 0, partial(self.stream.readline, MAX_RECORD + 1)
        while line := self.again.popleft() if self.again else read():
            length = length + len(line) if self.row else len(line)
            self.number += 1
            if length > MAX_RECORD:
                self._too_long(line)
            self.row.append(line)
            yield line
        self.ended = True

    def _too_long(self, line: str) -> None:
        if len(line) > MAX_RECORD:
            while line and line[-1] not in "\r\n":
                line = self.stream.readline(_AT_ONCE)
        else:
            self.row.append(line)
        raise _TooLong

    def back_to_second(self) -> None:
        """Let the row begin anew after its first line."""
        rest = self.row[1:]
        self.again.extendleft(reversed(rest))
        self.number -= len(rest)


@dataclass(frozen=True, slots=True)
class Form:
    """How a table is written, where that cannot be told from the table."""

    header: bool = True
    """Whether the first row may be a header. Without one the columns are "0", "1" and so on; three
    columns whose first row is no header are told by themselves."""
    quoted: bool = False
    """Whether cells between tabs may stand in quotes, and so span lines; between commas they may
    always."""
    columns: frozenset[str] = frozenset()
    """Names that columns are known to have; two of them make a first row a header."""


USUAL = Form()


def table_rows(file: TextFile, delimiter: str, form: Form = USUAL) -> Rows:
    """The rows of a table."""
    with opened(file) as stream:
        yield from _rows(_Lines(stream), file, delimiter, form)


def _rows(lines: _Lines, file: TextFile, delimiter: str, form: Form) -> Rows:
    reader = _reader(lines, delimiter, form)
    header: list[str] | None = None
    again = _AGAIN
    while True:
        lines.row.clear()
        line = lines.number + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield Cut(Skipped(str(file.path), line, f"not a table from here on: {error}"))
            return
        except _TooLong:
            skipped = Skipped(str(file.path), line, _why_long(lines))
            if len(lines.row) > 1:
                again -= 1
                lines.back_to_second()
            if not again:
                yield Cut(skipped)
                return
            yield skipped
            reader = _reader(lines, delimiter, form)
            continue
        if lines.ended or lines.row[-1][-1] not in "\r\n":
            reason = _cut(lines, cells, header, file.ends)
            if reason:
                yield Cut(Skipped(str(file.path), line, reason))
                return
        if not any(map(str.strip, cells)):
            continue
        if header is None:
            header = _header(cells, form) if form.header else None
            if header is not None:
                yield from _twice(header, line, file.path)
                continue
            header = list(map(str, range(len(cells))))
        yield _row(header, cells, line, file.path)


def _reader(lines: _Lines, delimiter: str, form: Form) -> Iterator[list[str]]:
    if delimiter == "," or form.quoted:
        return csv.reader(lines, delimiter=delimiter)
    return csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)


def _why_long(lines: _Lines) -> str:
    if len(lines.row) > 1:
        return f"a quote is opened here and not closed, or this row is {TOO_LONG}"
    return f"this row is {TOO_LONG}"


def _cut(lines: _Lines, cells: list[str], header: list[str] | None, ends: str) -> str:
    """Why the last row of a table seems to be cut in its middle, '' where it does not."""
    if lines.ended:
        return "a quote is opened here and not closed"
    if ends:
        return ends
    if header and any(map(str.strip, cells)) and len(cells) < len(header):
        return f"{len(cells)} cells where the header has {len(header)}, and the file ends there"
    return ""


def _header(cells: list[str], form: Form) -> list[str] | None:
    """The header, or None where the first row of three is data already."""
    known = {"subject", "predicate", "object", "h", "r", "t", "name", "concept"}
    lowered = {cell.strip().lower() for cell in cells}
    columns = sum(folded(cell) in known_columns() or cell.strip() in form.columns for cell in cells)
    data = not lowered & known and columns < _COLUMNS_OF_A_HEADER
    if len(cells) == len(NO_HEADER) and data and layout_of(cells) is None:
        return None
    return [cell.strip() for cell in cells]


def _twice(header: list[str], line: int, path: Path) -> Iterator[Skipped]:
    """Columns of one name: of these the last is read, which must be told."""
    for name in sorted({name for name in header if name and header.count(name) > 1}):
        yield Skipped(str(path), line, f"the column '{name}' stands twice; the last one is read")


def _row(header: list[str], cells: list[str], line: int, path: Path) -> Row | Skipped:
    if len(cells) != len(header):
        reason = f"{len(cells)} cells where the header has {len(header)}"
        return Skipped(str(path), line, reason)
    return Row(line, {name: cell for name, cell in zip(header, cells, strict=True) if name})
