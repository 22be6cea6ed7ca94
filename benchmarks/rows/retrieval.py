"""How long an open base takes for a question.

medweave is measured from the text to the whole answer, and for the step of retrieval by itself;
LightRAG and LlamaIndex only retrieve, and are given the names that the question contains.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

from benchmarks.bench import Bench, parts, plain, running, seconds_of
from benchmarks.generate import Question, World
from benchmarks.results import Row, Target
from benchmarks.systems import MEDWEAVE, Worker

TARGET = Target("p50 < 15 ms, p95 < 40 ms", 15, 40)
_NOTE = "peers: retrieval alone, names given; LightRAG hybrid, LlamaIndex two steps"


def measure(bench: Bench) -> Iterator[Row]:
    """Answers and retrieval alone, at each size."""
    for size in bench.sizes.ours:
        questions = World(size).questions(bench.sizes.questions)
        retrieved: list[float] = []
        answered: list[bool] = []
        turn: dict[Worker, Iterator[Question]] = defaultdict(lambda: cycle(questions))  # noqa: B023

        def opened(worker: Worker, size: int = size) -> None:
            store = bench.store(worker.system, size)
            worker("open", store=store)
            first = World(size).questions(1)[0]
            worker("ask", text=first.text, names=first.names)

        def ask(worker: Worker) -> float:
            question = next(turn[worker])  # noqa: B023 - called before the next size
            answer = worker("ask", text=question.text, names=question.names)
            if worker.system is MEDWEAVE:
                retrieved.append(answer["retrieve"])  # noqa: B023
                answered.append(answer["answered"])  # noqa: B023
            return float(answer["seconds"])

        with running(bench, bench.systems(size), opened) as workers:
            found = bench.turns(seconds_of(workers, ask), len(questions))  # kinds alternate
        ours = found[MEDWEAVE.name]
        share = sum(answered) / max(1, len(answered))
        yield Row("retrieval", "question to answer", size, "ms", **parts(plain(found, 1000)),
                  target=TARGET, note=_NOTE, facts={"answered": round(share, 3)})  # fmt: skip
        alone = {**found, MEDWEAVE.name: replace(ours, samples=tuple(retrieved))}
        yield Row("retrieval", "retrieval alone", size, "ms", **parts(plain(alone, 1000)),
                  target=TARGET, note=_NOTE)  # fmt: skip
        for kind, first in (("symptoms", 1), ("which disease", 0)):
            its = {
                name: replace(series, samples=series.samples[first::2])
                for name, series in found.items()
            }
            yield Row("retrieval", f"question to answer: {kind}", size, "ms",
                      **parts(plain(its, 1000)), target=TARGET)  # fmt: skip
