"""Ranking everything in a base by its paths from three findings (personalised PageRank).

All rank over the same triples, from the same findings, with the same damping. "Overlap" is the
share of a ranker's first fifty that are among the first fifty of the exact result (or tie with the
last of them).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import cycle
from typing import Any

from benchmarks.bench import Bench, parts, plain, running, say, seconds_of
from benchmarks.generate import World
from benchmarks.results import Row, Target
from benchmarks.systems import MEDWEAVE, RANKERS, SCIPY, Worker, WorkerError

TOP = 50
OVERLAP = 0.95
DAMPINGS = (0.85, 0.3)
"""The usual one, and the one medweave's differential walks with."""
SPEED = Target("< 10 ms", 10)
AGREES = Target(f"≥ {OVERLAP}", OVERLAP)


def measure(bench: Bench) -> Iterator[Row]:
    """Speed and overlap at the smallest and the largest size."""
    for size in sorted({bench.sizes.ours[0], bench.sizes.ours[-1]}):
        triples = str(bench.source(size))

        def loaded(worker: Worker, triples: str = triples) -> None:
            worker("load_ranker", triples=triples)

        with running(bench, (MEDWEAVE, *RANKERS), loaded) as workers:
            for damping in DAMPINGS:
                yield from _rows(bench, size, damping, workers)


def _rows(
    bench: Bench, size: int, damping: float, workers: dict[str, Worker | str]
) -> Iterator[Row]:
    every: list[dict[str, Any]] = [
        {"findings": findings, "damping": damping, "top": TOP}
        for findings in World(size).findings(bench.sizes.repeats)
    ]
    turn: dict[Worker, Iterator[dict[str, Any]]] = defaultdict(lambda: cycle(every))
    listed: dict[str, list[list[str]]] = defaultdict(list)

    def rank(worker: Worker) -> float:
        answer = worker("rank", **next(turn[worker]))
        listed[worker.system.name].append(answer["names"])
        return float(answer["seconds"])

    found = bench.turns(seconds_of(workers, rank), len(every))
    what = f"path ranking, damping {damping}"
    yield Row("ranking", what, size, "ms", **parts(plain(found, 1000)), target=SPEED,
              note="three findings, the first fifty things; threads wait passively")  # fmt: skip
    exact = workers[SCIPY.name]
    if isinstance(exact, str):
        say(f"  no overlap: {exact}")
        return
    try:
        right = [set(exact("exact", **one)["names"]) for one in every]
    except WorkerError as error:
        say(f"  no overlap: {error}")
        return
    shares = {
        name: tuple(
            len(set(names) & best) / TOP for names, best in zip(listed[name], right, strict=False)
        )
        for name in found
    }
    overlaps = {
        name: type(series)(name, series.version, shares[name], series.reason)
        for name, series in found.items()
    }
    yield Row("ranking", f"overlap with the exact first {TOP}, damping {damping}", size, "",
              **parts(overlaps), target=AGREES, better="higher")  # fmt: skip
