"""`medweave guideline import`: a file of another system in, YAML and a report out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import medal_small as small
from tests.commands import medweave


@pytest.fixture
def algorithm(tmp_path: Path) -> Path:
    (tmp_path / "reference_tables.json").write_text(json.dumps(small.TABLES))
    file = tmp_path / "algorithm.json"
    file.write_text(json.dumps(small.algorithm()))
    return file


def test_an_algorithm_becomes_a_guideline_that_classifies(algorithm: Path, tmp_path: Path) -> None:
    out = tmp_path / "small.yaml"
    code, told, errors = medweave(
        "guideline", "import", str(algorithm), "--out", str(out), "--json"
    )
    assert code == 0, errors
    report = json.loads(told)
    assert report["guideline"] == {"id": "a-small-one", "version": "7.3"}
    assert report["classifications"] == len(small.algorithm()["final_diagnoses"])
    assert report["observations"] == len(small.algorithm()["nodes"])
    assert {"what", "where", "why"} == set(report["not_mapped"][0])
    findings = tmp_path / "findings.json"
    findings.write_text(json.dumps({"findings": {str(small.DRINKING): "132"}}))
    code, told, errors = medweave(
        "classify", "--guideline", str(out), "--age", "10mo", "--findings", str(findings), "--json"
    )
    assert code == 0, errors
    found = {each["id"]: each["status"] for each in json.loads(told)["classifications"]}
    assert found[str(small.SEVERE)] == "confirmed"


def test_a_person_reads_what_was_not_mapped(algorithm: Path, tmp_path: Path) -> None:
    out = tmp_path / "small.yaml"
    code, told, _ = medweave("guideline", "import", str(algorithm), "--out", str(out))
    assert code == 0
    assert "a-small-one@7.3" in told
    assert "Sqrt([10])" in told


@pytest.mark.parametrize(
    ("source", "expected"),
    [("nowhere.json", "no such file"), ("other.json", "no guideline that can be imported")],
)
def test_what_cannot_be_imported_is_refused(tmp_path: Path, source: str, expected: str) -> None:
    (tmp_path / "other.json").write_text("{}")
    out = str(tmp_path / "out.yaml")
    code, _, errors = medweave("guideline", "import", str(tmp_path / source), "--out", out)
    assert code == 1
    assert expected in errors


def test_it_has_to_be_put_somewhere(algorithm: Path) -> None:
    code, _, errors = medweave("guideline", "import", str(algorithm))
    assert code == 1
    assert "--out" in errors
