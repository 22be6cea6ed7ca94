"""From rows of a database to statements: the code that reads files, on a few rows at a time."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from medweave.inplace.mapping import Part
from medweave.inplace.rows import ForeignRow
from medweave.model.document import Document, Extraction, Skipped
from medweave.model.identifiers import curie, is_curie
from medweave.model.record import Record
from medweave.model.statement import Activity, Evidence, Place
from medweave.sources.files.row import Row, is_text
from medweave.sources.kinds import Opened, kind_called, used_columns
from medweave.sources.mapping.shaping import shaped
from medweave.sources.mapping.side_tables import Tables
from medweave.sources.names import Naming
from medweave.sources.triples.reading import TripleRow

_VERSION = "1"


def columns_of(part: Part) -> frozenset[str]:
    """The columns that a part may use."""
    return used_columns(part.mapping) | ({part.mapping.key_field} - {""})


def end_of(end: str, part: Part, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a node is called by the part that reads it, as the subject or object of an edge."""
    mapping = part.mapping
    told = str(plain(values.get(mapping.identifier_field, "")))
    identifier = curie(told, mapping.identifier_prefixes)
    return {
        end: values.get(mapping.name_field),
        f"{end}_identifier": identifier if is_curie(identifier) else "",
        f"{end}_concept": mapping.concept or str(plain(values.get(mapping.concept_field, ""))),
    }


class RowReader:
    """Reads the rows of one part as documents, one for each row."""

    def __init__(self, part: Part, source: str, naming: Naming) -> None:
        self._part = part
        self.source = source
        """What its documents name as their source."""
        self._naming = naming
        self._kind = kind_called(part.mapping.kind)
        self._activity = Activity(
            f"mapping {part.mapping.name}", _VERSION, naming.vocabulary.version, "", ""
        )
        self._tables = Tables(Path(), part.mapping)

    def read(self, rows: Iterable[ForeignRow]) -> Iterator[Extraction | Skipped]:
        """What rows say, and why one says nothing."""
        for row in rows:
            yield from self._read_one(row)

    def name_of(self, row: ForeignRow) -> str:
        """What the document of a row is called."""
        return f"{self._part.place}#{row.shown}"

    def _read_one(self, row: ForeignRow) -> Iterator[Extraction | Skipped]:
        where = self.name_of(row)
        values = {name: plain(value) for name, value in row.values.items()}
        if not is_text(values):
            yield Skipped(where, 0, "it holds half a character")
            return
        mapping = self._part.mapping
        path = Path(self._part.place)
        one: Any = iter([Row(0, values)])
        rows = shaped(one, path, mapping, self._tables)
        opened = Opened(path, mapping, rows, self._tables)
        for found in self._kind.read(opened):
            if isinstance(found, Record):
                yield self._extraction(found, where, values)
            else:
                reason = found if isinstance(found, Skipped) else found.skipped
                yield replace(reason, file=where)

    def _extraction(self, record: Record, where: str, values: dict[str, Any]) -> Extraction:
        of_rows = record.kind == "triples"
        title = where if of_rows else record.document.title
        called = replace(record.document, source=self.source, name=where, title=title)
        made = self._kind.extract(replace(record, document=called), self._naming, self._activity.id)
        evidence = made.evidence
        if of_rows:
            called = self._with_cells(called, values)
            cell = self._cell(record.content[0], values)
            evidence = [_quoting(item, cell) for item in evidence]
        return Extraction(
            document=called,
            build_key="",
            statements=tuple(dict.fromkeys(made.statements)),
            evidence=tuple(dict.fromkeys(evidence)),
            mentions=tuple(dict.fromkeys(made.mentions)),
            activity=self._activity,
            skipped=tuple(replace(each, file=where) for each in made.skipped),
        )

    def _with_cells(self, document: Document, values: dict[str, Any]) -> Document:
        """A row of triples with its cells as they are, in place of the line they are read from."""
        cells = tuple((name, text) for name, value in values.items() if (text := _cell(value)))
        return replace(document, fields=cells)

    def _cell(self, row: TripleRow, values: dict[str, Any]) -> tuple[str, str]:
        """The column that is quoted and its text: the row's own quote, or what it has as object."""
        if row.quote:
            return "quote", _cell(values["quote"])
        mapping = self._part.mapping
        column = mapping.object.name if mapping.object else mapping.object_column
        return column, _cell(values[column])


def _quoting(item: Evidence, cell: tuple[str, str]) -> Evidence:
    column, text = cell
    return replace(item, place=Place(column, 0, len(text)), quote=text)


def _cell(value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def plain(value: Any) -> Any:
    """A value of a driver as JSON has them: bytes as text, dates and the like as they print."""
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(each) for each in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _text(bytes(value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1 << 53:
        return int(value)
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)


def _text(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.hex()
