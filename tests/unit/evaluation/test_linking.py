"""The task `linking`: things found in texts, counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import evaluate
from medweave.evaluation.task import Request, task_named
from medweave.evaluation.tasks.linking import plan

RECORDS = [
    {"text": "I threw up and I have a cough.", "entities": ["vomiting", "cough"]},
    {"text": "I have a fever.", "entities": ["mw.condition:fever"]},
    {"text": "I have a zorn rash.", "entities": ["zorn's disease"]},
    {"text": "Good morning!", "entities": []},
    {"text": "no list"},
]


@pytest.fixture
def items(tmp_path: Path) -> Path:
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(map(json.dumps, RECORDS)), "utf-8")
    return path


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    disease = {"name": "flu", "concept": "disease", "symptoms": ["vomiting", "cough", "fever"]}
    (tmp_path / "base.json").write_text(json.dumps([disease]), "utf-8")
    base = KnowledgeBase.open("memory:")
    base.build([tmp_path / "base.json"])
    return base


def test_things_are_counted(items: Path, base: KnowledgeBase, tmp_path: Path) -> None:
    result = evaluate(plan(Request(items, base)), Checkpoint(tmp_path / "kept.jsonl", {})).to_json()
    measured = {
        system["name"]: {name: m["value"] for name, m in system["measures"].items()}
        for system in result["systems"]
    }
    # by hand: gold has 4 things; ours finds vomiting, cough, fever, and rash, which is none of them
    assert measured["medweave"] == pytest.approx(
        {"precision": 3 / 4, "recall": 3 / 4, "f1": 3 / 4, "exact": 3 / 4}, abs=1e-4
    )
    assert measured["exact dictionary"] == pytest.approx(
        {"precision": 2 / 3, "recall": 2 / 4, "f1": 4 / 7, "exact": 2 / 4}, abs=1e-4
    )
    assert result["data"]["left_out"] == {"no list of entities": 1}
    assert [error["expected"] for error in result["errors"]] == ["zorn's disease"]


def test_a_file_without_items_is_an_error(tmp_path: Path, base: KnowledgeBase) -> None:
    path = tmp_path / "none.jsonl"
    path.write_text('{"text": "fever"}', "utf-8")
    with pytest.raises(SourceError, match="no list of entities"):
        plan(Request(path, base))


def test_names_are_not_trained(base: KnowledgeBase, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not train"):
        task_named("linking").check(Request(tmp_path / "x", base, folds=5))


def test_names_joined_as_in_emckg_are_read(tmp_path: Path, base: KnowledgeBase) -> None:
    path = tmp_path / "linked.jsonl"
    record = {"input": "A cough and a fever", "input_KG": "Cough,Fever,Zorn_fever", "output": ""}
    path.write_text(json.dumps(record), "utf-8")
    result = evaluate(plan(Request(path, base)), Checkpoint(tmp_path / "kept.jsonl", {}))
    assert result.systems[0].measures["recall"].value == pytest.approx(2 / 3, abs=1e-4)
    assert result.systems[0].measures["precision"].value == 1
