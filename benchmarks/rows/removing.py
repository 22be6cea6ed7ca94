"""How long it takes to remove one document, and whether the base is then one that never had it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

from benchmarks.bench import Bench, parts, plain, running, seconds_of
from benchmarks.results import Row, Target
from benchmarks.systems import MEDWEAVE, Worker, WorkerError

TARGET = Target("< 100 ms, p50 and p95, and the base equals one that never had it", 100, 100)


def measure(bench: Bench) -> Iterator[Row]:
    """One row for each size."""
    for size in bench.sizes.ours:
        with ExitStack() as stack:
            yield _row(bench, size, stack)


def _row(bench: Bench, size: int, stack: ExitStack) -> Row:
    numbers: dict[Worker, count[int]] = {}
    equal: list[bool] = []
    before = ""

    def ready(worker: Worker) -> None:
        nonlocal before
        worker("open", store=stack.enter_context(bench.copy(worker.system, size)))
        numbers[worker] = count(1)
        if worker.system is MEDWEAVE:
            before = worker("hash")["hash"]
        remove(worker)

    def remove(worker: Worker) -> float:
        new = next(numbers[worker])
        folder = str(bench.folder)
        worker("add", statements=size, number=new, folder=folder)
        removed = worker("remove", number=new, folder=folder)
        if worker.system is MEDWEAVE:
            equal.append(worker("hash")["hash"] == before)
        return float(removed["seconds"])

    with running(bench, bench.systems(size), ready) as workers:
        found = bench.turns(seconds_of(workers, remove), bench.sizes.repeats)
    same = bool(equal) and all(equal)
    if not same:
        raise WorkerError("after a removal the base is not the one it was before")
    return Row("remove", "remove one document", size, "ms", **parts(plain(found, 1000)),
               target=TARGET, facts={"hash as before": same},
               note="after each removal the base has the hash it had before")  # fmt: skip
