"""The triples of sources that are RDF themselves, under the IRIs they have there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from medweave.model.document import Document
from medweave.model.iris import LOCAL, iri_of
from medweave.ontology.terms import PROV

if TYPE_CHECKING:
    import pyoxigraph

FIELD = "n-triples"
"""The field of a document that holds its triples, one a line."""


def quads_of_sources(documents: Iterable[Document]) -> Iterator[pyoxigraph.Quad]:
    """What such documents say, each in the graph of its source; what looks like a part of a base
    of ours is left out, as the document alone says that."""
    import pyoxigraph

    for document in documents:
        graph = pyoxigraph.NamedNode(iri_of(f"source:{document.source}"))
        text = document.text(FIELD)
        for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES):
            if not any(_ours(node) for node in (quad.subject, quad.predicate, quad.object)):
                nodes = (_own(node, document) for node in (quad.subject, quad.object))
                subject, object_ = nodes
                yield pyoxigraph.Quad(subject, quad.predicate, object_, graph)


def _ours(node: Any) -> bool:
    return str(getattr(node, "value", "")).startswith((LOCAL, PROV))


def _own(node: Any, document: Document) -> Any:
    """A node; one without a name is never one of another document."""
    import pyoxigraph

    if isinstance(node, pyoxigraph.BlankNode):
        return pyoxigraph.BlankNode(f"{document.id.replace(':', '')}{node.value}")
    return node
