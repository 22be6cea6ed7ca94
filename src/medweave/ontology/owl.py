"""OWL to an ontology.

Which classes are types of things? Where there is a class called Entity with kinds of its own,
these; else all that are named. Relations are the object properties between them, so what joins a
reified statement to its ends and its publication is none. A property of which nothing is said but
that it is another's inverse is no relation of its own, but the other's name read backwards.

Several domains are read as "one of these". OWL means all of them at once; the ontologies that
people publish hardly ever do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from medweave.errors import OntologyError
from medweave.model.ontology import Ontology, OntologyClass, OntologyPredicate, in_order, term
from medweave.ontology.terms import (
    CHARACTERISTIC_OF,
    DCTERMS,
    DEFINITIONS,
    EXAMPLES,
    LABELS,
    OWL,
    PRIORITY,
    RDF,
    RDFS,
    SYNONYMS,
    local_name,
)
from medweave.ontology.triples import Triples

_ROOT = "entity"
"""The class whose kinds are the types, by its term."""
_CONTEXT = (RDFS + "domain", RDFS + "range", RDFS + "subPropertyOf", *DEFINITIONS)
"""What makes a property more than another's inverse."""


def read_owl(content: bytes, *, suffix: str, where: str) -> Ontology:
    """An ontology in Turtle, RDF/XML, N-Triples or JSON-LD.

    Raises `OntologyError` where it is no RDF, with the line, or where it declares no class.
    """
    owl = _Owl(Triples.parsed(content, suffix, where))
    classes, predicates = owl.classes(), owl.predicates()
    if not classes:
        raise OntologyError(
            "this declares no class", where=where, remedy="declare types as owl:Class"
        )
    header = next(iter(owl.triples.subjects(OWL + "Ontology")), "")
    named = owl.triples.texts(header, DCTERMS + "identifier")
    version = owl.triples.texts(header, OWL + "versionInfo")
    found = Ontology(
        id=named[0] if named else local_name(header) if header else "ontology",
        version=version[0] if version else "",
        classes=classes,
        predicates=predicates,
    )
    return found if found.version else replace(found, version=found.digest())


