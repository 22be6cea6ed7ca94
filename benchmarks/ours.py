"""The one file that knows medweave's insides; the rest of the benchmarks sees only this.

When the storage or the ranking of medweave changes, this is where the benchmarks follow.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import perf_counter

from benchmarks.generate import STRENGTHS
from medweave import KnowledgeBase, __version__
from medweave.inference.local_push import push
from medweave.model.edge import Edge, thing_number

VERSION = __version__
Rank = Callable[[Sequence[str], float, int], tuple[list[str], float]]
"""Findings, damping, how many -> the best names, and the seconds it took."""


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


def write_document(name: str, monograph: dict[str, object], folder: Path) -> Path:
    """A source of one document, to be added."""
    path = folder / f"{name}.jsonl"
    path.write_text(json.dumps(monograph, ensure_ascii=False) + "\n", "utf-8")
    return path
