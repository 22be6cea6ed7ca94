"""Rows of the SQLite base, and the values they stand for."""

from __future__ import annotations

import json
import zlib
from typing import Any

from medweave.language.folding import name_key
from medweave.language.stems import name_stems
from medweave.model.document import Document
from medweave.model.edge import statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.identifiers import canonical_json
from medweave.model.statement import Activity, Evidence, Literal, Place, Statement
from medweave.stores.manner import evidence_that_speaks
from medweave.stores.order import object_text, qualifier_text

Row = tuple[Any, ...]

DOCUMENT = "source, name, title, fields, language, url, class, sample, line"


def statement_row(statement: Statement, predicate: int, evidence: list[Evidence]) -> Row:
    """A row of the table `statement`; `predicate` is the number of its word."""
    text = object_text(statement.object)
    return (
        statement_number(statement.id),
        thing_number(statement.subject),
        predicate,
        thing_number(text),
        text if isinstance(statement.object, Literal) else None,
        qualifier_text(statement) if statement.qualifiers else None,
        max((item.strength for item in evidence if item.polarity > 0), default=0),
        int(any(item.polarity < 0 for item in evidence)),
    )


def statement_of(subject: str, predicate: str, value: str, row: Row) -> Statement:
    """A statement from its texts and (literal, qualifiers)."""
    literal, qualifiers = row
    thing = value if literal is None else Literal(*json.loads(literal))
    pairs = tuple((name, held) for name, held in json.loads(qualifiers)) if qualifiers else ()
    return Statement(subject, predicate, thing, pairs)


def texts_or_none(texts: tuple[str, ...]) -> str | None:
    """Texts as canonical JSON, None for none."""
    return canonical_json(list(texts)) if texts else None


def evidence_of(statement: str, document: str, manner: str, activity: str, row: Row) -> Evidence:
    """Evidence from its texts and (field, start, stop, quote, cites, premises)."""
    field, start, stop, quote, cites, premises = row
    return evidence_that_speaks(
        manner,
        statement=statement,
        document=document,
        place=Place(field, start, stop),
        quote=quote,
        cites=cites,
        premises=premises,
        activity=activity,
    )


def activity_content(activity: Activity) -> str:
    """An activity without its identifier, as canonical JSON."""
    return canonical_json(
        [activity.method, activity.version, activity.vocabulary, activity.model, activity.time]
    )


def document_row(document: Document) -> Row:
    """The identifier and the values of `DOCUMENT`; the text is compressed."""
    fields = canonical_json([list(pair) for pair in document.fields])
    return (
        document.id,
        document.source,
        document.name,
        document.title,
        zlib.compress(fields.encode(), 6),
        document.language,
        document.url,
        document.evidence_class,
        int(document.sample),
        document.line,
    )


def document_of(row: Row) -> Document:
    """A document from the values of `DOCUMENT`."""
    fields = tuple((name, text) for name, text in json.loads(zlib.decompress(row[3])))
    return Document(row[0], row[1], row[2], fields, row[4], row[5], row[6], bool(row[7]), row[8])


def name_row(mention: NameMention) -> Row:
    """A row of the table `name`; its number is derived from all it says."""
    values = (
        mention.name,
        mention.language,
        mention.concept,
        int(mention.preferred),
        mention.xref,
    )
    number = thing_number(canonical_json([mention.entity, *values]))
    return (number, thing_number(mention.entity), name_key(mention.name), *values)


def name_word_rows(number: int, name: str) -> list[Row]:
    """Rows of the table `name_word` for the name with this number."""
    words = name_stems(name)
    return [(word, number, len(words)) for word in words]


def mention_of(row: Row) -> NameMention:
    """A mention from (entity, name, language, concept, preferred, xref)."""
    entity, name, language, concept, preferred, xref = row
    return NameMention(entity, name, language, concept, bool(preferred), xref)
