"""How long it takes until a base is open, and until it has given a first answer.

Every repeat is a new process. What a system puts off until the first question is in the second row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace

from benchmarks.bench import Bench, parts
from benchmarks.generate import World
from benchmarks.results import Row, Target
from benchmarks.systems import System, Worker

TARGET = Target("< 0.3 s", 0.3)


def measure(bench: Bench) -> Iterator[Row]:
    """Two rows for each size."""
    for size in bench.sizes.ours:
        question = World(size).questions(2)[1]
        opened: dict[str, list[float]] = defaultdict(list)

        def once(system: System, size: int = size) -> Callable[[], float]:
            def open_and_ask() -> float:
                store = bench.store(system, size)
                with Worker(system) as worker:
                    seconds = worker("open", store=store)["seconds"]
                    opened[system.name].append(seconds)  # noqa: B023 - called before the next size
                    asked = worker("ask", text=question.text, names=question.names)  # noqa: B023
                    return float(seconds + asked["seconds"])

            return open_and_ask

        both = bench.turns({s.name: once(s) for s in bench.systems(size)}, bench.sizes.starts)
        alone = {name: replace(s, samples=tuple(opened[name])) for name, s in both.items()}
        yield Row("open", "open the base", size, "s", **parts(alone), target=TARGET)
        yield Row("open", "open it and answer a first question", size, "s", **parts(both),
                  target=TARGET, note=f"“{question.text}”")  # fmt: skip
