"""A base and an ontology as triples to reason over, and what follows as statements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medweave.exchange.iris import LOCAL, RELATION, identifier_of, iri_of
from medweave.exchange.rdf import relation_iri
from medweave.model.entity import Entity
from medweave.model.ontology import Ontology, OntologyPredicate, term
from medweave.model.statement import Statement, SupportedStatement
from medweave.ontology.meaning import class_of, predicates_of
from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.ontology.writing import entry_iri, ontology_to_turtle, own_iri
from medweave.reasoning.rules import TYPE, Triple
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.vocabulary import Vocabulary

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
    axioms = (*axioms_of(ontology), *_bridges(ontology), *_symmetric(used, knowledge.vocabulary))
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


def _text(node: pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal) -> str:
    text = str(node)
    return text[1:-1] if text.startswith("<") else text


def _bridges(ontology: Ontology) -> Iterator[Triple]:
    """Which predicates of a base are relations of the ontology; its own are the very same."""
    for entry in ontology.predicates:
        names = predicates_of(entry.term)
        same = names == (entry.term,)
        joined = OWL + "equivalentProperty" if same else RDFS + "subPropertyOf"
        for name in names:
            yield relation_iri(name), joined, entry_iri(ontology, entry)


def _symmetric(used: Iterable[str], vocabulary: Vocabulary) -> Iterator[Triple]:
    for name in sorted(used):
        if vocabulary.predicate(name).symmetric:
            yield relation_iri(name), TYPE, OWL + "SymmetricProperty"


class Statements:
    """From triples that follow to statements of the base that it does not make already."""

    def __init__(self, world: World, knowledge: Knowledge, ontology: Ontology) -> None:
        self._ontology = ontology
        self._knowledge = knowledge
        self._facts = world.facts
        self._things = {end for subject, _, object_ in world.facts for end in (subject, object_)}
        self._relations = {entry_iri(ontology, each): each for each in ontology.predicates}
        self._inverses = {
            own_iri(ontology, term(each.inverse)): each
            for each in ontology.predicates
            if each.inverse and term(each.inverse) not in ontology.predicate_by_term
        }

    def of(self, triple: Triple) -> Statement | None:
        """The statement that a triple is; None where it is none between things of the base, or
        says what the base says."""
        subject, relation, object_ = triple
        if subject not in self._things or object_ not in self._things:
            return None
        if relation.startswith(RELATION):
            name = identifier_of(LOCAL + relation.removeprefix(RELATION))
            return self._new(subject, (name,), object_)
        if relation in self._inverses:
            return self._of_inverse(subject, self._inverses[relation], object_)
        if relation in self._relations:
            return self._new(subject, predicates_of(self._relations[relation].term), object_)
        return None

    def _of_inverse(
        self, subject: str, entry: OntologyPredicate, object_: str
    ) -> Statement | None:
        """A relation read backwards is what it is forwards, where the vocabulary has a word for
        it; of an ontology's own the inverse has a name of its own."""
        names = predicates_of(entry.term)
        if names != (entry.term,) or self._knowledge.vocabulary.find(entry.term):
            return self._new(object_, names, subject)
        return self._new(subject, (term(entry.inverse),), object_)

    def _new(self, subject: str, names: tuple[str, ...], object_: str) -> Statement | None:
        vocabulary = self._knowledge.vocabulary
        symmetric = vocabulary.predicate(names[0]).symmetric
        ways = [(subject, object_), (object_, subject)] if symmetric else [(subject, object_)]
        for name in names:
            if any((one, relation_iri(name), other) in self._facts for one, other in ways):
                return None
        first, second = identifier_of(subject), identifier_of(object_)
        entities = self._knowledge.entities
        predicate = vocabulary.predicate(names[0])
        fits = (
            entities.get(first).concept in predicate.domain
            and entities.get(second).concept in predicate.range
        )
        return Statement(first, names[0] if fits or len(names) == 1 else names[-1], second)


def is_axiom(triple: Triple) -> bool:
    """Whether a triple is about types or relations, not about things."""
    _, predicate, object_ = triple
    schema = predicate.startswith((OWL, RDFS)) and predicate != OWL + "sameAs"
    return schema or (predicate == TYPE and object_.startswith((OWL, RDF, RDFS)))
