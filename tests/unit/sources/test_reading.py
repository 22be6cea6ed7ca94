"""Reading sources: every layout, and every way in which a file can be broken."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from medweave.errors import MappingError, MedweaveError, SourceError
from medweave.model.document import Skipped
from medweave.model.record import Record
from medweave.sources.files.rows import Cut, Row, read_rows
from medweave.sources.reading import read_records, source_files

GOOD = {"name": "flu", "concept": "disease", "symptoms": ["fever", "cough"]}


def write(tmp_path: Path, name: str, content: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(path: Path) -> tuple[list[Record], list[Skipped]]:
    """Records and skipped rows of a file."""
    found = list(read_records(path))
    skipped = [
        row.skipped if isinstance(row, Cut) else row for row in found if not isinstance(row, Record)
    ]
    return [row for row in found if isinstance(row, Record)], skipped


def names(records: list[Record]) -> list[str]:
    return [record.document.name for record in records]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", json.dumps(GOOD) + "\n"),
        ("a.json", json.dumps([GOOD], indent=2)),
        ("a.json", json.dumps({"records": [GOOD]})),
        ("a.csv", "name,concept,symptoms\nflu,disease,fever; cough\n"),
        ("a.tsv", "name\tconcept\tsymptoms\nflu\tdisease\tfever; cough\n"),
        ("a.jsonl.gz", gzip.compress(json.dumps(GOOD).encode(), mtime=0)),
        ("a.jsonl", "\ufeff" + json.dumps(GOOD)),
        ("a.jsonl", json.dumps(GOOD).encode("utf-16")),
        ("a.csv", "name,concept,symptoms\r\nflu,disease,\"['fever', 'cough']\"\r\n"),
    ],
)
def test_one_monograph_in_every_format(tmp_path: Path, name: str, content: str | bytes) -> None:
    (record,), skipped = read(write(tmp_path, name, content))
    assert skipped == []
    assert [item.text for item in record.content.items] == ["fever", "cough"]
    for item in record.content.items:
        assert record.document.text("symptoms")[item.start : item.end] == item.text


def test_chinese_in_gb18030_is_read(tmp_path: Path) -> None:
    content = "name,concept,symptoms\n感冒,disease,发热;咳嗽流鼻涕\n".encode("gb18030")
    (record,), _ = read(write(tmp_path, "a.csv", content))
    assert record.content.subject == "感冒"
    assert record.document.language == "zh"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.jsonl", b""),
        ("blank.csv", b"  \n \n"),
        ("noise.jsonl", bytes(range(256)) * 30),
        ("latin.csv", "name,concept\ncaf\xe9 au lait spots\xff,disease\n".encode("latin-1")),
        ("cut.jsonl.gz", gzip.compress(b'{"name": "flu"}' * 50, mtime=0)[:-20]),
        ("what.docx", b"hello"),
        ("broken.json", b'{"name": '),
    ],
)
def test_a_file_that_cannot_be_read_is_a_typed_error_that_names_it(
    tmp_path: Path, name: str, content: bytes
) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(SourceError) as caught:
        list(read_records(path))
    assert name in caught.value.where
    assert caught.value.remedy


def test_a_missing_path_and_an_empty_folder_are_errors(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no such file"):
        source_files([tmp_path / "missing"])
    with pytest.raises(SourceError, match="no data files"):
        source_files([tmp_path])


def test_a_folder_gives_its_data_files_once_and_in_order(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.csv", "photo.png"):
        write(tmp_path, name, "x")
    assert [p.name for p in source_files([tmp_path, tmp_path / "a.csv"])] == ["a.csv", "b.jsonl"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"name": ', "not JSON"),
        ("[1, 2]", "must be an object"),
        ('"flu"', "must be an object"),
        ('{"concept": "disease"}', "no name"),
        ('{"name": "", "concept": "disease"}', "no name"),
        ('{"name": 7, "concept": "disease"}', "no name"),
        ('{"name": "x"}', "no concept"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_a_broken_line_is_skipped_with_its_line_and_reason(
    tmp_path: Path, line: str, reason: str
) -> None:
    path = write(
        tmp_path, "a.jsonl", f"{json.dumps(GOOD)}\n{line}\n{json.dumps({**GOOD, 'name': 'cold'})}\n"
    )
    records, (skipped,) = read(path)
    assert names(records) == ["a#flu", "a#cold"]
    assert skipped.line == 2
    assert reason in skipped.reason
    assert skipped.file == str(path)


def test_a_json_array_that_is_cut_keeps_what_came_before(tmp_path: Path) -> None:
    whole = json.dumps([GOOD, {**GOOD, "name": "cold"}], indent=1)
    found = list(read_records(write(tmp_path, "a.json", whole[:-20])))
    assert isinstance(found[0], Record)
    assert isinstance(found[-1], Cut)


def test_ragged_tables_lose_only_the_ragged_row(tmp_path: Path) -> None:
    records, (skipped,) = read(
        write(tmp_path, "a.csv", "name,concept\nflu,disease\ncold,disease,extra\nasthma,disease\n")
    )
    assert names(records) == ["a#flu", "a#asthma"]
    assert skipped.line == 3
    assert "3 cells where the header has 2" in skipped.reason


def test_quotes_and_line_breaks_within_cells_are_kept(tmp_path: Path) -> None:
    content = 'name,concept,description\nflu,disease,"One.\nTwo, ""three""."\n'
    (record,), _ = read(write(tmp_path, "a.csv", content))
    assert record.document.text("description") == 'One.\nTwo, "three".'


def test_program_text_is_read_as_data_and_never_run(tmp_path: Path) -> None:
    hostile = "[__import__('os').system('true')]"
    (record,), _ = read(write(tmp_path, "a.jsonl", json.dumps({**GOOD, "symptoms": hostile})))
    assert [item.text for item in record.content.items] == [hostile]


def test_wide_tables_and_odd_characters_are_read(tmp_path: Path) -> None:
    header = ["name", "concept", *(f"c{n}" for n in range(10_000))]
    row = ["fl\x07u 😷 \u202eאב", "disease", *("x" for _ in range(10_000))]
    (record,), _ = read(write(tmp_path, "a.csv", f"{','.join(header)}\n{','.join(row)}\n"))
    assert record.content.subject == row[0]


def test_the_same_record_twice_is_one_and_another_of_the_same_name_is_kept(tmp_path: Path) -> None:
    other = {**GOOD, "symptoms": ["rash"]}
    lines = "\n".join(json.dumps(record) for record in (GOOD, GOOD, other))
    records, (skipped,) = read(write(tmp_path, "a.jsonl", lines))
    assert names(records)[0] == "a#flu"
    assert names(records)[1].startswith("a#flu~")
    assert "stands above" in skipped.reason


def test_an_unknown_layout_says_how_to_go_on(tmp_path: Path) -> None:
    path = write(tmp_path, "a.csv", "alpha,beta\n1,2\n")
    with pytest.raises(MappingError) as caught:
        list(read_records(path))
    assert "--preview" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", "subject,predicate,object\nflu,has_symptom,fever\n"),
        ("t.tsv", "h\tr\tt\nflu\thas_symptom\tfever\n"),
        ("t.tsv", "flu\thas_symptom\tfever\n"),
        ("t.jsonl", json.dumps({"subject": "flu", "predicate": "has_symptom", "object": "fever"})),
    ],
)
def test_one_triple_in_every_layout(tmp_path: Path, name: str, content: str) -> None:
    (record,), _ = read(write(tmp_path, name, content))
    (row,) = record.content
    assert (row.subject, row.predicate, row.object) == ("flu", "has_symptom", "fever")
    assert record.document.text("rows")[row.start : row.end] == "flu | has_symptom | fever"


def test_triples_are_grouped_by_their_document_column_or_in_pages(tmp_path: Path) -> None:
    rows = [f"d{n},has_symptom,fever,paper {n % 2}" for n in range(4)]
    content = "\n".join(["subject,predicate,object,document", *rows])
    assert names(read(write(tmp_path, "t.csv", content))[0]) == ["paper 0", "paper 1"]
    many = "\n".join(
        ["subject,predicate,object", *(f"d{n},has_symptom,fever" for n in range(2500))]
    )
    assert names(read(write(tmp_path, "p.csv", many))[0]) == ["p#1", "p#2", "p#3"]


@pytest.mark.parametrize(
    ("column", "value"),
    [("polarity", "0"), ("polarity", "x"), ("strength", "2"), ("strength", "-1")],
)
def test_impossible_numbers_of_a_triple_are_refused(
    tmp_path: Path, column: str, value: str
) -> None:
    content = f"subject,predicate,object,{column}\nflu,has_symptom,fever,{value}\n"
    _, (skipped,) = read(write(tmp_path, "t.csv", content))
    assert column in skipped.reason


def test_rows_know_their_lines(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", json.dumps([GOOD, GOOD], indent=2))
    assert [row.line for row in read_rows(path) if isinstance(row, Row)] == [2, 10]


def test_every_error_is_ours(tmp_path: Path) -> None:
    with pytest.raises(MedweaveError):
        list(read_records(tmp_path))
