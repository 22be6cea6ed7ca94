"""The workbook of an EmCare guideline: its questions, sets of values and tables, as rows."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from medweave.errors import ConfigurationError, SourceError

_ENGLISH = re.compile(r"^en\b|\(en\b|^english")
_WIDEST = 40
"""Columns beyond it hold nothing but formats."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row: its sheet, its line there, and its cells by the heading of their column.

    Headings differ in nothing by their case. A text in several languages (`label::en`) is read in
    English where there is one, else in the first, unless it has a column without a language.
    """

    sheet: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, heading: str) -> str:
        return self.cells.get(heading.casefold(), "")

    @property
    def where(self) -> str:
        """Where to look for it."""
        return f"{self.sheet}, row {self.line}"


@dataclass(frozen=True, slots=True)
class Workbook:
    """All sheets, each with its rows below the headings."""

    name: str
    sheets: Mapping[str, tuple[SheetRow, ...]]

    def questions(self) -> Iterator[SheetRow]:
        """The rows of all question sheets, in the order of the sheets."""
        for name, rows in self.sheets.items():
            if name.lower().startswith("q."):
                yield from rows

    def values(self) -> Iterator[SheetRow]:
        """The rows of the sheet of sets of values."""
        for name, rows in self.sheets.items():
            if name.lower() == "valueset":
                yield from rows


def read_workbook(content: bytes, *, where: str = "") -> Workbook:
    """All sheets of an .xlsx file. Raises `SourceError`, or `ConfigurationError` without openpyxl.

    A formula that shows another cell is read as that cell, as the program that wrote it did.
    """
    try:
        from openpyxl import load_workbook
        from openpyxl.utils.exceptions import InvalidFileException
    except ImportError as error:
        raise ConfigurationError(
            "reading a workbook needs openpyxl", remedy="pip install 'medweave[guidelines]'"
        ) from error
    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        raise SourceError(f"it is no workbook ({error})", where=where) from error
    sheets = {sheet.title: tuple(_rows(sheet)) for sheet in book.worksheets}
    book.close()
    return Workbook(where, sheets)


def _rows(sheet: object) -> Iterator[SheetRow]:
    rows = sheet.iter_rows(values_only=True, max_col=_WIDEST)  # type: ignore[attr-defined]
    headings = [str(cell).strip().casefold() if cell is not None else "" for cell in next(rows, ())]
    columns = _columns(headings)
    for line, row in enumerate(rows, start=2):
        cells: dict[str, str] = {}
        for at, heading in columns:
            text = str(row[at]).strip() if at < len(row) and row[at] is not None else ""
            if text:
                cells.setdefault(heading, text)
        if cells:
            yield SheetRow(sheet.title, line, cells)  # type: ignore[attr-defined]


def _columns(headings: list[str]) -> list[tuple[int, str]]:
    """(number of the column, heading without its language); of one heading, the preferred first.

    >>> _columns(["id", "label::sw", "label::english (en)"])
    [(0, 'id'), (2, 'label'), (1, 'label')]
    """
    found = []
    for at, heading in enumerate(headings):
        name, _, language = (part.strip() for part in heading.partition("::"))
        if name:
            rank = 0 if not language else 1 if _ENGLISH.search(language) else 2
            found.append((rank, at, name))
    return [(at, name) for _, at, name in sorted(found)]
