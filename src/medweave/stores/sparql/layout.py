"""Rows of a base as RDF, in the words of the exports; see `medweave.exchange.rdf`.

A row is a node in the graph of its source, or of the base where several sources share it. What it
is found by (its numbers and stamps) has properties of this base alone, so no query of ours ever
meets the rows of another base, or what else is on the server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from medweave.model.iris import LOCAL, TERMS, identifier_of, iri_of
from medweave.model.rdf_layout import (
    DCTERMS,
    DOCUMENT_TERMS,
    EVIDENCE_TERMS,
    NAME_TERMS,
    PLACE_TERMS,
    PROV,
    RDF,
    XSD,
    graph_of,
    relation_iri,
    relation_of,
)
from medweave.stores.sparql.terms import Term, iri, literal
from medweave.stores.versioned.rows import NUMBERED, Row

_CLASSES = {
    "statement": RDF + "Statement",
    "evidence": PROV + "Entity",
    "document": TERMS + "Document",
    "name": TERMS + "Name",
    "run": PROV + "Activity",
}
"""What the node of a row is, where the exports have one of its kind."""
_NODES = frozenset({"subject", "object", "statement", "document", "run", "thing", "id"})
"""Fields that are identifiers."""
_WORDS: Mapping[str, Mapping[str, str]] = {
    "statement": {each: RDF + each for each in ("subject", "predicate", "object")},
    "evidence": {
        **{name: TERMS + term for name, term in {**EVIDENCE_TERMS, **PLACE_TERMS}.items()},
        "class": TERMS + EVIDENCE_TERMS["evidence_class"],
        "stop": TERMS + PLACE_TERMS["end"],
        "statement": PROV + "specializationOf",
        "document": PROV + "wasDerivedFrom",
        "quote": PROV + "value",
        "run": PROV + "wasGeneratedBy",
    },
    "document": {
        **DOCUMENT_TERMS,
        "class": DOCUMENT_TERMS["evidence_class"],
        "name": DCTERMS + "identifier",
        "build_key": TERMS + "buildKey",
    },
    "name": {
        **{name: TERMS + term for name, term in NAME_TERMS.items()},
        "thing": TERMS + "names",
        "name": RDF + "value",
        "language": DCTERMS + "language",
        "document": PROV + "wasDerivedFrom",
    },
}
"""The properties of the exports, by kind and field; other fields have one called after them."""
_DEFAULTS: Mapping[str, Row] = {
    "statement": {"qualifiers": ""},
    "evidence": {"cites": "", "premises": ""},
}
"""What a row is told to say where it says nothing: what may be missing makes queries slow."""
# Servers bring an IRI into a normal form when they read it. Of these there is none other.
_NORMAL = re.compile(
    r"urn:medweave:[A-Za-z0-9:._~%@-]+|https?://[a-z0-9][a-z0-9.-]*(/[A-Za-z0-9_~][\w.~-]*)+",
    re.ASCII,
)


class Layout:
    """Where each part of the rows of one base stands.

    >>> Layout("kidney").property("statement", "subject_n")
    '<urn:medweave:base:kidney#statement.subject_n>'
    >>> Layout("kidney").property("statement", "subject")
    '<http://www.w3.org/1999/02/22-rdf-syntax-ns#subject>'
    """

    def __init__(self, base: str) -> None:
        self._own = f"{LOCAL}base:{base}"
        self.graph = iri(self._own)
        """The graph of what belongs to no source alone."""
        self.header, self.claims = self._of_base("header"), self._of_base("claim")
        self._properties: dict[tuple[str, str], str] = {}

    def _of_base(self, name: str) -> str:
        return iri(f"{self._own}#{name}")

    def property(self, kind: str, field: str) -> str:
        """The property that says a field of rows of a kind."""
        known = self._properties.get((kind, field))
        if known is None:
            own = field in (*NUMBERED[kind], "since", "until")
            known = (
                self._of_base(f"{kind}.{field}")
                if own
                else iri(_WORDS.get(kind, {}).get(field) or TERMS + field)
            )
            self._properties[kind, field] = known
        return known

    def graph_of(self, kind: str, row: Row) -> str:
        """The graph in which a row stands: what was inferred is of no source."""
        if kind == "evidence" and row.get("premises"):
            return iri(f"{self._own}:inferred")
        source = row.get("source")
        return iri(f"{self._own}:{graph_of(source).removeprefix(LOCAL)}") if source else self.graph

    def node(self, kind: str, row: Row) -> str:
        """A row, as no other of the base is called."""
        return iri(f"{self._own}:{kind}:{row['n']:x}:{row['since']:x}")

    def triples(self, kind: str, row: Row) -> Iterator[tuple[str, str]]:
        """The properties of a row with their values. Of evidence and names the graph alone tells
        the source."""
        if kind in _CLASSES:
            yield iri(RDF + "type"), iri(_CLASSES[kind])
        for field, value in {**_DEFAULTS.get(kind, {}), **row}.items():
            if field != "source" or kind == "document":
                yield self.property(kind, field), _written(field, value, row)


def value_of(field: str, term: Term) -> Any:
    """The value of a field, out of what was written of it."""
    if term.kind == "iri":
        return relation_of(term.value) if field == "predicate" else identifier_of(term.value)
    return int(term.value) if term.datatype == XSD + "integer" else term.value


def _written(field: str, value: str | int, row: Row) -> str:
    """A value as it is found again."""
    if isinstance(value, int):
        return literal(value)
    if field == "predicate":
        return _node(value, relation=True)
    if field in _NODES and not (field == "object" and row["literal"]):
        return _node(value, relation=False)
    return literal(value)


@lru_cache(maxsize=1 << 12)
def _node(identifier: str, *, relation: bool) -> str:
    """An identifier as the IRI that the exports give it, where that is sure to come back as it
    is, or else as a text."""
    found = relation_iri(identifier) if relation else iri_of(identifier)
    back = relation_of(found) if relation else identifier_of(found)
    return iri(found) if _NORMAL.fullmatch(found) and back == identifier else literal(identifier)
