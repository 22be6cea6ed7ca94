"""RDF as it stands in a file, looked up by subject; pyoxigraph parses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from medweave.errors import OntologyError
from medweave.ontology.entities import check_entities
from medweave.ontology.terms import RDF

if TYPE_CHECKING:
    import pyoxigraph

Term: TypeAlias = "pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal"
_LANGUAGE = "en"
"""Of several texts the English one is taken, then one without a language, then any."""


@dataclass(frozen=True)
class Triples:
    """Triples by subject and predicate. Nodes are IRIs, or `_:` and the name of a blank one."""

    _objects: dict[str, dict[str, list[Term]]] = field(default_factory=dict)

    @classmethod
    def parsed(cls, content: bytes, suffix: str, where: str) -> Triples:
        """The triples of a file; `suffix` is its ending. Raises `OntologyError` with the line."""
        import pyoxigraph

        form = _form(content, suffix)
        found = cls()
        try:
            check_entities(content)
            for quad in pyoxigraph.parse(content, format=form, base_iri="urn:medweave:file"):
                found._add(quad)
        except (SyntaxError, ValueError) as error:
            line = (
                f" line {error.lineno}" if isinstance(error, SyntaxError) and error.lineno else ""
            )
            raise OntologyError(
                f"this is not RDF: {error.args[0] if error.args else error}",
                where=where + line,
                remedy="give Turtle, RDF/XML, N-Triples or JSON-LD, or YAML in our own form",
            ) from error
        return found

    def _add(self, quad: pyoxigraph.Quad) -> None:
        import pyoxigraph

        if isinstance(quad.object, pyoxigraph.Triple) or isinstance(
            quad.subject, pyoxigraph.Triple
        ):
            return  # a triple about a triple says nothing of classes
        by_predicate = self._objects.setdefault(_node(quad.subject), {})
        by_predicate.setdefault(quad.predicate.value, []).append(quad.object)

    def subjects(self, type_: str) -> list[str]:
        """All nodes of an `rdf:type`, in the order of the file."""
        return [node for node in self._objects if type_ in self.nodes(node, RDF + "type")]

    def nodes(self, subject: str, *predicates: str) -> list[str]:
        """The nodes that a node is joined to; a literal is none."""
        import pyoxigraph

        return [
            _node(term)
            for term in self._terms(subject, predicates)
            if not isinstance(term, pyoxigraph.Literal)
        ]

    def texts(self, subject: str, *predicates: str) -> list[str]:
        """The literals of a node, those in English first, in the order of the predicates."""
        import pyoxigraph

        found = [t for t in self._terms(subject, predicates) if isinstance(t, pyoxigraph.Literal)]
        ranked = sorted(found, key=lambda text: (text.language or "") not in (_LANGUAGE, ""))
        return [text.value.strip() for text in ranked]

    def properties_of(self, subject: str) -> dict[str, list[str]]:
        """All that is said of a node, by predicate: nodes, and the values of literals."""
        return {
            predicate: [_node(term) for term in terms]
            for predicate, terms in self._objects.get(subject, {}).items()
        }

    def annotated(self, subject: str) -> Iterator[tuple[str, str]]:
        """All literals of a node with the predicate that each stands behind."""
        for predicate in self._objects.get(subject, {}):
            for text in self.texts(subject, predicate):
                yield predicate, text

    def listed(self, node: str) -> list[str]:
        """The nodes of an RDF list; one that runs in a circle ends where it began."""
        return [each for cell in self._cells(node) for each in self.nodes(cell, RDF + "first")]

    def list_terms(self, node: str) -> list[Term]:
        """The same with literals, as they stand there."""
        return [each for cell in self._cells(node) for each in self._terms(cell, [RDF + "first"])]

    def _cells(self, node: str) -> Iterator[str]:
        seen: set[str] = set()
        while node and node != RDF + "nil" and node not in seen:
            seen.add(node)
            yield node
            node = next(iter(self.nodes(node, RDF + "rest")), "")

    def _terms(self, subject: str, predicates: Iterable[str]) -> Iterator[Term]:
        by_predicate = self._objects.get(subject, {})
        for predicate in predicates:
            yield from by_predicate.get(predicate, ())


def _node(term: Term) -> str:
    import pyoxigraph

    return f"_:{term.value}" if isinstance(term, pyoxigraph.BlankNode) else term.value


def _form(content: bytes, suffix: str) -> pyoxigraph.RdfFormat:
    import pyoxigraph

    begins = content.lstrip()[:1]
    if begins == b"<" and b"<rdf:RDF" in content[:100_000]:
        return pyoxigraph.RdfFormat.RDF_XML
    known = pyoxigraph.RdfFormat.from_extension(suffix.lstrip("."))
    if known is None or known == pyoxigraph.RdfFormat.RDF_XML:
        return pyoxigraph.RdfFormat.RDF_XML if begins == b"<" else pyoxigraph.RdfFormat.TURTLE
    return known
