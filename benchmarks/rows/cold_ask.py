"""How long `medweave ask` takes from the shell: start, import, open, answer, print.

A peer has no such command; its process is started, opens its base and retrieves once.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from time import perf_counter

from benchmarks.bench import Bench, parts
from benchmarks.generate import World
from benchmarks.results import Row, Target
from benchmarks.systems import MEDWEAVE, ROOT, System, Worker, WorkerError

TARGET = Target("< 1 s", 1.0)


def measure(bench: Bench) -> Iterator[Row]:
    """One row for each size."""
    for size in bench.sizes.ours:
        question = World(size).questions(2)[1]

        def once(system: System, size: int = size) -> Callable[[], float]:
            def ask() -> float:
                store = bench.store(system, size)
                if system is MEDWEAVE:
                    return _command(store, question.text)  # noqa: B023 - called before the next
                started = perf_counter()
                with Worker(system) as worker:
                    worker("open", store=store)
                    worker("ask", text=question.text, names=question.names)  # noqa: B023
                    return perf_counter() - started

            return ask

        found = bench.turns({s.name: once(s) for s in bench.systems(size)}, bench.sizes.starts)
        yield Row("cold", "`medweave ask` from the shell", size, "s", **parts(found),
                  target=TARGET, note="peers: start, open and retrieve once")  # fmt: skip


def _command(store: str, text: str) -> float:
    started = perf_counter()
    ran = subprocess.run(
        [str(MEDWEAVE.python), "-m", "medweave", "ask", "--kb", store, text],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        check=False,
    )
    seconds = perf_counter() - started
    if ran.returncode:
        raise WorkerError(ran.stderr.decode().strip()[-200:])
    return seconds
