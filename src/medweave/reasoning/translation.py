"""A base and an ontology as triples to reason over, and what follows as statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from medweave.model.entity import Entity
from medweave.model.iris import LOCAL, RELATION, identifier_of, iri_of
from medweave.model.ontology import Ontology, OntologyPredicate, term
from medweave.model.rdf_layout import relation_iri
from medweave.model.statement import Statement, SupportedStatement
from medweave.ontology.meaning import class_of, predicates_of
from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.ontology.writing import entry_iri, ontology_to_turtle, own_iri
from medweave.reasoning.rules import TYPE, Triple
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Predicate, PredicateUse, Vocabulary

if TYPE_CHECKING:
    import pyoxigraph


@dataclass(frozen=True, slots=True)
class World:
    """Triples to reason over, and the statements that say them."""

    axioms: tuple[Triple, ...]
    """What the ontology and the vocabulary say of relations and types."""
    types: Mapping[Triple, tuple[str, ...]]
    """Of which type things are, with the statements in which they play such a part."""
    facts: Mapping[Triple, tuple[str, ...]]
    """What a base affirms, with the ids of the statements that say so."""

    @property
    def triples(self) -> Iterator[Triple]:
        """All of them."""
        yield from self.axioms
        yield from self.types
        yield from self.facts

    def statements(self, triples: Iterable[Triple]) -> tuple[str, ...]:
        """The ids of the statements that say these triples."""
        said = (i for t in triples for i in (*self.facts.get(t, ()), *self.types.get(t, ())))
        return tuple(dict.fromkeys(said))


def world_of(
    statements: Iterable[SupportedStatement], knowledge: Knowledge, ontology: Ontology
) -> World:
    """What is affirmed, of things of these types; what was only inferred is left out."""
    affirmed = [each for each in statements if any(not i.inferred for i in each.affirmed)]
    relations = [each.statement for each in affirmed if each.statement.object_entity]
    things = {end for each in relations for end in (each.subject, str(each.object))}
    facts: dict[Triple, list[str]] = defaultdict(list)
    types: dict[Triple, list[str]] = defaultdict(list)
    for thing, entity in knowledge.entities.all(sorted(things)).items():
        for triple in _types(thing, entity, ontology):
            types[triple] = []
    for each in relations:
        triple = iri_of(each.subject), relation_iri(each.predicate), iri_of(str(each.object))
        facts[triple].append(each.id)
        for triple in _roles(each, ontology):
            types[triple].append(each.id)
    used = {each.predicate for each in relations}
    axioms = (
        *axioms_of(ontology),
        *_bridges(ontology, knowledge.vocabulary),
        *_symmetric(used, knowledge.vocabulary),
    )
    return World(axioms, _fixed(types), _fixed(facts))


def _fixed(found: Mapping[Triple, list[str]]) -> dict[Triple, tuple[str, ...]]:
    return {triple: tuple(dict.fromkeys(ids)) for triple, ids in found.items()}


def _types(thing: str, entity: Entity, ontology: Ontology) -> Iterator[Triple]:
    if found := class_of(entity.concept, ontology):
        yield iri_of(thing), TYPE, entry_iri(ontology, found)


def _roles(statement: Statement, ontology: Ontology) -> Iterator[Triple]:
    for name, end in (("subject_role", statement.subject), ("object_role", statement.object)):
        role = statement.qualifier(name)
        found = class_of(str(role), ontology) if role else None
        if found:
            yield iri_of(str(end)), TYPE, entry_iri(ontology, found)


def axioms_of(ontology: Ontology) -> tuple[Triple, ...]:
    """An ontology as triples of OWL.

    >>> from medweave.model.ontology import OntologyClass
    >>> macula = OntologyClass("Macula", parents=("Eye part",))
    >>> found = axioms_of(Ontology("eyes", "1", (OntologyClass("Eye part"), macula), ()))
    >>> ("urn:medweave:eyes#macula", RDFS + "subClassOf", "urn:medweave:eyes#eye_part") in found
    True
    """
    import pyoxigraph

    turtle = ontology_to_turtle(ontology).encode()
    return tuple(triples_of(pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE)))


def triples_of(quads: Iterable[pyoxigraph.Quad]) -> Iterator[Triple]:
    """Quads as the reasoner has them; triples about triples are none of its matter."""
    import pyoxigraph

    for quad in quads:
        nodes = (quad.subject, quad.predicate, quad.object)
        if not any(isinstance(node, pyoxigraph.Triple) for node in nodes):
            subject, predicate, object_ = (_text(node) for node in nodes)
            yield subject, predicate, object_


def _text(node: object) -> str:
    text = str(node)
    return text[1:-1] if text.startswith("<") else text


def _bridges(ontology: Ontology, vocabulary: Vocabulary) -> Iterator[Triple]:
    """Which predicates of a base are relations of the ontology; its own are the very same."""
    for entry in ontology.predicates:
        node = entry_iri(ontology, entry)
        for use in _uses(entry, vocabulary):
            name = use.predicate.name
            own = "equivalentProperty" if name == entry.term else ""
            joined = OWL + (own or "inverseOf") if own or use.inverted else RDFS + "subPropertyOf"
            yield relation_iri(name), joined, node


def _uses(entry: OntologyPredicate, vocabulary: Vocabulary) -> tuple[PredicateUse, ...]:
    """The predicates that a relation is in a base, the one it usually is first."""
    names = predicates_of(entry.term)
    known = vocabulary.find(entry.term) if names == (entry.term,) else None
    own = tuple(PredicateUse(vocabulary.predicate(name), inverted=False) for name in names)
    return (known, *own) if known and known.predicate.name != entry.term else own


def _symmetric(used: Iterable[str], vocabulary: Vocabulary) -> Iterator[Triple]:
    for name in sorted(used):
        if vocabulary.predicate(name).symmetric:
            yield relation_iri(name), TYPE, OWL + "SymmetricProperty"


class Statements:
    """From triples that follow to statements of the base that it does not make already."""

    def __init__(self, world: World, knowledge: Knowledge, ontology: Ontology) -> None:
        vocabulary = knowledge.vocabulary
        self._knowledge = knowledge
        self._facts = world.facts
        self._things = {end for subject, _, object_ in world.facts for end in (subject, object_)}
        self._relations: dict[str, tuple[PredicateUse, ...]] = {}
        for entry in ontology.predicates:
            uses = _uses(entry, vocabulary)
            self._relations[entry_iri(ontology, entry)] = uses
            if entry.inverse and term(entry.inverse) not in ontology.predicate_by_term:
                inverse = own_iri(ontology, term(entry.inverse))
                self._relations[inverse] = _backwards(entry, uses, vocabulary)

    def of(self, triple: Triple) -> Statement | None:
        """The statement that a triple is; None where it is none between things of the base, or
        says what the base says."""
        subject, relation, object_ = triple
        if subject not in self._things or object_ not in self._things:
            return None
        uses = self._relations.get(relation, ())
        if relation.startswith(RELATION):
            name = identifier_of(LOCAL + relation.removeprefix(RELATION))
            uses = (PredicateUse(self._knowledge.vocabulary.predicate(name), inverted=False),)
        ways = [(use.predicate, *_turned(subject, object_, use.inverted)) for use in uses]
        if not ways or any(self._is_asserted(*way) for way in ways):
            return None
        predicate, first, second = next((way for way in ways if self._fits(*way)), ways[-1])
        return Statement(identifier_of(first), predicate.name, identifier_of(second))

    def _is_asserted(self, predicate: Predicate, first: str, second: str) -> bool:
        relation = relation_iri(predicate.name)
        turned = predicate.symmetric and (second, relation, first) in self._facts
        return turned or (first, relation, second) in self._facts

    def _fits(self, predicate: Predicate, first: str, second: str) -> bool:
        concept, other = (
            self._knowledge.entities.get(identifier_of(end)).concept for end in (first, second)
        )
        return concept in predicate.domain and other in predicate.range


def _turned(subject: str, object_: str, inverted: bool) -> tuple[str, str]:
    return (object_, subject) if inverted else (subject, object_)


def _backwards(
    entry: OntologyPredicate, uses: tuple[PredicateUse, ...], vocabulary: Vocabulary
) -> tuple[PredicateUse, ...]:
    """A relation read backwards: what it is forwards, where the vocabulary has a word for it; of an
    ontology's own the inverse is a relation with a name of its own."""
    if any(use.predicate.name in vocabulary.predicates for use in uses):
        return tuple(replace(use, inverted=not use.inverted) for use in uses)
    return (PredicateUse(vocabulary.predicate(term(entry.inverse)), inverted=False),)


def is_axiom(triple: Triple) -> bool:
    """Whether a triple is about types or relations, not about things."""
    _, predicate, object_ = triple
    schema = predicate.startswith((OWL, RDFS)) and predicate != OWL + "sameAs"
    return schema or (predicate == TYPE and object_.startswith((OWL, RDF, RDFS)))
