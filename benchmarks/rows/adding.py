"""How long it takes to add one document of twelve statements to an open base, kept on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count

from benchmarks.bench import Bench, parts, plain, running, seconds_of
from benchmarks.generate import World
from benchmarks.results import Row, Target
from benchmarks.systems import Worker, WorkerError

TARGET = Target("< 50 ms, p50 and p95", 50, 50)


def measure(bench: Bench) -> Iterator[Row]:
    """Adding alone, and adding until a question about the new document is answered."""
    smallest: dict[str, float] = {}
    for size in bench.sizes.ours:
        for what in ("add one document", "add one document and ask about it"):
            with ExitStack() as stack:
                row = _row(bench, size, what, stack)
            if row.ours.median is not None:
                first = smallest.setdefault(what, row.ours.median)
                row = row.with_facts(times_the_smallest_base=round(row.ours.median / first, 2))
            yield row


def _row(bench: Bench, size: int, what: str, stack: ExitStack) -> Row:
    asks = what.endswith("it")
    number: dict[Worker, count[int]] = {}
    stores = {}
    for system in bench.systems(size):
        try:
            stores[system.name] = stack.enter_context(bench.copy(system, size))
        except WorkerError as error:
            stores[system.name] = f"!{error}"

    def ready(worker: Worker) -> None:
        store = stores[worker.system.name]
        if store.startswith("!"):
            raise WorkerError(store[1:])
        worker("open", store=store)
        number[worker] = count(1)
        add(worker)  # what is made once, such as the lexicon, is not part of any addition

    def add(worker: Worker) -> float:
        new = next(number[worker])
        added = worker("add", statements=size, number=new, folder=str(bench.folder))
        if not asks:
            return float(added["seconds"])
        name = World(size).new_page(new).name
        asked = worker("ask", text=f"What are the symptoms of {name}?", names=[name])
        return float(added["seconds"] + asked["seconds"])

    with running(bench, bench.systems(size), ready) as workers:
        found = bench.turns(seconds_of(workers, add), bench.sizes.repeats)
    return Row("add", what, size, "ms", **parts(plain(found, 1000)), target=TARGET)
