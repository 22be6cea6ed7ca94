"""What sources say, held against an ontology that somebody named."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Literal

from medweave.model.ontology import Ontology, OntologyPredicate, term
from medweave.ontology.meaning import class_of, predicates_of
from medweave.vocabulary.vocabulary import Predicate, Vocabulary

Verdict = Literal["allowed", "relation_unknown", "type_unknown", "domain", "range"]
"""How a statement stands to an ontology: the last two leave it out, the others keep it."""
REFUSED: tuple[Verdict, ...] = ("domain", "range")
_UNTYPED = frozenset(["thing", "text", ""])
"""Concepts that say nothing of what a thing is."""


class Conformity:
    """Whether an ontology allows statements.

    >>> from medweave.ontology.loading import ontology_in
    >>> from medweave.vocabulary.vocabulary import shipped_vocabulary
    >>> held = Conformity(ontology_in("causalamd"), shipped_vocabulary())
    >>> held.verdict(["gene"], "leads_to", ["disease"]), held.verdict(["gene"], "dosage", [])
    ('allowed', 'relation_unknown')
    """

    def __init__(self, ontology: Ontology, vocabulary: Vocabulary) -> None:
        self.ontology = ontology
        self._vocabulary = vocabulary

    def verdict(
        self, subject: Iterable[str], predicate: str, object_: Iterable[str] | None
    ) -> Verdict:
        """How a statement stands to the ontology. `subject` and `object_` are concepts and types
        that a thing has, one of which must be allowed; None is a value, which has no type."""
        found = self._relations.get(predicate)
        if found is None:
            return "relation_unknown"
        relation, turned = found
        domain, range_ = relation.domain, relation.range
        if turned:
            domain, range_ = range_, domain
        ends = [self._fits(subject, domain)]
        ends += [] if object_ is None else [self._fits(object_, range_)]
        for fits, refused in zip(ends, REFUSED, strict=False):
            if fits is False:
                return refused
        return "type_unknown" if None in ends else "allowed"

    def wide_enough(
        self,
        predicate: Predicate,
        concepts: tuple[str, str],
        subject: Collection[str],
        object_: Collection[str],
    ) -> Predicate:
        """The predicate, or where the vocabulary narrows what the ontology allows, a wider one of
        the same relation, in the end the relation's own."""
        if _takes(predicate, concepts) or self.verdict(subject, predicate.name, object_) in REFUSED:
            return predicate
        relation, turned = self._relations.get(predicate.name, (None, True))
        if relation is None or turned:
            return predicate
        names = (*predicates_of(relation.term), relation.term)
        others = (self._vocabulary.predicate(name) for name in names)
        return next((other for other in others if _takes(other, concepts)), predicate)

    def has_relation(self, predicate: str) -> bool:
        """Whether it has a relation that is this predicate of the vocabulary, or is called so."""
        return predicate in self._relations

    def has_type(self, concept: str) -> bool:
        """Whether it has a type of this name."""
        return term(concept) in self.ontology.class_by_term

    def _fits(self, types: Iterable[str], allowed: tuple[str, ...]) -> bool | None:
        """Whether one of the types is allowed; None where nothing says what a thing is."""
        if not allowed:
            return True
        told = [type_ for type_ in types if type_ not in _UNTYPED]
        if not told:
            return None
        wanted = {term(label) for label in allowed}
        return any(wanted & self._kinds(type_) for type_ in told)

    def _kinds(self, type_: str) -> frozenset[str]:
        found = class_of(type_, self.ontology)
        return self.ontology.kinds_above(found.term) if found else frozenset([term(type_)])

    @cached_property
    def _relations(self) -> Mapping[str, tuple[OntologyPredicate, bool]]:
        """Predicates by name, with the relation that each is, and whether it is that turned."""
        found: dict[str, tuple[OntologyPredicate, bool]] = {}
        for relation in self.ontology.predicates:
            found.setdefault(relation.term, (relation, False))
            if relation.inverse:
                found.setdefault(term(relation.inverse), (relation, True))
            use = self._vocabulary.find(relation.term)
            if use:
                found[use.predicate.name] = (relation, use.inverted)
            for name in predicates_of(relation.term):
                found[name] = (relation, False)
        return found


def _takes(predicate: Predicate, concepts: tuple[str, str]) -> bool:
    return concepts[0] in predicate.domain and concepts[1] in predicate.range
