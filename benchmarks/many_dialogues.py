"""A base of very many dialogues: `python -m benchmarks.many_dialogues`.

--count N      dialogues (100,000), made up by benchmarks.dialogues
--names BASE   a base whose diseases and findings they name
--base BASE    one made already of these dialogues; it is copied
--turns N      how often what is quick is measured
--write        the page shows this run

Building, vectors, links, equation 9 and adding one dialogue, and the similarity join in one
process, in several, and on a dask cluster on this machine, beside nothing but products of matrices.
Vectors are made up, in clouds, and of the size of the model's: the model would take hours. Its rate
is measured on some of the texts, where it is installed.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from benchmarks.dialogues import talk_of, write
from benchmarks.machine import describe
from benchmarks.run import RESULTS
from benchmarks.vectors import CloudEmbedder, clouds

DIALOGUES = RESULTS / "dialogues.json"
LEAST = 0.8
NEAR = 0.6
"""The least cosine where vectors in clouds are joined: about half of a cloud's pairs."""
TEXTS = 2000
JOINED = 100_000
_ADDING = ("add one dialogue", "make its vectors", "link it", "bring the graph up to date")
_WAYS = {"one process, one thread": 1, "one process, numpy's threads": 1, "two processes": 2,
         "dask, two workers": -1}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print what was measured."""
    told = _parser().parse_args(arguments)
    if told.part:
        json.dump(_PARTS[told.part](told), sys.stdout)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        result = measured(told, Path(folder))
    sys.stdout.write(table(result) + "\n")
    if told.write:
        DIALOGUES.write_text(json.dumps(result, indent=1) + "\n", "utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--names", default="", help="a base whose diseases and findings are named")
    parser.add_argument("--base", default="", help="one made already of these dialogues")
    parser.add_argument("--joined", type=int, default=JOINED, help="vectors that are joined")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--write", action="store_true", help="for the page")
    parser.add_argument("--part", default="", help=argparse.SUPPRESS)
    parser.add_argument("--folder", default="", help=argparse.SUPPRESS)
    parser.add_argument("--way", default="", help=argparse.SUPPRESS)
    return parser


def measured(told: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Each part in a process of its own, so that its memory is its own."""
    result: dict[str, Any] = {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": {k: v for k, v in describe({}).items() if k not in ("packages", "peers")},
        "load_before": round(os.getloadavg()[0], 2),
        "count": told.count,
        "joined": told.joined,
    }
    _say("joins")
    result["joins"] = {way: _run(told, folder, "join", way) for way in ("products", *_WAYS)}
    kb = folder / "kb.db"
    if told.base:
        shutil.copy(told.base, kb)
    else:
        _say("the base")
        write(talk_of(told.names), range(told.count), folder / "dialogues.jsonl")
        result["build"] = _run(told, folder, "build")
    write(talk_of(told.names), range(told.count, told.count + told.turns), folder / "more.jsonl")
    _say("vectors and links")
    result["vectors"] = _run(told, folder, "vectors")
    result["bytes"] = kb.stat().st_size
    _say("asking and adding")
    result["asked"] = _run(told, folder, "ask")
    result["used"] = _run(told, folder, "use")
    result["embedding"] = _run(told, folder, "embed")
    return result


def _run(told: argparse.Namespace, folder: Path, part: str, way: str = "") -> Any:
    limited = way in ("products", "one process, one thread")
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.many_dialogues", "--part", part, "--way", way,
         "--folder", str(folder), "--count", str(told.count), "--turns", str(told.turns),
         "--joined", str(told.joined), "--names", told.names],
        stdout=subprocess.PIPE, check=True,
        env={**os.environ, **({"OPENBLAS_NUM_THREADS": "1"} if limited else {})},
    )  # fmt: skip
    return json.loads(ran.stdout)


