"""The task `answers`: what is said out of texts, beside sentences that others would say."""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.report.folder import write_report
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import evaluate
from medweave.evaluation.systems.embedding import NO_VECTORS, Embedding
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.answers import Rouge, evidence_recall, plan
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress

pytest.importorskip("rouge_score")

TEXTS = {
    "a": "Gout is a kind of arthritis. It is caused by crystals of uric acid in the joints.",
    "b": "Measles is an infection by a virus. A vaccine protects against measles.",
    "c": "Scurvy comes from a lack of vitamin C. Oranges and other fruit cure scurvy.",
    "z": "荨麻疹是一种皮肤病。荨麻疹的皮疹通常在一天内消退。",
}
QUESTIONS: list[dict[str, Any]] = [
    {"id": "1", "question": "What causes gout?", "type": "fact",
     "answer": "Crystals of uric acid in the joints.",
     "evidence": ["It is caused by crystals of uric acid in the joints."]},
    {"id": "2", "question": "How is scurvy cured?", "type": "complex",
     "answers": ["By surgery.", "Oranges cure scurvy."]},
    {"id": "3", "question": "荨麻疹的皮疹多久消退？", "type": "fact", "answer": "一天内消退",
     "evidence": ["皮疹通常在一天内消退"]},
    {"id": "4", "question": "What is a quasar?", "answer": "A galaxy.", "evidence": ["A galaxy."]},
    {"id": "5", "question": "", "answer": "Nobody asked."},
    {"id": "6", "question": "What is measles?"},
]  # fmt: skip


class ByLetters:
    """An embedder of texts as they begin and end: it knows nothing of what they mean."""

    model = VectorModel("letters", 8)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        numbers = array("f")
        for text in texts:
            row = [0.1] * 8
            for at, letter in enumerate(text[:6] + text[-6:]):
                row[ord(letter) % 8] += at
            length = sum(number * number for number in row) ** 0.5
            numbers.extend(number / length for number in row)
        return Vectors(self.model, memoryview(numbers))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    path = tmp_path_factory.mktemp("texts") / "corpus.jsonl"
    rows = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    path.write_text("\n".join(rows), "utf-8")
    with KnowledgeBase.open("memory:") as base:
        base.build([path])
        yield base


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(map(json.dumps, QUESTIONS)), "utf-8")
    return path


def run(
    asked: Path, base: KnowledgeBase, embedding: Embedding = NO_VECTORS, progress: Any = no_progress
) -> Evaluation:
    made = plan(Request(asked, base, embedding=embedding))
    checkpoint = Checkpoint(asked.with_name("unfinished.jsonl"), {"run": 1})
    return evaluate(made, checkpoint, progress=progress)


def test_ours_stands_beside_sentences_and_a_ceiling_by_type(
    asked: Path, base: KnowledgeBase
) -> None:
    result = run(asked, base, Embedding(ByLetters()))
    found = result.to_json()
    names = ["medweave", "bm25", "bm25 passage", "dense", "hybrid", "oracle"]
    assert [system["name"] for system in found["systems"]] == names
    assert found["data"]["left_out"] == {"no question": 1, "no answer": 1}
    value = {s["name"]: {k: m["value"] for k, m in s["measures"].items()} for s in found["systems"]}
    assert all(value["oracle"]["rouge_l"] >= value[name]["rouge_l"] for name in ("dense", "hybrid"))
    assert value["medweave"]["answered"] < 1 == value["medweave"]["words_cited"]
    silent = found["tables"]["unanswered"]
    assert "4" in [row["id"] for row in silent]
    assert all(row["why"] for row in silent)
    assert len(silent) == 4 * (1 - value["medweave"]["answered"])
    slices = found["slices"]
    assert {name: held["n"] for name, held in slices.items()} == {
        "type=fact": 2, "type=complex": 1, "language=en": 3, "language=zh": 1,
    }  # fmt: skip
    assert set(slices["type=fact"]["differences"]["rouge_l"]) == set(names[1:])
    assert "cases" not in found


def test_each_case_can_be_read_and_found_in_its_text(
    asked: Path, base: KnowledgeBase, tmp_path: Path
) -> None:
    report = tmp_path / "report"
    write_report(run(asked, base), report, notice=lambda _: None)
    lines = (report / "cases.jsonl").read_text("utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    assert [case["id"] for case in cases if case["system"] == "medweave"] == ["1", "2", "3", "4"]
    first = cases[0]
    assert first["gold"] == {
        "answer": [QUESTIONS[0]["answer"]],
        "evidence": QUESTIONS[0]["evidence"],
    }
    assert first["slices"] == {"type": "fact", "language": "en"}
    assert first["measures"]["evidence_recall@5"] == 1
    for case in cases:
        assert case["answer"] == " ".join(sentence["text"] for sentence in case["sentences"])
        for each in case["passages"]:
            assert TEXTS[each["document"]][each["start"] : each["end"]] == each["text"]
        shown = {each["id"]: each["text"] for each in case["passages"]}
        for sentence in case["sentences"]:
            assert any(sentence["text"] in shown[name] for name in sentence["passages"])


def test_a_run_that_was_stopped_gives_what_it_would_have_given(
    asked: Path, base: KnowledgeBase
) -> None:
    def stop(done: int, whole: int, what: str) -> None:
        if (done, what) == (2, "bm25"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(asked, base, progress=stop)
    assert "bm25" in asked.with_name("unfinished.jsonl").read_text("utf-8")
    resumed, anew = run(asked, base), run(asked, base)
    assert resumed.cases == anew.cases
    assert resumed.slices == anew.slices


def test_without_vectors_the_rest_is_measured(asked: Path, base: KnowledgeBase) -> None:
    result = run(asked, base)
    assert set(result.not_run) == {"dense", "hybrid", "oracle"}


@pytest.mark.parametrize(
    ("reference", "answer", "score"),
    [
        ("一天内消退", "在一天内就消退", 2 * 5 / (5 + 7)),
        ("剂量为500mg", "500mg", 2 * 1 / (1 + 4)),
        ("treating colds", "treats a cold", 2 * 2 / (2 + 3)),
        ("nothing", "", 0),
    ],
)
def test_rouge_takes_chinese_by_characters_and_english_by_stems(
    reference: str, answer: str, score: float
) -> None:
    assert Rouge().scores((reference,), answer)["rouge_l"] == pytest.approx(score)


def test_evidence_is_looked_for_in_a_thousand_words() -> None:
    evidence = ["Vaccines protect from it", "crystals"]
    assert evidence_recall(evidence, ["a vaccine protects", "of crystals"]) == 1
    assert evidence_recall(evidence, ["vaccine"]) == 0.25
    assert evidence_recall(evidence, ["word " * 1000, "vaccine protects crystals"]) == 0
    assert evidence_recall(["it is"], ["anything"]) is None
