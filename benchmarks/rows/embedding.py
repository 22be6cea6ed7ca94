"""Texts to vectors by all-MiniLM-L6-v2: how many a second, and whether they are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.bench import Bench, parts, running, say, seconds_of
from benchmarks.results import Row, Series, Target
from benchmarks.systems import MEDWEAVE, SENTENCES, Worker
from benchmarks.vectors import texts

LENGTHS = {
    "8 words": (64, 8, 8),
    "60 words": (24, 60, 60),
    "250 words": (6, 250, 250),
    "5 to 200 words": (32, 5, 200),
}
"""How many texts of how many words make one sample."""
SAME = Target("≥ 0.99999", 0.99999)
_NOTE = "both on all cores; words are made up, and about three tokens each"


def measure(bench: Bench) -> Iterator[Row]:
    """A row for each length, and one for how like the vectors are."""
    least = 1.0

    def loaded(worker: Worker) -> None:
        worker("embed", texts=["load it"])

    with running(bench, (MEDWEAVE, SENTENCES), loaded) as workers:
        for what, (count, shortest, longest) in LENGTHS.items():
            these = texts(count, shortest, longest)
            made: dict[str, list[list[float]]] = {}
            rate = _rate(these, made)
            found = bench.turns(seconds_of(workers, rate), bench.sizes.repeats)
            yield Row("embed", f"embed texts of {what}", 0, "texts/s", **parts(found),
                      better="higher", note=_NOTE)  # fmt: skip
            if len(made) > 1:
                least = min(least, *map(_cosine, *made.values()))
    peer = workers[SENTENCES.name]
    if isinstance(peer, str):
        say(f"  no cosines: {peer}")
        return
    yield Row("embed", "cosine of the two vectors of a text, the least", 0, "",
              Series(MEDWEAVE.name, bench.version(MEDWEAVE.name), (least,)), target=SAME,
              better="higher")  # fmt: skip


def _rate(these: list[str], made: dict[str, list[list[float]]]) -> Callable[[Worker], float]:
    def rate(worker: Worker) -> float:
        answer = worker("embed", texts=these)
        made[worker.system.name] = answer["vectors"]
        return len(these) / float(answer["seconds"])

    return rate


def _cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