@dataclass(frozen=True)
class _Owl:
    triples: Triples

    def classes(self) -> tuple[OntologyClass, ...]:
        types = self._types()
        return tuple(self._class(iri, types) for iri in types)

    def predicates(self) -> tuple[OntologyPredicate, ...]:
        relations = self._relations()
        return tuple(self._predicate(iri, relations) for iri in relations)

    def _types(self) -> list[str]:
        named = [iri for iri in self.triples.subjects(OWL + "Class") if _named(iri)]
        root = next((iri for iri in named if term(self.label(iri)) == _ROOT), "")
        kinds = [iri for iri in named if root in self._above(iri) and iri != root]
        return kinds if root and kinds else named

    def _above(self, iri: str) -> set[str]:
        """All that a class is a kind of."""
        found: set[str] = set()
        waiting = [iri]
        while waiting:
            parents = self.triples.nodes(waiting.pop(), RDFS + "subClassOf")
            waiting += [parent for parent in parents if parent not in found]
            found.update(parents)
        return found

    def _relations(self) -> list[str]:
        named = [iri for iri in self.triples.subjects(OWL + "ObjectProperty") if _named(iri)]
        types = set(self._types())
        above = types.union(*(self._above(iri) for iri in types)) if types else set()
        backwards = {i for iri in named for i in self.triples.nodes(iri, OWL + "inverseOf")}
        return [
            iri
            for iri in named
            if set(self._ends(iri, RDFS + "domain") + self._ends(iri, RDFS + "range")) <= above
            and not (iri in backwards and self._bare(iri))
            and not (self.triples.nodes(iri, OWL + "inverseOf") and self._bare(iri))
        ]

    def _bare(self, iri: str) -> bool:
        nodes = set(self.triples.nodes(iri, *_CONTEXT)) - {OWL + "topObjectProperty"}
        return not (nodes or self.triples.texts(iri, *_CONTEXT))

    def _ends(self, iri: str, which: str) -> list[str]:
        """The types at one end of a relation; those of a union one by one."""
        found: list[str] = []
        for node in self.triples.nodes(iri, which):
            lists = self.triples.nodes(node, OWL + "unionOf")
            found += [each for first in lists for each in self.triples.listed(first)] or [node]
        return [node for node in found if node != OWL + "Thing"]

    def _class(self, iri: str, types: Iterable[str]) -> OntologyClass:
        return OntologyClass(
            label=self.label(iri),
            id=iri,
            definition=self._definition(iri),
            examples=tuple(self.triples.texts(iri, *EXAMPLES)),
            synonyms=tuple(self.triples.texts(iri, *SYNONYMS)),
            priority=self._priority(iri),
            parents=self._labels(self.triples.nodes(iri, RDFS + "subClassOf"), types),
            disjoint=self._labels(self._disjoint(iri), types),
        )

    def _predicate(self, iri: str, relations: Iterable[str]) -> OntologyPredicate:
        types = self._types()
        kinds = self.triples.nodes(iri, RDF + "type")
        return OntologyPredicate(
            label=self.label(iri),
            id=iri,
            definition=self._definition(iri),
            examples=tuple(self.triples.texts(iri, *EXAMPLES)),
            domain=self._labels(self._ends(iri, RDFS + "domain"), types),
            range=self._labels(self._ends(iri, RDFS + "range"), types),
            parents=self._labels(self.triples.nodes(iri, RDFS + "subPropertyOf"), relations),
            inverse=self._inverse(iri),
            disjoint=self._labels(self.triples.nodes(iri, OWL + "propertyDisjointWith"), relations),
            characteristics=in_order(CHARACTERISTIC_OF[k] for k in kinds if k in CHARACTERISTIC_OF),
        )

    def label(self, iri: str) -> str:
        """What a class or property is called: its label, else the end of its IRI."""
        return label_of(iri, self.triples)

    def _definition(self, iri: str) -> str:
        found = self.triples.texts(iri, *DEFINITIONS)
        return found[0] if found else ""

    def _labels(self, nodes: Iterable[str], among: Iterable[str]) -> tuple[str, ...]:
        known = set(among)
        return tuple(dict.fromkeys(self.label(node) for node in nodes if node in known))

    def _priority(self, iri: str) -> int:
        found = [text for name, text in self.triples.annotated(iri) if local_name(name) == PRIORITY]
        return int(found[0]) if found and found[0].lstrip("-").isdecimal() else 0

    def _inverse(self, iri: str) -> str:
        forth = self.triples.nodes(iri, OWL + "inverseOf")
        back = [
            other
            for other in self.triples.subjects(OWL + "ObjectProperty")
            if iri in self.triples.nodes(other, OWL + "inverseOf")
        ]
        return next((self.label(other) for other in (*forth, *back) if _named(other)), "")

    def _disjoint(self, iri: str) -> list[str]:
        """Disjointness is mutual, whichever of the two says it, or a list of many."""
        found = self.triples.nodes(iri, OWL + "disjointWith")
        found += [
            other
            for other in self.triples.subjects(OWL + "Class")
            if iri in self.triples.nodes(other, OWL + "disjointWith")
        ]
        for group in self.triples.subjects(OWL + "AllDisjointClasses"):
            members = [
                member
                for first in self.triples.nodes(group, OWL + "members")
                for member in self.triples.listed(first)
            ]
            found += [member for member in members if iri in members and member != iri]
        return found


def label_of(iri: str, triples: Triples) -> str:
    """The label of a node, else the end of its IRI in words."""
    found = triples.texts(iri, *LABELS)
    return found[0] if found else _in_words(local_name(iri))


def _in_words(name: str) -> str:
    """The end of an IRI as a label: `treatmentOf` and `treatment_of` are "Treatment of"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("_", " ")
    return words.capitalize() if words != words.upper() else words


def _named(iri: str) -> bool:
    return not iri.startswith("_:")
