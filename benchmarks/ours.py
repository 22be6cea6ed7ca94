"""The one file that knows medweave's insides; the rest of the benchmarks sees only this.

When the storage or the ranking of medweave changes, this is where the benchmarks follow.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.generate import STRENGTHS
from benchmarks.vectors import DIMENSION, clouds, near
from medweave import KnowledgeBase, __version__
from medweave.app import open_embedder
from medweave.inference.local_push import push
from medweave.model.document import Extraction
from medweave.model.edge import Edge, thing_number
from medweave.model.embedder import EmbedderName
from medweave.model.vectors import VectorEntry, VectorModel, Vectors, VectorSearch
from medweave.stores.sqlite.store import SqliteStore

VERSION = __version__
Rank = Callable[[Sequence[str], float, int], tuple[list[str], float]]
"""Findings, damping, how many -> the best names, and the seconds it took."""
Embed = Callable[[list[str]], list[list[float]]]
"""Texts -> their vectors."""
_PAGE = 500
"""Vectors of one document."""
_NEAREST = 10


def base_files(path: Path) -> list[Path]:
    """All files a base keeps on the disk."""
    return sorted(path.parent.glob(f"{path.name}*"))


def open_base(path: Path, *, read_only: bool = False) -> KnowledgeBase:
    """A base that is there."""
    return KnowledgeBase.open(str(path), create=False, read_only=read_only)


def ranker(triples: Path) -> Rank:
    """medweave's path ranking (local push, as answers use it) over all triples of a file.

    Another ranker is plugged in by returning it here: what is prepared once per base belongs
    before `rank_from`, what is done for each question inside it.
    """
    touching: dict[int, list[Edge]] = {}
    names: dict[int, str] = {}
    with triples.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file)):
            ends = thing_number(row["subject"]), thing_number(row["object"])
            edge = Edge(*ends, number, STRENGTHS[row["predicate"]], denied=False)
            for end, name in zip(ends, (row["subject"], row["object"]), strict=True):
                names[end] = name
                touching.setdefault(end, []).append(edge)

    def edges_of(things: Iterable[int]) -> list[Edge]:
        found = {edge.statement: edge for thing in things for edge in touching.get(thing, ())}
        return list(found.values())

    def degrees_of(things: Iterable[int]) -> dict[int, int]:
        return {thing: len(touching[thing]) for thing in things}

    def rank_from(findings: Sequence[str], damping: float, top: int) -> tuple[list[str], float]:
        started = perf_counter()
        seeds = {thing_number(name): 1 / len(findings) for name in findings}
        scores = push(edges_of, seeds, alpha=damping, degrees_of=degrees_of).scores
        best = sorted(scores, key=lambda thing: (-scores[thing], thing))[:top]
        return [names[thing] for thing in best], perf_counter() - started

    return rank_from


def embedder() -> Embed:
    """medweave's own embedder, loaded."""
    embedding = open_embedder(EmbedderName("minilm")).embedder
    if embedding is None:
        raise RuntimeError("no embedder")
    embedding.embed(["load it"])
    return lambda texts: [list(row) for row in embedding.embed(texts)]


def keep_vectors(count: int, path: Path) -> dict[str, float]:
    """Make a base with so many vectors; the seconds it took, and the bytes for each."""
    vectors, model = clouds(count), VectorModel("made up", DIMENSION)
    with closing(SqliteStore.open(path, create=True)) as store:
        pages = [_page(number) for number in range(-(-count // _PAGE))]
        store.put(pages)
        before = sum(file.stat().st_size for file in base_files(path))
        started = perf_counter()
        for number, page in enumerate(pages):
            _put_page(store, number, page, vectors, model)
        seconds = perf_counter() - started
    size = sum(file.stat().st_size for file in base_files(path))
    return {"seconds": seconds, "bytes": (size - before) / count}


def _page(number: int) -> Extraction:
    from medweave.testing.worlds import document  # it loads hypothesis, which questions do not

    return document(f"page {number}")


def _put_page(
    store: SqliteStore, number: int, page: Extraction, vectors: Any, model: VectorModel
) -> None:
    rows = range(number * _PAGE, min(len(vectors), (number + 1) * _PAGE))
    entries = [VectorEntry("section", f"v{n}", page.document.id, f"text {n}") for n in rows]
    data: Any = memoryview(vectors[rows.start : rows.stop].reshape(-1))
    store.vectors().put(entries, Vectors(model, data))


class Searcher:
    """A base whose vectors are searched, and replaced."""

    def __init__(self, path: Path, index: str) -> None:
        self._store = SqliteStore.open(path, create=False, search=VectorSearch.of(index, 0))
        self._count = self._store.vectors().counts()["section"]
        self._model = VectorModel("made up", DIMENSION)
        self._queries = near(clouds(self._count))

    def __call__(self, number: int) -> tuple[list[str], float, float]:
        """The keys nearest to a query, and the seconds it took, by the clock and of all cores."""
        row: Any = memoryview(self._queries[number % len(self._queries)])
        query = Vectors(self._model, row)
        started, worked = perf_counter(), process_time()
        [found] = self._store.vectors().search("section", query, _NEAREST)
        return [one.key for one in found], perf_counter() - started, process_time() - worked

    def replace(self) -> None:
        """Remove a document and put it there again, with its vectors."""
        page = _page(3)
        with self._store.transaction():
            self._store.remove([page.document.id])
            self._store.put([page])
            _put_page(self._store, 3, page, clouds(self._count), self._model)


def searcher(path: Path, index: str) -> Searcher:
    """The vectors of a base, to be searched by this index."""
    return Searcher(path, index)


def write_document(name: str, monograph: dict[str, object], folder: Path) -> Path:
    """A source of one document, to be added."""
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps(monograph, ensure_ascii=False) + "\n", "utf-8")
    return path
