"""A base as nodes and edges: the rows that all tables and graph files of exchange are made of.

The plain columns are for other programs: Biolink categories and predicates, names, publications.
The column `medweave` holds the row's part of the base as JSON, and is what is read back.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from medweave.errors import SourceError
from medweave.graph.contents import Contents, check_counts, check_whole
from medweave.graph.payload import from_plain, to_plain
from medweave.model.belief import belief
from medweave.model.document import Document
from medweave.model.entity import Entity, NameMention
from medweave.model.identifiers import digest
from medweave.model.statement import Activity, Evidence, Literal, Statement, SupportedStatement
from medweave.vocabulary.vocabulary import Vocabulary

Value = str | int | float | bool | list[str] | None
Row = dict[str, Value]
"""A node or an edge; empty values are left out by whoever writes it."""
PAYLOAD = "medweave"
_KNOWLEDGE_SOURCE = "infores:medweave"
_LITERAL = "biolink:InformationContentEntity"
_DOCUMENT = "biolink:Publication"
_THING = "biolink:NamedThing"
_ASSOCIATION = "biolink:Association"
_BASE = "mw.base:medweave"
"""The node of what a base remembers of itself."""


def node_rows(
    contents: Contents, entities: Mapping[str, Entity], vocabulary: Vocabulary
) -> Iterator[Row]:
    """The base itself, things, documents, and values that stand in place of things."""
    held = _as_json({"notes": dict(contents.notes), "counts": contents.counts()})
    yield {"id": _BASE, "category": [_LITERAL], "name": "medweave", PAYLOAD: held}
    for thing in contents.things:
        yield _thing(entities[thing], contents.names.get(thing, ()), vocabulary)
    runs = {activity.id: activity for activity in contents.activities}
    used: dict[str, set[str]] = defaultdict(set)
    literals = {}
    for supported in contents.statements:
        for item in supported.evidence:
            used[item.document].add(item.activity)
        if isinstance(supported.statement.object, Literal):
            literals[object_id(supported.statement.object)] = supported.statement.object
    for document in contents.documents:
        activities = [runs[each] for each in sorted(used[document.id]) if each in runs]
        yield _document(document, contents.build_keys.get(document.id, ""), activities)
    for identifier in sorted(literals):
        literal = literals[identifier]
        yield {"id": identifier, "category": [_LITERAL], "name": str(literal.value)}


def edge_rows(contents: Contents, vocabulary: Vocabulary) -> Iterator[Row]:
    """Statements, by id."""
    documents = {document.id: document for document in contents.documents}
    for supported in contents.statements:
        yield _edge(supported, documents, vocabulary)


def object_id(thing: str | Literal) -> str:
    """The id of the node that an edge leads to: a thing, or a value in place of one."""
    return thing if isinstance(thing, str) else "mw.literal:" + digest(thing.key())


def contents_from(nodes: Iterable[Row], edges: Iterable[Row], where: str) -> Contents:
    """What a base held, from its rows in any order; `SourceError` where they are not whole."""
    names: dict[str, list[tuple[NameMention, tuple[str, ...]]]] = defaultdict(list)
    documents: dict[str, Document] = {}
    keys: dict[str, str] = {}
    runs: dict[str, Activity] = {}
    notes: dict[str, str] = {}
    counts: dict[str, Any] | None = None
    for row in nodes:
        held = _payload(row, where)
        if row.get("id") == _BASE:
            notes, counts = held.get("notes", {}), held.get("counts", {})
        for plain, of in held.get("mentions", ()):
            mention = from_plain(NameMention, plain, where)
            names[mention.entity].append((mention, tuple(of)))
        if "document" in held:
            document = from_plain(Document, held["document"], where)
            documents[document.id] = document
            keys[document.id] = held.get("build_key", "")
            activities = (from_plain(Activity, plain, where) for plain in held["activities"])
            runs.update((activity.id, activity) for activity in activities)
    statements = [_supported(_payload(row, where), where) for row in edges]
    found = Contents(
        tuple(sorted(documents.values(), key=lambda each: (each.source, each.name))),
        {document: keys[document] for document in sorted(keys) if keys[document]},
        tuple(runs[identifier] for identifier in sorted(runs)),
        {thing: tuple(names[thing]) for thing in sorted(names)},
        tuple(sorted(statements, key=lambda supported: supported.statement.id)),
        notes,
    )
    check_whole(found, where)
    check_counts(found, counts, where)
    return found


def _thing(
    entity: Entity, named: Iterable[tuple[NameMention, tuple[str, ...]]], vocabulary: Vocabulary
) -> Row:
    concept = vocabulary.concepts.get(entity.concept)
    name = entity.name()
    mentions = [[to_plain(mention), list(documents)] for mention, documents in named]
    return {
        "id": entity.id,
        "category": [concept.biolink if concept else _THING],
        "name": name,
        "synonym": [each for each in entity.all_names() if each != name],
        "xref": list(entity.xrefs),
        "local_type": entity.concept,
        PAYLOAD: _as_json({"mentions": mentions}),
    }


def _document(document: Document, build_key: str, activities: Iterable[Activity]) -> Row:
    held: dict[str, Any] = {"document": to_plain(document), "build_key": build_key}
    held["activities"] = [to_plain(activity) for activity in activities]
    return {
        "id": document.id,
        "category": [_DOCUMENT],
        "name": document.title or document.name,
        "xref": [document.url] if document.url else [],
        "local_type": "document",
        PAYLOAD: _as_json(held),
    }


def _edge(
    supported: SupportedStatement, documents: Mapping[str, Document], vocabulary: Vocabulary
) -> Row:
    statement, evidence = supported.statement, supported.evidence
    first = evidence[0]
    publications = [documents[item.document].name for item in evidence]
    publications += [cited for item in evidence for cited in item.cites if ":" in cited]
    held = {
        "statement": to_plain(statement),
        "evidence": [to_plain(item) for item in evidence],
    }
    return {
        "id": statement.id,
        "subject": statement.subject,
        "predicate": vocabulary.predicate(statement.predicate).biolink,
        "object": object_id(statement.object),
        "relation": statement.predicate,
        "category": [_ASSOCIATION],
        "knowledge_level": first.knowledge_level,
        "agent_type": first.agent_type,
        "primary_knowledge_source": _KNOWLEDGE_SOURCE,
        "publications": list(dict.fromkeys(publications)),
        "supporting_text": list(dict.fromkeys(item.quote for item in evidence if item.quote)),
        "has_confidence_score": round(belief(evidence), 4),
        "negated": not supported.affirmed,
        "qualifiers": [f"{name}={value}" for name, value in statement.qualifiers],
        PAYLOAD: _as_json(held),
    }


def _supported(held: Mapping[str, Any], where: str) -> SupportedStatement:
    if "statement" not in held:
        raise SourceError(
            "an edge has no statement of a base",
            where=where,
            remedy="read a graph of another program with `medweave build`",
        )
    statement = from_plain(Statement, held["statement"], where)
    evidence = tuple(from_plain(Evidence, plain, where) for plain in held.get("evidence", ()))
    return SupportedStatement(statement, evidence)


def _payload(row: Row, where: str) -> dict[str, Any]:
    text = row.get(PAYLOAD)
    if not text:
        return {}
    try:
        held = json.loads(str(text))
    except ValueError as error:
        raise SourceError(
            f"the column '{PAYLOAD}' of {row.get('id')} is no JSON ({error})",
            where=where,
            remedy="export it again",
        ) from error
    if not isinstance(held, dict):
        what = f"the column '{PAYLOAD}' of {row.get('id')} is no object"
        raise SourceError(what, where=where, remedy="export it again")
    return held


def _as_json(value: Any) -> str:
    """On one line and in ASCII: no format needs to escape more than quotes."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)
