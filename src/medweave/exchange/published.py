"""The two published layouts of relations, which hold less than a base: names, types, documents.

They are read by `build` like any other source. What they have no place for is left out: denials,
values, qualifiers, quotes, and every predicate that they do not know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from medweave.graph.contents import Contents
from medweave.model.entity import Entity
from medweave.model.statement import SupportedStatement

_RELATIONS = {
    "affects": "affect",
    "leads_to": "cause",
    "used_for": "treat",
    "shows": "present",
    "indicates": "diagnose",
    "improves": "improve",
    "used_to_prevent": "prevent",
    "aggravates": "aggravate",
}
"""Predicates, and what they are called among relations read in abstracts."""
_MINDMAP = {
    "has_symptom": "has_symptom",
    "used_for": "possible_cure_disease",
    "has_test": "need_medical_test",
}
"""Predicates, and what they are called in the graph of MindMap."""
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_BETWEEN = re.compile(r"\s+")


def write_relations(contents: Contents, entities: Mapping[str, Entity], path: Path) -> None:
    """One JSON object a line for each document that affirms a relation."""
    documents = {document.id: document.name for document in contents.documents}
    rows = set()
    for supported, subject, other in _between_things(contents, entities):
        relation = _RELATIONS.get(supported.statement.predicate)
        for item in supported.affirmed if relation else ():
            row = {
                "entity1_name": subject.name(),
                "entity1_type": subject.concept,
                "entity2_name": other.name(),
                "entity2_type": other.concept,
                "pub_id": documents[item.document],
                "relation_type": relation,
            }
            rows.add(json.dumps(row, ensure_ascii=False))
    _write(sorted(rows), path)


def write_mindmap(contents: Contents, entities: Mapping[str, Entity], path: Path) -> None:
    """Head, relation and tail between tabs."""
    rows = set()
    for supported, subject, other in _between_things(contents, entities):
        relation = _MINDMAP.get(supported.statement.predicate)
        if relation and supported.affirmed:
            rows.add(f"{_plain(subject)}\t{relation}\t{_plain(other)}")
    _write(sorted(rows), path)


def _between_things(
    contents: Contents, entities: Mapping[str, Entity]
) -> Iterator[tuple[SupportedStatement, Entity, Entity]]:
    """Statements without conditions, with the things at their ends."""
    for supported in contents.statements:
        statement = supported.statement
        if isinstance(statement.object, str) and not statement.qualifiers:
            yield supported, entities[statement.subject], entities[statement.object]


def _plain(entity: Entity) -> str:
    """A name on one line; what stands in brackets would be read as another name."""
    name = entity.name()
    return _BETWEEN.sub(" ", _BRACKETS.sub("", name)).strip() or name


def _write(lines: list[str], path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(line + "\n" for line in lines), "utf-8")
