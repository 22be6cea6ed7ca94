"""The nearest of vectors that a server compares, scored as everywhere."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol, cast

from medweave.model.edge import thing_number
from medweave.model.vectors import Near, Space, VectorModel, Vectors
from medweave.stores.versioned.vectors import VectorRows, VersionedVectors
from medweave.stores.weaviate.rows import VectorRow, Where
from medweave.vectors.checks import check_search
from medweave.vectors.nearest import nearest


class NearestRows(VectorRows, Protocol):
    """Rows of vectors on a server that finds the nearest of them."""

    def nearest(
        self, query: Sequence[float], count: int, where: Where
    ) -> tuple[list[VectorRow], float] | None:
        """See `WeaviateVectorRows.nearest`."""


class SearchedVectors(VersionedVectors):
    """Vectors that the server searches: it finds candidates, whose cosines are computed here."""

    def __init__(self, rows: NearestRows, where: str) -> None:
        super().__init__(rows, where)
        self._rows = rows

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        check_search(space, queries, self.model(), self._where)
        if k <= 0 or (concepts is not None and not concepts):
            return [[] for _ in queries]
        where = {"space_n": [thing_number(space)]}
        if concepts is not None:
            where["concept_n"] = [thing_number(each) for each in set(concepts)]
        return [self._nearest(space, query, k, where, concepts) for query in queries]

    def _nearest(
        self,
        space: Space,
        query: memoryview[float],
        k: int,
        where: Where,
        concepts: Collection[str] | None,
    ) -> list[Near]:
        """The `k` nearest keys: more rows are asked for until no other can be among them."""
        count = 2 * k + 20
        while found := self._rows.nearest(query, count, where):
            rows, others = found
            near = nearest(query, ((r["key"], memoryview(r["vector"]).cast("f")) for r in rows), k)
            if others < -1 or (len(near) == k and near[-1].score > others):
                return near
            count *= 4
        model = cast("VectorModel", self.model())
        [near] = super().search(space, Vectors.of(model, [query]), k, concepts=concepts)
        return near
