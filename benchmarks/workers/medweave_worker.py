"""medweave, as the benchmarks measure it: through `KnowledgeBase` only."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import ours
from benchmarks.generate import World
from benchmarks.workers.protocol import serve, timed
from medweave import KnowledgeBase


class Medweave:
    """An open base, and what is done to it."""

    def __init__(self) -> None:
        self.base: KnowledgeBase | None = None
        self.path = Path()
        self.rank: ours.Rank | None = None
        self.embed_texts: ours.Embed | None = None
        self.search: ours.Searcher | None = None

    @property
    def opened(self) -> KnowledgeBase:
        """The base; it must have been opened."""
        if self.base is None:
            raise RuntimeError("no base is open")
        return self.base

    def build(self, source: str, store: str) -> dict[str, Any]:
        """Build a base from a file, and let go of it."""
        started = perf_counter()
        with KnowledgeBase.open(store) as base:
            report = base.build([Path(source)])
        seconds = perf_counter() - started
        size = sum(path.stat().st_size for path in ours.base_files(Path(store)))
        counts = report.base
        return {
            "seconds": seconds,
            "statements": counts.statements,
            "documents": counts.documents,
            "entities": counts.entities,
            "bytes": size,
        }

    def open(self, store: str) -> dict[str, Any]:
        """Open a base."""
        self.path = Path(store)
        started = perf_counter()
        self.base = ours.open_base(self.path)
        return {"seconds": perf_counter() - started}

    def ask(self, text: str, names: list[str]) -> dict[str, Any]:
        """Answer one question; the names are for those that cannot find them."""
        del names
        started = perf_counter()
        answer = self.opened.ask(text)
        return {
            "seconds": perf_counter() - started,
            "retrieve": answer.timing["retrieve"] / 1000,
            "answered": answer.status == "answered",
        }

    def add(self, statements: int, number: int, folder: str) -> dict[str, Any]:
        """Add one document that the base does not have."""
        page = World(statements).new_page(number)
        path = ours.write_document(f"new{number}", page.monograph(), Path(folder))
        return {"seconds": timed(lambda: self.opened.build([path]))}

    def remove(self, number: int, folder: str) -> dict[str, Any]:
        """Remove the document that `add` has added."""
        return {
            "seconds": timed(lambda: self.opened.remove(str(Path(folder, f"new{number}.jsonl"))))
        }

    def hash(self) -> dict[str, Any]:
        """The hash of the base: equal bases have equal hashes."""
        return {"hash": self.opened.version.hash}

    def load_ranker(self, triples: str) -> dict[str, Any]:
        """Make ready to rank over all triples of a file."""
        started = perf_counter()
        self.rank = ours.ranker(Path(triples))
        return {"seconds": perf_counter() - started}

    def rank_from(self, findings: list[str], damping: float, top: int) -> dict[str, Any]:
        """The best things for these findings."""
        if self.rank is None:
            raise RuntimeError("no ranker is loaded")
        names, seconds = self.rank(findings, damping, top)
        return {"seconds": seconds, "names": names}

    def embed(self, texts: list[str]) -> dict[str, Any]:
        """Turn texts into vectors."""
        if self.embed_texts is None:
            self.embed_texts = ours.embedder()
        started = perf_counter()
        vectors = self.embed_texts(texts)
        return {"seconds": perf_counter() - started, "vectors": vectors}

    def keep_vectors(self, count: int, store: str) -> dict[str, Any]:
        """Make a base with so many vectors."""
        return ours.keep_vectors(count, Path(store))

    def open_vectors(self, store: str, index: str) -> dict[str, Any]:
        """Open a base with vectors, to be searched by this index; the first search loads them."""
        self.search = ours.searcher(Path(store), index)
        return {"seconds": timed(lambda: self.search_vectors(0))}

    def search_vectors(self, number: int) -> dict[str, Any]:
        """Search for one of many queries."""
        if self.search is None:
            raise RuntimeError("no vectors are open")
        names, seconds, worked = self.search(number)
        return {"seconds": seconds, "worked": worked, "names": names}

    def replace_vectors(self) -> dict[str, Any]:
        """Replace a document with its vectors, then search once more."""
        if self.search is None:
            raise RuntimeError("no vectors are open")
        self.search.replace()
        return {"seconds": self.search_vectors(1)["seconds"]}


if __name__ == "__main__":
    system = Medweave()
    serve(
        {
            "version": lambda: {"version": ours.VERSION},
            "build": system.build,
            "open": system.open,
            "ask": system.ask,
            "add": system.add,
            "remove": system.remove,
            "hash": system.hash,
            "load_ranker": system.load_ranker,
            "rank": system.rank_from,
            "embed": system.embed,
            "keep_vectors": system.keep_vectors,
            "open_vectors": system.open_vectors,
            "search_vectors": system.search_vectors,
            "replace_vectors": system.replace_vectors,
        }
    )
