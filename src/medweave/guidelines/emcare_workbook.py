"""The workbook of an EmCare guideline: its questions, sets of values and tables, as rows."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from medweave.errors import ConfigurationError, SourceError

_WIDEST = 40
"""Columns beyond it hold nothing but formats."""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row: its sheet, its line there, and its cells by the heading of their column."""

    sheet: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, heading: str) -> str:
        return self.cells.get(heading, "")

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
    headings = [str(cell).strip() if cell is not None else "" for cell in next(rows, ())]
    for line, row in enumerate(rows, start=2):
        cells = {
            heading: str(cell).strip()
            for heading, cell in zip(headings, row, strict=False)
            if heading and cell is not None and str(cell).strip()
        }
        if cells:
            yield SheetRow(sheet.title, line, cells)  # type: ignore[attr-defined]
