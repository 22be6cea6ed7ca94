"""An ontology as OWL in Turtle, which is read back as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.model.ontology import Ontology, OntologyClass, OntologyPredicate, term
from medweave.ontology.terms import CHARACTERISTIC_OF, DCTERMS, OWL, PRIORITY, RDF, RDFS, SKOS

_PREFIXES = {"dcterms": DCTERMS, "owl": OWL, "rdf": RDF, "rdfs": RDFS, "skos": SKOS}
_ROOT = "entity"

Triple = tuple[str, str, str]
"""Subject, predicate and object as Turtle writes them."""


def ontology_to_turtle(ontology: Ontology) -> str:
    """OWL with SKOS labels, definitions and examples."""
    head = [f"@prefix {name}: <{iri}> ." for name, iri in _PREFIXES.items()]
    entries = [_block(triples) for triples in _Writer(ontology).blocks()]
    return "\n".join([*head, "", *entries])


def own_iri(ontology: Ontology, name: str) -> str:
    """The IRI of what an ontology calls so and gives no IRI.

    >>> own_iri(Ontology("eyes", "1", (), ()), "eye_part")
    'urn:medweave:eyes#eye_part'
    """
    return f"{_base(ontology)}#{name}"


def entry_iri(ontology: Ontology, entry: OntologyClass | OntologyPredicate) -> str:
    """The IRI of a type or relation, its own or the one it is written under."""
    return entry.id if ":" in entry.id else own_iri(ontology, entry.term)


def _base(ontology: Ontology) -> str:
    return f"urn:medweave:{term(ontology.id) or 'ontology'}"


class _Writer:
    def __init__(self, ontology: Ontology) -> None:
        self._ontology = ontology

    def blocks(self) -> Iterator[list[Triple]]:
        """The triples of each thing that is declared."""
        header = _iri(_base(self._ontology))
        yield [
            (header, "a", "owl:Ontology"),
            (header, "dcterms:identifier", _text(self._ontology.id, "")),
            (header, "owl:versionInfo", _text(self._ontology.version, "")),
        ]
        yield [(self._own(PRIORITY), "a", "owl:AnnotationProperty")]
        root = self._own(_ROOT)
        yield [(root, "a", "owl:Class"), (root, "skos:prefLabel", _text("Entity"))]
        for entry in self._ontology.classes:
            yield list(self._class(entry))
        for relation in self._ontology.predicates:
            yield list(self._predicate(relation))
            if relation.inverse and term(relation.inverse) not in self._ontology.predicate_by_term:
                inverse = self._own(term(relation.inverse))
                label = _text(relation.inverse)
                yield [(inverse, "a", "owl:ObjectProperty"), (inverse, "skos:prefLabel", label)]

    def _class(self, entry: OntologyClass) -> Iterator[Triple]:
        node = self._node(entry)
        yield node, "a", "owl:Class"
        parents = [self._class_node(parent) for parent in entry.parents] or [self._own(_ROOT)]
        yield from self._triples(node, entry)
        yield from ((node, "rdfs:subClassOf", parent) for parent in parents)
        yield from ((node, "skos:altLabel", _text(synonym)) for synonym in entry.synonyms)
        others = (self._class_node(label) for label in entry.disjoint)
        yield from ((node, "owl:disjointWith", other) for other in others)
        if entry.priority:
            yield node, self._own(PRIORITY), str(entry.priority)

    def _predicate(self, entry: OntologyPredicate) -> Iterator[Triple]:
        node = self._node(entry)
        yield node, "a", "owl:ObjectProperty"
        for kind, characteristic in CHARACTERISTIC_OF.items():
            if characteristic in entry.characteristics:
                yield node, "a", _iri(kind)
        yield from self._triples(node, entry)
        # A domain, also where any type will do: so it is more than the name of an inverse.
        yield node, "rdfs:domain", self._union(entry.domain)
        yield node, "rdfs:range", self._union(entry.range)
        parents = (self._predicate_node(label) for label in entry.parents)
        yield from ((node, "rdfs:subPropertyOf", parent) for parent in parents)
        if entry.inverse:
            yield node, "owl:inverseOf", self._predicate_node(entry.inverse)
        others = (self._predicate_node(label) for label in entry.disjoint)
        yield from ((node, "owl:propertyDisjointWith", other) for other in others)

    def _triples(self, node: str, entry: OntologyClass | OntologyPredicate) -> Iterator[Triple]:
        yield node, "skos:prefLabel", _text(entry.label)
        if entry.definition:
            yield node, "skos:definition", _text(entry.definition)
        yield from ((node, "skos:example", _text(example)) for example in entry.examples)

    def _union(self, labels: Iterable[str]) -> str:
        nodes = [self._class_node(label) for label in labels]
        if len(nodes) > 1:
            return f"[ a owl:Class ; owl:unionOf ( {' '.join(nodes)} ) ]"
        return nodes[0] if nodes else self._own(_ROOT)

    def _class_node(self, label: str) -> str:
        found = self._ontology.class_by_term.get(term(label))
        return self._node(found) if found else self._own(term(label))

    def _predicate_node(self, label: str) -> str:
        found = self._ontology.predicate_by_term.get(term(label))
        return self._node(found) if found else self._own(term(label))

    def _node(self, entry: OntologyClass | OntologyPredicate) -> str:
        return _iri(entry_iri(self._ontology, entry))

    def _own(self, name: str) -> str:
        return _iri(own_iri(self._ontology, name))


def _block(triples: list[Triple]) -> str:
    subject = triples[0][0]
    lines = " ;\n    ".join(f"{predicate} {object_}" for _, predicate, object_ in triples)
    return f"{subject} {lines} .\n"


def _iri(text: str) -> str:
    """An IRI in Turtle; what may not stand in one is escaped by its number."""
    bad = set('<>"{}|^`\\') | {chr(number) for number in range(0x21)}
    return "<" + "".join(f"%{ord(c):02X}" if c in bad else c for c in text) + ">"


def _text(text: str, language: str = "en") -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    for character, name in (("\n", "n"), ("\r", "r"), ("\t", "t")):
        escaped = escaped.replace(character, f"\\{name}")
    return f'"{escaped}"@{language}' if language else f'"{escaped}"'
