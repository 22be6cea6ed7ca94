"""One file for each thing that is measured; each yields rows of "Speed and size"."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench
from benchmarks.results import Row
from benchmarks.rows import (
    adding,
    building,
    cold_ask,
    embedding,
    importing,
    memory,
    opening,
    path_ranking,
    removing,
    retrieval,
    searching,
)

ROWS: dict[str, Callable[[Bench], Iterator[Row]]] = {
    "build": building.measure,
    "open": opening.measure,
    "memory": memory.measure,
    "retrieval": retrieval.measure,
    "add": adding.measure,
    "remove": removing.measure,
    "ranking": path_ranking.measure,
    "import": importing.measure,
    "cold": cold_ask.measure,
    "embed": embedding.measure,
    "vectors": searching.measure,
}
"""In the order in which they run and are shown."""
