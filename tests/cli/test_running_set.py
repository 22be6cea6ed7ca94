"""What `make run` installs is enough: the rest is asked for by a typed error, or done without.

Commands run with the packages of `requirements.lock` alone, whatever else is installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest

from tests.commands import cache_with_sample

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
_PINNED = re.compile(r"^([\w.-]+)==(\S+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    """Distributions of a lock file with their versions."""
    return dict(_PINNED.findall((ROOT / name).read_text("utf-8")))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the packages of the running set lie, and no others."""
    folder = tmp_path_factory.mktemp("packages")
    for name in pins("requirements.lock"):
        held = distribution(name)
        for top in {file.parts[0] for file in held.files or ()} - {"..", "__pycache__"}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(held.locate_file(top))))
    return folder


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cache_with_sample(tmp_path_factory.mktemp("home"))


@pytest.fixture
def medweave(packages: Path, home: Path, tmp_path: Path) -> Any:
    def run(*arguments: object) -> tuple[int, Any, str]:
        """(exit status, JSON on stdout, stderr) of a command."""
        environment = {key: value for key, value in os.environ.items() if "MEDWEAVE" not in key}
        environment |= {
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(packages)]),
            "XDG_CACHE_HOME": str(home),
        }
        ran = subprocess.run(
            [sys.executable, "-S", "-m", "medweave", *map(str, arguments), "--json"],
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=environment,
        )
        assert b"Traceback" not in ran.stderr, ran.stderr.decode()
        return ran.returncode, json.loads(ran.stdout), ran.stderr.decode()

    return run


def test_what_runs_is_a_part_of_what_is_tested() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-test.lock").items()


def test_the_packages_of_tests_are_not_there(packages: Path) -> None:
    there = {path.name for path in packages.iterdir()}
    assert {"numpy", "rich", "yaml"} <= there
    assert not there & {
        "scipy",
        "sklearn",
        "matplotlib",
        "faiss",
        "pytest",
        "openai",
        "distributed",
    }


def test_questions_are_answered(medweave: Any) -> None:
    code, answer, _ = medweave("ask", "Can a pregnant woman take tetracycline?")
    assert (code, answer["status"]) == (0, "answered")
    assert answer["stops"][0]["name"] == "tetracycline"
    assert medweave("understand", "我发烧两天了")[1]["language"] == "zh"
    code, found, _ = medweave("similar", "My knee hurts.")
    assert (code, len(found["dialogues"])) == (0, 3)


def test_a_child_is_classified(medweave: Any, tmp_path: Path) -> None:
    (tmp_path / "child.json").write_text('{"findings": {"cough": true}}', "utf-8")
    code, found, _ = medweave("classify", "--guideline", "sample", "--age", "10mo",
                              "--weight", "8kg", "--findings", "child.json")  # fmt: skip
    assert (code, found["guideline"]["id"]) == (0, "sample-child-health")


def test_a_base_is_made_and_measured(medweave: Any, tmp_path: Path) -> None:
    flu = {"name": "flu", "concept": "disease", "symptoms": ["fever", "cough"]}
    (tmp_path / "flu.jsonl").write_text(json.dumps(flu), "utf-8")
    code, report, _ = medweave("build", "--kb", "kb.db", "flu.jsonl")
    assert (code, report["documents"]) == (0, 1)
    rows = [
        {"text": "My lips are blue and I cannot breathe.", "danger": ["breathing"]},
        {"text": "How is gout treated?", "danger": []},
    ]
    (tmp_path / "messages.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    code, found, said = medweave("evaluate", "danger", "messages.jsonl", "--report", "report")
    assert (code, found["systems"][0]["name"]) == (0, "medweave")
    assert found["systems"][0]["measures"]["sensitivity"]["value"] == 1
    assert "medweave[evaluate]" in said  # no pictures
    assert (tmp_path / "report" / "report.md").is_file()


@pytest.mark.parametrize(
    ("arguments", "extra"),
    [
        (["train", "danger", "sample"], "evaluate"),
        (["train", "intents", "sample"], "evaluate"),
        (["evaluate", "intents", "asked.jsonl", "--folds", "2"], "evaluate"),
        (["similar", "My knee hurts.", "--model", "openai-compatible:toy@http://127.0.0.1:9/v1"],
         "models"),
        (["build", "--kb", "kb.db", "calls.jsonl", "--cluster", "tcp://127.0.0.1:9"], "cluster"),
    ],
)  # fmt: skip
def test_what_is_not_installed_is_named_with_its_extra(
    medweave: Any, tmp_path: Path, arguments: list[str], extra: str
) -> None:
    call = {"id": "1", "turns": [{"speaker": "patient", "text": "My knee hurts."}]}
    (tmp_path / "calls.jsonl").write_text(json.dumps(call), "utf-8")
    asked = [{"text": f"What helps against {name}?", "label": "treatment"} for name in "abcd"]
    (tmp_path / "asked.jsonl").write_text("\n".join(map(json.dumps, asked)), "utf-8")
    code, said, _ = medweave(*arguments)
    assert (code, said["error"]["type"]) == (1, "ConfigurationError")
    assert f"medweave[{extra}]" in said["error"]["remedy"]
