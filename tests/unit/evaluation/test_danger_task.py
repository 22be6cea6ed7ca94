"""The task `danger`: what is counted, and what the baselines say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.errors import SourceError
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import evaluate
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.danger import plan

RECORDS: list[dict[str, Any]] = [
    {"text": "His lips are blue", "danger": ["cyanosis"]},
    {"text": "Everything looks a bit odd to him and we are all rather alarmed", "danger": ["fit"]},
    {"text": "He has no blue lips", "danger": []},
    {"text": "I have a cold", "danger": []},
    {"text": "I have chest pain", "danger": [], "ask": True},
    {"text": "", "danger": []},
    {"text": "no label"},
]


def run(folder: Path, records: list[dict[str, Any]], **options: Any) -> Evaluation:
    path = folder / "messages.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    with KnowledgeBase.sample() as base:
        planned = plan(Request(path, base, **options))
        return evaluate(planned, Checkpoint(folder / "kept", {}))


def test_sensitivity_specificity_and_asking_are_counted_by_message(tmp_path: Path) -> None:
    result = run(tmp_path, RECORDS)
    figures = {
        system.name: {name: figure.value for name, figure in system.measures.items()}
        for system in result.systems
    }
    assert figures["medweave"] == {
        "sensitivity": 0.5,
        "specificity": 1.0,
        "ask_rate": 1.0,
        "asked_needlessly": 0.0,
    }
    assert figures["majority (never)"]["sensitivity"] == 0.0
    assert figures["majority (never)"]["specificity"] == 1.0
    assert figures["keywords"]["sensitivity"] == 0.5
    assert figures["keywords"]["specificity"] == 0.6667  # the denied lips
    assert dict(result.data.left_out) == {"no text": 1, "no list of danger signs": 1}


def test_what_is_missed_stands_among_the_errors(tmp_path: Path) -> None:
    (missed,) = run(tmp_path, RECORDS).errors
    assert (missed["expected"], missed["got"]) == ("present", "none")
    assert missed["text"] == RECORDS[1]["text"]


def test_a_learned_reader_is_trained_on_other_messages_than_it_is_measured_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {"en": 180, "zh": 90}
    monkeypatch.setattr("medweave.understanding.danger.training._ORDINARY", few)
    train = tmp_path / "train.jsonl"
    some = [
        {"text": f"he is floppy and blue, {at} minutes now", "danger": ["x"]} for at in range(4)
    ] + [{"text": f"my knee hurts for {at} weeks", "danger": []} for at in range(4)]
    train.write_text("".join(json.dumps(record) + "\n" for record in some), "utf-8")
    result = run(tmp_path, RECORDS, train=train)
    names = [system.name for system in result.systems]
    assert {"medweave", "table alone", "learned alone", "tf-idf + logistic regression"} <= {*names}
    assert "keywords" in names
    assert result.settings["train"]["path"] == "train.jsonl"


def test_texts_without_labels_are_counted_where_they_are_taken_for_danger(tmp_path: Path) -> None:
    texts = [{"question": "His lips are blue"}, {"query": "What is asthma?"}, {"other": "x"}]
    result = run(tmp_path, texts, unlabelled=True)
    ours = next(system for system in result.systems if system.name == "medweave")
    assert {name: figure.value for name, figure in ours.measures.items()} == {
        "raised": 0.5,
        "asked": 0.0,
    }
    assert [error["text"] for error in result.errors] == ["His lips are blue"]
    assert dict(result.data.left_out) == {"no text": 1}


def test_a_file_without_labels_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no list of danger signs"):
        run(tmp_path, [{"text": "no label"}])
