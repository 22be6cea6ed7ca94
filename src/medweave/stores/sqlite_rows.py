"""Rows of the SQLite base, and the values they stand for."""

from __future__ import annotations

import json
from typing import Any

from medweave.model.document import Document
from medweave.model.entity import NameMention
from medweave.model.identifiers import canonical_json
from medweave.model.statement import Evidence, Literal, Place, Statement
from medweave.stores.order import object_text, qualifier_text

Row = tuple[Any, ...]

STATEMENT = "id, subject, predicate, object, literal, qualifiers"
EVIDENCE = (
    "statement, document, field, start, stop, quote, class, polarity, strength, confidence, "
    "knowledge_level, agent_type, method, cites, premises, activity"
)
DOCUMENT = "source, name, title, fields, language, url, class, sample, line"


def statement_row(statement: Statement) -> Row:
    """The values of `STATEMENT`."""
    return (
        statement.id,
        statement.subject,
        statement.predicate,
        object_text(statement.object),
        int(isinstance(statement.object, Literal)),
        qualifier_text(statement),
    )


def statement_of(row: Row) -> Statement:
    """A statement from the values of `STATEMENT`."""
    _, subject, predicate, value, literal, qualifiers = row
    thing = Literal(*json.loads(value)) if literal else value
    pairs = tuple((name, held) for name, held in json.loads(qualifiers))
    return Statement(subject, predicate, thing, pairs)


def evidence_row(evidence: Evidence) -> Row:
    """The identifier and the values of `EVIDENCE`."""
    return (
        evidence.id,
        evidence.statement,
        evidence.document,
        evidence.place.field,
        evidence.place.start,
        evidence.place.end,
        evidence.quote,
        evidence.evidence_class,
        evidence.polarity,
        evidence.strength,
        evidence.confidence,
        evidence.knowledge_level,
        evidence.agent_type,
        evidence.method,
        canonical_json(list(evidence.cites)),
        canonical_json(list(evidence.premises)),
        evidence.activity,
    )


def evidence_of(row: Row) -> Evidence:
    """Evidence from the values of `EVIDENCE`."""
    return Evidence(
        statement=row[0],
        document=row[1],
        place=Place(row[2], row[3], row[4]),
        quote=row[5],
        evidence_class=row[6],
        polarity=row[7],
        strength=row[8],
        confidence=row[9],
        knowledge_level=row[10],
        agent_type=row[11],
        method=row[12],
        cites=tuple(json.loads(row[13])),
        premises=tuple(json.loads(row[14])),
        activity=row[15],
    )


def document_row(document: Document) -> Row:
    """The identifier and the values of `DOCUMENT`."""
    return (
        document.id,
        document.source,
        document.name,
        document.title,
        canonical_json([list(pair) for pair in document.fields]),
        document.language,
        document.url,
        document.evidence_class,
        int(document.sample),
        document.line,
    )


def document_of(row: Row) -> Document:
    """A document from the values of `DOCUMENT`."""
    fields = tuple((name, text) for name, text in json.loads(row[3]))
    return Document(row[0], row[1], row[2], fields, row[4], row[5], row[6], bool(row[7]), row[8])


def mention_row(mention: NameMention, document: str) -> Row:
    """The values of the table `mention`."""
    return (
        mention.entity,
        mention.name,
        mention.language,
        mention.concept,
        int(mention.preferred),
        mention.xref,
        document,
    )


def mention_of(row: Row) -> NameMention:
    """A mention from the values of the table `mention`, without the document."""
    entity, name, language, concept, preferred, xref = row
    return NameMention(entity, name, language, concept, bool(preferred), xref)
