"""How much memory a process holds that has opened a base and answered questions (VmHWM)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.bench import SMALL, Bench, parts
from benchmarks.generate import World
from benchmarks.results import Row, Target
from benchmarks.systems import System, Worker

QUESTIONS = 6
TARGET = Target("< 400 MB", 400)


def measure(bench: Bench) -> Iterator[Row]:
    """One row for each size."""
    for size in bench.sizes.ours:
        questions = World(size).questions(QUESTIONS)

        def once(system: System, size: int = size) -> Callable[[], float]:
            def ask_all() -> float:
                store = bench.store(system, size)
                with Worker(system) as worker:
                    worker("open", store=store)
                    for question in questions:  # noqa: B023 - called before the next size
                        worker("ask", text=question.text, names=question.names)
                    return float(worker("memory")["bytes"]) * 1e-6

            return ask_all

        repeats = 3 if size == SMALL else 1
        found = bench.turns({s.name: once(s) for s in bench.systems(size)}, repeats)
        yield Row("memory", "memory while asking", size, "MB", **parts(found), target=TARGET,
                  note=f"peak of the whole process after {QUESTIONS} questions")  # fmt: skip
