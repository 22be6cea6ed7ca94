"""Public sets as folders: what becomes a document, and what is right."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError, MedweaveError
from medweave.evaluation.data.beir import read_collection
from scripts.question_sets import (
    liveqa_folder,
    mediqa_folder,
    medquad_folder,
    medquad_teaching_folder,
)


def written(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def page(number: str, focus: str, answer: str, kind: str = "information") -> dict[str, Any]:
    return {
        "id": number,
        "focus": focus,
        "qtype": kind,
        "question": f"What about {focus} ?",
        "answer": answer,
        "synonyms": ["zebra word"],
        "cuis": ["C0000001"],
        "url": "http://example.org/zebra",
    }


@pytest.fixture
def medquad(tmp_path: Path) -> Path:
    rows = [
        page("v1", "gout", "It hurts."),
        page("v2", "Gout", "A kind of  arthritis."),
        page("v3", "measles", "A rash."),
        page("t1", "mumps", "A rash."),
        page("x1", "gout", "Eat less meat.", "treatment"),
        page("x2", "fever", "Warm."),
        page("x3", "cough", "  "),
    ]
    written(tmp_path / "answered.jsonl", rows)
    splits = {"v1": "val", "v2": "val", "v3": "val", "t1": "train", "x2": "unused"}
    written(
        tmp_path / "information_split.jsonl", [{"id": i, "split": s} for i, s in splits.items()]
    )
    return tmp_path


def test_a_document_is_an_answer_and_nothing_else(medquad: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    made = medquad_folder(medquad).write(out)
    assert (made["documents"], made["questions"]) == (6, 3)
    text = (out / "corpus.jsonl").read_text("utf-8")
    for word in ("zebra", "C0000001", "What about", "gout"):
        assert word not in text
    medquad_folder(medquad, title=True).write(out)
    found = read_collection(out)
    assert {p.title for p in found.passages} >= {"gout", "measles"}
    assert "What about" not in (out / "corpus.jsonl").read_text("utf-8")


def test_all_right_answers_and_the_one(medquad: Path, tmp_path: Path) -> None:
    medquad_folder(medquad).write(tmp_path / "out")
    found = read_collection(tmp_path / "out", ("test", "one"))
    both = {"v1": 1, "v2": 1}
    assert found.qrels["test"] == {"v1": both, "v2": both, "v3": {"v3": 1, "t1": 1}}
    assert found.qrels["one"] == {name: {name: 1} for name in ("v1", "v2", "v3")}


@pytest.mark.parametrize(("pool", "documents"), [(3, 3), (4, 4), (5, 5), (99, 6)])
def test_a_pool_holds_the_questions_answers_and_then_others(
    medquad: Path, pool: int, documents: int
) -> None:
    found = list(medquad_folder(medquad, pool=pool).documents)
    assert set(found[:3]) == {"v1", "v2", "v3"}
    assert len(found) == documents
    assert documents < 4 or found[3] == "t1"


def test_what_is_learned_from_holds_nothing_of_the_questions_to_be_tested_on(medquad: Path) -> None:
    with (medquad / "answered.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(page("t2", "mumps", "A virus.")) + "\n")
    with (medquad / "information_split.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({"id": "t2", "split": "train"}) + "\n")
    made = medquad_teaching_folder(medquad, random.Random(0), pool=0, information=9, others=9)
    assert set(made.documents) == {"t2", "x1", "x2"}, "t1 has the words of an answer held back"
    assert set(made.questions) == {"t2", "x1"}
    assert made.qrels["test"] == [("t2", "t2", 1), ("x1", "x1", 1)]
    some = medquad_teaching_folder(medquad, random.Random(0), pool=5, information=9)
    assert set(some.questions) == {"t2"}


def test_a_pool_too_small_and_a_split_that_is_none_are_told(medquad: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot hold the 3 answers"):
        medquad_folder(medquad, pool=2)
    with pytest.raises(ConfigurationError, match=r"'test'.*train, val"):
        medquad_folder(medquad, split="test")
    with pytest.raises(MedweaveError, match="answered"):
        medquad_folder(medquad / "none")


def test_judged_answers_keep_their_grades_and_are_each_questions_own(tmp_path: Path) -> None:
    answers = [
        {"aid": "a", "score": 4, "text": "Rest.", "url": "http://zebra"},
        {"aid": "b", "score": 1, "text": "Run."},
    ]
    rows = [{"qid": q, "question": "What now?", "answers": answers} for q in ("1", "2")]
    mediqa_folder(written(tmp_path / "val.jsonl", rows)).write(tmp_path / "out")
    found = read_collection(tmp_path / "out")
    assert found.qrels["test"]["2"] == {"2:a": 3, "2:b": 0}
    assert found.candidates["1"] == ("1:a", "1:b")
    assert "zebra" not in (tmp_path / "out" / "corpus.jsonl").read_text("utf-8")


def test_equal_answers_to_messages_are_one_document(tmp_path: Path) -> None:
    rows = [
        {"id": "m1", "message": "Help!", "sub": [{"answers": ["Rest.", "Drink."]}]},
        {"id": "m2", "message": "And me?", "sub": [{"answers": ["Rest."]}, {"answers": ["Eat."]}]},
    ]
    liveqa_folder(written(tmp_path / "train.jsonl", rows)).write(tmp_path / "out")
    found = read_collection(tmp_path / "out")
    assert len(found.passages) == 3
    assert found.questions["m1"] == "Help!"
    assert found.qrels["test"]["m2"] == {"m1:0": 1, "m2:1": 1}


def test_a_message_without_words_is_its_subject(tmp_path: Path) -> None:
    rows = [{"id": "m1", "message": " ", "subject": "My knee", "sub": [{"answers": ["Rest."]}]}]
    made = liveqa_folder(written(tmp_path / "train.jsonl", rows))
    assert made.questions == {"m1": "My knee"}


def test_another_set_than_was_named_is_told(tmp_path: Path) -> None:
    path = written(tmp_path / "rows.jsonl", [{"id": "1", "text": "no such set"}])
    for make in (mediqa_folder, liveqa_folder):
        with pytest.raises(MedweaveError, match="not all records have"):
            make(path)
