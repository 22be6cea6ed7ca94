"""A base out of the RDF that `medweave.exchange.rdf` writes, whoever wrote it down again."""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import SourceError
from medweave.exchange.rdf import BASE, COUNT, NOTE
from medweave.exchange.shapes import ShapeCheck, Violation
from medweave.graph.contents import Contents, check_counts, check_whole
from medweave.graph.payload import Part, from_plain
from medweave.model.document import Document
from medweave.model.entity import NameMention
from medweave.model.iris import TERMS, identifier_of
from medweave.model.rdf_layout import (
    ACTIVITY_TERMS,
    DOCUMENT_TERMS,
    EVIDENCE_TERMS,
    NAME_TERMS,
    PLACE_TERMS,
    XSD,
    relation_of,
)
from medweave.model.statement import Activity, Evidence, Statement, SupportedStatement
from medweave.ontology.terms import DCTERMS, PROV, RDF

if TYPE_CHECKING:
    import pyoxigraph

_Parts = dict[str, list[Any]]
"""The values of a node by property: literals as values of Python, other nodes as they are."""
_QUALIFIER = TERMS + "qualifier-"
_LISTS = ("cites", "premises")
_SHOWN = 3
"""Culprits that are told of many."""
_CHUNK = 200_000
"""So many triples are sorted in memory at once."""


def read_rdf(path: Path) -> Contents:
    """What a Turtle or TriG file holds; `SourceError` where it is none, not of a base, or breaks
    our shapes, with the nodes that do."""
    found, check = _Found(str(path)), ShapeCheck()
    failed: SourceError | None = None
    for node, terms in _described(path):
        check.take(node, terms)
        try:
            if failed is None:
                found.take(node, {name: [_value(t) for t in each] for name, each in terms.items()})
        except SourceError as error:
            failed = error  # the shapes may tell of more than the first that is wrong
    _refuse(list(check.violations()), str(path))
    if failed:
        raise failed
    return found.contents()


def _refuse(violations: Sequence[Violation], where: str) -> None:
    """Refuse what breaks the shapes, naming the first of the culprits."""
    if violations:
        shown = "; ".join(str(each) for each in violations[:_SHOWN])
        more = f" (and {len(violations) - _SHOWN} more)" if len(violations) > _SHOWN else ""
        raise SourceError(
            f"it breaks the shapes of a base: {shown}{more}",
            where=where,
            remedy="compare it with `medweave export --format shacl`; the base is as it was",
        )


def _described(path: Path) -> Iterator[tuple[Any, dict[str, list[Any]]]]:
    """Each node with all that any graph says of it.

    A file may be larger than memory, and in any order: a store on disk brings it into that of its
    nodes.
    """
    import pyoxigraph

    folder = tempfile.mkdtemp(prefix="medweave-rdf-")
    try:
        store = pyoxigraph.Store(folder)
        quads = _parsed(path)
        while chunk := list(islice(quads, _CHUNK)):
            store.bulk_extend(chunk)
        ordered = store.quads_for_pattern(None, None, None, pyoxigraph.DefaultGraph())
        for node, of_node in groupby(ordered, key=attrgetter("subject")):
            terms: dict[str, list[Any]] = defaultdict(list)
            for quad in of_node:
                terms[quad.predicate.value].append(quad.object)
            yield node, terms
        del store
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _parsed(path: Path) -> Iterator[pyoxigraph.Quad]:
    """The triples of a file, without their graphs: who says what stands with the evidence."""
    import pyoxigraph

    try:
        # every Turtle file is one of TriG, too
        for quad in pyoxigraph.parse(path=str(path), format=pyoxigraph.RdfFormat.TRIG):
            yield pyoxigraph.Quad(quad.subject, quad.predicate, quad.object)
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


