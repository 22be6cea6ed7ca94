"""Our own form of an ontology: YAML or JSON with classes and predicates, as `ontology show` prints.

    id: eyes
    classes:
      - label: Disease
        definition: A disorder that has a name of its own.
      - label: Drug
        disjoint: [Disease]
    predicates:
      - label: Treat
        domain: [Drug]
        range: [Disease]
        inverse: Treated by

Everything but the labels may be left out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.errors import OntologyError, VocabularyError
from medweave.language.data import read_yaml
from medweave.model.ontology import (
    CHARACTERISTICS,
    Ontology,
    OntologyClass,
    OntologyPredicate,
    in_order,
)

_PARTS = frozenset({"id", "version", "classes", "predicates"})
_COMMON = frozenset({"id", "label", "definition", "examples", "parent", "parents", "disjoint"})
_OF_CLASS = _COMMON | {"synonyms", "priority"}
_OF_PREDICATE = _COMMON | {"domain", "range", "inverse", "characteristics"}


def read_form(text: str, *, where: str) -> Ontology:
    """An ontology in YAML or JSON; `OntologyError` says which entry is wrong, and how.

    >>> ontology = read_form("{id: eyes, classes: [{label: Eye part}]}", where="eyes.yaml")
    >>> [entry.term for entry in ontology.classes]
    ['eye_part']
    """
    try:
        content = read_yaml(text, where=where)
    except VocabularyError as error:
        raise OntologyError(error.what, where=error.where, remedy=error.remedy) from error
    _only(content, _PARTS, where)
    classes = tuple(
        _class(entry, f"{where}, {name}") for name, entry in _entries(content, "classes", where)
    )
    predicates = tuple(
        _predicate(entry, f"{where}, {name}")
        for name, entry in _entries(content, "predicates", where)
    )
    if not classes:
        raise OntologyError("there are no classes", where=where, remedy="list them under `classes`")
    found = Ontology(
        id=_text(content, "id", where) or "ontology",
        version=_text(content, "version", where),
        classes=classes,
        predicates=predicates,
    )
    return found if found.version else replace(found, version=found.digest())


def _entries(content: dict[str, Any], part: str, where: str) -> list[tuple[str, dict[str, Any]]]:
    entries = content.get(part) or []
    if not isinstance(entries, list):
        raise OntologyError(f"`{part}` must be a list", where=where, remedy="one entry a type")
    named = []
    for number, entry in enumerate(entries, 1):
        name = f"{part} {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("label"), str):
            raise OntologyError(
                "an entry without a label", where=f"{where}, {name}", remedy="give it a `label`"
            )
        named.append((f"{name} ({entry['label']})", entry))
    return named


def _class(entry: dict[str, Any], where: str) -> OntologyClass:
    _only(entry, _OF_CLASS, where)
    priority = entry.get("priority") or 0
    if not isinstance(priority, int):
        raise OntologyError("`priority` is no whole number", where=where, remedy="write 12")
    return OntologyClass(
        label=entry["label"].strip(),
        id=_text(entry, "id", where),
        definition=_text(entry, "definition", where),
        examples=_texts(entry, "examples", where),
        synonyms=_texts(entry, "synonyms", where),
        priority=priority,
        parents=_parents(entry, where),
        disjoint=_texts(entry, "disjoint", where),
    )


def _predicate(entry: dict[str, Any], where: str) -> OntologyPredicate:
    _only(entry, _OF_PREDICATE, where)
    characteristics = _texts(entry, "characteristics", where)
    unknown = sorted(set(characteristics) - set(CHARACTERISTICS))
    if unknown:
        raise OntologyError(
            f"'{unknown[0]}' is no characteristic of a relation",
            where=where,
            remedy=f"use some of {', '.join(CHARACTERISTICS)}",
        )
    return OntologyPredicate(
        label=entry["label"].strip(),
        id=_text(entry, "id", where),
        definition=_text(entry, "definition", where),
        examples=_texts(entry, "examples", where),
        domain=_texts(entry, "domain", where),
        range=_texts(entry, "range", where),
        parents=_parents(entry, where),
        inverse=_text(entry, "inverse", where),
        disjoint=_texts(entry, "disjoint", where),
        characteristics=in_order(characteristics),
    )


def _parents(entry: dict[str, Any], where: str) -> tuple[str, ...]:
    return _texts(entry, "parents", where) or _texts(entry, "parent", where)


def _only(entry: dict[str, Any], known: frozenset[str], where: str) -> None:
    unknown = sorted(str(name) for name in set(entry) - known)
    if unknown:
        raise OntologyError(
            f"nothing is called `{unknown[0]}` here",
            where=where,
            remedy=f"use {', '.join(sorted(known))}",
        )


def _text(entry: dict[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if value is None:
        return ""
    if isinstance(value, (str, int, float)):
        return str(value).strip()
    raise OntologyError(f"`{name}` must be a text", where=where, remedy="write one line")


def _texts(entry: dict[str, Any], name: str, where: str) -> tuple[str, ...]:
    value = entry.get(name) or []
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not all(isinstance(each, str) for each in listed):
        raise OntologyError(f"`{name}` must be a list of texts", where=where, remedy="write [a, b]")
    return tuple(each.strip() for each in listed)
