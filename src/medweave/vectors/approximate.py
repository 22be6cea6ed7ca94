"""Candidates for the nearest vectors by an approximate index of faiss; needs the extra `faiss`.

`sq8`: all vectors, a byte for each number (scalar quantiser). `hnsw`: a graph of near neighbours
that is walked from a few entries (Malkov and Yashunin 2018, arXiv:1603.09320). Both are made in
memory from the vectors of a base, live as long as the process, and are never written to a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NEIGHBOURS = 32
"""Of each vector in the graph."""
_MAKING, _WALKING = 40, 200
"""So many are looked at while the graph is made, and at least so many while it is walked. Making it
with 200 takes five times as long and finds no more (decision 23)."""
_MORE = 4
"""So many times as many candidates are asked for as are wanted: what is lost by the approximation
is mostly order, and that is mended when they are scored exactly."""
_STALE = 0.1
"""The share of rows that are new or worthless, from which on the index is made anew."""


class Candidates:
    """An index over the rows of a matrix as it was when this was made."""

    def __init__(self, matrix: NDArray[Any], index: str) -> None:
        """Raises `ConfigurationError` where faiss is not installed."""
        faiss = _library()
        self.size = len(matrix)
        """How many rows it knows."""
        dimension = matrix.shape[1]
        product = faiss.METRIC_INNER_PRODUCT
        if index == "hnsw":
            self._index = faiss.IndexHNSWFlat(dimension, _NEIGHBOURS, product)
            self._index.hnsw.efConstruction = _MAKING
        else:
            eight = faiss.ScalarQuantizer.QT_8bit
            self._index = faiss.IndexScalarQuantizer(dimension, eight, product)
            self._index.train(matrix)
        self._index.add(matrix)
        self._hnsw = index == "hnsw"

    def outdated(self, rows: int, dead: int) -> bool:
        """Whether too much has changed since it was made."""
        return rows < self.size or rows - self.size + dead > _STALE * self.size

    def of(self, queries: NDArray[Any], k: int) -> Iterator[NDArray[Any]]:
        """For each query, rows that are likely to hold the `k` nearest."""
        wanted = min(_MORE * k, self.size)
        if self._hnsw:
            self._index.hnsw.efSearch = max(_WALKING, wanted)
        _, rows = self._index.search(queries, wanted)
        yield from (found[found >= 0] for found in rows)


def _library() -> Any:
    try:
        import faiss
    except ImportError as error:
        raise ConfigurationError(
            "this index of vectors needs faiss",
            where="vector_index",
            remedy="pip install 'medweave[faiss]', or set vector_index = \"exact\"",
        ) from error
    return faiss
