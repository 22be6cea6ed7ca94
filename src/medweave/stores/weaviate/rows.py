"""Vectors in Weaviate, as objects that say since when and until when they hold.

A row is as in `versioned.rows`, and is seen by who reads at its stamp. Texts are looked for by
their numbers, since an index of texts drops spaces; and what a row says lies in one property that
no index touches. Vectors are compared by their product in a flat index, which looks at all of them.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from weaviate.classes.config import Configure, DataType, Property, VectorDistances
from weaviate.classes.data import DataObject
from weaviate.classes.query import Filter, MetadataQuery
from weaviate.util import generate_uuid5

from medweave.model.batches import batches
from medweave.stores.weaviate.client import PAGE, WRITTEN, Weaviate, plain_text
from medweave.vectors.nearest import LEAST

FOREVER = (1 << 53) - 1
"""The `until` of a row that nothing ended; a larger number would be bent to a float."""
_NEAREST = 8000
"""So many of the nearest a server gives at most; it gives no list of more than 10,000."""
_SLACK = 1e-5
"""How far a product that the server computed may be from the exact one."""
_NUMBERS = ("n", "space_n", "key_n", "concept_n", "document_n")

VectorRow = dict[str, Any]
"""What a vector stands for: texts and numbers by field, and `vector`, its bytes."""
Where = Mapping[str, Sequence[int]]
"""For each numbered field the numbers it may have; all must fit."""


class WeaviateVectorRows:
    """The rows of vectors of one base. All but `since` and `until` is written once."""

    def __init__(self, server: Weaviate) -> None:
        self._server = server

    def make(self, dimension: int) -> None:
        """Make what vectors of so many numbers need."""
        numbers = [plain_text(name, filtered=True) for name in _NUMBERS]
        stamps = [
            Property(name=name, data_type=DataType.INT, index_range_filters=True)
            for name in ("since", "until")
        ]
        self._server.make(
            _kind(dimension),
            properties=[*numbers, *stamps, plain_text("content")],
            vector_config=Configure.Vectors.self_provided(
                vector_index_config=Configure.VectorIndex.flat(
                    distance_metric=VectorDistances.DOT  # as it is; by its cosine it is rescaled
                )
            ),
        )

    def insert(self, dimension: int, rows: Iterable[VectorRow]) -> None:
        """Keep rows; each has `n` and `since`, and replaces one that has both the same."""
        self._server.insert(_kind(dimension), map(_object_of, rows))

    def end(self, dimension: int, rows: Sequence[VectorRow], stamp: int) -> None:
        """Rows that were found whole hold no more; those `since` just then go."""
        ended = [{**row, "until": stamp} for row in rows if row["since"] < stamp]
        self.insert(dimension, ended)
        for part in batches((row["n"] for row in rows if row["since"] == stamp), WRITTEN):
            of_part = Filter.by_property("n").contains_any(_texts(part))
            since = Filter.by_property("since").equal(stamp)
            self._server.delete(_kind(dimension), of_part & since)

    def undo(self, dimension: int, stamp: int) -> None:
        """Take back all that was written and ended from a stamp on."""
        self._server.delete(_kind(dimension), Filter.by_property("since").greater_or_equal(stamp))
        until = Filter.by_property("until")
        which = until.greater_or_equal(stamp) & until.less_than(FOREVER)
        while rows := self._page(dimension, which):
            self.insert(dimension, [{**row, "until": FOREVER} for row in rows])

    def forget(self, dimension: int, stamp: int) -> None:
        """Take out for good what ended before a stamp."""
        self._server.delete(_kind(dimension), Filter.by_property("until").less_than(stamp))

    def find(
        self, dimension: int, where: Where, at: int, *, first: int | None = None
    ) -> Iterator[VectorRow]:
        """All rows that fit and hold at a stamp, or the `first` of them, in any order."""
        if first is not None:
            yield from self._page(dimension, _fits(where, at), first)
            return
        longest = max(where, key=lambda name: len(where[name]), default="")
        for part in batches(where[longest], WRITTEN) if longest else [[]]:
            some = {**where, longest: part} if longest else where
            page = self._page(dimension, _fits(some, at), PAGE)
            if len(page) < PAGE:
                yield from page
            else:  # a filtered list has an end: all are looked at
                yield from self._all(dimension, some, at)

    def _page(self, dimension: int, which: Any, first: int = PAGE) -> list[VectorRow]:
        held = self._server.collection(_kind(dimension))
        if held is None:
            return []
        found = self._server.call(
            held.query.fetch_objects, filters=which, limit=first, include_vector=True
        )
        return [_row_of(each) for each in found.objects]

    def _all(self, dimension: int, where: Where, at: int) -> Iterator[VectorRow]:
        among = {name: frozenset(_texts(has)) for name, has in where.items()}
        for each in self._server.objects(_kind(dimension), include_vector=True):
            held_at = each.properties["since"] < at <= each.properties["until"]
            if held_at and all(each.properties[name] in among[name] for name in among):
                yield _row_of(each)

    def nearest(
        self, dimension: int, query: Sequence[float], where: Where, at: int, count: int
    ) -> tuple[list[VectorRow], float] | None:
        """The `count` rows whose product with a vector is greatest, and a bound on that of all
        others; None where the server gives no list as long as that."""
        if count > _NEAREST:
            return None
        held = self._server.collection(_kind(dimension))
        if held is None:
            return [], LEAST
        found = self._server.call(
            held.query.near_vector,
            near_vector=list(query),
            limit=count,
            filters=_fits(where, at),
            include_vector=True,
            return_metadata=MetadataQuery(distance=True),
        ).objects
        left = -found[-1].metadata.distance + _SLACK if len(found) == count else LEAST
        return [_row_of(each) for each in found], left


def _kind(dimension: int) -> str:
    return f"Vector{dimension}"


def _object_of(row: VectorRow) -> DataObject[Any, Any]:
    apart = {"vector", "since", "until", *_NUMBERS}
    content = {name: value for name, value in row.items() if name not in apart}
    return DataObject(
        uuid=generate_uuid5(f"{row['n']} {row['since']}"),
        vector=array("f", row["vector"]).tolist(),
        properties={
            **{name: f"{row[name]:x}" for name in _NUMBERS},
            "since": row["since"],
            "until": row.get("until", FOREVER),
            "content": json.dumps(content),
        },
    )


def _row_of(found: Any) -> VectorRow:
    held = found.properties
    [vector] = found.vector.values()
    return {
        **{name: int(held[name], 16) for name in _NUMBERS},
        **json.loads(held["content"]),
        "since": int(held["since"]),
        "until": int(held["until"]),
        "vector": array("f", vector).tobytes(),
    }


def _fits(where: Where, at: int) -> Any:
    parts = [Filter.by_property(name).contains_any(_texts(has)) for name, has in where.items()]
    holds = [
        Filter.by_property("since").less_than(at),
        Filter.by_property("until").greater_or_equal(at),
    ]
    return Filter.all_of([*parts, *holds])


def _texts(numbers: Iterable[int]) -> list[str]:
    return [f"{number:x}" for number in numbers]
