"""Tasks: each is a file that registers itself, and takes no option of another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError, SourceError
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import OURS, evaluate
from medweave.evaluation.task import OPTIONAL, Request, task_named
from medweave.evaluation.tasks import guideline, task_names

PROMISED = {
    "intents", "diagnosis", "negation", "linking", "entities", "danger", "retrieval", "guideline",
}  # fmt: skip
GIVEN: dict[str, Any] = {
    "train": Path(__file__), "folds": 5, "texts": Path(), "unlabelled": True, "qrels": ("a",),
    "relevant": 2, "perturb": ("typo",),
}  # fmt: skip


def test_every_file_is_a_task_of_its_own_name_and_all_promised_ones_are_there() -> None:
    assert set(task_names()) >= PROMISED
    assert [task_named(name).name for name in task_names()] == task_names()


def test_a_name_that_is_no_task_is_told_with_those_that_are() -> None:
    with pytest.raises(ConfigurationError, match=r"there is no task 'diagnoses'.*diagnosis"):
        task_named("diagnoses")


@pytest.mark.parametrize("name", task_names())
@pytest.mark.parametrize("option", OPTIONAL)
def test_an_option_is_taken_or_refused_by_name(name: str, option: str) -> None:
    task = task_named(name)
    data = Path(__file__).parent if task.folder else Path(__file__)
    given = {**GIVEN, "train": data}
    request = Request(data, **{option: given[option]})
    if option in task.options:
        task.check(request)
    else:
        with pytest.raises(ConfigurationError, match=f"--{option}"):
            task.check(request)


@pytest.mark.parametrize("name", task_names())
def test_data_that_is_not_there_is_told_before_anything_is_run(name: str, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such"):
        task_named(name).check(Request(tmp_path / "none"))


def test_training_on_a_file_and_in_folds_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="exclude each other"):
        task_named("intents").check(Request(Path(__file__), train=Path(__file__), folds=5))


def test_cases_of_a_guideline_that_were_stopped_go_on_to_the_same(tmp_path: Path) -> None:
    cases = [
        {"id": f"child {number}", "age_days": 300, "weight_kg": 8.0, "sex": "female",
         "findings": {"cough": True, "respiratory_rate": rate, "chest_indrawing": False},
         "expected": {"confirmed": ["cough or cold"]}}
        for number, rate in enumerate((30, 60, 35))
    ]  # fmt: skip
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join([*map(json.dumps, cases), '{"broken']), "utf-8")

    def stop(done: int, total: int, what: str) -> None:
        if (done, what) == (2, OURS):
            raise KeyboardInterrupt

    def run(name: str, **further: Any) -> dict[str, Any]:
        kept = Checkpoint(tmp_path / name, {"run": 1})
        found = evaluate(guideline.plan(Request(path)), kept, **further).to_json()
        for system in found["systems"]:
            for time in ("training_seconds", "seconds", "milliseconds_per_item"):
                del system[time]
        return found

    with pytest.raises(KeyboardInterrupt):
        run("stopped", progress=stop)
    found = run("stopped")
    assert found == run("whole")
    assert (found["data"]["n"], found["classes"]) == (4, {})
    assert {"4", "child 1"} <= {error["id"] for error in found["errors"]}
