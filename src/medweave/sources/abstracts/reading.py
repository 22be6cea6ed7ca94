"""Abstracts: one record each, under the id of its registry.

The text of one is its title, a line break, and the abstract; a record that has one text keeps it as
it is. All layouts of a publication make the same text, so that its sentences have one place, and
the same publication in two files is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.identifiers import digest
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.abstracts.formats.xml import bioc_document
from medweave.sources.abstracts.layouts import NAME, abstract_mapping, rows_of
from medweave.sources.files.row import Row
from medweave.sources.kinds import Opened, Records
from medweave.sources.publications import PublicationId, publication_id, web_address

TEXT = "text"
"""The field of a document that holds all of its text."""
_IDS = (("nct_id", ""), ("pmid", "PMID:"), ("doi", "DOI:"), ("pub_id", ""), ("id", ""))
"""The columns that may name a publication, and what a mere number in them is one of."""
_LONGEST_ID = 200
_LONGEST_TITLE = 80
_FIRST = 5000
_LETTERS = 20


def abstracts(opened: Opened) -> Records:
    """One record for each publication that has a text and an id."""
    seen: dict[str, str] = {}
    for row in rows_of(opened.path, opened.mapping, opened.rows):
        if not isinstance(row, Row):
            yield row
            continue
        for values in _documents(row.values):
            yield from _record(Row(row.line, values), opened, seen)


def _documents(values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The documents of a row: many in a collection of BioC in JSON."""
    documents = values.get("documents")
    if isinstance(documents, list):
        for document in documents:
            yield from _documents(document if isinstance(document, dict) else {})
    elif isinstance(values.get("passages"), list):
        passages = [
            {"infons": p.get("infons"), "text": _text(p.get("text"))}
            for p in values["passages"]
            if isinstance(p, dict)
        ]
        yield bioc_document(_text(values.get("id")), passages)
    else:
        yield values


def _record(row: Row, opened: Opened, seen: dict[str, str]) -> Iterator[Record | Skipped]:
    where = str(opened.path)
    identifier, text = _identifier(row.values), _whole(row.values)
    if not text:
        yield Skipped(where, row.line, "neither a title nor an abstract")
        return
    if not identifier.id:
        yield Skipped(where, row.line, "no id: neither PMID, trial number nor DOI")
        return
    if len(identifier.id) > _LONGEST_ID:
        yield Skipped(where, row.line, f"an id of more than {_LONGEST_ID} characters")
        return
    if identifier.id in seen:
        same = seen[identifier.id] == digest(text)
        yield Skipped(
            where,
            row.line,
            "the same abstract stands above"
            if same
            else f"another text under the id '{identifier.id}' stands above: kept as well",
        )
        if same:
            return
    name = _free_name(identifier.id, seen)
    seen[name] = digest(text)  # a file may have a hundred thousand
    yield _made(name, identifier, text, row, opened)


def _free_name(identifier: str, seen: dict[str, str]) -> str:
    number = 2
    name = identifier
    while name in seen:
        name = f"{identifier}~{number}"
        number += 1
    return name


def _made(name: str, identifier: PublicationId, text: str, row: Row, opened: Opened) -> Record:
    title = " ".join(_text(row.values.get("title")).split()) or text.split("\n", 1)[0]
    date = _text(row.values.get("date"))
    document = Document(
        source=opened.source,
        name=name,
        title=title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…",
        fields=((TEXT, text), *((("date", date),) if date else ())),
        language=opened.mapping.language or language_of(text[:_FIRST]),
        url=identifier.url or web_address(_text(row.values.get("url"))),
        evidence_class="publication",
        line=row.line,
    )
    return _record_of(document, opened.mapping)


def again(document: Document) -> Record:
    """The record of an abstract that a base holds: its text is all that was read."""
    return _record_of(document, abstract_mapping())


def _record_of(document: Document, mapping: Mapping) -> Record:
    weight = 1 + len(document.text(TEXT)) // _LETTERS
    return Record(document, NAME, mapping, weight=weight, unique=True)


def _identifier(values: dict[str, Any]) -> PublicationId:
    """The first id that a registry knows, else the first that there is."""
    written = [(_text(values.get(column)), plain) for column, plain in _IDS]
    found = [publication_id(text, plain=plain) for text, plain in written if text]
    return next((each for each in found if each.url), found[0] if found else PublicationId(""))


def _whole(values: dict[str, Any]) -> str:
    """Title, line break, abstract; a record with one text alone keeps that."""
    title, abstract = _text(values.get("title")).strip(), _text(values.get("abstract")).strip()
    text = _text(values.get("text"))
    if abstract:
        return f"{title}\n{abstract}" if title else abstract
    if text.strip():
        return f"{title}\n{text.strip()}" if title and title not in text[: 2 * len(title)] else text
    return title


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return ""
