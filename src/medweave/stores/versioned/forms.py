"""The parts of a base as rows, and back: what has a type that a database may bend, as JSON."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode

from medweave.language.folding import name_key
from medweave.model.document import Document, Extraction
from medweave.model.edge import statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.identifiers import canonical_json
from medweave.model.passage import whole_of
from medweave.model.statement import Activity, Evidence, Literal, Place, Statement
from medweave.stores.manner import evidence_that_speaks, manner_of
from medweave.stores.order import object_text
from medweave.stores.versioned.rows import Row

STATEMENT = ("n", "subject", "predicate", "object", "literal", "qualifiers")
EVIDENCE = (
    *("n", "statement", "document", "document_name", "field", "start", "stop", "quote"),
    *("manner", "cites", "premises", "run"),
)
DOCUMENT = ("source", "name", "title", "fields", "language", "url", "class", "sample", "line")
NAME = ("thing", "name", "language", "concept", "preferred", "xref", "document")


def statement_row(statement: Statement) -> Row:
    """A statement; a thing and a literal that are written alike differ in `literal`."""
    text = object_text(statement.object)
    row = {
        "n": statement_number(statement.id),
        "subject": statement.subject,
        "predicate": statement.predicate,
        "object": text,
        "literal": int(statement.object_entity is None),
        "subject_n": thing_number(statement.subject),
        "predicate_n": thing_number(statement.predicate),
        "object_n": thing_number(text),
    }
    if statement.qualifiers:
        row["qualifiers"] = canonical_json([list(pair) for pair in statement.qualifiers])
    return row


def statement_of(row: Row) -> Statement:
    """The statement of a row with the fields `STATEMENT`."""
    thing = Literal(*json.loads(row["object"])) if row["literal"] else row["object"]
    pairs = json.loads(row.get("qualifiers") or "[]")
    qualifiers = tuple((name, held) for name, held in pairs)
    return Statement(row["subject"], row["predicate"], thing, qualifiers)


def evidence_row(item: Evidence, document: Document) -> Row:
    """A piece of evidence with the name of its document, which its place in lists hangs on."""
    row = {
        "n": thing_number(item.id),
        "statement_n": statement_number(item.statement),
        "document_n": thing_number(document.id),
        "statement": item.statement,
        "document": document.id,
        "document_name": document.name,
        "source": document.source,
        "class": item.evidence_class,
        "polarity": item.polarity,
        "field": item.place.field,
        "start": item.place.start,
        "stop": item.place.end,
        "quote": item.quote,
        "manner": manner_of(item),
        "run": item.activity,
    }
    for name, texts in (("cites", item.cites), ("premises", item.premises)):
        if texts:
            row[name] = canonical_json(list(texts))
    return row


def evidence_of(row: Row) -> Evidence:
    """The evidence of a row with the fields `EVIDENCE`."""
    return evidence_that_speaks(
        row["manner"],
        statement=row["statement"],
        document=row["document"],
        place=Place(row["field"], row["start"], row["stop"]),
        quote=row["quote"],
        cites=row.get("cites"),
        premises=row.get("premises"),
        activity=row["run"],
    )


def premise_rows(item: Evidence) -> list[Row]:
    """For each thing that evidence was inferred from, a row to find the evidence by."""
    number = thing_number(item.id)
    return [
        {"n": premise_number(item, premise), "premise_n": thing_number(premise), "of_n": number}
        for premise in dict.fromkeys(item.premises)
    ]


def premise_number(item: Evidence, premise: str) -> int:
    """What a row of `premise_rows` is."""
    return thing_number(f"{item.id} {premise}")


def document_row(extraction: Extraction) -> Row:
    """A document and how it was made."""
    document = extraction.document
    row = {
        "n": thing_number(document.id),
        "source_n": thing_number(document.source),
        "name_n": thing_number(document.name),
        "id": document.id,
        "source": document.source,
        "name": document.name,
        "title": document.title,
        "fields": canonical_json([list(pair) for pair in document.fields]),
        "language": document.language,
        "url": document.url,
        "class": document.evidence_class,
        "sample": int(document.sample),
        "line": document.line,
        "content_key": document.content_key(),
        "build_key": extraction.build_key,
        "run_n": thing_number(extraction.activity.id),
    }
    if whole := whole_of(document.name):
        row["whole_n"] = thing_number(whole)
    return row


def document_of(row: Row) -> Document:
    """The document of a row with the fields `DOCUMENT`."""
    fields = tuple((name, text) for name, text in json.loads(row["fields"]))
    return Document(
        row["source"],
        row["name"],
        row["title"],
        fields,
        row["language"],
        row["url"],
        row["class"],
        bool(row["sample"]),
        row["line"],
    )


def name_row(mention: NameMention, document: Document) -> Row:
    """One document calling one thing by one name."""
    row = {
        "thing": mention.entity,
        "name": mention.name,
        "language": mention.language,
        "concept": mention.concept,
        "preferred": int(mention.preferred),
        "xref": mention.xref,
        "document": document.id,
    }
    numbers = {
        "n": thing_number(canonical_json([row[each] for each in NAME])),
        "thing_n": thing_number(mention.entity),
        "key_n": thing_number(name_key(mention.name)),
        "concept_n": thing_number(mention.concept),
        "document_n": thing_number(document.id),
    }
    if mention.xref:
        numbers["xref_n"] = thing_number(mention.xref)
    return {**row, **numbers, "source": document.source}


def mention_of(row: Row) -> NameMention:
    """The mention of a row with the fields `NAME`."""
    return NameMention(
        row["thing"],
        row["name"],
        row["language"],
        row["concept"],
        bool(row["preferred"]),
        row["xref"],
    )


def thing_row(identifier: str) -> Row:
    """A thing that something names or says something of."""
    return {"n": thing_number(identifier), "id": identifier}


def run_row(activity: Activity) -> Row:
    """A run of which documents came."""
    parts = [activity.method, activity.version, activity.vocabulary, activity.model, activity.time]
    return {"n": thing_number(activity.id), "content": canonical_json(parts)}


def activity_of(row: Row) -> Activity:
    """The run of a row with the field `content`."""
    return Activity(*json.loads(row["content"]))


def note_row(key: str, text: str) -> Row:
    """A text kept with the base."""
    return {"n": thing_number(key), "key": key, "text": text}


def vector_row(row: Row) -> Row:
    """The row of a vector whose bytes are given: as a text, since rows have no bytes."""
    return {**row, "vector": b64encode(row["vector"]).decode()}


def vector_read(row: Row) -> Row:
    """The row of a vector with its bytes, where these were asked for."""
    return {**row, "vector": b64decode(row["vector"])} if "vector" in row else row
