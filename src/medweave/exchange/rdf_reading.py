"""A base out of the RDF that `medweave.exchange.rdf` writes, whoever wrote it down again."""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import SourceError
from medweave.exchange.contents import Contents
from medweave.exchange.iris import RELATION, TERMS, identifier_of
from medweave.exchange.payload import Part, from_plain
from medweave.exchange.rdf import (
    ACTIVITY_TERMS,
    BASE,
    DOCUMENT_TERMS,
    EVIDENCE_TERMS,
    NAME_TERMS,
    NOTE,
    PLACE_TERMS,
    XSD,
)
from medweave.model.document import Document
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, Statement, SupportedStatement
from medweave.ontology.terms import DCTERMS, PROV, RDF

if TYPE_CHECKING:
    import pyoxigraph

_QUALIFIER = TERMS + "qualifier-"


def read_rdf(path: Path) -> Contents:
    """What a Turtle or TriG file holds; `SourceError` where it is none, or not of a base."""
    with _loaded(path) as store:
        return _Reader(store, str(path)).contents()


@contextmanager
def _loaded(path: Path) -> Iterator[pyoxigraph.Store]:
    """The file in a store on disk: it may be larger than memory."""
    import pyoxigraph

    folder = tempfile.mkdtemp(prefix="medweave-rdf-")
    try:
        store = pyoxigraph.Store(folder)
        form = pyoxigraph.RdfFormat.TRIG  # every Turtle file is one, too
        try:
            store.bulk_load(path=str(path), format=form)
        except (SyntaxError, ValueError) as error:
            raise SourceError(
                f"this is no Turtle or TriG ({error})", where=str(path), remedy="export it again"
            ) from error
        except OSError as error:
            raise SourceError(
                f"this file cannot be read ({error.strerror or error})",
                where=str(path),
                remedy="name a file that is there",
            ) from error
        yield store
        del store
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Reader:
    def __init__(self, store: pyoxigraph.Store, where: str) -> None:
        self._store = store
        self._where = where

    def contents(self) -> Contents:
        documents = {each.id: each for each in map(self._document, self._of(TERMS + "Document"))}
        keys = {
            identifier_of(node.value): str(held[0])
            for node in self._of(TERMS + "Document")
            if (held := self._parts(node).get(TERMS + "buildKey"))
        }
        runs = {each.id: each for each in map(self._activity, self._of(PROV + "Activity"))}
        statements = map(self._supported, self._of(RDF + "Statement"))
        found = Contents(
            tuple(sorted(documents.values(), key=lambda each: (each.source, each.name))),
            dict(sorted(keys.items())),
            tuple(runs[identifier] for identifier in sorted(runs)),
            self._names(),
            tuple(sorted(statements, key=lambda each: each.statement.id)),
            self._notes(),
        )
        if not found.documents:
            raise SourceError(
                "this RDF holds no documents of a base",
                where=self._where,
                remedy="give a file that `medweave export` wrote",
            )
        return found

    def _notes(self) -> dict[str, str]:
        import pyoxigraph

        held = self._parts(pyoxigraph.NamedNode(BASE))
        return {term.removeprefix(NOTE): str(values[0]) for term, values in held.items()}

    def _of(self, kind: str) -> list[pyoxigraph.NamedNode]:
        import pyoxigraph

        pattern = (None, pyoxigraph.NamedNode(RDF + "type"), pyoxigraph.NamedNode(kind), None)
        nodes = {quad.subject for quad in self._store.quads_for_pattern(*pattern)}
        named = [node for node in nodes if isinstance(node, pyoxigraph.NamedNode)]
        return sorted(named, key=lambda node: node.value)

    def _parts(self, node: Any) -> dict[str, list[Any]]:
        """The values of a node by property, each once whatever graphs have it."""
        found: dict[str, dict[Any, None]] = defaultdict(dict)
        for quad in self._store.quads_for_pattern(node, None, None, None):
            found[quad.predicate.value][quad.object] = None
        return {name: [_value(term) for term in terms] for name, terms in found.items()}

    def _document(self, node: pyoxigraph.NamedNode) -> Document:
        held = self._parts(node)
        fields = []
        for part in held.get(TERMS + "hasField", ()):
            inner = self._parts(part)
            order, field = _first(inner, TERMS + "order"), _first(inner, TERMS + "field")
            fields.append((order, field, _first(inner, RDF + "value")))
        plain = {name: _first(held, term) for name, term in DOCUMENT_TERMS.items()}
        plain["name"] = _first(held, DCTERMS + "identifier")
        plain["fields"] = [[field, text] for _, field, text in sorted(fields, key=_order)]
        return self._checked(Document, plain, node)

    def _activity(self, node: pyoxigraph.NamedNode) -> Activity:
        held = self._parts(node)
        plain = {name: _first(held, TERMS + name, "") for name in ACTIVITY_TERMS}
        return self._checked(Activity, plain, node)

    def _names(self) -> dict[str, tuple[tuple[NameMention, tuple[str, ...]], ...]]:
        found: dict[str, list[tuple[NameMention, tuple[str, ...]]]] = defaultdict(list)
        for node in self._of(TERMS + "Name"):
            held = self._parts(node)
            plain = {name: _first(held, TERMS + term) for name, term in NAME_TERMS.items()}
            plain["entity"] = identifier_of(_iri(_first(held, TERMS + "names")))
            plain["name"] = _first(held, RDF + "value")
            plain["language"] = _first(held, DCTERMS + "language")
            mention = self._checked(NameMention, plain, node)
            documents = (identifier_of(_iri(each)) for each in held[PROV + "wasDerivedFrom"])
            found[mention.entity].append((mention, tuple(sorted(documents))))
        return {thing: tuple(found[thing]) for thing in sorted(found)}

    def _supported(self, node: pyoxigraph.NamedNode) -> SupportedStatement:
        import pyoxigraph

        statement = self._statement(node)
        pattern = (None, pyoxigraph.NamedNode(PROV + "specializationOf"), node, None)
        nodes = {quad.subject for quad in self._store.quads_for_pattern(*pattern)}
        if not nodes:
            raise SourceError(
                f"{statement.id} has no evidence",
                where=self._where,
                remedy="export it again; a part of it is missing",
            )
        evidence = (self._evidence(each) for each in nodes)
        return SupportedStatement(statement, tuple(sorted(evidence, key=lambda each: each.id)))

    def _statement(self, node: pyoxigraph.NamedNode) -> Statement:
        held = self._parts(node)
        relation = _iri(_first(held, RDF + "predicate"))
        name = identifier_of("urn:medweave:" + relation.removeprefix(RELATION))
        plain = {
            "subject": identifier_of(_iri(_first(held, RDF + "subject"))),
            "predicate": name if relation.startswith(RELATION) else relation,
            "object": _object(held),
            "qualifiers": sorted(
                [term.removeprefix(_QUALIFIER), values[0]]
                for term, values in held.items()
                if term.startswith(_QUALIFIER)
            ),
        }
        statement = self._checked(Statement, plain, node)
        called = identifier_of(node.value)
        if statement.id != called:
            raise SourceError(
                f"{called} is not what it says: by its parts it is {statement.id}",
                where=self._where,
                remedy="leave the statements as they were exported",
            )
        return statement

    def _evidence(self, node: Any) -> Evidence:
        held = self._parts(node)
        plain = {name: _first(held, TERMS + term) for name, term in EVIDENCE_TERMS.items()}
        plain["place"] = {name: _first(held, TERMS + term) for name, term in PLACE_TERMS.items()}
        plain["statement"] = identifier_of(_iri(_first(held, PROV + "specializationOf")))
        plain["document"] = identifier_of(_iri(_first(held, PROV + "wasDerivedFrom")))
        plain["quote"] = _first(held, PROV + "value")
        activity = _first(held, PROV + "wasGeneratedBy", None)
        plain["activity"] = identifier_of(_iri(activity)) if activity else ""
        for name in ("cites", "premises"):
            plain[name] = self._listed(_first(held, TERMS + name, None))
        return self._checked(Evidence, plain, node)

    def _listed(self, cell: Any) -> list[Any]:
        """The texts of a list; one that runs in a circle ends where it began."""
        found, seen = [], set()
        while cell is not None and _iri(cell) != RDF + "nil" and cell not in seen:
            seen.add(cell)
            held = self._parts(cell)
            found.append(_first(held, RDF + "first"))
            cell = _first(held, RDF + "rest", None)
        return found

    def _checked(self, kind: type[Part], plain: dict[str, Any], node: Any) -> Part:
        return from_plain(kind, plain, f"{self._where}: {node.value}")


def _first(held: dict[str, list[Any]], term: str, default: Any = ...) -> Any:
    """The value of a property; without a default a missing one is left to the check."""
    values = held.get(term)
    return values[0] if values else (None if default is ... else default)


def _iri(term: Any) -> str:
    return str(getattr(term, "value", "") or "")


def _order(part: tuple[Any, Any, Any]) -> int:
    return part[0] if isinstance(part[0], int) else 0


def _object(held: dict[str, list[Any]]) -> Any:
    import pyoxigraph

    value = _first(held, RDF + "object")
    if isinstance(value, pyoxigraph.NamedNode):
        return identifier_of(value.value)
    language, unit = _first(held, DCTERMS + "language", ""), _first(held, TERMS + "unit", "")
    return {"value": value, "language": language, "unit": unit}


def _value(term: Any) -> Any:
    """A literal as its value in Python; a node stays one."""
    import pyoxigraph

    if not isinstance(term, pyoxigraph.Literal):
        return term
    kind = term.datatype.value.removeprefix(XSD)
    if kind == "boolean":
        return term.value in ("true", "1")
    try:
        if kind == "integer":
            return int(term.value)
        return float(term.value) if kind in ("double", "decimal", "float") else term.value
    except ValueError:
        return term.value
