"""The documents of a database in MongoDB; what is asked for are parameters, never code."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bson import json_util

from medweave.errors import MappingError, StoreError
from medweave.inplace.mapping import Part, not_there
from medweave.inplace.reading import columns_of, plain
from medweave.inplace.rows import OURS, ForeignRow, ForeignRows, Mark, Table
from medweave.sources.triples.reading import EXTRAS
from medweave.stores.mongodb import MongoRows
from medweave.stores.versioned.rows import NUMBERED

_KINDS_OF_BASE = {*NUMBERED, "base"}


class MongoDocuments(MongoRows, ForeignRows):
    """See `ForeignRows`. A field within another is named with a dot: `codes.icd`.

    MongoDB makes no digest of a part of its fields.
    """

    def check(self, parts: Sequence[Part]) -> None:
        there = self._names()
        for part in parts:
            if part.place_kind != "collection":
                raise MappingError(
                    f"a database in MongoDB has no {part.place_kind}", remedy="name a 'collection'"
                )
            if part.place not in there:
                raise not_there(f"the database has no collection '{part.place}'")

    def _names(self) -> list[str]:
        found = self._try(self._database.list_collection_names)
        return sorted(name for name in found if not name.startswith("system."))

    def _shown(self, part: Part) -> dict[str, bool]:
        names = {*columns_of(part), *EXTRAS, "sample"} - {""}
        # Of a field and one within it, the server wants the outer one alone.
        outer = {name for name in names if not any(name.startswith(f"{n}.") for n in names)}
        return {"_id": True, **dict.fromkeys(sorted(outer), True)}

    def stream(self, part: Part) -> Iterator[ForeignRow]:
        key = part.mapping.key_field or "_id"
        found = self._try(
            lambda: list(self._database[part.place].find({}, self._shown(part)).sort(key))
        )
        yield from self._rows(part, found)

    def fetch(self, part: Part, keys: Sequence[str]) -> Iterator[ForeignRow]:
        which = {"_id": {"$in": [json_util.loads(key) for key in keys]}}
        found = self._try(lambda: list(self._database[part.place].find(which, self._shown(part))))
        yield from self._rows(part, found)

    @staticmethod
    def _rows(part: Part, found: Iterable[Mapping[str, Any]]) -> Iterator[ForeignRow]:
        key, columns = part.mapping.key_field or "_id", columns_of(part)
        names = {*columns, *EXTRAS}
        within = [name for name in columns if "." in name]
        for document in found:
            values = {name: value for name, value in document.items() if name in names}
            values.update((name, _inside(document, name)) for name in within)
            present = {name: value for name, value in values.items() if value is not None}
            own, shown = json_util.dumps(document["_id"]), _inside(document, key)
            yield ForeignRow(own, own if shown is None else str(plain(shown)), present)

    def mark(self, parts: Sequence[Part]) -> Mark | None:
        """See `ForeignRows.mark`: how often each collection was written to since the server was
        started, how many documents it has, how large they are, and which came last.

        A server that counts no writes tells the rest alone: what is changed there and keeps its
        size is then seen when something else changes.
        """
        told = []
        for name in dict.fromkeys(part.place for part in parts):
            told.append([name, *self._state(name)])
        return Mark(json.dumps(told))

    def _state(self, name: str) -> list[Any]:
        writes: Any = None
        try:
            steps: list[dict[str, Any]] = [{"$collStats": {"latencyStats": {}}}]
            found = self._try(lambda: list(self._database[name].aggregate(steps)))
            writes = found[0]["latencyStats"]["writes"]["ops"]
        except (StoreError, KeyError, IndexError):
            pass  # it has no such count
        size = self._try(lambda: self._database.command("collStats", name))
        last = self._try(
            lambda: self._database[name].find_one({}, {"_id": True}, sort=[("_id", -1)])
        )
        return [writes, size.get("count"), size.get("size"), json_util.dumps(last)]

    def tables(self) -> list[Table]:
        names = self._names()
        bases = {name.removesuffix(".base") for name in names if name.endswith(".base")}
        found = []
        for name in names:
            base, _, kind = name.rpartition(".")
            foreign = OURS if base in bases and kind in _KINDS_OF_BASE else ""
            rows = self._try(lambda name=name: self._database[name].estimated_document_count())
            first = self.sample(Table(name, "collection", rows, ()), 200)
            columns = tuple(dict.fromkeys(column for row in first for column in row))
            found.append(Table(name, "collection", rows, columns, "_id", foreign))
        return found

    def sample(self, table: Table, rows: int) -> list[dict[str, Any]]:
        found = self._try(lambda: list(self._database[table.name].find({}).limit(rows)))
        return [{name: plain(value) for name, value in each.items()} for each in found]

    def values(self, table: Table, column: str) -> dict[str, int]:
        steps: list[dict[str, Any]] = [
            {"$group": {"_id": f"${column}", "count": {"$sum": 1}}},
            {"$sort": {"count": -1}},
            {"$limit": 1000},
        ]
        found = self._try(lambda: list(self._database[table.name].aggregate(steps)))
        return {str(plain(row["_id"])): row["count"] for row in found if row["_id"] is not None}


def _inside(document: Any, path: str) -> Any:
    """The value of a field, or of one within it; of a list, those of all entries."""
    if isinstance(document, Mapping) and path in document:
        return document[path]
    outer, dot, rest = path.partition(".")
    held = document.get(outer) if isinstance(document, Mapping) else None
    if not dot or held is None:
        return None
    if isinstance(held, list):
        return [value for each in held if (value := _inside(each, rest)) is not None]
    return _inside(held, rest)
