"""Allergies: to the drug, to an ingredient or a class of it, to what bears its name, or to its kin.

A stop rests on the statements by which the drug is what the person is allergic to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from medweave.inference.safety.lineage import classes_of
from medweave.language.data import shipped_yaml
from medweave.model.facts import Fact, Facts
from medweave.model.inferred import StopFinding
from medweave.model.material import Focus
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

_LEAST_NAME = 6
"""A shorter name stands in others by chance."""


def by_lineage(
    drug: Focus, lineage: dict[str, tuple[str, ...]], facts: Facts, knowledge: Knowledge
) -> list[StopFinding]:
    """What the person's allergies say of a drug, where no statement names them."""
    for fact in facts.of("allergy"):
        for allergen in fact.entities:
            if allergen in lineage:
                return _own(allergen, lineage, fact, knowledge)
    return [
        *_cross_reactions(drug, lineage, facts, knowledge),
        *_by_name(drug, lineage, facts, knowledge),
    ][:1]


def _own(
    allergen: str, lineage: dict[str, tuple[str, ...]], fact: Fact, knowledge: Knowledge
) -> list[StopFinding]:
    """An allergy to the very drug, its ingredient or its class."""
    through = lineage[allergen]
    found = knowledge.store.statements(through[-1:]) or whatever(lineage, knowledge)
    return [
        StopFinding(supported, allergen, "allergy", True, "stop", True, through, (fact,))
        for supported in found[:1]
    ]


def _cross_reactions(
    drug: Focus, lineage: dict[str, tuple[str, ...]], facts: Facts, knowledge: Knowledge
) -> Iterator[StopFinding]:
    """An allergy to another drug of its class stops it until asked; to one of its kin needs care.

    Which classes are kin is data, with its source.
    """
    own = classes_of(drug.entities, knowledge)
    for fact in facts.of("allergy"):
        theirs = set(classes_of(fact.entities, knowledge))
        a_drug = knowledge.entities.get(fact.entities[0]).concept == "drug"
        for shared in sorted(set(own) & theirs) if a_drug else ():
            found = knowledge.store.statements(own[shared]) or whatever(drug.entities, knowledge)
            for supported in found[:1]:
                through = tuple(own[shared])
                yield StopFinding(
                    supported, fact.entities[0], "allergy", None, "stop", True, through, (fact,)
                )
        allergens = theirs | set(fact.entities)
        if any(_kin(one, other) for one in lineage for other in allergens):
            for supported in whatever(drug.entities, knowledge)[:1]:
                yield StopFinding(
                    supported, fact.entities[0], "allergy", True, "care", True, (), (fact,)
                )


def _kin(one: str, other: str) -> bool:
    groups = shipped_yaml("inference", "safety", "cross_allergies.yaml")["groups"]
    return one != other and any(one in group and other in group for group in groups)


def _by_name(
    drug: Focus, lineage: dict[str, tuple[str, ...]], facts: Facts, knowledge: Knowledge
) -> Iterator[StopFinding]:
    """A name that holds an allergen's name is asked about: benzathine benzylpenicillin."""
    names = _names(chain(drug.entities, lineage), knowledge)
    for fact in facts.of("allergy"):
        for allergen in _preferred_names(fact.entities, knowledge):
            stem = allergen.removesuffix("s")
            if len(stem) >= _LEAST_NAME and any(stem in name for name in names):
                for supported in whatever(drug.entities, knowledge)[:1]:
                    yield StopFinding(
                        supported, fact.entities[0], "allergy", None, "stop", True, (), (fact,)
                    )


def _names(entities: Iterable[str], knowledge: Knowledge) -> list[str]:
    every = knowledge.entities.all(entities)
    return [name.lower() for entity in every.values() for name in entity.all_names()]


def _preferred_names(entities: Iterable[str], knowledge: Knowledge) -> list[str]:
    """What things are called in each language, without their brands: Trimox, an amoxicillin, is a
    part of the word cotrimoxazole."""
    every = knowledge.entities.all(entities)
    return [names[0].lower() for entity in every.values() for names in entity.names.values()]


def whatever(names: Iterable[str], knowledge: Knowledge) -> list[SupportedStatement]:
    """Whatever the base says of a drug: what a stop rests on that no statement gives."""
    match = knowledge.store.match
    return [s for name in names for s in (*match(name, limit=1), *match(None, None, name, limit=1))]
