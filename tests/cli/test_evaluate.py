"""`medweave evaluate`, with a report, on a small file of own questions."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from tests.commands import Ran, cache_with_sample, medweave

WORDINGS = {
    "symptom": ("What are the signs of {}?", "How do I know that I have {}?"),
    "treatment": ("What helps against {}?", "How is {} treated?"),
    "cause | why": ("Where does {} come from?", "Why do people get {}?"),
}
TIMES = ("training_seconds", "seconds", "milliseconds_per_item")


def evaluate(*arguments: object, task: str = "intents", **environment: str) -> Ran:
    return medweave("evaluate", task, *arguments, **environment)


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "own questions.jsonl"
    rows = [
        {"id": f"{name} {at}", "text": wording.format(name), "label": label}
        for name in ("gout", "asthma", "a cold")
        for label, wordings in WORDINGS.items()
        for at, wording in enumerate(wordings)
    ]
    rows += [{"text": "<b>no</b> | label"}, {"label": "symptom"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {"XDG_CACHE_HOME": str(cache_with_sample(tmp_path_factory.mktemp("cache")))}


def measured(out: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out)
    for system in found["systems"]:
        for name in TIMES:
            assert system.pop(name) >= 0
    return found


def test_a_report_holds_what_is_printed_and_comes_out_the_same_again(
    questions: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    pytest.importorskip("matplotlib")
    printed = []
    for folder in ("one", "two"):
        code, out, err = evaluate(
            questions,
            "--folds",
            "2",
            "--seed",
            "3",
            "--report",
            tmp_path / folder,
            "--json",
            **cache,
        )
        assert (code, err) == (0, "")
        printed.append(measured(out))
        written = (tmp_path / folder / "evaluation.json").read_text("utf-8")
        assert measured(written) == printed[-1]
    assert printed[0] == printed[1]
    assert printed[0]["data"]["left_out"] == {"no label": 1, "no text": 1}
    assert printed[0]["classes"] == dict.fromkeys(sorted(WORDINGS), 6)
    names = {path.name for path in (tmp_path / "one").iterdir()}
    pictures = {f"{name}.svg" for name in ("systems", "classes", "risk-coverage")}
    assert {"report.md", *pictures} <= names
    assert not [name for name in names if name.startswith("unfinished")]
    for name in pictures:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    page = (tmp_path / "one" / "report.md").read_text("utf-8")
    assert "evaluate intents 'own questions.jsonl' --folds 2 --seed 3 --report report" in page
    assert "| cause &#124; why | 6 |" in page


def test_without_matplotlib_the_rest_is_written_and_said(
    questions: Path, tmp_path: Path, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ["matplotlib", *(name for name in sys.modules if name.startswith("matplotlib."))]:
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails
    code, out, err = evaluate(questions, "--folds", "2", "--report", tmp_path / "out", **cache)
    assert code == 0
    assert "medweave" in out
    assert err.startswith("note: ")
    assert "pip install 'medweave[evaluate]'" in err
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"evaluation.json", "report.md"}


def test_a_report_that_cannot_be_written_is_told_before_anything_is_run(
    questions: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    code, out, err = evaluate(
        questions,
        "--folds",
        "2",
        "--report",
        tmp_path / "file",
        **cache,
    )
    assert (code, out) == (1, "")
    assert err.startswith("error: the report cannot be written there")
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("folds", ["1", "19"])
def test_folds_that_no_items_fill_are_a_typed_error(
    questions: Path, cache: dict[str, str], folds: str
) -> None:
    code, out, err = evaluate(questions, "--folds", folds, **cache)
    assert (code, out) == (1, "")
    assert "18 items cannot be parted" in err


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("base")
    diseases = {"zorn fever": ["fever", "blue spots"], "marsh cough": ["hiccups", "cough"]}
    rows = [{"name": n, "concept": "disease", "symptoms": s} for n, s in diseases.items()]
    (folder / "all.json").write_text(json.dumps(rows), "utf-8")
    with KnowledgeBase.open(str(folder / "my.db")) as opened:
        opened.build([folder / "all.json"])
    return folder / "my.db"


def test_a_base_that_is_set_is_evaluated_as_one_that_is_named(
    base: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    path = tmp_path / "cases.jsonl"
    rows = [
        {"text": "I have a fever and blue spots", "diagnosis": "zorn fever"},
        {"text": "I have hiccups and a cough", "diagnosis": "marsh cough"},
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    for setting in ({}, {"MEDWEAVE_KB": str(base)}):
        named = [] if setting else ["--kb", base]
        code, out, _ = evaluate(
            path, "--folds", "2", *named, "--json", task="diagnosis", **cache, **setting
        )
        assert code == 0
        found = json.loads(out)
        assert found["settings"]["kb"] == "my.db"
        graph = {system["name"]: system["measures"] for system in found["systems"]}
        assert graph["medweave graph"]["hits@1"]["value"] == 1.0


def test_cases_in_which_everything_is_absent_are_asked_all_the_same(
    base: Path, tmp_path: Path, cache: dict[str, str]
) -> None:
    path = tmp_path / "cases.jsonl"
    row = {"findings": {"present": [], "absent": ["fever"]}, "diagnosis": "marsh cough"}
    path.write_text(json.dumps(row) + "\n", "utf-8")
    code, out, err = evaluate(path, "--kb", base, "--json", task="diagnosis", **cache)
    assert (code, err) == (0, "")
    ours = json.loads(out)["systems"][0]["measures"]
    assert (ours["hits@1"]["value"], ours["no_entity"]["value"]) == (0.0, 1.0)


def test_negation_is_measured_and_learns_nothing(tmp_path: Path, cache: dict[str, str]) -> None:
    path = tmp_path / "sentences.jsonl"
    path.write_text(
        '{"sentence": "She denies COUGH.", "concept": "cough", "negation": "Negated"}\n', "utf-8"
    )
    code, out, err = evaluate(path, "--json", task="negation", **cache)
    assert code == 0, err
    assert measured(out)["systems"][0]["measures"]["negation_f1"]["value"] == 1
    code, out, err = evaluate(path, "--folds", "2", task="negation", **cache)
    assert code == 1
    assert "does not train anything so" in err
