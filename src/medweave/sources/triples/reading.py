"""Triples: one row, one relation.

Rows are kept together as documents: by the `document` column where there is one, else in pages of
a fixed number of rows, so that a large file is read, stored and resumed piece by piece.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.identifiers import curie, is_curie, normalise_name
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.refinement import plain_name
from medweave.model.statement import INTERACTION_GRADES, Qualifiers
from medweave.ontology.loading import ontology_in
from medweave.sources.files.row import Row
from medweave.sources.files.rows import data_stem
from medweave.sources.kinds import Opened, Records
from medweave.sources.publications import publication_id

NAME = "triples"
EXTRAS = (
    "document",
    "url",
    "quote",
    "polarity",
    "strength",
    "subject_concept",
    "object_concept",
    "severity",
    "action",
    "action_zh",
    "sample",
)
"""Columns that a row may have besides its three parts, whatever its mapping."""
PAGE = 1000
"""Rows of a page."""


def triples(opened: Opened) -> Records:
    """Documents of triples; rows that lack a part are skipped with the reason."""
    path, mapping, source = opened.path, opened.mapping, opened.source
    named: dict[str, list[Row]] = {}
    page: list[Row] = []
    number = 1  # of the page that is being filled
    for row in opened.rows:
        if not isinstance(row, Row):
            yield row
            continue
        reason = _unusable(row, mapping)
        if reason:
            dropped = "broken" if mapping.refined else ""
            yield Skipped(str(path), row.line, reason, dropped=dropped)
            continue
        name = _text(row.values.get(mapping.document_column))
        if name:
            named.setdefault(name, []).append(row)
            continue
        page.append(row)
        if len(page) == PAGE:
            yield _record(f"{data_stem(path)}#{number}", page, mapping, source)
            page, number = [], number + 1
    if page:
        yield _record(f"{data_stem(path)}#{number}", page, mapping, source)
    pages = {f"{data_stem(path)}#{n}" for n in range(1, number + 1)}
    usual = _usual(named, mapping) if mapping.refined else {}
    for name, its_rows in named.items():
        # A document that is called like a page must not take its place.
        called = f"{name}~" if name in pages else name
        record = _record(called, its_rows, mapping, source)
        yield _retyped(record, usual) if usual else record


def _usual(named: dict[str, list[Row]], mapping: Mapping) -> dict[str, str]:
    """The concept that each name of several has most often; where it has two equally often, that
    of the higher priority among the types of the ontology that ships, else the first."""
    counts: dict[str, Counter[str]] = {}
    for row in (row for rows in named.values() for row in rows):
        for end in (_end(row, mapping, "subject"), _end(row, mapping, "object")):
            counts.setdefault(plain_name(end.name), Counter())[end.concept] += 1
    several = {name: found for name, found in counts.items() if len(found) > 1}
    if not several:
        return {}
    priority = {each.term: each.priority for each in ontology_in().classes}
    return {
        name: max(found, key=lambda concept: (found[concept], priority.get(concept, 0)))
        for name, found in several.items()
    }


def _retyped(record: Record, usual: dict[str, str]) -> Record:
    """A record whose names have their usual concepts."""
    return replace(record, content=tuple(_row_retyped(row, usual) for row in record.content))


def _row_retyped(row: TripleRow, usual: dict[str, str]) -> TripleRow:
    ends = ((row.subject, row.subject_concept), (row.object, row.object_concept))
    now = [usual.get(plain_name(name), concept) for name, concept in ends]
    changed = tuple(
        (name, before, after)
        for (name, before), after in zip(ends, now, strict=True)
        if before != after
    )
    if not changed:
        return row
    return replace(row, subject_concept=now[0], object_concept=now[1], retyped=changed)


def _unusable(row: Row, mapping: Mapping) -> str:
    for column in (_name_column(mapping, "subject"), _name_column(mapping, "object")):
        if not normalise_name(_text(row.values.get(column))):
            return f"nothing in the column '{column}'"
    if not normalise_name(_relation(row, mapping)):
        return f"nothing in the column '{mapping.predicate_column}'"
    for column, low, high in (("polarity", -1.0, 1.0), ("strength", 0.0, 1.0)):
        value = row.values.get(column)
        if value in (None, ""):
            continue
        number = _number(value)
        if number is None or not low <= number <= high or (column == "polarity" and not number):
            return f"'{value}' is no {column}"
    return ""


def _name_column(mapping: Mapping, end: str) -> str:
    rule = mapping.subject if end == "subject" else mapping.object
    column = mapping.subject_column if end == "subject" else mapping.object_column
    return rule.name if rule else column


def _relation(row: Row, mapping: Mapping) -> str:
    return mapping.relation or _text(row.values.get(mapping.predicate_column))


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
        url=_text(rows[0].values.get("url")) or publication_id(name).url,
        evidence_class=mapping.evidence_class,
        sample=_text(rows[0].values.get("sample")) == "true",
        line=rows[0].line,
    )
    return Record(document, NAME, mapping, tuple(found), weight=1 + len(found))


def _row_text(row: Row, mapping: Mapping) -> str:
    """What is kept of a row: its quote if it has one, behind its three parts."""
    subject, object_ = _end(row, mapping, "subject"), _end(row, mapping, "object")
    parts = [subject.name, _relation(row, mapping), object_.name]
    quote = _text(row.values.get("quote"))
    return " | ".join(part.replace("\n", " ") for part in ([*parts, quote] if quote else parts))


def _triple(row: Row, mapping: Mapping, start: int, end: int) -> TripleRow:
    values = row.values
    polarity = _number(values.get("polarity"))
    subject, object_ = _end(row, mapping, "subject"), _end(row, mapping, "object")
    return TripleRow(
        subject=subject.name,
        predicate=_relation(row, mapping),
        object=object_.name,
        start=start,
        end=end,
        line=row.line,
        subject_concept=subject.concept,
        object_concept=object_.concept,
        polarity=-1 if polarity is not None and polarity < 0 else 1,
        strength=_number(values.get("strength")),
        quote=_text(values.get("quote")),
        subject_identifier=subject.identifier,
        object_identifier=object_.identifier,
        qualifiers=tuple(_grade(values)),
        typed=_typed(row, mapping) if mapping.refined else (),
    )


def _typed(row: Row, mapping: Mapping) -> tuple[tuple[str, str], ...]:
    rules = (rule for rule in (mapping.subject, mapping.object) if rule)
    return tuple(
        (plain_name(_text(row.values.get(rule.name))), _text(row.values.get(rule.concept)))
        for rule in rules
    )


def _grade(values: dict[str, Any]) -> Iterator[tuple[str, str]]:
    severity = _text(values.get("severity")).lower()
    if severity in INTERACTION_GRADES:
        yield "severity", severity
    for name in ("action", "action_zh"):
        if text := _text(values.get(name)):
            yield name, text


@dataclass(frozen=True, slots=True)
class _End:
    """The subject or object of a row."""

    name: str
    identifier: str
    concept: str


def _end(row: Row, mapping: Mapping, end: str) -> _End:
    rule = mapping.subject if end == "subject" else mapping.object
    values = row.values
    name = _text(values.get(_name_column(mapping, end)))
    if rule is None:
        return _End(name, "", _text(values.get(f"{end}_concept")).lower())
    identifier = curie(_text(values.get(rule.identifier)), rule.prefixes)
    called = _text(values.get(rule.concept))
    concept = dict(rule.concepts).get(called, called.lower())
    return _End(name, identifier if is_curie(identifier) else "", concept)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value.strip()
    return "" if value is None or isinstance(value, (list, dict, bool)) else str(value)


def _number(value: Any) -> float | None:
    try:
        return None if value in (None, "") else float(value)
    except (TypeError, ValueError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class TripleRow:
    """One row of a triple source, with its span in the document's text."""

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    line: int
    subject_concept: str = ""
    object_concept: str = ""
    polarity: int = 1
    strength: float | None = None
    quote: str = ""
    subject_identifier: str = ""
    object_identifier: str = ""
    qualifiers: Qualifiers = ()
    """How grave the row says that it is, and what is to be done."""
    typed: tuple[tuple[str, str], ...] = ()
    """Both names, as `plain_name` has them, with the types that the row gives them."""
    retyped: tuple[tuple[str, str, str], ...] = ()
    """Names whose type is another than the row gives: name, its concept before, and now."""


Triples = tuple[TripleRow, ...]
"""The content of a record of triples."""
