"""Triples: one row, one relation.

Rows are kept together as documents: by the `document` column where there is one, else in pages of
a fixed number of rows, so that a large file is read, stored and resumed piece by piece.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from medweave.documents.rows import Cut, Row, data_stem
from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.identifiers import normalise_name
from medweave.model.mapping import Mapping
from medweave.model.record import Record, TripleRow

PAGE = 1000
"""Rows of a page."""


def triples(
    rows: Iterable[Row | Skipped | Cut], path: Path, mapping: Mapping, source: str
) -> Iterator[Record | Skipped | Cut]:
    """Documents of triples; rows that lack a part are skipped with the reason."""
    named: dict[str, list[Row]] = {}
    page: list[Row] = []
    number = 1
    for row in rows:
        if not isinstance(row, Row):
            yield row
            continue
        reason = _unusable(row, mapping)
        if reason:
            yield Skipped(str(path), row.line, reason)
            continue
        name = _text(row.values.get("document"))
        if name:
            named.setdefault(name, []).append(row)
            continue
        page.append(row)
        if len(page) == PAGE:
            yield _record(f"{data_stem(path)}#{number}", page, mapping, source)
            page, number = [], number + 1
    if page:
        yield _record(f"{data_stem(path)}#{number}", page, mapping, source)
    for name, its_rows in named.items():
        yield _record(name, its_rows, mapping, source)


def _unusable(row: Row, mapping: Mapping) -> str:
    for column in (mapping.subject_column, mapping.predicate_column, mapping.object_column):
        if not normalise_name(_text(row.values.get(column))):
            return f"nothing in the column '{column}'"
    for column, low, high in (("polarity", -1.0, 1.0), ("strength", 0.0, 1.0)):
        value = row.values.get(column)
        if value in (None, ""):
            continue
        number = _number(value)
        if number is None or not low <= number <= high or (column == "polarity" and not number):
            return f"'{value}' is no {column}"
    return ""


def _record(name: str, rows: list[Row], mapping: Mapping, source: str) -> Record:
    lines: list[str] = []
    found: list[TripleRow] = []
    position = 0
    for row in rows:
        text = _row_text(row, mapping)
        found.append(_triple(row, mapping, position, position + len(text)))
        lines.append(text)
        position += len(text) + 1
    whole = "\n".join(lines)
    document = Document(
        source=source,
        name=name,
        title=name,
        fields=(("rows", whole),),
        language=mapping.language or language_of(whole[:2000]),
        url=_text(rows[0].values.get("url")),
        evidence_class=mapping.evidence_class,
        line=rows[0].line,
    )
    return Record(document=document, mapping=mapping, triples=tuple(found))


def _row_text(row: Row, mapping: Mapping) -> str:
    """What is kept of a row: its quote if it has one, behind its three parts."""
    parts = [
        _text(row.values[column]).replace("\n", " ")
        for column in (mapping.subject_column, mapping.predicate_column, mapping.object_column)
    ]
    quote = _text(row.values.get("quote")).replace("\n", " ")
    return " | ".join([*parts, quote] if quote else parts)


def _triple(row: Row, mapping: Mapping, start: int, end: int) -> TripleRow:
    values = row.values
    polarity = _number(values.get("polarity"))
    return TripleRow(
        subject=_text(values[mapping.subject_column]),
        predicate=_text(values[mapping.predicate_column]),
        object=_text(values[mapping.object_column]),
        start=start,
        end=end,
        line=row.line,
        subject_concept=_text(values.get("subject_concept")).lower(),
        object_concept=_text(values.get("object_concept")).lower(),
        polarity=-1 if polarity is not None and polarity < 0 else 1,
        strength=_number(values.get("strength")),
        quote=_text(values.get("quote")),
    )


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None or isinstance(value, (list, dict, bool)) else str(value)


def _number(value: Any) -> float | None:
    try:
        return None if value in (None, "") else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
