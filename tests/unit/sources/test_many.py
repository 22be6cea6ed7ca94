"""Many documents on more than one core, or on a cluster: the base is the same."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError

ON_A_CLUSTER = """
import sys
from distributed import LocalCluster
from medweave import KnowledgeBase

if __name__ == "__main__":
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with KnowledgeBase.open("memory:") as base:
            base.build([sys.argv[1]], cluster=cluster.scheduler_address)
            print(base.version.hash)
"""


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Enough records for several tasks, some of them not usable."""
    records = [
        {
            "name": f"disease {n}",
            "concept": "disease" if n % 50 else "nothing known",
            "symptoms": [f"sign {n % 17}", f"sign {n % 13}", f"sign {n % 7}"],
            "description": f"Disease {n} is caused by agent {n % 5}. It may lead to sign {n % 3}.",
        }
        for n in range(2500)
    ]
    path = tmp_path_factory.mktemp("many") / "many.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def built(path: Path, jobs: int) -> tuple[str, int, int, list[tuple[int, str]]]:
    with KnowledgeBase.open("memory:") as base:
        report = base.build([path], jobs=jobs)
        skipped = [(item.line, item.reason) for item in report.skipped]
        return base.version.hash, report.documents, report.statements, skipped


@pytest.fixture(scope="module")
def alone(many: Path) -> tuple[str, int, int, list[tuple[int, str]]]:
    return built(many, 1)


@pytest.mark.thorough
def test_two_cores_make_the_same_base_and_report(
    many: Path, alone: tuple[str, int, int, list[tuple[int, str]]]
) -> None:
    assert built(many, 2) == alone
    assert len(alone[3]) == 50


@pytest.mark.thorough
def test_a_cluster_of_two_workers_makes_the_same_base(
    many: Path, alone: tuple[str, int, int, list[tuple[int, str]]], tmp_path: Path
) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    script = tmp_path / "on_a_cluster.py"
    script.write_text(ON_A_CLUSTER, "utf-8")
    ran = subprocess.run(
        [sys.executable, str(script), str(many)], capture_output=True, timeout=120, check=False
    )
    assert ran.stdout.decode().strip() == alone[0], ran.stderr.decode()


def test_a_cluster_that_does_not_answer_is_named(
    many: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    monkeypatch.setattr("medweave.sources.cluster._PATIENCE", 1)
    with (
        KnowledgeBase.open("memory:") as base,
        pytest.raises(ConfigurationError, match="no dask scheduler answers"),
    ):
        base.build([many], cluster="tcp://127.0.0.1:9")
