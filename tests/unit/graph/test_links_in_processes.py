"""The join in one process, in several and on a cluster; killed and gone on with: the same links."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from medweave.graph.links import join
from medweave.model.vector_links import VectorLink, VectorLinks
from medweave.model.vectors import VectorEntry, VectorModel, Vectors
from medweave.stores.sqlite.store import SqliteStore
from medweave.testing.vector_conformance import papers

np = pytest.importorskip("numpy")

COUNT, SIZE, LEAST = 2600, 8, 0.88
"""Three times the rows that are kept at one time."""

JOINING = """
import sys
from medweave import KnowledgeBase
from medweave.graph import links

def told(done, total, what):
    print(done, flush=True)

def joined(path, **how):
    with KnowledgeBase.open(path) as base:
        base.link_dialogues(least=float(sys.argv[2]), progress=told, **how)

if __name__ == "__main__":
    links._ROWS = 200
    if sys.argv[3] == "cluster":
        from distributed import LocalCluster
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            joined(sys.argv[1], cluster=cluster.scheduler_address)
    else:
        joined(sys.argv[1], jobs=int(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def rows() -> list[Sequence[float]]:
    made = np.random.default_rng(3).standard_normal((COUNT, SIZE))
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    listed: list[Sequence[float]] = made.tolist()
    return listed


def base(path: Path, rows: list[Sequence[float]]) -> Path:
    [paper] = papers("all of them")
    with closing(SqliteStore.open(path, create=True)) as store:
        store.put([paper])
        entries = [
            VectorEntry("publication", f"k{number}", paper.document.id, f"{number}", "dialogue")
            for number in range(COUNT)
        ]
        store.vectors().put(entries, Vectors.of(VectorModel("toy", SIZE), rows))
    return path


def links(path: Path) -> VectorLinks:
    with closing(SqliteStore.open(path, create=False, read_only=True)) as store:
        return store.vectors().links("publication")


@pytest.fixture(scope="module")
def alone(rows: list[Sequence[float]], tmp_path_factory: pytest.TempPathFactory) -> VectorLinks:
    path = base(tmp_path_factory.mktemp("alone") / "kb.db", rows)
    with closing(SqliteStore.open(path, create=False)) as store:
        join(store.vectors(), least=LEAST)
    found = links(path)
    assert len(found.links) > COUNT
    return found


def start(folder: Path, path: Path, where: str) -> subprocess.Popen[str]:
    script = folder / "joining.py"
    script.write_text(JOINING, "utf-8")
    return subprocess.Popen(
        [sys.executable, str(script), str(path), str(LEAST), where],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip


def test_they_are_those_of_plain_numpy(rows: list[Sequence[float]], alone: VectorLinks) -> None:
    kept = np.array(rows, "f4").astype("f8")
    cosines = (kept @ kept.T).round(6)
    first, second = np.nonzero(np.triu(cosines >= LEAST, 1))
    found = {frozenset((link.first, link.second)): link.cosine for link in alone.links}
    assert found == {
        frozenset((f"k{a}", f"k{b}")): cosines[a, b]
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    }


@pytest.mark.thorough
@pytest.mark.parametrize("where", ["2", "cluster"])
def test_they_are_the_same_wherever_they_are_made(
    where: str, rows: list[Sequence[float]], alone: VectorLinks, tmp_path: Path
) -> None:
    if where == "cluster":
        pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    path = base(tmp_path / "kb.db", rows)
    out, err = start(tmp_path, path, where).communicate(timeout=300)
    assert len(out.split()) > 2, err
    assert links(path) == alone


@pytest.mark.thorough
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_killed_and_gone_on_with_they_are_the_same(
    jobs: str, rows: list[Sequence[float]], alone: VectorLinks, tmp_path: Path
) -> None:
    path = base(tmp_path / "kb.db", rows)
    process = start(tmp_path, path, jobs)
    assert process.stdout is not None
    assert process.stdout.readline() == "200\n"
    os.killpg(process.pid, signal.SIGKILL)  # and its workers
    process.communicate()
    some = links(path)
    assert 200 <= len(some.compared) < COUNT
    known = {(link.first, link.second) for link in alone.links
             if {link.first, link.second} <= some.compared}  # fmt: skip
    assert {VectorLink(*link)[:2] for link in some.links} == known
    with closing(SqliteStore.open(path, create=False)) as store:
        made = join(store.vectors(), least=LEAST, jobs=2)
        assert made.compared == COUNT - len(some.compared)
        assert store.check() == []
    assert links(path) == alone