class _Found:
    """The parts of a base as they are met; what refers to others is put together at the end."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._documents: dict[str, _Parts] = {}
        self._fields: dict[str, _Parts] = {}
        self._cells: dict[str, _Parts] = {}
        self._notes: dict[str, str] = {}
        self._counts: dict[str, Any] = {}
        self._activities: list[Activity] = []
        self._names: dict[NameMention, tuple[str, ...]] = {}
        self._statements: dict[str, Statement] = {}
        self._evidence: dict[str, list[Evidence | tuple[Evidence, _Parts]]] = defaultdict(list)

    def take(self, node: Any, parts: _Parts) -> None:
        """One node, as whatever it says that it is; other nodes are no part of a base."""
        kinds = {_iri(kind) for kind in parts.get(RDF + "type", ())}
        name = _iri(node)
        if RDF + "first" in parts:
            self._cells[name] = parts
        elif PROV + "specializationOf" in parts:
            self._take_evidence(name, parts)
        elif RDF + "Statement" in kinds:
            statement = self._statement(name, parts)
            self._statements[statement.id] = statement
        elif TERMS + "Name" in kinds:
            self._take_name(name, parts)
        elif TERMS + "Document" in kinds:
            self._documents[name] = parts
        elif TERMS + "order" in parts:
            self._fields[name] = parts
        elif PROV + "Activity" in kinds:
            plain = {each: _first(parts, TERMS + each, "") for each in ACTIVITY_TERMS}
            self._activities.append(self._checked(Activity, plain, name))
        elif name == BASE:
            self._notes = {name: str(note) for name, note in _called(NOTE, parts).items()}
            self._counts = _called(COUNT, parts)

    def contents(self) -> Contents:
        """All that was met; `SourceError` where it is no base, or a part of it is missing."""
        documents = [self._document(name) for name in sorted(self._documents)]
        if not documents:
            raise SourceError(
                "this RDF holds no documents of a base",
                where=self._where,
                remedy="give a file that `medweave export` wrote",
            )
        keys = {
            identifier_of(name): str(key)
            for name, parts in sorted(self._documents.items())
            if (key := _first(parts, TERMS + "buildKey", None))
        }
        names: dict[str, list[tuple[NameMention, tuple[str, ...]]]] = defaultdict(list)
        for mention, of in sorted(self._names.items(), key=repr):
            names[mention.entity].append((mention, of))
        found = Contents(
            tuple(sorted(documents, key=lambda each: (each.source, each.name))),
            keys,
            tuple(sorted(self._activities, key=attrgetter("id"))),
            {thing: tuple(names[thing]) for thing in sorted(names)},
            tuple(self._supported(identifier) for identifier in sorted(self._statements)),
            self._notes,
        )
        check_whole(found, self._where)
        check_counts(found, self._counts, self._where)
        return found

    def _document(self, name: str) -> Document:
        held = self._documents[name]
        fields = []
        for part in held.get(TERMS + "hasField", ()):
            inner = self._fields.get(_iri(part), {})
            order, field = _first(inner, TERMS + "order"), _first(inner, TERMS + "field")
            fields.append((order, field, _first(inner, RDF + "value")))
        plain = {each: _first(held, term) for each, term in DOCUMENT_TERMS.items()}
        plain["name"] = _first(held, DCTERMS + "identifier")
        plain["fields"] = [[field, text] for _, field, text in sorted(fields, key=_order)]
        return self._checked(Document, plain, name)

    def _take_name(self, name: str, held: _Parts) -> None:
        plain = {each: _first(held, TERMS + term) for each, term in NAME_TERMS.items()}
        plain["entity"] = identifier_of(_iri(_first(held, TERMS + "names")))
        plain["name"] = _first(held, RDF + "value")
        plain["language"] = _first(held, DCTERMS + "language")
        mention = self._checked(NameMention, plain, name)
        documents = (identifier_of(_iri(each)) for each in held.get(PROV + "wasDerivedFrom", ()))
        self._names[mention] = tuple(sorted(documents))

    def _statement(self, name: str, held: _Parts) -> Statement:
        plain = {
            "subject": identifier_of(_iri(_first(held, RDF + "subject"))),
            "predicate": relation_of(_iri(_first(held, RDF + "predicate"))),
            "object": _object(held),
            "qualifiers": sorted(
                [term.removeprefix(_QUALIFIER), values[0]]
                for term, values in held.items()
                if term.startswith(_QUALIFIER)
            ),
        }
        statement = self._checked(Statement, plain, name)
        called = identifier_of(name)
        if statement.id != called:
            raise SourceError(
                f"{called} is not what it says: by its parts it is {statement.id}",
                where=self._where,
                remedy="leave the statements as they were exported",
            )
        return statement

    def _take_evidence(self, name: str, held: _Parts) -> None:
        plain = {each: _first(held, TERMS + term) for each, term in EVIDENCE_TERMS.items()}
        plain["place"] = {each: _first(held, TERMS + term) for each, term in PLACE_TERMS.items()}
        plain["statement"] = identifier_of(_iri(_first(held, PROV + "specializationOf")))
        plain["document"] = identifier_of(_iri(_first(held, PROV + "wasDerivedFrom")))
        plain["quote"] = _first(held, PROV + "value")
        activity = _first(held, PROV + "wasGeneratedBy", None)
        plain["activity"] = identifier_of(_iri(activity)) if activity else ""
        item = self._checked(Evidence, plain, name)
        lists = any(TERMS + each in held for each in _LISTS)
        self._evidence[item.statement].append((item, held) if lists else item)

    def _supported(self, identifier: str) -> SupportedStatement:
        evidence = [
            self._with_lists(*item) if isinstance(item, tuple) else item
            for item in self._evidence.pop(identifier, ())
        ]
        ordered = tuple(sorted(evidence, key=attrgetter("id")))
        return SupportedStatement(self._statements[identifier], ordered)

    def _with_lists(self, item: Evidence, held: _Parts) -> Evidence:
        cites, premises = (self._listed(_first(held, TERMS + each, None)) for each in _LISTS)
        return replace(item, cites=cites, premises=premises)

    def _listed(self, cell: Any) -> tuple[str, ...]:
        """The texts of a list; one that runs in a circle ends where it began."""
        found: list[str] = []
        seen: set[str] = set()
        while cell is not None and _iri(cell) != RDF + "nil" and _iri(cell) not in seen:
            seen.add(_iri(cell))
            held = self._cells.get(_iri(cell), {})
            found.append(str(_first(held, RDF + "first", "")))
            cell = _first(held, RDF + "rest", None)
        return tuple(found)

    def _checked(self, kind: type[Part], plain: dict[str, Any], name: str) -> Part:
        return from_plain(kind, plain, f"{self._where}: {name}")


def _called(beginning: str, held: _Parts) -> dict[str, Any]:
    """The first value of each property that is called so, by the rest of its name."""
    found = {term: values[0] for term, values in held.items() if term.startswith(beginning)}
    return {term.removeprefix(beginning): value for term, value in found.items()}


def _first(held: _Parts, term: str, default: Any = ...) -> Any:
    """The value of a property; without a default a missing one is left to the check."""
    values = held.get(term)
    return values[0] if values else (None if default is ... else default)


def _iri(term: Any) -> str:
    return str(getattr(term, "value", "") or "")


def _order(part: tuple[Any, Any, Any]) -> int:
    return part[0] if isinstance(part[0], int) else 0


def _object(held: _Parts) -> Any:
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
