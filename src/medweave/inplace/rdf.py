"""Classes and properties of RDF that medweave did not make, asked with SPARQL.

A class is a label of nodes, a property that joins things a type of edges. All IRIs and values go
through `iri` and `literal`. What stands in named graphs is read like what stands in none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from medweave.errors import MappingError
from medweave.inplace.mapping import Part, not_there
from medweave.inplace.reading import columns_of, end_of
from medweave.inplace.rows import ForeignRow, ForeignRows, Table
from medweave.stores.sparql.client import Sparql
from medweave.stores.sparql.terms import Term, iri, values

_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_FOREIGN = ("http://www.w3.org/", "http://purl.org/dc/")
"""What the schema itself is written in: no things of the user's."""


class RdfGraph(ForeignRows):
    """See `ForeignRows`. SPARQL has no mark."""

    def __init__(self, sparql: Sparql) -> None:
        self._sparql = sparql
        self._nodes: tuple[Part, ...] = ()

    def _found(self, shown: str, pattern: str, rest: str = "") -> Iterator[Mapping[str, Term]]:
        """What fits a pattern, in the default graph or a named one, each once."""
        either = f"{{ {pattern} }} UNION {{ GRAPH ?graph {{ {pattern} }} }}"
        return self._sparql.query(f"SELECT DISTINCT {shown} WHERE {{ {either} }} {rest}")

    def check(self, parts: Sequence[Part]) -> None:
        self._nodes = tuple(part for part in parts if part.place_kind == "class")
        for part in parts:
            if part.place_kind not in ("class", "type"):
                raise MappingError(
                    f"RDF has no {part.place_kind}", remedy="name a 'class', or a 'type' of edges"
                )
            for name in (part.place, *(() if part.joins else sorted(columns_of(part)))):
                iri(name)
            if not any(self._found("?a", self._pattern(part), "LIMIT 1")):
                raise not_there(f"nothing there has the {part.place_kind} '{part.place}'")

    @staticmethod
    def _pattern(part: Part) -> str:
        if part.joins:
            return f"?a {iri(part.place)} ?b"
        return f"?a {iri(_TYPE)} {iri(part.place)}"

    # rows

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        return self._edges(part, "") if part.joins else self._rows(part, "")

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterator[ForeignRow]:
        if part.joins:
            wanted = frozenset(keys)
            starts = dict.fromkeys(json.loads(key)[0] for key in keys)
            found = self._edges(part, values("a", map(iri, starts)))
            return (row for row in found if row.key in wanted)
        return self._rows(part, values("a", map(iri, keys)))

    def _rows(self, part: Part, among: str) -> Iterator[ForeignRow]:
        columns = sorted(columns_of(part))
        asked = values("p", map(iri, columns)) if columns else ""
        pattern = f"{among} {self._pattern(part)} . {asked} ?a ?p ?v"
        things: dict[str, dict[str, list[Term]]] = {}
        for row in self._found("?a ?p ?v", pattern):
            if row["a"].kind == "iri":
                held = things.setdefault(row["a"].value, {})
                held.setdefault(row["p"].value, []).append(row["v"])
        for thing, held in sorted(things.items()):
            said = {name: _plain(some, part.mapping.language) for name, some in held.items()}
            name = said.get(part.mapping.name_field)
            if isinstance(name, list):  # one of them is the name, in the language that is read
                said[part.mapping.name_field] = name[0]
            shown = said.get(part.mapping.key_field) if part.mapping.key_field else None
            yield ForeignRow(thing, str(shown or thing), said)

    def joining(self, part: Part, nodes: Iterable[str]) -> Iterator[ForeignRow]:
        asked = [iri(node) for node in nodes if not node.startswith("[")]
        if asked:
            found = (row for end in "ab" for row in self._edges(part, values(end, asked)))
            yield from {row.key: row for row in found}.values()

    def _edges(self, part: Part, among: str) -> Iterator[ForeignRow]:
        found = [
            (row["a"].value, row["b"].value)
            for row in self._found("?a ?b", f"{among} {self._pattern(part)}")
            if row["a"].kind == row["b"].kind == "iri"
        ]
        called = self._called({end for pair in found for end in pair}) if found else {}
        for a, b in sorted(found):
            ends: dict[str, Any] = {"ends": [a, b]}
            for end, thing in (("subject", a), ("object", b)):
                if thing in called:
                    ends |= end_of(end, *called[thing])
            yield ForeignRow(json.dumps([a, b]), f"{a} {b}", ends)

    def _called(self, things: set[str]) -> dict[str, tuple[Part, dict[str, Any]]]:
        """For each thing the part that reads it, and what is known of it there."""
        found: dict[str, tuple[Part, dict[str, Any]]] = {}
        for part in self._nodes:
            for row in self._rows(part, values("a", map(iri, sorted(things)))):
                found.setdefault(row.key, (part, row.values))
        return found

    # whether it changed

    def digest(self, part: Part) -> str:
        """See `ForeignRows.digest`: a hash of all triples that are read, in their order."""
        pattern = self._pattern(part)
        if not part.joins:
            columns = values("p", map(iri, sorted(columns_of(part))))
            pattern += f" . {columns} ?a ?p ?b"
        text = 'CONCAT(STR(?a), " ", STR(?p), " ", STR(?b), " ", COALESCE(LANG(?b), ""))'
        text = 'CONCAT(STR(?a), " ", STR(?b))' if part.joins else text
        either = f"{{ {pattern} }} UNION {{ GRAPH ?graph {{ {pattern} }} }}"
        inner = f"SELECT DISTINCT ({text} AS ?line) WHERE {{ {either} }} ORDER BY ?line"
        query = (
            'SELECT (COUNT(?line) AS ?n) (SHA256(GROUP_CONCAT(?line; SEPARATOR="|")) AS ?hash)'
            f" WHERE {{ {{ {inner} }} }}"
        )
        row = next(iter(self._sparql.query(query)), {})
        return " ".join(term.value for _, term in sorted(row.items()))

    # the schema

    def tables(self) -> list[Table]:
        found = []
        for row in self._found("?c", f"?a {iri(_TYPE)} ?c"):
            name = row["c"].value
            if row["c"].kind == "iri":
                keys = self._found("?p", f"?a {iri(_TYPE)} {iri(name)} . ?a ?p ?v . "
                                         "FILTER(isLiteral(?v))")  # fmt: skip
                columns = tuple(sorted(key["p"].value for key in keys))
                rows = self._count(f"?a {iri(_TYPE)} {iri(name)}")
                found.append(Table(name, "class", rows, columns, "", _foreign(name)))
        for row in self._found("?p", "?a ?p ?b . FILTER(isIRI(?b))"):
            name = row["p"].value
            if name != _TYPE:
                rows = self._count(f"?a {iri(name)} ?b . FILTER(isIRI(?b))")
                found.append(Table(name, "type", rows, (), "", _foreign(name)))
        return sorted(found, key=lambda table: (table.place_kind, table.name))

    def _count(self, pattern: str) -> int:
        return sum(1 for _ in self._found("?a ?b", pattern))

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        """See `ForeignRows.sample`; of properties, the classes that they join."""
        if table.place_kind == "type":
            kinds = f"?a {iri(table.name)} ?b . ?a {iri(_TYPE)} ?c . ?b {iri(_TYPE)} ?d"
            found = self._found("?c ?d", kinds, f"LIMIT {rows:d}")
            return [{"subject": [row["c"].value], "object": [row["d"].value]} for row in found]
        pattern = f"?a {iri(_TYPE)} {iri(table.name)} . ?a ?p ?v . FILTER(isLiteral(?v))"
        things: dict[str, dict[str, list[Term]]] = {}
        for row in self._found("?a ?p ?v", pattern, f"LIMIT {rows * 10:d}"):
            held = things.setdefault(row["a"].value, {})
            held.setdefault(row["p"].value, []).append(row["v"])
        return [{n: _plain(some, "") for n, some in each.items()} for each in things.values()]

    def values(self, table: Table, column: str) -> dict[str, int]:  # noqa: ARG002
        """See `ForeignRows.values`: no class is a table of triples."""
        return {}

    def server(self) -> str:
        return self._sparql.server()

    def close(self) -> None:
        self._sparql.close()


def _foreign(name: str) -> str:
    return "the schema itself is written in it" if name.startswith(_FOREIGN) else ""


def _plain(terms: Iterable[Term], language: str) -> Any:
    """The values of a property: one, or a list; in the language first that is read."""
    ordered = sorted(terms, key=lambda t: (t.language not in (language or "en", ""), t.value))
    return ordered[0].value if len(ordered) == 1 else [term.value for term in ordered]
