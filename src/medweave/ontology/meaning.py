"""What the types and relations of an ontology are in the vocabulary of a base."""

from __future__ import annotations

from medweave.model.ontology import Ontology, OntologyClass, term

PREDICATES = {
    "affect": ("affects",),
    "cause": ("leads_to",),
    "treat": ("used_for", "studied_for"),
    "present": ("shows",),
    "diagnose": ("indicates",),
    "aggravate": ("aggravates",),
    "prevent": ("used_to_prevent", "protects_from"),
    "improve": ("improves",),
}
"""What the eight relations are in the vocabulary. The last takes any thing at either end, so that
"a gene prevents AMD" is kept; it is also what is only hedged, so that no planned trial is a use."""
_KINDS = {"drug": ("treatment",), "drug_class": ("drug", "treatment")}
"""Concepts that an ontology without them has under wider names, the nearest first."""


def predicates_of(relation: str) -> tuple[str, ...]:
    """The predicates that a relation is in a base; one of an ontology's own keeps its name.

    >>> predicates_of("treat"), predicates_of("part_of")
    (('used_for', 'studied_for'), ('part_of',))
    """
    return PREDICATES.get(relation, (relation,))


def class_of(concept: str, ontology: Ontology) -> OntologyClass | None:
    """The type that a concept or a role is in an ontology, where it is any."""
    types = ontology.class_by_term
    names = (term(concept), *_KINDS.get(concept, ()))
    return next((types[name] for name in names if name in types), None)
