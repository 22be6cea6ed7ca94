"""A base as RDF: reified statements with their evidence in PROV-O, names in SKOS.

The direct triple stands beside a statement where some source affirms it. Every source has a named
graph, and what was inferred another; without graphs (Turtle) all stands together.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from medweave.graph.contents import Contents
from medweave.model.document import Document
from medweave.model.entity import Entity, NameMention
from medweave.model.identifiers import digest
from medweave.model.iris import LOCAL, RELATION, TERMS, iri_of
from medweave.model.rdf_layout import (
    ACTIVITY_TERMS,
    DOCUMENT_TERMS,
    EVIDENCE_TERMS,
    INFERRED,
    NAME_TERMS,
    PLACE_TERMS,
    XSD,
    graph_of,
    relation_iri,
)
from medweave.model.statement import Activity, Evidence, Literal, Statement, SupportedStatement
from medweave.ontology.terms import DCTERMS, PROV, RDF, SKOS
from medweave.vocabulary.vocabulary import Vocabulary

if TYPE_CHECKING:
    import pyoxigraph

    Term: TypeAlias = "pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal"

FIELD = "n-triples"
"""The field of a document that holds its triples, one a line."""
Triple = tuple[Any, str, Any]
BIOLINK = "https://w3id.org/biolink/vocab/"
PREFIXES = {
    "mw": TERMS, "mwr": RELATION, "biolink": BIOLINK, "prov": PROV, "rdf": RDF, "skos": SKOS,
    "dcterms": DCTERMS, "xsd": XSD,
}  # fmt: skip
BASE = LOCAL + "base"
"""The base itself, and the graph of what it remembers of itself."""
NOTE = TERMS + "note-"
COUNT = TERMS + "count-"
"""How much there is of each part: a file that was cut between two nodes is one all the same."""
_TAG = re.compile(r"[a-z]{2,8}(-[a-z0-9]{1,8})*")
"""Language tags that every reader leaves as they are."""


def write_turtle(quads: Iterable[pyoxigraph.Quad], path: Path) -> None:
    """All of it as one graph."""
    import pyoxigraph

    path.parent.mkdir(parents=True, exist_ok=True)
    triples = (quad.triple for quad in quads)
    pyoxigraph.serialize(triples, str(path), pyoxigraph.RdfFormat.TURTLE, prefixes=PREFIXES)


def write_trig(quads: Iterable[pyoxigraph.Quad], path: Path) -> None:
    """A named graph for each source."""
    import pyoxigraph

    path.parent.mkdir(parents=True, exist_ok=True)
    pyoxigraph.serialize(quads, str(path), pyoxigraph.RdfFormat.TRIG, prefixes=PREFIXES)


def quads_of(
    contents: Contents, entities: Mapping[str, Entity], vocabulary: Vocabulary
) -> Iterator[pyoxigraph.Quad]:
    """The base as quads, source by source."""
    import pyoxigraph

    for name, note in contents.notes.items():
        about = (_iri(BASE), _iri(NOTE + name), _literal(note))
        yield pyoxigraph.Quad(*about, _iri(BASE))
    for name, count in contents.counts().items():
        yield pyoxigraph.Quad(_iri(BASE), _iri(COUNT + name), _literal(count), _iri(BASE))
    for subject, term, value in _relations(contents, vocabulary):
        yield pyoxigraph.Quad(subject, _iri(term), value, _iri(BASE))
    yield from quads_of_sources(contents.documents)
    for graph, part in _by_graph(contents):
        node = pyoxigraph.NamedNode(graph)
        for subject, predicate, value in _Described(part, entities, vocabulary).triples():
            yield pyoxigraph.Quad(subject, pyoxigraph.NamedNode(predicate), value, node)


def _relations(contents: Contents, vocabulary: Vocabulary) -> Iterator[Triple]:
    """What the predicates in use are called, and which of Biolink's they are."""
    for name in sorted({each.statement.predicate for each in contents.statements}):
        predicate, node = vocabulary.predicate(name), _iri(relation_iri(name))
        yield node, RDF + "type", _iri(RDF + "Property")
        for language in sorted(predicate.labels):
            yield node, SKOS + "prefLabel", _literal(predicate.labels[language], language)
        closest = _iri(BIOLINK + predicate.biolink.removeprefix("biolink:"))
        yield node, SKOS + "closeMatch", closest


