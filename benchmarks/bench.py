"""What the rows share: sizes, bases built once, and repeats that take turns."""

from __future__ import annotations

import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.generate import World, write
from benchmarks.results import Series
from benchmarks.systems import GRAPHS, MEDWEAVE, PLACE, System, Worker, WorkerError

SMALL, MIDDLE, LARGE = 10_000, 115_000, 1_000_000
"""Statements: about 1,000 documents; about 30,000 things; a large base."""
Measure = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much a run measures."""

    ours: tuple[int, ...]
    peers: tuple[int, ...]
    """The sizes at which the peers are measured too."""
    repeats: int
    starts: int
    """Repeats of what needs a new process each time."""
    questions: int
    seconds: float
    """What one system may spend on one row; it is measured at least once."""
    vectors: tuple[int, ...]
    """How many vectors are searched."""


FULL = Sizes((SMALL, MIDDLE, LARGE), (SMALL, MIDDLE), 20, 5, 200, 120, (10_000, 100_000, 300_000))
QUICK = Sizes((SMALL,), (SMALL,), 5, 2, 20, 3, (10_000,))


@dataclass
class Bench:
    """One run: where its files are, what can be measured, and what has been built."""

    sizes: Sizes
    versions: Mapping[str, str]
    missing: Mapping[str, str]
    """Peers that are not there, and why."""
    folder: Path = PLACE / f"data-{os.getpid()}"
    built: dict[tuple[str, str, int], list[dict[str, Any]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    failed: dict[tuple[str, int], str] = field(default_factory=dict)

    @contextmanager
    def files(self) -> Iterator[None]:
        """While this is open there is a folder for bases, which takes some gigabytes."""
        self.folder.mkdir(parents=True)
        try:
            yield
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def systems(self, size: int) -> tuple[System, ...]:
        """medweave, and the graph peers where they are measured at this size."""
        return (MEDWEAVE, *(GRAPHS if size in self.sizes.peers else ()))

    def source(self, size: int, layout: str = "triples") -> Path:
        """A generated file of so many statements."""
        path = self.folder / f"{layout}-{size}.{'csv' if layout == 'triples' else 'jsonl'}"
        if not path.exists():
            write(World(size), layout, path)
        return path

    def build(self, system: System, size: int, *, layout: str = "triples") -> dict[str, Any]:
        """Build a base once more, in a process of its own; what came of it."""
        if system.name in self.missing:
            raise WorkerError(self.missing[system.name])
        if (system.name, size) in self.failed:
            raise WorkerError(self.failed[system.name, size])
        kept = f"{system.name}-{layout}-{size}.base"
        for old in self.folder.glob(f"{kept}*"):
            shutil.rmtree(old) if old.is_dir() else old.unlink()
        try:
            with Worker(system) as worker:
                arguments = {"source": str(self.source(size, layout)), "store": self._path(kept)}
                answer = worker("build", timeout=1800, **arguments)
                answer |= {"peak": worker("memory")["bytes"], "store": self._path(kept)}
        except WorkerError as error:
            self.failed[system.name, size] = f"its base could not be built: {error}"
            raise
        self.built[system.name, layout, size].append(answer)
        return answer

    def store(self, system: System, size: int) -> str:
        """A base of this size that was built in this run; it is only read from.

        The small base of medweave is made of monographs, so that it has a thousand documents.
        """
        layout = "monographs" if system is MEDWEAVE and size == SMALL else "triples"
        built = self.built[system.name, layout, size]
        if not built:
            self.build(system, size, layout=layout)
        return str(built[-1]["store"])

    @contextmanager
    def copy(self, system: System, size: int) -> Iterator[str]:
        """A base of this size that may be changed."""
        store = Path(self.store(system, size))
        with ExitStack() as stack:
            place = self.folder / f"changed-{system.name}"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            stack.callback(shutil.rmtree, place, ignore_errors=True)
            if store.is_dir():
                shutil.copytree(store, place / store.name)
            else:
                for file in store.parent.glob(f"{store.name}*"):
                    shutil.copy(file, place)
            yield str(place / store.name)

    def _path(self, name: str) -> str:
        return str(self.folder / name)

    def turns(
        self, measures: Mapping[str, Measure | str], repeats: int, *, seconds: float = 0
    ) -> dict[str, Series]:
        """Repeat the measures in turns, so that what disturbs the machine disturbs all.

        A measure that is a text is one that could not be made ready: the text is the reason. A
        system that has spent its seconds is not asked again.
        """
        found: dict[str, list[float]] = {name: [] for name in measures}
        reasons = {name: text for name, text in measures.items() if isinstance(text, str)}
        spent: dict[str, float] = defaultdict(float)
        for _ in range(repeats):
            for name, measure in measures.items():
                if isinstance(measure, str) or name in reasons:
                    continue
                if spent[name] > (seconds or self.sizes.seconds):
                    continue
                started = perf_counter()
                try:
                    found[name].append(measure())
                except WorkerError as error:
                    reasons[name] = str(error)
                spent[name] += perf_counter() - started
        return {
            name: Series(name, self.version(name), tuple(samples), reasons.get(name, ""))
            for name, samples in found.items()
        }

    def version(self, name: str) -> str:
        """The version of a system that is there."""
        return "" if name in self.missing else self.versions.get(name, "")


@contextmanager
def running(bench: Bench, systems: Sequence[System], ready: Callable[[Worker], None]) -> Iterator[
    dict[str, Worker | str]
]:  # fmt: skip
    """One process for each system, made ready; a text in place of one that cannot be."""
    with ExitStack() as stack:
        found: dict[str, Worker | str] = {}
        for system in systems:
            if system.name in bench.missing:
                found[system.name] = bench.missing[system.name]
                continue
            worker = stack.enter_context(Worker(system))
            try:
                ready(worker)
                found[system.name] = worker
            except WorkerError as error:
                found[system.name] = str(error)
        yield found


def seconds_of(
    workers: Mapping[str, Worker | str], ask: Callable[[Worker], float]
) -> dict[str, Measure | str]:
    """What is measured of each process; reasons stay reasons."""

    def measure(worker: Worker) -> Measure:
        return lambda: ask(worker)

    return {
        name: worker if isinstance(worker, str) else measure(worker)
        for name, worker in workers.items()
    }


def say(text: str) -> None:
    """Tell whoever waits how far the run has come."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def parts(found: Mapping[str, Series]) -> dict[str, Any]:
    """The two sides of a row: ours, and the peers in their order."""
    peers = tuple(series for name, series in found.items() if name != MEDWEAVE.name)
    return {"ours": found[MEDWEAVE.name], "peers": peers}


def plain(seconds: Mapping[str, Series], factor: float) -> dict[str, Series]:
    """The same series in another unit."""
    return {
        name: replace(series, samples=tuple(sample * factor for sample in series.samples))
        for name, series in seconds.items()
    }
