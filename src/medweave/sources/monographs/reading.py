"""Monographs: one record about one disease, drug or other thing."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from medweave.errors import MappingError
from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.identifiers import curie, digest, is_curie, normalise_name
from medweave.model.mapping import FieldRule, Mapping
from medweave.model.record import Record
from medweave.model.statement import (
    INTERACTION_GRADES,
    NO_SEVERITY,
    TREATMENT_LINES,
    Qualifiers,
    qualifiers_of,
)
from medweave.sources.files.row import Row, plain
from medweave.sources.files.rows import data_stem
from medweave.sources.kinds import Opened, Records
from medweave.sources.mapping.lists import split_at
from medweave.sources.mapping.side_tables import Tables

NAME = "monographs"
_BETWEEN = "; "
_ENTRY_NAMES = ("text", "with")
"""Where an entry that is an object has its name or text."""
_LONGEST_PROGRAM_TEXT = 200_000
"""A list written as program text is not read beyond this many characters: Python's own parser
takes two hundred bytes of memory for each."""


def monographs(opened: Opened) -> Records:
    """One record for each row that has a name."""
    path, mapping, tables = opened.path, opened.mapping, opened.tables
    if not (mapping.concept or mapping.concept_field):
        raise MappingError(
            f"the mapping does not say what '{mapping.name_field}' names",
            where=mapping.name,
            remedy="add 'concept: disease', or the column that tells it as 'concept_field'",
        )
    seen: dict[str, str] = {}
    for row in opened.rows:
        if not isinstance(row, Row):
            yield row
            continue
        reason = _unusable(row, mapping)
        if reason:
            yield Skipped(str(path), row.line, reason)
            continue
        lists = [_read_field(rule, row.values.get(rule.field), tables) for rule in mapping.fields]
        for rule, found in zip(mapping.fields, lists, strict=True):
            if found.lost:
                yield Skipped(str(path), row.line, f"{found.lost} in '{rule.field}'")
        record = _record(row, opened, seen=seen, lists=lists)
        if record is None:
            yield Skipped(str(path), row.line, "the same record stands above")
        else:
            yield record


def _unusable(row: Row, mapping: Mapping) -> str:
    name = row.values.get(mapping.name_field)
    if not isinstance(name, str) or not normalise_name(name):
        return f"no name in the field '{mapping.name_field}'"
    if not mapping.header and normalise_name(name) == mapping.concept:
        return f"'{name.strip()}' is the heading of a column"
    if mapping.cut and name.strip().endswith(mapping.cut):
        return f"'{name.strip()}' is a name that was cut short"
    if mapping.concept_field and not plain(row.values.get(mapping.concept_field)):
        return f"no concept in the field '{mapping.concept_field}'"
    return ""


def _record(
    row: Row, opened: Opened, *, seen: dict[str, str], lists: list[_Field]
) -> Record | None:
    values, mapping = row.values, opened.mapping
    subject = plain(values[mapping.name_field])
    language = mapping.language or plain(values.get(mapping.language_field)) or _guess(values)
    fields: list[tuple[str, str]] = [(mapping.name_field, subject)]
    items: list[Item] = []
    for rule, found in zip(mapping.fields, lists, strict=True):
        if found.text:
            fields.append((rule.field, found.text))
            items.extend(found.items)
    content = digest([[list(pair) for pair in fields], language])
    key = plain(values.get(mapping.key_field)) or normalise_name(subject).replace(" ", "_")
    name = _document_name(data_stem(opened.path), key, content, seen)
    if name is None:
        return None
    document = Document(
        source=opened.source,
        name=name,
        title=subject,
        fields=tuple(fields),
        language=language,
        url=plain(values.get(mapping.url_field)),
        evidence_class=mapping.evidence_class,
        sample=values.get("sample") is True,
        line=row.line,
    )
    identifier = curie(plain(values.get(mapping.identifier_field)), mapping.identifier_prefixes)
    held = Monograph(
        subject=subject,
        concept=mapping.concept or plain(values[mapping.concept_field]).lower(),
        identifier=identifier if is_curie(identifier) else "",
        synonyms=tuple(
            text
            for text in _texts(values.get(mapping.synonym_field), mapping.synonym_marks)
            if not (mapping.cut and text.endswith(mapping.cut))
        ),
        xrefs=tuple(_xrefs(values, mapping)),
        items=tuple(items),
    )
    return Record(document, NAME, mapping, held, weight=1 + len(items))


def _document_name(stem: str, key: str, content: str, seen: dict[str, str]) -> str | None:
    """`file#record`. A different record of the same key is told apart by its content.

    None for a record that stands above already; `seen` maps the names given to their contents.
    """
    name = f"{stem}#{key}"
    for candidate in (name, f"{name}~{content[:6]}"):
        if candidate not in seen:
            seen[candidate] = content
            return candidate
        if seen[candidate] == content:
            return None
    return None


def _guess(values: dict[str, Any]) -> str:
    return language_of(" ".join(value for value in values.values() if isinstance(value, str)))


def _xrefs(values: dict[str, Any], mapping: Mapping) -> Iterator[str]:
    """Further identifiers, whether they stand bare or behind their prefix ("InChIKey=…")."""
    for field, prefix in mapping.xrefs:
        for text in _texts(values.get(field), mapping.xref_marks):
            found = curie(text, ((prefix, prefix), (f"{prefix[:-1]}=", prefix), ("", prefix)))
            if is_curie(found):
                yield found


@dataclass(frozen=True, slots=True)
class _Field:
    """The text of a field as kept, its entries with their spans in that text, and what was lost."""

    text: str
    items: tuple[Item, ...]
    lost: str = ""


def _read_field(rule: FieldRule, value: Any, tables: Tables) -> _Field:
    entries = [replace(entry, text=_stripped(entry.text, rule)) for entry in _entries(rule, value)]
    cut = [entry.text for entry in entries if rule.cut and entry.text.endswith(rule.cut)]
    unknown = 0
    parts: list[str] = []
    items: list[Item] = []
    position = 0
    for entry in entries:
        if not entry.text or entry.text in cut or entry.text in rule.none:
            continue
        name, identifier = _looked_up(entry.text, rule, tables)
        if not name:
            unknown += 1
            continue
        end = position + len(name)
        qualifiers = qualifiers_of(dict(entry.qualifiers))
        items.append(
            Item(
                rule,
                name,
                position,
                end,
                cites=entry.cites,
                identifier=identifier,
                qualifiers=qualifiers,
                strength=entry.strength,
                denied=entry.denied,
            )
        )
        parts.append(name)
        position = end + len(_separator(rule))
    shapeless = sum(not _has_text(entry) for entry in _listed(rule, value))
    lost = [f"{len(cut)} cut names"] if cut else []
    lost += [f"{shapeless} entries that are no text"] if shapeless else []
    lost += [f"{unknown} keys without a meaning"] if unknown else []
    lost += [f"'{entry.ungraded}' is no severity" for entry in entries if entry.ungraded]
    return _Field(_separator(rule).join(parts), tuple(items), ", ".join(lost))


def _looked_up(text: str, rule: FieldRule, tables: Tables) -> tuple[str, str]:
    """The name and identifier that a key stands for; a text that is no key stands for itself."""
    if not rule.table:
        return text, ""
    row = tables.row(rule.table, text)
    name = plain(row.get(rule.name)) if row else ""
    return name, curie(text, rule.prefixes)


def _stripped(text: str, rule: FieldRule) -> str:
    for mark in rule.strip:
        text = text.replace(mark, " ").strip()
    return text


def _separator(rule: FieldRule) -> str:
    return "\n" if rule.reading == "text" else _BETWEEN


def _listed(rule: FieldRule, value: Any) -> list[Any]:
    """The entries of a field as the record has them."""
    if isinstance(value, list):
        return value
    listed = _literal_list(value) if isinstance(value, str) else None
    return listed or ([] if isinstance(value, dict) and rule.table else [value])


def _has_text(entry: Any) -> bool:
    """Whether an entry says something that is read, or nothing at all: otherwise it is lost."""
    if isinstance(entry, dict):
        name = next((name for name in _ENTRY_NAMES if name in entry), None)
        return _has_text(entry[name]) if name else False
    return entry is None or isinstance(entry, str) or bool(plain(entry))


@dataclass(frozen=True, slots=True)
class _Entry:
    """One entry of a list: its text, the records it cites, and how grave it says that it is."""

    text: str
    cites: tuple[str, ...] = ()
    qualifiers: tuple[tuple[str, str], ...] = ()
    ungraded: str = ""
    """A severity that is none of ours."""
    strength: float | None = None
    denied: bool = False
    """Whether it says that there is none: an interaction with the severity `none`."""


def _entries(rule: FieldRule, value: Any) -> Iterator[_Entry]:
    if isinstance(value, list):
        yield from map(_entry, value)
    elif isinstance(value, dict) and rule.table:
        yield from (_Entry(str(key)) for key in value)
    elif isinstance(value, dict):
        yield _entry(value)
    elif isinstance(value, str):
        listed = _literal_list(value)
        if listed is not None:
            yield from map(_entry, listed)
        else:
            yield from map(_Entry, _split(rule, _stripped(value, rule)))
    elif value is not None:
        yield _Entry(plain(value))


def _entry(entry: Any) -> _Entry:
    """A list entry: a text, or an object such as `{"text": …, "cites": […]}` or, of interactions,
    `{"with": …, "severity": …, "action": …, "source": …}`, or, of uses, `{"text": …, "line": …}`,
    or, of passages, `{"text": …, "aspect": …}`.
    """
    if not isinstance(entry, dict):
        return _Entry(plain(entry))
    text = next((plain(entry[name]) for name in _ENTRY_NAMES if name in entry), "")
    cites = tuple(_texts(entry.get("cites")) + _texts(entry.get("source")))
    details = {name: plain(entry.get(name)) for name in ("severity", "action", "action_zh")}
    severity = details["severity"].lower()
    denied = severity == NO_SEVERITY
    known = denied or severity in INTERACTION_GRADES
    details["severity"] = severity if known and not denied else ""
    line = plain(entry.get("line")).lower()
    details["line"] = line if line in TREATMENT_LINES else ""
    details["aspect"] = plain(entry.get("aspect"))
    qualifiers = tuple((name, value) for name, value in details.items() if value)
    return _Entry(
        text,
        cites,
        qualifiers,
        "" if known else severity,
        _strength(entry.get("strength")),
        denied,
    )


def _strength(value: Any) -> float | None:
    """A share of 1, None for anything else."""
    share = float(value) if isinstance(value, (int, float)) else 0.0
    return share if 0 < share <= 1 else None


def _literal_list(value: str) -> list[Any] | None:
    """A list that is written as program text ("['a', 'b']") or JSON, read as data, never run."""
    if not value.lstrip().startswith("["):
        return None
    short = len(value) <= _LONGEST_PROGRAM_TEXT
    for parse in (json.loads, ast.literal_eval) if short else (json.loads,):
        try:
            parsed = parse(value.strip())
            "".join(map(str, parsed)).encode()  # half a character can be spelled, and not written
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if isinstance(parsed, list):
            return parsed
    return None


def _split(rule: FieldRule, value: str) -> list[str]:
    """Entries of a text: sentences stay together; lists part at semicolons."""
    if rule.reading in ("text", "passages"):
        return [value.strip()]
    return split_at(value, rule.marks)


def _texts(value: Any, marks: str = "") -> list[str]:
    """The texts in a list, or in one text parted by marks."""
    if isinstance(value, str):
        listed = _literal_list(value)
        value = [p for p in split_at(value, marks) if p] if listed is None else listed
    if isinstance(value, list):
        return [text for text in (plain(entry) for entry in value) if text]
    return []


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of one field, with its span in the document's text of that field."""

    rule: FieldRule
    text: str
    start: int
    end: int
    cites: tuple[str, ...] = ()
    identifier: str = ""
    qualifiers: Qualifiers = ()
    """What the entry itself says of its grade and of what is to be done."""
    strength: float | None = None
    """How much the entry makes of what it says, where it tells."""
    denied: bool = False
    """Whether it says that it is not so."""


@dataclass(frozen=True, slots=True)
class Monograph:
    """A record about one thing."""

    subject: str
    concept: str
    identifier: str = ""
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
