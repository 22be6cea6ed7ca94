"""What follows from the RDF of a base by OWL 2 RL, for queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from medweave.exchange.rdf import quads_of_sources
from medweave.graph.contents import Contents
from medweave.model.iris import LOCAL
from medweave.model.rdf_layout import INFERRED
from medweave.ontology.loading import ontology_in
from medweave.reasoning.closure import closure
from medweave.reasoning.rules import Triple, line_of
from medweave.reasoning.translation import triples_of, world_of
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:
    import pyoxigraph

AXIOMS = LOCAL + "axioms"
"""The graph of the axioms that were reasoned by."""


def quads_that_follow(contents: Contents, knowledge: Knowledge) -> Iterator[pyoxigraph.Quad]:
    """The axioms, and all that follows from them, from what the base affirms, and from the RDF of
    its sources.

    Where some of it contradicts itself everything else follows all the same: nothing is made up.
    """
    ontology = ontology_in()
    world = world_of(contents.statements, knowledge, ontology)
    sources = tuple(triples_of(quads_of_sources(contents.documents)))
    for triple in world.axioms:
        yield _quad(triple, AXIOMS)
    for triple in (*world.types, *closure((*world.triples, *sources)).inferred):
        yield _quad(triple, INFERRED)


def _quad(triple: Triple, graph: str) -> pyoxigraph.Quad:
    """A triple in a graph; one in N-Triples is parsed, which is the way to read its literals."""
    import pyoxigraph

    quad = next(iter(pyoxigraph.parse(line_of(triple), format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return pyoxigraph.Quad(quad.subject, quad.predicate, quad.object, pyoxigraph.NamedNode(graph))