def _by_graph(contents: Contents) -> Iterator[tuple[str, Contents]]:
    """The part of the base that each graph holds."""
    sources = {document.id: document.source for document in contents.documents}
    statements: dict[str, list[SupportedStatement]] = defaultdict(list)
    for supported in contents.statements:
        parts: dict[str, list[Evidence]] = defaultdict(list)
        for item in supported.evidence:
            parts[INFERRED if item.inferred else sources[item.document]].append(item)
        for part, evidence in parts.items():
            statements[part].append(SupportedStatement(supported.statement, tuple(evidence)))
    names: dict[str, dict[str, list[tuple[NameMention, tuple[str, ...]]]]] = {}
    for thing, named in contents.names.items():
        for mention, documents in named:
            of_sources: dict[str, list[str]] = defaultdict(list)
            for document in documents:
                of_sources[sources[document]].append(document)
            for source, ids in of_sources.items():
                held = names.setdefault(source, {}).setdefault(thing, [])
                held.append((mention, tuple(ids)))
    for source in sorted(set(sources.values())):
        documents_of = tuple(each for each in contents.documents if each.source == source)
        named_by = {thing: tuple(each) for thing, each in names.get(source, {}).items()}
        made = tuple(statements.get(source, ()))
        runs, keys = contents.activities, contents.build_keys
        yield graph_of(source), Contents(documents_of, keys, runs, named_by, made)
    if INFERRED in statements:
        inferred = tuple(statements[INFERRED])
        yield INFERRED, Contents((), {}, contents.activities, {}, inferred)


class _Described:
    """The triples of one graph."""

    def __init__(
        self, contents: Contents, entities: Mapping[str, Entity], vocabulary: Vocabulary
    ) -> None:
        self._contents = contents
        self._entities = entities
        self._vocabulary = vocabulary

    def triples(self) -> Iterator[Triple]:
        used = {item.activity for each in self._contents.statements for item in each.evidence}
        for activity in self._contents.activities:
            if activity.id in used:
                yield from _activity(activity)
        for document in self._contents.documents:
            yield from self._document(document)
        for thing, named in self._contents.names.items():
            yield from self._thing(thing)
            for mention, documents in named:
                yield from _name(mention, documents)
        for supported in self._contents.statements:
            yield from self._statement(supported)

    def _document(self, document: Document) -> Iterator[Triple]:
        node = _node(document.id)
        yield node, RDF + "type", _iri(PROV + "Entity")
        yield node, RDF + "type", _iri(TERMS + "Document")
        yield node, DCTERMS + "identifier", _literal(document.name)
        for attribute, term in DOCUMENT_TERMS.items():
            yield node, term, _literal(getattr(document, attribute))
        if key := self._contents.build_keys.get(document.id):
            yield node, TERMS + "buildKey", _literal(key)
        for place, (field, text) in enumerate(document.fields):
            part = _node(f"{document.id}/{place}")
            yield node, TERMS + "hasField", part
            yield part, TERMS + "order", _literal(place)
            yield part, TERMS + "field", _literal(field)
            yield part, RDF + "value", _literal(text)

    def _thing(self, thing: str) -> Iterator[Triple]:
        """What a thing is, and how it is called, in the whole base."""
        entity, node = self._entities[thing], _node(thing)
        concept = self._vocabulary.concepts.get(entity.concept)
        category = (concept.biolink if concept else "NamedThing").removeprefix("biolink:")
        yield node, RDF + "type", _iri(BIOLINK + category)
        for language, names in sorted(entity.names.items()):
            for place, name in enumerate(names):
                label = "altLabel" if place else "prefLabel"
                yield node, SKOS + label, _literal(name, language)

    def _statement(self, supported: SupportedStatement) -> Iterator[Triple]:
        statement = supported.statement
        node, value = _node(statement.id), _object(statement)
        yield node, RDF + "type", _iri(RDF + "Statement")
        yield node, RDF + "subject", _node(statement.subject)
        yield node, RDF + "predicate", _iri(relation_iri(statement.predicate))
        yield node, RDF + "object", value
        yield from _object_notes(node, statement.object)
        for name, qualifier in statement.qualifiers:
            yield node, f"{TERMS}qualifier-{name}", _literal(qualifier)
        for document in dict.fromkeys(item.document for item in supported.evidence):
            yield node, PROV + "wasDerivedFrom", _node(document)
        if supported.affirmed:
            yield _node(statement.subject), relation_iri(statement.predicate), value
        for item in supported.evidence:
            yield from _evidence(item)


