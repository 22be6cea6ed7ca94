"""The smallest index of vectors there can be: the six methods of `VectorIndex`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from medweave.model.vectors import (
    Near,
    Space,
    VectorEntry,
    VectorModel,
    Vectors,
    VectorTable,
)
from medweave.stores.memory import MemoryStore
from medweave.stores.memory_vectors import MemoryVectors


class SmallestVectors:
    """The index in memory without what it does besides."""

    def __init__(self, inner: MemoryVectors) -> None:
        self._inner = inner

    def model(self) -> VectorModel | None:
        """See `VectorIndex.model`."""
        return self._inner.model()

    def put(self, entries: Sequence[VectorEntry], vectors: Vectors) -> None:
        """See `VectorIndex.put`."""
        self._inner.put(entries, vectors)

    def remove(self, space: Space, keys: Iterable[str]) -> int:
        """See `VectorIndex.remove`."""
        return self._inner.remove(space, keys)

    def search(
        self,
        space: Space,
        queries: Vectors,
        k: int,
        *,
        concepts: Collection[str] | None = None,
    ) -> list[list[Near]]:
        """See `VectorIndex.search`."""
        return self._inner.search(space, queries, k, concepts=concepts)

    def tables(self, space: Space, *, concepts: Collection[str] | None = None) -> list[VectorTable]:
        """See `VectorIndex.tables`."""
        return self._inner.tables(space, concepts=concepts)

    def fetch(self, space: Space, keys: Iterable[str]) -> list[VectorTable]:
        """See `VectorIndex.fetch`."""
        return self._inner.fetch(space, keys)


class StoreWithSmallestVectors(MemoryStore):
    """The store in memory, with vectors of which all else is derived."""

    def vectors(self) -> SmallestVectors:  # type: ignore[override]
        """See `SupportsVectors.vectors`."""
        return SmallestVectors(super().vectors())
