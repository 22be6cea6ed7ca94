"""What a base implies by an ontology: statements with their premises, or who contradicts whom."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from medweave.model.iris import identifier_of
from medweave.model.json_form import json_of
from medweave.model.ontology import Ontology
from medweave.model.statement import Statement
from medweave.ontology.terms import OWL, RDFS, local_name
from medweave.reasoning.closure import Closure, Derivation, closure
from medweave.reasoning.hermit import by_hermit, hermit_is_there
from medweave.reasoning.rules import TYPE, Triple
from medweave.reasoning.translation import Statements, World, is_axiom, world_of
from medweave.vocabulary.knowledge import Knowledge

Engine = Literal["rules", "hermit"]
_MOST_BY_HERMIT = 20_000
"""Facts that HermiT is given where nobody asks for it: it takes some three times as long."""


@dataclass(frozen=True, slots=True)
class Inferred:
    """A statement that follows, with the ids of those it follows from."""

    statement: Statement
    why: tuple[str, ...]
    axiom: str
    """By which axioms, in words."""


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """Statements that cannot all be so, and the axioms that say it."""

    what: str
    statements: tuple[str, ...]
    axiom: str

    def to_json(self) -> dict[str, Any]:
        """One of `inconsistencies` of `reason --json`."""
        return json_of(self, "what statements axiom")


@dataclass(frozen=True, slots=True)
class Reasoned:
    """What came of reasoning over a base."""

    engine: Engine
    inferred: tuple[Inferred, ...] = ()
    inconsistencies: tuple[Inconsistency, ...] = ()

    @property
    def consistent(self) -> bool:
        """Whether nothing contradicts anything else; where it is not so, nothing is inferred."""
        return not self.inconsistencies

    def to_json(self, knowledge: Knowledge) -> dict[str, Any]:
        """The form of `reason --json`."""
        return {
            "engine": self.engine,
            "consistent": self.consistent,
            "inferred": len(self.inferred),
            "statements": [_form(each, knowledge) for each in self.inferred],
            "inconsistencies": [each.to_json() for each in self.inconsistencies],
        }


def reason(knowledge: Knowledge, ontology: Ontology, engine: Engine | None = None) -> Reasoned:
    """All statements that follow from those of a base by an ontology; or why nothing can be.

    `engine` is `rules` (OWL 2 RL) or `hermit`; where none is named, HermiT where it is there and
    the base is not large.
    Raises `ConfigurationError` where HermiT is named and not there.
    """
    world = world_of(knowledge.store.match(), knowledge, ontology)
    small = len(world.facts) <= _MOST_BY_HERMIT
    chosen = engine or ("hermit" if small and hermit_is_there() else "rules")
    found = closure(world.triples)
    follows: Iterable[Triple] = found.inferred
    consistent = not found.clashes
    if chosen == "hermit":
        said = by_hermit(world)
        consistent = said.consistent and consistent
        follows = (*said.inferred, *closure((*world.triples, *said.inferred)).inferred)
    if not consistent:
        return Reasoned(chosen, inconsistencies=_inconsistencies(found, world, knowledge))
    return Reasoned(
        chosen, _inferred(follows, found, world, Statements(world, knowledge, ontology))
    )


def _inferred(
    follows: Iterable[Triple], found: Closure, world: World, statements: Statements
) -> tuple[Inferred, ...]:
    made: dict[str, Inferred] = {}
    for triple in follows:
        statement = statements.of(triple)
        if statement is not None and statement.id not in made:
            grounds = _grounds(triple, found, world)
            axioms = _axioms(grounds)
            made[statement.id] = Inferred(statement, world.statements(grounds), axioms)
    return tuple(made[identifier] for identifier in sorted(made))


def _grounds(triple: Triple, found: Closure, world: World) -> tuple[Triple, ...]:
    """The triples of a base from which one follows; where no rule says it, all at either end."""
    if triple in found.inferred:
        return found.grounds([triple])
    ends = {triple[0], triple[2]}
    return tuple(each for each in world.facts if ends & {each[0], each[2]})


def _inconsistencies(
    found: Closure, world: World, knowledge: Knowledge
) -> tuple[Inconsistency, ...]:
    """Each contradiction once, whichever way round the rules met it."""
    made: dict[tuple[object, ...], Inconsistency] = {}
    for clash in found.clashes:
        facts = [triple for triple in clash.premises if not is_axiom(triple)]
        one = _inconsistency(clash, facts, found, world, knowledge)
        made.setdefault((frozenset(facts), one.statements), one)
    if not made:
        what = "the ontology and the base contradict each other, in a way no rule can name"
        return (Inconsistency(what, (), ""),)
    return tuple(sorted(made.values(), key=lambda each: (each.what, each.axiom)))


def _inconsistency(
    clash: Derivation, facts: list[Triple], found: Closure, world: World, knowledge: Knowledge
) -> Inconsistency:
    said = " and ".join(dict.fromkeys(_in_words(triple, knowledge) for triple in facts))
    what = f"{said} exclude each other" if len(facts) > 1 else f"{said}, which cannot be"
    grounds = found.grounds(clash.premises)
    return Inconsistency(what, world.statements(grounds), _axioms(clash.premises))


def _in_words(triple: Triple, knowledge: Knowledge) -> str:
    """A triple of things, as people read it."""
    subject, relation, object_ = triple
    name = knowledge.entities.get(identifier_of(subject)).name("en")
    if relation == TYPE:
        return f"'{name}' is a {_called(object_)}"
    other = knowledge.entities.get(identifier_of(object_)).name("en")
    return f"'{name}' {_called(relation)} '{other}'"


def _axioms(triples: Iterable[Triple]) -> str:
    """The axioms among triples, in the words of OWL."""
    said = (
        f"{_called(subject)} {_called(predicate)} {_called(object_)}"
        for subject, predicate, object_ in triples
        if is_axiom((subject, predicate, object_)) and _called(subject) != _called(object_)
    )
    return "; ".join(dict.fromkeys(said))


def _called(iri: str) -> str:
    """What a class or relation is called; a class without a name is one of several."""
    if iri == TYPE:
        return "is"
    if iri.startswith("_:"):
        return "one of several types"
    name = local_name(iri)
    return name if iri.startswith((OWL, RDFS)) else name.replace("_", " ")


def _form(inferred: Inferred, knowledge: Knowledge) -> dict[str, Any]:
    statement = inferred.statement
    ends = (knowledge.entities.get(end) for end in (statement.subject, str(statement.object)))
    subject, object_ = ({**json_of(end, "id concept"), "name": end.name("en")} for end in ends)
    return {
        "id": statement.id,
        "subject": subject,
        "predicate": statement.predicate,
        "object": object_,
        "qualifiers": dict(statement.qualifiers),
        "inferred": True,
        "why": list(inferred.why),
        "axiom": inferred.axiom,
    }
