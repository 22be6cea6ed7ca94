"""HermiT, which decides all of OWL 2 DL: through owlready2, where Java is."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from medweave.errors import ConfigurationError, OntologyError
from medweave.ontology.terms import OWL, RDF, RDFS
from medweave.reasoning.rules import TYPE, Triple, line_of
from medweave.reasoning.translation import World

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