def _evidence(item: Evidence) -> Iterator[Triple]:
    node = _node(item.id)
    yield node, RDF + "type", _iri(PROV + "Entity")
    yield node, PROV + "specializationOf", _node(item.statement)
    yield node, PROV + "wasDerivedFrom", _node(item.document)
    yield node, PROV + "value", _literal(item.quote)
    if item.activity:
        yield node, PROV + "wasGeneratedBy", _node(item.activity)
    for attribute, term in EVIDENCE_TERMS.items():
        yield node, TERMS + term, _literal(getattr(item, attribute))
    for attribute, term in PLACE_TERMS.items():
        yield node, TERMS + term, _literal(getattr(item.place, attribute))
    for term, texts in (("cites", item.cites), ("premises", item.premises)):
        if texts:
            yield from _list(node, TERMS + term, texts)


def _activity(activity: Activity) -> Iterator[Triple]:
    node = _node(activity.id)
    yield node, RDF + "type", _iri(PROV + "Activity")
    for attribute in ACTIVITY_TERMS:
        if value := getattr(activity, attribute):
            yield node, TERMS + attribute, _literal(value)


def _name(mention: NameMention, documents: Sequence[str]) -> Iterator[Triple]:
    """How documents call a thing: the labels of SKOS are worked out from all of these."""
    key = [mention.entity, mention.name, mention.language, mention.concept, mention.preferred]
    node = _node("name:" + digest([*key, mention.xref]))
    yield node, RDF + "type", _iri(TERMS + "Name")
    yield node, TERMS + "names", _node(mention.entity)
    yield node, RDF + "value", _literal(mention.name)
    yield node, DCTERMS + "language", _literal(mention.language)
    for attribute, term in NAME_TERMS.items():
        yield node, TERMS + term, _literal(getattr(mention, attribute))
    for document in documents:
        yield node, PROV + "wasDerivedFrom", _node(document)


def _list(node: Any, predicate: str, texts: Sequence[str]) -> Iterator[Triple]:
    """Texts in their order, as a list of RDF."""
    import pyoxigraph

    rest: Term = _iri(RDF + "nil")
    triples: list[Triple] = []
    for place, text in reversed(list(enumerate(texts))):
        cell = pyoxigraph.BlankNode("c" + digest([node.value, predicate, place]))
        triples += [(cell, RDF + "rest", rest), (cell, RDF + "first", _literal(text))]
        rest = cell
    yield node, predicate, rest
    yield from reversed(triples)


def _object(statement: Statement) -> Term:
    if isinstance(statement.object, str):
        return _node(statement.object)
    return _literal(statement.object.value, statement.object.language)


def _object_notes(node: Any, value: str | Literal) -> Iterator[Triple]:
    """What a literal of RDF cannot hold of a value."""
    if not isinstance(value, Literal):
        return
    if value.unit:
        yield node, TERMS + "unit", _literal(value.unit)
    if value.language:
        yield node, DCTERMS + "language", _literal(value.language)


def _node(identifier: str) -> pyoxigraph.NamedNode:
    return _iri(iri_of(identifier))


def _iri(text: str) -> pyoxigraph.NamedNode:
    import pyoxigraph

    return pyoxigraph.NamedNode(text)


def _literal(value: str | int | float | bool, language: str = "") -> pyoxigraph.Literal:
    import pyoxigraph

    if isinstance(value, str):
        tag = language if _TAG.fullmatch(language) else None
        return pyoxigraph.Literal(value, language=tag)
    if isinstance(value, bool):
        return pyoxigraph.Literal(str(value).lower(), datatype=_iri(XSD + "boolean"))
    kind = "integer" if isinstance(value, int) else "double"
    return pyoxigraph.Literal(repr(value), datatype=_iri(XSD + kind))


def quads_of_sources(documents: Iterable[Document]) -> Iterator[pyoxigraph.Quad]:
    """What such documents say, each in the graph of its source; what looks like a part of a base
    of ours is left out, as the document alone says that."""
    import pyoxigraph

    for document in documents:
        graph = pyoxigraph.NamedNode(iri_of(f"source:{document.source}"))
        text = document.text(FIELD)
        for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES):
            if not any(_ours(node) for node in (quad.subject, quad.predicate, quad.object)):
                nodes = (_own(node, document) for node in (quad.subject, quad.object))
                subject, object_ = nodes
                yield pyoxigraph.Quad(subject, quad.predicate, object_, graph)


def _ours(node: Any) -> bool:
    return str(getattr(node, "value", "")).startswith((LOCAL, PROV))


def _own(node: Any, document: Document) -> Any:
    """A node; one without a name is never one of another document."""
    import pyoxigraph

    if isinstance(node, pyoxigraph.BlankNode):
        return pyoxigraph.BlankNode(f"{document.id.replace(':', '')}{node.value}")
    return node
