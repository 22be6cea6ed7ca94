"""The smallest index of vectors there can be: the six methods of `VectorIndex`."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from medweave.ports import VectorIndex
from medweave.stores.fast_ways import methods_of
from medweave.stores.memory import MemoryStore


class StoreWithSmallestVectors(MemoryStore):
    """The store in memory, with vectors of which all else is derived."""

    def vectors(self) -> VectorIndex:  # type: ignore[override]
        """See `SupportsVectors.vectors`."""
        inner = super().vectors()
        six = {name: getattr(inner, name) for name in methods_of(VectorIndex)}
        return cast("VectorIndex", SimpleNamespace(**six))
