"""Folders of documents, questions and judgements: what is read, and what is refused where."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from medweave.errors import NotFoundError, SourceError
from medweave.evaluation.data.beir import read_collection

CORPUS = [
    {"_id": "d1", "title": "Gout", "text": "Gout is  a kind of\narthritis."},
    {"_id": "d2", "text": "Measles is an infection."},
]
QUERIES: list[dict[str, object]] = [
    {"_id": "q1", "text": "What is gout?"},
    {"_id": 2, "text": "And measles?"},
]


def lines(records: Sequence[Mapping[str, object]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "corpus.jsonl").write_text(lines(CORPUS), "utf-8")
    (tmp_path / "queries.jsonl").write_text(lines(QUERIES), "utf-8")
    (tmp_path / "qrels" / "test.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\td1\t2\n2\td2\t1\n", "utf-8"
    )
    return tmp_path


def test_a_folder_is_read_with_its_titles_and_grades(folder: Path) -> None:
    found = read_collection(folder)
    assert [p.whole for p in found.passages] == [
        "Gout Gout is a kind of arthritis.",
        "Measles is an infection.",
    ]
    assert found.questions == {"q1": "What is gout?", "2": "And measles?"}
    assert found.qrels == {"test": {"q1": {"d1": 2}, "2": {"d2": 1}}}
    assert found.candidates == {}


def test_compressed_files_hold_the_same(folder: Path) -> None:
    plain = read_collection(folder)
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    packed = read_collection(folder)
    assert (packed.passages, packed.questions, packed.qrels) == (
        plain.passages,
        plain.questions,
        plain.qrels,
    )


@pytest.mark.parametrize("text", ["q1 0 d1 3\n", "q1\t0\td1\t3\r\n", "\ufeffq1\td1\t3\n\n"])
def test_judgements_of_trec_and_without_a_header_are_read(folder: Path, text: str) -> None:
    (folder / "qrels" / "test.tsv").write_text(text, "utf-8")
    assert read_collection(folder).qrels["test"] == {"q1": {"d1": 3}}


def test_several_files_of_judgements_and_candidates(folder: Path) -> None:
    (folder / "qrels" / "strict.tsv").write_text("q1\td2\t1\n", "utf-8")
    (folder / "candidates").mkdir()
    (folder / "candidates" / "test.tsv").write_text("query-id\tcorpus-id\nq1\td2\n", "utf-8")
    found = read_collection(folder, ("test", "strict"))
    assert list(found.qrels) == ["test", "strict"]
    assert found.candidates == {"q1": ("d2",)}


def test_judgements_of_documents_that_are_not_there_are_counted(folder: Path) -> None:
    with (folder / "qrels" / "test.tsv").open("a", encoding="utf-8") as stream:
        stream.write("q1\tgone\t1\n")
    assert list(read_collection(folder).left_out.values()) == [1]


@pytest.mark.parametrize(
    ("name", "text", "line", "what"),
    [
        ("corpus.jsonl", '{"_id": "d1", "text": "a"}\n{"_id"\n', 2, "not JSON"),
        ("corpus.jsonl", '{"_id": "d1"}\n', 1, '"text"'),
        ("corpus.jsonl", '{"text": "a"}\n', 1, '"_id"'),
        ("corpus.jsonl", '{"_id": "d1", "text": "a"}\n{"_id": "d1", "text": "b"}\n', 2, "twice"),
        ("corpus.jsonl", '{"_id": "d1", "text": "a", "title": []}\n', 1, "title"),
        ("corpus.jsonl", "", 1, "without records"),
        ("queries.jsonl", '{"_id": "q1", "text": " "}\n', 1, "without words"),
        ("queries.jsonl", "[1]\n", 1, "no record"),
        ("qrels/test.tsv", "q1\td1\t1\nq1\td1\tgood\n", 2, "whole number"),
        ("qrels/test.tsv", "q1\td1\t1\nq1\n", 2, "whole number"),
        ("qrels/test.tsv", "q9\td1\t1\n", 1, "no question"),
        ("qrels/test.tsv", "q1\td1\t1\nq1\td1\t2\n", 2, "second grade"),
        ("qrels/test.tsv", "q1\tgone\t1\n", 1, "no judgement"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_line(
    folder: Path, name: str, text: str, line: int, what: str
) -> None:
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(SourceError) as told:
        read_collection(folder)
    assert what in told.value.what
    assert told.value.where == f"{folder / name} line {line}"


def test_what_is_no_text_or_cut_off_is_told_with_its_file(folder: Path) -> None:
    path = folder / "queries.jsonl"
    path.write_bytes(b'{"_id": "q1", "text": "a"}\n\xff\xfe\n')
    with pytest.raises(SourceError, match=r"not text in UTF-8, .*queries.jsonl"):
        read_collection(folder)
    path.unlink()
    whole = gzip.compress(lines(QUERIES).encode())
    (folder / "queries.jsonl.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(SourceError, match=r"queries\.jsonl\.gz"):
        read_collection(folder)


def test_a_file_that_is_not_there_is_named(folder: Path) -> None:
    with pytest.raises(NotFoundError, match=r"qrels.*dev\.tsv"):
        read_collection(folder, ("dev",))
    with pytest.raises(NotFoundError, match="no such folder"):
        read_collection(folder / "none")
