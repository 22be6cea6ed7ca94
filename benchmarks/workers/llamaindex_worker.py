"""LlamaIndex's own property graph (`SimplePropertyGraphStore`), without a model.

It is given the things a question names; asking is `get_rel_map` to depth two, which is what its
retrievers call. After a change the graph is written to its file, as medweave's is.
"""

from __future__ import annotations

import csv
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

from llama_index.core.graph_stores import SimplePropertyGraphStore
from llama_index.core.graph_stores.types import EntityNode, Relation

from benchmarks.generate import World
from benchmarks.workers.protocol import serve

Triple = tuple[str, str, str]


class Peer:
    """One property graph in memory, and the file it is kept in."""

    def __init__(self) -> None:
        self.graph: Any = None
        self.path = Path()

    def build(self, source: str, store: str) -> dict[str, Any]:
        """Insert all triples of a file, and write the graph."""
        with Path(source).open(encoding="utf-8", newline="") as file:
            rows = [(r["subject"], r["predicate"], r["object"]) for r in csv.DictReader(file)]
        Path(store).mkdir(parents=True, exist_ok=True)
        path = Path(store, "graph.json")
        started = perf_counter()
        graph = SimplePropertyGraphStore()
        _insert(graph, rows)
        graph.persist(str(path))
        seconds = perf_counter() - started
        return {"seconds": seconds, "statements": len(rows), "bytes": path.stat().st_size}

    def open(self, store: str) -> dict[str, Any]:
        """Read the graph from its file."""
        self.path = Path(store, "graph.json")
        started = perf_counter()
        self.graph = SimplePropertyGraphStore.from_persist_path(str(self.path))
        return {"seconds": perf_counter() - started}

    def ask(self, text: str, names: list[str]) -> dict[str, Any]:
        """Everything within two steps of the things named; at most 30 relations, its default."""
        del text
        started = perf_counter()
        nodes = self.graph.get(ids=names)
        found = self.graph.get_rel_map(nodes, depth=2)
        return {"seconds": perf_counter() - started, "answered": bool(found)}

    def add(self, statements: int, number: int, folder: str) -> dict[str, Any]:
        """Insert one document of twelve relations, and write the graph."""
        del folder
        page = World(statements).new_page(number)
        started = perf_counter()
        _insert(self.graph, list(page.triples()), page.name)
        self.graph.persist(str(self.path))
        return {"seconds": perf_counter() - started}

    def remove(self, number: int, folder: str) -> dict[str, Any]:
        """Delete the relations of one document, and look whether the rest is still there."""
        del folder
        names = {n for n, node in self.graph.graph.nodes.items() if isinstance(node, EntityNode)}
        document = next(
            relation.properties["document"]
            for relation in reversed(self.graph.graph.relations.values())
            if "document" in relation.properties
        )
        started = perf_counter()
        self.graph.delete(properties={"document": document})
        self.graph.persist(str(self.path))
        seconds = perf_counter() - started
        lost = len(names - set(self.graph.graph.nodes)) - 1
        if lost > 0:
            raise RuntimeError(f"deleting document {number} also took {lost} things others name")
        return {"seconds": seconds}


def _insert(graph: Any, rows: list[Triple], document: str = "") -> None:
    names = dict.fromkeys(name for subject, _, object_ in rows for name in (subject, object_))
    properties = {"document": document} if document else {}
    graph.upsert_nodes([EntityNode(name=name, label="thing") for name in names])
    graph.upsert_relations(
        [
            Relation(label=predicate, source_id=subject, target_id=object_, properties=properties)
            for subject, predicate, object_ in rows
        ]
    )


if __name__ == "__main__":
    peer = Peer()
    serve(
        {
            "version": lambda: {"version": version("llama-index-core")},
            "build": peer.build,
            "open": peer.open,
            "ask": peer.ask,
            "add": peer.add,
            "remove": peer.remove,
        }
    )
