"""Personalised PageRank of igraph, networkx and scipy on the triples medweave ranks over.

All walk the same graph: undirected, parallel statements added up, weights as in the vocabulary.
`exact` is the power iteration carried on until the scores change by less than 1e-12.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from scipy.sparse import coo_array, csr_array

from benchmarks.generate import STRENGTHS
from benchmarks.workers.protocol import serve

Vector = Any
TOLERANCE, EXACT = 1e-6, 1e-12


class Graph:
    """The graph as a sparse matrix, and the names of its nodes."""

    def __init__(self, triples: Path) -> None:
        place: dict[str, int] = {}
        sources, targets, weights = [], [], []
        with triples.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                sources.append(place.setdefault(row["subject"], len(place)))
                targets.append(place.setdefault(row["object"], len(place)))
                weights.append(STRENGTHS[row["predicate"]])
        self.place = place
        self.names = list(place)
        size = len(place)
        once = coo_array((weights, (sources, targets)), shape=(size, size)).tocsr()
        self.weights: Any = (once + once.T).tocsr()

    def restart(self, findings: Sequence[str]) -> Vector:
        """The restart vector of these findings."""
        vector = np.zeros(len(self.names))
        vector[[self.place[name] for name in findings]] = 1 / len(findings)
        return vector


def power_iteration(steps: Any, restart: Vector, damping: float, tolerance: float) -> Vector:
    """Scores by repeated multiplication with the transposed transition matrix."""
    scores = restart
    while True:
        swept = (1 - damping) * restart + damping * (steps @ scores)
        if np.abs(swept - scores).sum() < tolerance:
            return swept
        scores = swept


def scipy_ranker(graph: Graph) -> Callable[[Sequence[str], float, float], Vector]:
    """Power iteration on a CSR matrix."""
    out = graph.weights.sum(axis=0)
    steps = csr_array(graph.weights.multiply(1 / out))

    def run(findings: Sequence[str], damping: float, tolerance: float = TOLERANCE) -> Vector:
        return power_iteration(steps, graph.restart(findings), damping, tolerance)

    return run


def igraph_ranker(graph: Graph) -> Callable[[Sequence[str], float], Vector]:
    """`Graph.personalized_pagerank` (PRPACK)."""
    import igraph

    upper = coo_array(graph.weights)
    once = upper.row <= upper.col
    edges = np.column_stack((upper.row[once], upper.col[once]))
    weights = upper.data[once].tolist()
    made = igraph.Graph(n=len(graph.names), edges=edges)

    def run(findings: Sequence[str], damping: float) -> Vector:
        places = [graph.place[name] for name in findings]
        return np.asarray(
            made.personalized_pagerank(
                directed=False, damping=damping, reset_vertices=places, weights=weights
            )
        )

    return run


def networkx_ranker(graph: Graph) -> Callable[[Sequence[str], float], Vector]:
    """`networkx.pagerank` with a personalisation."""
    import networkx as nx

    made = nx.from_scipy_sparse_array(graph.weights)

    def run(findings: Sequence[str], damping: float) -> Vector:
        seeds = {graph.place[name]: 1.0 for name in findings}
        # networkx compares the change with N * tol
        tolerance = TOLERANCE / len(graph.names)
        scores = nx.pagerank(made, alpha=damping, personalization=seeds, tol=tolerance)
        return np.fromiter((scores[node] for node in range(len(graph.names))), float)

    return run


class Peer:
    """One ranker over one graph."""

    def __init__(self, ranker: str) -> None:
        self.ranker = ranker
        self.graph: Graph | None = None
        self.run: Callable[..., Vector] | None = None

    def load(self, triples: str) -> dict[str, Any]:
        """Read the triples and prepare the ranker."""
        started = perf_counter()
        self.graph = Graph(Path(triples))
        make: dict[str, Callable[[Graph], Callable[..., Vector]]]
        make = {"scipy": scipy_ranker, "igraph": igraph_ranker, "networkx": networkx_ranker}
        self.run = make[self.ranker](self.graph)
        return {"seconds": perf_counter() - started, "edges": int(self.graph.weights.nnz // 2)}

    def rank(self, findings: list[str], damping: float, top: int) -> dict[str, Any]:
        """The best things for these findings."""
        if self.run is None or self.graph is None:
            raise RuntimeError("no graph is loaded")
        started = perf_counter()
        scores = self.run(findings, damping)
        best = np.argpartition(-scores, top)[:top]
        best = best[np.argsort(-scores[best])]
        seconds = perf_counter() - started
        return {"seconds": seconds, "names": [self.graph.names[place] for place in best]}

    def exact(self, findings: list[str], damping: float, top: int) -> dict[str, Any]:
        """All things that score no less than the `top`-th of the exact result (scipy only)."""
        if self.run is None or self.graph is None:
            raise RuntimeError("no graph is loaded")
        scores = self.run(findings, damping, EXACT)
        least = np.sort(scores)[-top] * (1 - 1e-9)
        return {"names": [self.graph.names[place] for place in np.flatnonzero(scores >= least)]}


if __name__ == "__main__":
    peer = Peer(sys.argv[1])
    serve(
        {
            "version": lambda: {"version": version(peer.ranker)},
            "load_ranker": peer.load,
            "rank": peer.rank,
            "exact": peer.exact,
        }
    )
