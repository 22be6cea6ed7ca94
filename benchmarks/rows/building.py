"""How fast a base is built from a file, how large it is, and how much memory that takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.bench import MIDDLE, SMALL, Bench, parts
from benchmarks.results import Row, Series
from benchmarks.systems import MEDWEAVE, System

_MB = 1e-6


def measure(bench: Bench) -> Iterator[Row]:
    """Triples at every size, the peers beside; then monographs."""
    for size in bench.sizes.ours:
        repeats = 3 if size == SMALL else 1
        systems = bench.systems(size)

        def rate(system: System, size: int = size) -> Callable[[], float]:
            def build() -> float:
                answer = bench.build(system, size)
                return float(answer["statements"] / answer["seconds"])

            return build

        found = bench.turns({system.name: rate(system) for system in systems}, repeats)
        yield Row("build", "build from triples", size, "statements/s", **parts(found),
                  better="higher", note="the peers are given the triples in one call",
                  facts=_counts(bench, size))  # fmt: skip
        for what, key in (("base on the disk", "bytes"), ("peak memory of a build", "peak")):
            yield Row("build", what, size, "MB", **parts(_kept(bench, found, size, key)))
    for size in (SMALL, MIDDLE):
        if size in bench.sizes.ours:
            answers = [bench.build(MEDWEAVE, size, layout="monographs")]
            rates = tuple(float(a["statements"] / a["seconds"]) for a in answers)
            documents = answers[0]["documents"]
            yield Row("build", "build from monographs", size, "statements/s",
                      Series(MEDWEAVE.name, bench.version(MEDWEAVE.name), rates), better="higher",
                      note=f"{documents:,} documents, each with a sentence of description",
                      facts={"documents": documents})  # fmt: skip


def _kept(bench: Bench, found: dict[str, Series], size: int, key: str) -> dict[str, Series]:
    return {
        name: Series(
            name,
            series.version,
            tuple(float(answer[key]) * _MB for answer in bench.built[name, "triples", size]),
            series.reason,
        )
        for name, series in found.items()
    }


def _counts(bench: Bench, size: int) -> dict[str, int]:
    built = bench.built[MEDWEAVE.name, "triples", size]
    return {key: built[-1][key] for key in ("documents", "entities")} if built else {}
