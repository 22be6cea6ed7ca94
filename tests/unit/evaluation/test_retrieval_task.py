"""The task `retrieval`: systems beside each other on one folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.runner import evaluate
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.task import Request, task_named
from medweave.evaluation.tasks.retrieval import plan
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress

NONE = Embedding(None, "no weights here")
DOCUMENTS = {
    "m1": "Measles is a contagious infection.",
    "m2": "Signs of measles are a rash and a fever.",
    "g1": "Gout is a kind of arthritis.",
    "h1": "Cardiac arrest is an emergency.",
}
QUESTIONS = {
    "q1": "What is measles?",
    "q2": "What is gout?",
    "q3": "My heart stopped",
    "q4": "Nobody judged this",
}
QRELS = {"q1": {"m1": 2, "m2": 1}, "q2": {"g1": 1, "m1": 0}, "q3": {"h1": 1}}


class ByTopic:
    """An embedder of three topics."""

    model = VectorModel("topics", 4)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        from array import array

        topics = (("measles", "rash"), ("gout", "arthritis"), ("heart", "cardiac"))
        numbers = array("f")
        for text in texts:
            found = [float(any(word in text.lower() for word in words)) for words in topics]
            row = [*found, float(not any(found))]
            numbers.extend(number / sum(row) ** 0.5 for number in row)
        return Vectors(self.model, memoryview(numbers))


def folder(
    path: Path,
    qrels: dict[str, dict[str, dict[str, int]]],
    candidates: dict[str, list[str]] | None = None,
) -> Path:
    (path / "qrels").mkdir(parents=True)
    for name, held in (("corpus", DOCUMENTS), ("queries", QUESTIONS)):
        rows = [json.dumps({"_id": number, "text": text}) for number, text in held.items()]
        (path / f"{name}.jsonl").write_text("\n".join(rows), "utf-8")
    for name, judged in qrels.items():
        lines = [f"{q}\t{d}\t{g}" for q, grades in judged.items() for d, g in grades.items()]
        (path / "qrels" / f"{name}.tsv").write_text("\n".join(lines), "utf-8")
    if candidates:
        (path / "candidates").mkdir()
        rows = [f"{q}\t{d}" for q, documents in candidates.items() for d in documents]
        (path / "candidates" / "test.tsv").write_text("\n".join(rows), "utf-8")
    return path


def run(path: Path, tmp_path: Path, tools: Embedding = NONE, **options: Any) -> dict[str, Any]:
    request = Request(path, embedding=tools, **options)
    return evaluate(plan(request), Checkpoint(tmp_path / "unfinished.jsonl", {"run": 1})).to_json()


def measured(result: dict[str, Any], system: str, measure: str) -> float:
    of_system = next(one for one in result["systems"] if one["name"] == system)
    value: float = of_system["measures"][measure]["value"]
    return value


def test_without_an_embedder_words_are_ranked_and_the_rest_is_said_not_to_be_run(
    tmp_path: Path,
) -> None:
    found = run(folder(tmp_path / "d", {"test": QRELS}), tmp_path)
    assert [system["name"] for system in found["systems"]] == ["medweave", "bm25"]
    assert set(found["not_run"]) == {"dense", "hybrid"}
    assert "no weights here" in found["not_run"]["dense"]
    assert found["data"]["pool"] == 4
    assert (found["data"]["n"], found["data"]["evaluated"]) == (4, 3)
    assert found["data"]["left_out"] == {"questions without judgements": 1}
    assert list(found["systems"][0]["measures"]) == [
        "mrr", "recall@1", "recall@3", "recall@5", "recall@10",
        "ndcg@1", "ndcg@3", "ndcg@10", "map",
    ]  # fmt: skip
    assert measured(found, "bm25", "mrr") == pytest.approx(2 / 3, abs=1e-4)


def test_vectors_alone_and_fused_take_part_where_there_are_any(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    path = folder(tmp_path / "d", {"test": QRELS})
    found = run(path, tmp_path, Embedding(ByTopic()))
    names = ["medweave", "medweave without vectors", "bm25", "dense", "hybrid"]
    assert [system["name"] for system in found["systems"]] == names
    assert measured(found, "dense", "recall@3") == measured(found, "hybrid", "recall@3") == 1
    assert measured(found, "medweave", "mrr") == 1
    assert set(found["differences"]["mrr"]) == set(names[1:])


def test_candidates_limit_the_ranking_and_not_the_statistics(tmp_path: Path) -> None:
    limits = {"q1": ["g1", "m2"]}
    found = run(folder(tmp_path / "d", {"test": QRELS}, limits), tmp_path)
    assert found["data"]["pool"] == 4
    assert found["data"]["candidates"] == 2
    wrong = {error["id"] for error in found["errors"]}
    assert "q1" not in wrong
    assert measured(found, "bm25", "recall@10") == pytest.approx((0.5 + 1 + 0) / 3, abs=1e-4)


def test_several_judgements_are_scored_in_one_run(tmp_path: Path) -> None:
    one = {"q1": {"m2": 1}, "q2": {"g1": 1}}
    path = folder(tmp_path / "d", {"test": QRELS, "one": one})
    found = run(path, tmp_path, qrels=("test", "one"))
    assert list(found["qrels"]) == ["test", "one"]
    ours = found["qrels"]["test"]["systems"][0]
    assert ours["measures"] == found["systems"][0]["measures"]
    assert (
        found["qrels"]["one"]["systems"][0]["measures"]["mrr"]["value"]
        < ours["measures"]["mrr"]["value"]
    )
    other = run(path, tmp_path, qrels=("one",))
    assert other["data"]["evaluated"] == 2


def test_a_higher_bar_leaves_questions_without_a_right_answer(tmp_path: Path) -> None:
    found = run(folder(tmp_path / "d", {"test": QRELS}), tmp_path, relevant=2)
    assert found["data"]["without_a_right_answer"] == 2
    assert measured(found, "bm25", "mrr") <= 1 / 3 + 1e-4


def test_what_was_judged_changes_no_ranking_unless_it_is_taught(tmp_path: Path) -> None:
    turned = {"q1": {"m2": 2, "m1": 0}, "q2": {"g1": 1}, "q3": {"h1": 1}}
    one = folder(tmp_path / "one", {"test": QRELS})
    other = folder(tmp_path / "other", {"test": turned})
    plain = {e["id"]: e["got"] for e in run(one, tmp_path)["errors"]}
    again = {e["id"]: e["got"] for e in run(other, tmp_path)["errors"]}
    assert all(plain.get(name, again[name]) == again[name] for name in again)
    assert measured(run(other, tmp_path), "medweave", "ndcg@1") < 0.5
    taught = run(other, tmp_path, train=other)
    assert measured(taught, "medweave", "ndcg@1") > 0.5
    assert taught["settings"]["train"]["n"] == 4


def test_a_run_that_was_stopped_goes_on_to_the_same_figures(tmp_path: Path) -> None:
    path = folder(tmp_path / "d", {"test": QRELS})
    whole = run(path, tmp_path)
    planned = plan(Request(path, embedding=NONE))
    kept = Checkpoint(tmp_path / "half.jsonl", {"run": 1})

    def stop(done: int, total: int, what: str) -> None:
        if done == 2 and what == "bm25":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(planned, kept, progress=stop)
    again = evaluate(planned, Checkpoint(tmp_path / "half.jsonl", {"run": 1})).to_json()
    assert [s["measures"] for s in again["systems"]] == [s["measures"] for s in whole["systems"]]


def test_folds_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="does not train anything so"):
        task_named("retrieval").check(Request(folder(tmp_path / "d", {"test": QRELS}), folds=5))
