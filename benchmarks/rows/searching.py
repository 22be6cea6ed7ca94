"""Vectors in a base: keeping them, loading them, and finding the nearest, exactly and nearly.

"Recall" is the share of the ten nearest that an approximate index finds, too. The first search
reads all vectors into memory, and makes the index where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import Any

from benchmarks.bench import Bench, Measure, parts, plain
from benchmarks.results import Row, Series
from benchmarks.systems import MEDWEAVE, Worker
from benchmarks.vectors import DIMENSION, QUERIES

INDEXES = {"exact": "exactly", "sq8": "by faiss SQ8", "hnsw": "by faiss HNSW"}
_PATIENCE = 3600


def measure(bench: Bench) -> Iterator[Row]:
    """For each size, rows of keeping, and of each index."""
    for size in bench.sizes.vectors:
        base = _Base(bench, size)
        try:
            yield from base.kept()
            for index in INDEXES:
                with Worker(MEDWEAVE) as worker:
                    yield from base.searched(index, worker)
        finally:
            for file in base.path.parent.glob(f"{base.path.name}*"):
                file.unlink()


class _Base:
    """A base with so many vectors, and what of them was found exactly."""

    def __init__(self, bench: Bench, size: int) -> None:
        self._bench = bench
        self._size = size
        self.path = bench.folder / f"vectors-{size}.db"
        self._right: list[set[str]] = []

    def kept(self) -> Iterator[Row]:
        made: list[dict[str, Any]] = []

        def keep() -> float:
            with Worker(MEDWEAVE) as worker:
                asked = {"count": self._size, "store": str(self.path)}
                made.append(worker("keep_vectors", timeout=_PATIENCE, **asked))
            return self._size / float(made[-1]["seconds"])

        found = self._bench.turns({MEDWEAVE.name: keep}, 1)
        row = Row("vectors", "keep vectors in a base", self._size, "vectors/s", **parts(found),
                  better="higher", note=f"{DIMENSION} numbers each, 500 a transaction")  # fmt: skip
        yield row.with_facts(bytes_in_the_file_for_each=round(made[-1]["bytes"]))

    def searched(self, index: str, worker: Worker) -> Iterator[Row]:
        listed: list[set[str]] = []
        worked: list[float] = []

        def load() -> float:
            asked = {"store": str(self.path), "index": index}
            return float(worker("open_vectors", timeout=_PATIENCE, **asked)["seconds"])

        def search() -> float:
            answer = worker("search_vectors", number=len(listed))
            listed.append(set(answer["names"]))
            worked.append(float(answer["worked"]) * 1000)
            return float(answer["seconds"])

        yield self._row(f"first search, {INDEXES[index]}", "s", self._turns(load, 1))
        found = self._turns(search, QUERIES)
        self._right = self._right or listed
        pairs = list(zip(self._right, listed, strict=False))
        recall = sum(len(a & b) for a, b in pairs) / sum(len(a) for a, _ in pairs)
        facts = {
            "recall": round(recall, 4),
            "ms_of_all_cores": round(median(worked), 2),
            "memory_mb": round(worker("memory")["bytes"] * 1e-6),
        }  # fmt: skip
        said = f"ten nearest, {INDEXES[index]}"
        yield self._row(said, "ms", plain(found, 1000)).with_facts(**facts)
        if index == "exact":
            after = self._turns(lambda: float(worker("replace_vectors")["seconds"]), 5)
            yield self._row("a search after 500 were replaced", "ms", plain(after, 1000))

    def _turns(self, measure: Measure, repeats: int) -> dict[str, Series]:
        return self._bench.turns({MEDWEAVE.name: measure}, repeats)

    def _row(self, what: str, unit: str, found: dict[str, Series]) -> Row:
        return Row("vectors", what, self._size, unit, **parts(found))
