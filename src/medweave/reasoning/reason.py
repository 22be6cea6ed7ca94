"""What a base implies by an ontology: statements with their premises, or who contradicts whom."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from medweave.errors import ConfigurationError, OntologyError
from medweave.model.iris import identifier_of
from medweave.model.json_form import json_of
from medweave.model.ontology import Ontology
from medweave.model.statement import Statement
from medweave.ontology.terms import OWL, RDF, RDFS, local_name
from medweave.reasoning.closure import Closure, Derivation, closure
from medweave.reasoning.rules import TYPE, Triple, line_of
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


_OF_SIMPLE = {
    OWL + "IrreflexiveProperty", OWL + "AsymmetricProperty", OWL + "propertyDisjointWith",
}  # fmt: skip
"""What OWL 2 DL lets nobody say of a transitive relation. The rules see to it all the same."""


_HIERARCHY = (RDFS + "subPropertyOf", OWL + "equivalentProperty")


class _NotSimpleError(Exception):
    """Something of the kind is said of a transitive relation."""


@dataclass(frozen=True, slots=True)
class HermitSaid:
    """What HermiT says of a world: the triples that follow, if all of it can be so."""

    consistent: bool
    inferred: tuple[Triple, ...] = ()


def hermit_is_there() -> bool:
    """Whether owlready2 is installed, and Java beside it."""
    return find_spec("owlready2") is not None and shutil.which("java") is not None


def by_hermit(world: World) -> HermitSaid:
    """What HermiT infers. Raises `ConfigurationError` where it is not there, and `OntologyError`
    for an ontology that is none of OWL 2 DL."""
    if not hermit_is_there():
        raise ConfigurationError(
            "HermiT needs Java and the package owlready2",
            where="--engine hermit",
            remedy="install both (pip install 'medweave[hermit]'), or use --engine rules",
        )
    try:
        return _reasoned(world, (*_declared(world), *world.triples))
    except _NotSimpleError:
        simple = (each for each in world.triples if not {each[1], each[2]} & _OF_SIMPLE)
        return _reasoned(world, (*_declared(world), *simple))


def _reasoned(world: World, triples: Iterable[Triple]) -> HermitSaid:
    import owlready2

    opened = owlready2.World()
    try:
        with tempfile.TemporaryDirectory(prefix="medweave-hermit-") as folder:
            path = Path(folder) / "world.nt"
            path.write_text("".join(map(line_of, triples)), "utf-8")
            opened.get_ontology(path.as_uri()).load()
        owlready2.sync_reasoner_hermit(opened, infer_property_values=True, debug=0)
        return HermitSaid(True, _new(opened.as_rdflib_graph(), world))
    except owlready2.OwlReadyInconsistentOntologyError:
        return HermitSaid(consistent=False)
    except owlready2.base.OwlReadyJavaError as error:
        if "Non-simple" in str(error):
            raise _NotSimpleError from error
        lines = [line for line in str(error).splitlines() if "Exception" in line]
        raise OntologyError(
            f"HermiT cannot reason by it: {(lines or ['it failed'])[0][:200]}",
            where="--engine hermit",
            remedy="use --engine rules, or keep to OWL 2 DL",
        ) from error
    finally:
        opened.close()


def _declared(world: World) -> Iterator[Triple]:
    """What HermiT wants to be told: which names are relations, and which are things."""
    for relation in sorted({relation for _, relation, _ in world.facts}):
        yield relation, TYPE, OWL + "ObjectProperty"
    bridges = {axiom[0] for axiom in world.axioms if not axiom[0].startswith("_:")}
    declared = {subject for subject, predicate, _ in world.axioms if predicate == TYPE}
    for relation in sorted(bridges - declared):
        yield relation, TYPE, OWL + "ObjectProperty"
    for thing in sorted({end for fact in world.facts for end in (fact[0], fact[2])}):
        yield thing, TYPE, OWL + "NamedIndividual"


def _new(graph: Iterable[tuple[object, object, object]], world: World) -> tuple[Triple, ...]:
    """What stands between things and was not given, and which relations imply which: HermiT tells
    of two things the narrowest relation alone."""
    things = {end for fact in world.facts for end in (fact[0], fact[2])}
    texts = ((str(subject), str(relation), str(object_)) for subject, relation, object_ in graph)
    return tuple(
        triple
        for triple in texts
        if (triple[0] in things and triple[2] in things and not triple[1].startswith((RDF, OWL)))
        or triple[1] in _HIERARCHY
        if triple not in world.facts
    )