def _spent(work: Callable[[], object]) -> dict[str, float]:
    """Seconds, seconds of processor time of this process, and MB that it held at most so far."""
    start, before = perf_counter(), process_time()
    work()
    return {
        "seconds": perf_counter() - start,
        "processor": process_time() - before,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def _build(told: argparse.Namespace) -> Any:
    from medweave import KnowledgeBase

    with KnowledgeBase.open(str(Path(told.folder) / "kb.db")) as base:
        return _spent(lambda: base.build([Path(told.folder) / "dialogues.jsonl"]))


def _vectors(told: argparse.Namespace) -> Any:
    from medweave import KnowledgeBase
    from medweave.graph.tree_vectors import make_tree_vectors

    with KnowledgeBase.open(str(Path(told.folder) / "kb.db")) as base:

        def make() -> None:
            make_tree_vectors(base._opened.store, base.vectors, CloudEmbedder())

        made = _spent(make)
        linked: dict[str, Any] = _spent(lambda: base.link_dialogues(least=LEAST))
        linked["links"] = base.vectors.link_state("publication").links
        return {"make": made, "link": linked, "counts": base.vectors.counts()}


def _ask(told: argparse.Namespace) -> Any:
    """Asking as users do, by the ranking that is used where nothing is set."""
    from medweave import KnowledgeBase
    from medweave.retrieval.dialogues.similar import PastDialogues

    folder = Path(told.folder)
    records = (folder / "more.jsonl").read_text("utf-8").splitlines()
    embedder = CloudEmbedder()  # made once, as a model is; making its clouds is no part of asking
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        past = PastDialogues(
            base._opened.store,
            base._opened.naming.vocabulary,
            lambda: (embedder, ""),
            base._opened.files,
        )

        def ask(record: str) -> None:
            past.like(_message(record), 3)

        first = _spent(lambda: ask(records[0]))
        then = [_spent(partial(ask, record))["seconds"] for record in records]
    return {"first": first, "ask as users do, then": then}


def _message(record: str) -> Any:
    from medweave.model.similar import Message

    said = [turn["text"] for turn in json.loads(record)["turns"]]
    names = ("description", "symptom", "advice", "history")
    return Message(said[0], dict(zip(names, said, strict=False)))


def _use(told: argparse.Namespace) -> Any:
    """Equation 9, and what one more dialogue costs, in a program that goes on running."""
    from medweave import KnowledgeBase
    from medweave.graph.tree_vectors import make_tree_vectors
    from medweave.model.similar import SimilarHow
    from medweave.retrieval.dialogues.similar import PastDialogues

    folder = Path(told.folder)
    records = (folder / "more.jsonl").read_text("utf-8").splitlines()
    how, embedder = SimilarHow("equation9"), CloudEmbedder()
    with KnowledgeBase.open(str(folder / "kb.db")) as base:
        past = PastDialogues(
            base._opened.store,
            base._opened.naming.vocabulary,
            lambda: (embedder, ""),
            base._opened.files,
        )

        def ask(record: str) -> None:
            past.like(_message(record), 3, how)

        first = _spent(lambda: ask(records[0]))
        in_memory = _spent(lambda: past._graph.now(base.vectors, how))
        base.link_dialogues(least=LEAST)
        spent: dict[str, list[float]] = {}

        def make() -> None:
            make_tree_vectors(base._opened.store, base.vectors, embedder)

        def take(what: str, work: Callable[[], object]) -> None:
            start = perf_counter()
            work()
            spent.setdefault(what, []).append(perf_counter() - start)

        for record in records:
            take("ask by equation 9", partial(ask, record))
        for number, record in enumerate(records):
            path = folder / f"more-{number}.jsonl"
            path.write_text(record + "\n", "utf-8")
            take("add one dialogue", partial(base.build, [path]))
            take("make its vectors", make)
            take("link it", partial(base.link_dialogues, least=LEAST))
            take("bring the graph up to date", partial(past._graph.now, base.vectors, how))
            take("ask by equation 9 then", partial(ask, record))
        whole = zip(*(spent[what] for what in _ADDING), strict=True)
        spent["all four: add, make, link, up to date"] = [sum(one) for one in whole]
        return {"first": first, "in memory": in_memory, **spent}


def _embed(told: argparse.Namespace) -> Any:
    """Texts a second by the model; nought where it is not installed."""
    from medweave.app import open_embedder

    talk = talk_of(told.names)
    texts = [turn["text"] for n in range(TEXTS // 5) for turn in talk.record(n)["turns"]][:TEXTS]
    chosen = open_embedder()
    if chosen.embedder is None:
        return {"texts": len(texts), "rate": 0}
    start = perf_counter()
    chosen.embedder.embed(texts)
    return {"texts": len(texts), "rate": len(texts) / (perf_counter() - start)}


def _join(told: argparse.Namespace) -> Any:
    """The join of vectors in clouds, in a way; or only the products that it needs."""
    vectors = clouds(told.joined)
    if told.way == "products":
        return _spent(lambda: list(_products(vectors)))
    with tempfile.TemporaryDirectory() as folder, closing(_base_of(vectors, folder)) as store:
        return _in_way(told.way, store.vectors())


def _in_way(way: str, index: Any) -> Any:
    from medweave.graph.links import join

    def work() -> None:
        join(index, least=NEAR, jobs=_WAYS[way])

    index.tables("publication")
    if not way.startswith("dask"):
        spent: dict[str, Any] = _spent(work)
    else:
        import distributed

        from medweave.sources.cluster import cluster

        local_cluster: Any = distributed.LocalCluster
        two = local_cluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with two as local, cluster(local.scheduler_address):
            spent = _spent(work)
    spent["links"] = index.link_state("publication").links
    spent["sum"] = round(sum(link.cosine for link in index.links("publication").links), 3)
    return spent


def _products(vectors: Any) -> Iterator[int]:
    for start in range(0, len(vectors), 1024):
        for left in range(0, start + 1024, 8192):
            scores = vectors[start : start + 1024] @ vectors[left : left + 8192].T
            yield int((scores >= NEAR).sum())


def _base_of(vectors: Any, folder: str) -> Any:
    from medweave.model.vectors import VectorEntry, VectorModel, Vectors
    from medweave.stores.sqlite.store import SqliteStore
    from medweave.testing.vector_conformance import papers

    store = SqliteStore.open(Path(folder) / "vectors.db", create=True)
    [paper] = papers("all of them")
    store.put([paper])
    model = VectorModel("clouds", vectors.shape[1])
    for start in range(0, len(vectors), 10_000):
        part = vectors[start : start + 10_000]
        entries = [
            VectorEntry("publication", f"{n:07}", paper.document.id, f"{n}", "dialogue")
            for n in range(start, start + len(part))
        ]
        store.vectors().put(entries, Vectors.from_bytes(model, part.tobytes()))
    return store


_PARTS: dict[str, Callable[[argparse.Namespace], Any]] = {
    "build": _build, "vectors": _vectors, "ask": _ask, "use": _use, "embed": _embed, "join": _join,
}  # fmt: skip


def table(result: dict[str, Any]) -> str:
    """What was measured, as tables in Markdown."""
    made, used = result["vectors"], result["used"]
    counts = made["counts"]
    # An older result knows no files.
    how = "by files beside the base" if "in memory" in used else "the graph is made"
    parts = [("keep the vectors, made up", made["make"]), ("link", made["link"]),
             ("first question by equation 9: " + how, used["first"])]  # fmt: skip
    asked = result.get("asked", {})  # an older result has none
    if asked:
        parts.append(("first question as users ask", asked["first"]))
    if "in memory" in used:
        parts.append(("the graph made in memory, where there are no files", used["in memory"]))
    if "build" in result:
        parts.insert(0, ("build the base", result["build"]))
    lines = [
        f"{result['count']:,} dialogues, {counts['section']:,} sections,"
        f" {made['link']['links']:,} links at cos ≥ {LEAST}; {result['bytes'] / 1e6:,.0f} MB.",
        "",
        "| | s | s of the processor | MB at most |",
        "|---|--:|--:|--:|",
        *(f"| {what} | {_figures(some)} |" for what, some in parts),
        "",
        "| ms | p50 | p95 |",
        "|---|--:|--:|",
    ]
    for what, spent in (*asked.items(), *used.items()):
        if what not in ("first", "in memory"):
            lines.append(
                f"| {what} | {1000 * statistics.median(spent):,.1f} | {_p95(spent):,.1f} |"
            )
    least = result["joins"]["one process, one thread"]["seconds"]
    pairs = result["joined"] ** 2 / 2e6
    lines += [
        "",
        f"| join of {result['joined']:,} vectors | s | s of the processor | MB at most"
        " | million pairs a second | times one thread |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for way, some in result["joins"].items():
        rate, ratio = pairs / some["seconds"], least / some["seconds"]
        lines.append(f"| {way} | {_figures(some)} | {rate:,.0f} | {ratio:.2f} |")
    rates = result["embedding"]
    if rates["rate"]:
        lines += [
            "",
            f"The model embeds {rates['rate']:,.0f} of {rates['texts']:,} turns a second.",
        ]
    return "\n".join(lines)


def _figures(some: dict[str, float]) -> str:
    return f"{some['seconds']:,.1f} | {some['processor']:,.1f} | {some['megabytes']:,.0f}"


def _p95(spent: Sequence[float]) -> float:
    return 1000 * sorted(spent)[min(len(spent) - 1, int(0.95 * len(spent)))]


def _say(what: str) -> None:
    sys.stderr.write(what + "\n")


if __name__ == "__main__":
    sys.exit(main())
