"""The nodes and relationships of a graph in Neo4j, read with the right to read alone.

Values are parameters; labels, types and names of properties go through `quoted`. Nodes are found
by their ids, and relationships by the nodes that they join, so no question looks through all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import neo4j

from medweave.errors import MappingError
from medweave.inplace.mapping import Part, not_there
from medweave.inplace.reading import columns_of, end_of, plain
from medweave.inplace.rows import OURS, ForeignRow, ForeignRows, Mark, Table
from medweave.stores.neo4j import Neo4jRows, quoted

_LABELS_OF_BASE = "Medweave"
"""How the labels of a base of medweave begin."""
_PROPERTIES = ("polarity", "strength", "quote", "severity", "action", "action_zh", "url")
"""What a relationship may say of itself, as a row of triples may."""
_LOOK = 1000


class Neo4jGraph(Neo4jRows, ForeignRows):
    """See `ForeignRows`.

    Neo4j makes no digest without an extension; its ids are used again, and tell no order.
    """

    _nodes: tuple[Part, ...] = ()

    # nodes and relationships

    def check(self, parts: Sequence[Part]) -> None:
        self._nodes = tuple(part for part in parts if part.place_kind == "label")
        labels = self._named("labels", "label")
        types = self._named("relationshipTypes", "relationshipType")
        for part in parts:
            if part.place_kind not in ("label", "type"):
                raise MappingError(
                    f"a graph in Neo4j has no {part.place_kind}",
                    remedy="name a 'label' of nodes, or a 'type' of edges",
                )
            if part.place not in (types if part.joins else labels):
                raise not_there(f"the graph has no {part.place_kind} '{part.place}'")

    def _named(self, procedure: str, column: str) -> list[str]:
        found = self._read(f"CALL db.{procedure}() YIELD {column} RETURN {column}")
        return sorted(str(row[0]) for row in found)

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        if part.joins:
            yield from self._joined(part, "")
            return
        yield from sorted(self._matched(part, ""), key=lambda row: row.shown)

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterator[ForeignRow]:
        if part.joins:
            yield from self._joined(part, "WHERE elementId(r) IN $keys", keys=list(keys))
            return
        yield from self._matched(part, "WHERE elementId(n) IN $keys", keys=list(keys))

    def _matched(self, part: Part, where: str, **values: Any) -> Iterator[ForeignRow]:
        columns = sorted(columns_of(part))
        shown = ", ".join(f"n.{quoted(name)}" for name in columns)
        query = f"MATCH (n:{quoted(part.place)}) {where} RETURN elementId(n), [{shown}]"
        for key, found in self._read(query, **values):
            cells = zip(columns, found, strict=True)
            present = {name: value for name, value in cells if value is not None}
            yield ForeignRow(key, _shown(part, key, present), present)

    def joining(self, part: Part, nodes: Iterable[str]) -> Iterator[ForeignRow]:
        keys = list(nodes)
        starts = self._joined(part, "WHERE elementId(a) IN $keys", keys=keys)
        ends = self._joined(part, "WHERE elementId(b) IN $keys", keys=keys)
        yield from {row.key: row for row in (*starts, *ends)}.values()

    def _joined(self, part: Part, where: str, **asked: Any) -> Iterator[ForeignRow]:
        query = (
            f"MATCH (a)-[r:{quoted(part.place)}]->(b) {where} RETURN elementId(r), properties(r),"
            " elementId(a), labels(a), properties(a), elementId(b), labels(b), properties(b)"
        )
        for key, own, start, of_start, a, end, of_end, b in self._read(query, **asked):
            subject, object_ = self._end("subject", of_start, a), self._end("object", of_end, b)
            said = {name: own[name] for name in _PROPERTIES if name in own}
            values = {**said, **subject, **object_, "ends": [start, end]}
            yield ForeignRow(key, _shown(part, key, own), values)

    def _end(self, end: str, labels: Sequence[str], values: dict[str, Any]) -> dict[str, Any]:
        """A node at the end of a relationship, called as the part that reads it calls it; nothing,
        where no part reads it."""
        for part in self._nodes:
            if part.place in labels:
                return end_of(end, part, values)
        return {}

    # whether it changed

    def mark(self, parts: Sequence[Part]) -> Mark | None:  # noqa: ARG002 - it is one graph
        """See `ForeignRows.mark`: the bookmark of a reading transaction names the last one that
        wrote to the database."""

        def bookmark() -> list[str]:
            with self._driver.session(
                database=self._database, default_access_mode=neo4j.READ_ACCESS
            ) as session:
                session.execute_read(lambda transaction: transaction.run("RETURN 1").consume())
                return sorted(session.last_bookmarks().raw_values)

        with self._errors():
            found = self._deadline.of(bookmark)
        return Mark(json.dumps(found)) if found else None

    # the schema

    def tables(self) -> list[Table]:
        found = []
        for name in self._named("labels", "label"):
            rows = self._read(f"MATCH (n:{quoted(name)}) RETURN count(n)")[0][0]
            foreign = OURS if name.startswith(_LABELS_OF_BASE) else ""
            found.append(
                Table(name, "label", rows, self._keys(f"(n:{quoted(name)})"), foreign=foreign)
            )
        for name in self._named("relationshipTypes", "relationshipType"):
            rows = self._read(f"MATCH ()-[n:{quoted(name)}]->() RETURN count(n)")[0][0]
            keys = self._keys(f"()-[n:{quoted(name)}]->()")
            found.append(Table(name, "type", rows, keys))
        return found

    def _keys(self, pattern: str) -> tuple[str, ...]:
        query = f"MATCH {pattern} WITH n LIMIT {_LOOK} UNWIND keys(n) AS k RETURN DISTINCT k"
        return tuple(sorted(row[0] for row in self._read(query)))

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        """See `ForeignRows.sample`; of relationships, the labels that they join."""
        if table.place_kind == "type":
            query = (
                f"MATCH (a)-[r:{quoted(table.name)}]->(b) WITH a, b LIMIT {_LOOK}"
                " RETURN DISTINCT labels(a), labels(b)"
            )
            found = self._read(query)[:rows]
            return [{"subject": list(a), "object": list(b)} for a, b in found]
        query = f"MATCH (n:{quoted(table.name)}) RETURN properties(n) LIMIT {rows:d}"
        return [plain(row[0]) for row in self._read(query)]

    def values(self, table: Table, column: str) -> dict[str, int]:
        query = f"MATCH (n:{quoted(table.name)}) RETURN n.{quoted(column)}, count(*)"
        return {str(plain(value)): count for value, count in self._read(f"{query} LIMIT {_LOOK}")}


def _shown(part: Part, key: str, values: Mapping[str, Any]) -> str:
    """What a node or relationship is called: by its own key, or else by the number in its id, which
    is one of its kind in the database."""
    own = values.get(part.mapping.key_field) if part.mapping.key_field else None
    return key.rpartition(":")[2] if own is None else str(own)
