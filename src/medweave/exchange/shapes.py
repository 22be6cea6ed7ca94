"""RDF held against our shapes, in one pass over its nodes.

Of SHACL (https://www.w3.org/TR/shacl/) just the kinds of constraints that `shapes.ttl` has: what
else a shape may say is refused when the shapes are read, so that nothing goes unchecked. A test
holds this against pyshacl, which nobody needs to run medweave.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from medweave.errors import OntologyError
from medweave.language.data import shipped
from medweave.model.iris import TERMS, identifier_of
from medweave.model.rdf_layout import XSD
from medweave.model.reached import reached
from medweave.ontology.terms import RDF, RDFS
from medweave.ontology.triples import Triples

if TYPE_CHECKING:
    import pyoxigraph

    Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal

SHACL = "http://www.w3.org/ns/shacl#"
_OF_NODE = ("targetClass", "targetSubjectsOf", "nodeKind", "property")
_OF_PROPERTY = (
    "path", "minCount", "maxCount", "nodeKind", "datatype", "class", "in", "message",
)  # fmt: skip
_FORMS = {XSD + "integer": re.compile(r"[+-]?\d+")}
"""How values of a datatype are written, where not every text is one."""


@dataclass(frozen=True, slots=True)
class PropertyShape:
    """What the values of a property must be."""

    path: str
    inverse: bool = False
    least: int = 0
    most: int | None = None
    kind: str = ""
    """`IRI` or `Literal`."""
    datatype: str = ""
    of_class: str = ""
    allowed: tuple[str, ...] = ()
    """The only values, as N-Triples write them."""


@dataclass(frozen=True, slots=True)
class NodeShape:
    """Which nodes it is about, and what they must be."""

    classes: tuple[str, ...]
    subjects_of: tuple[str, ...]
    kind: str
    properties: tuple[PropertyShape, ...]


@dataclass(frozen=True, slots=True)
class Violation:
    """A node that is not as a shape has it, and why."""

    node: str
    what: str

    def __str__(self) -> str:
        return f"{self.node} {self.what}"


@cache
def our_shapes() -> tuple[NodeShape, ...]:
    """The shapes that ship."""
    return read_shapes(shipped("exchange", "shapes.ttl").read_bytes(), "shapes.ttl")


def read_shapes(content: bytes, where: str) -> tuple[NodeShape, ...]:
    """Shapes in Turtle; `OntologyError` for a constraint of a kind that is not checked here."""
    triples = Triples.parsed(content, ".ttl", where)
    return tuple(
        NodeShape(
            tuple(triples.nodes(node, SHACL + "targetClass")),
            tuple(triples.nodes(node, SHACL + "targetSubjectsOf")),
            _kind(triples, node),
            tuple(_property(triples, each, where) for each in said["property"]),
        )
        for node in triples.subjects(SHACL + "NodeShape")
        if (said := _constraints(triples, node, _OF_NODE, where))
    )


def _property(triples: Triples, node: str, where: str) -> PropertyShape:
    said = _constraints(triples, node, _OF_PROPERTY, where)
    path = said["path"][0]
    turned = triples.nodes(path, SHACL + "inversePath")
    allowed = triples.list_terms(said["in"][0]) if "in" in said else []
    return PropertyShape(
        path=turned[0] if turned else path,
        inverse=bool(turned),
        least=int(said.get("minCount", ["0"])[0]),
        most=int(said["maxCount"][0]) if "maxCount" in said else None,
        kind=_kind(triples, node),
        datatype=said.get("datatype", [""])[0],
        of_class=said.get("class", [""])[0],
        allowed=tuple(str(each) for each in allowed),
    )


def _constraints(
    triples: Triples, node: str, known: Iterable[str], where: str
) -> dict[str, list[str]]:
    """The constraints of a shape by name, with their values."""
    found = {
        term.removeprefix(SHACL): values
        for term, values in triples.properties_of(node).items()
        if term != RDF + "type"
    }
    if unknown := sorted(set(found) - set(known)):
        raise OntologyError(f"shapes with '{unknown[0]}' are not checked here", where=where)
    return found


def _kind(triples: Triples, node: str) -> str:
    return "".join(triples.nodes(node, SHACL + "nodeKind")).removeprefix(SHACL)


@dataclass
class ShapeCheck:
    """Nodes are given one by one, each with all that is said of it, then the violations taken."""

    shapes: Sequence[NodeShape] = field(default_factory=our_shapes)
    _found: list[Violation] = field(default_factory=list)
    _instances: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The nodes of each class that a shape speaks of, itself or by a class below it."""
    _wider: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _waiting: dict[tuple[str, str], set[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    """By path and class: nodes with values that must be of the class."""
    _pointed: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    """By path that is read backwards: how often each node is its value."""
    _foci: dict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The nodes of shapes that read a path backwards."""

    def __post_init__(self) -> None:
        every = (each for shape in self.shapes for each in shape.properties)
        self._backwards = {each.path for each in every if each.inverse}
        self._of_class = {f"<{each}>": n for n, s in enumerate(self.shapes) for each in s.classes}
        self._of_subjects = {
            each: n for n, shape in enumerate(self.shapes) for each in shape.subjects_of
        }

    def take(self, node: Term, said: Mapping[str, Sequence[Term]]) -> None:
        """One node."""
        name = str(node)
        types = {str(each) for each in said.get(RDF + "type", ())}
        for type_ in types:
            self._instances[type_].add(name)
        for wider in said.get(RDFS + "subClassOf", ()):
            self._wider[name].add(str(wider))
        for path in self._backwards:
            self._pointed[path].update(str(each) for each in said.get(path, ()))
        numbers = {self._of_class[each] for each in types if each in self._of_class}
        numbers |= {number for path, number in self._of_subjects.items() if path in said}
        for number in sorted(numbers):
            self._check(number, node, said)

    def violations(self) -> Iterator[Violation]:
        """All that is wrong, in the order of the nodes, then what only all nodes together tell."""
        yield from self._found
        for (path, of_class), pairs in self._waiting.items():
            known = self._members(of_class)
            for node, value in sorted(pairs):
                if value not in known:
                    what = (
                        f"has {_short(value)} as its {_short(path)}, which is no {_short(of_class)}"
                    )
                    yield Violation(_short(node), what)
        for number, nodes in self._foci.items():
            for each in self.shapes[number].properties:
                counts = self._pointed[each.path]
                for node in sorted(nodes) if each.inverse else ():
                    yield from _of_number(node, each, counts[node])

    def _members(self, of_class: str) -> set[str]:
        """The nodes of a class, and of classes below it."""

        def narrower(name: str) -> Iterator[str]:
            return (each for each, wider in self._wider.items() if name in wider)

        below = reached([f"<{of_class}>"], narrower)
        return set().union(*(self._instances.get(each, set()) for each in below))

    def _check(self, number: int, node: Term, said: Mapping[str, Sequence[Term]]) -> None:
        name, shape = str(node), self.shapes[number]
        if shape.kind and _kind_of(node) != shape.kind:
            self._found.append(Violation(_short(name), f"is no {shape.kind}"))
        for each in shape.properties:
            if each.inverse:
                self._foci[number].add(name)
                continue
            values = list(dict.fromkeys(said.get(each.path, ())))
            self._found += _of_number(name, each, len(values))
            for value in values:
                if wrong := _wrong(value, each):
                    what = f"has {_short(str(value))} as its {_short(each.path)}: {wrong}"
                    self._found.append(Violation(_short(name), what))
                if each.of_class:
                    self._waiting[each.path, each.of_class].add((name, str(value)))


def _of_number(node: str, shape: PropertyShape, count: int) -> Iterator[Violation]:
    """A violation where there are too few or too many values."""
    path = _short(shape.path)
    if count < shape.least:
        yield Violation(
            _short(node), f"is no {path} of anything" if shape.inverse else f"lacks {path}"
        )
    elif shape.most is not None and count > shape.most:
        yield Violation(_short(node), f"has {count} values of {path}")


def _wrong(value: Term, shape: PropertyShape) -> str:
    """Why a value may not stand there, '' where it may."""
    if shape.kind and _kind_of(value) != shape.kind:
        return f"it is no {shape.kind}"
    if shape.allowed and str(value) not in shape.allowed:
        return f"it may be {', '.join(_short(each) for each in shape.allowed)}"
    if shape.datatype:
        datatype = getattr(value, "datatype", None)
        form = _FORMS.get(shape.datatype)
        written = str(getattr(value, "value", ""))
        if datatype is None or datatype.value != shape.datatype:
            return f"it is no {_short(shape.datatype)}"
        if form and not form.fullmatch(written):
            return f"it is not written as {_short(shape.datatype)}"
    return ""


def _kind_of(term: Any) -> str:
    import pyoxigraph

    if isinstance(term, pyoxigraph.NamedNode):
        return "IRI"
    return "Literal" if isinstance(term, pyoxigraph.Literal) else "BlankNode"


_LONG = 60


def _short(term: str) -> str:
    """A term as people read it: an identifier, the end of an IRI, or a text cut short."""
    if term.startswith('"'):
        return term if len(term) <= _LONG else f"{term[:_LONG]}…"
    iri = term.strip("<>")
    if iri.startswith(TERMS):
        return iri.removeprefix(TERMS)
    found = identifier_of(iri)
    return found if found != iri else re.split(r"[#/]", iri)[-1] or iri
