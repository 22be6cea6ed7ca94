"""YAML, Markdown and tab-separated `.txt`: what is read of them, and what is no data."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.rows import Row, is_data, read_rows


def write(tmp_path: Path, name: str, content: str) -> Path:
    path = tmp_path / name
    path.write_text(content, "utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("name: flu\nn: 1\n", [1]),
        ("- name: flu\n  n: 1\n- name: cold\n", [1, 3]),
        ("---\nname: flu\n---\nname: cold\n", [2, 4]),
    ],
)
def test_yaml_records_know_their_lines(tmp_path: Path, content: str, lines: list[int]) -> None:
    found = list(read_rows(write(tmp_path, "a.yaml", content)))
    assert [row.line for row in found if isinstance(row, Row)] == lines


def test_yaml_words_and_dates_stay_texts(tmp_path: Path) -> None:
    content = "day: 2024-01-31\ntime: 12:30\ncode: 007\nsays: no\nn: 1\nx: 0.5\nt: true\nnone: ~\n"
    (row,) = read_rows(write(tmp_path, "a.yml", content))
    assert isinstance(row, Row)
    assert row.values == {
        "day": "2024-01-31", "time": "12:30", "code": "007", "says": "no",
        "n": 1, "x": 0.5, "t": True, "none": None,
    }  # fmt: skip


def test_yaml_that_breaks_keeps_what_came_before(tmp_path: Path) -> None:
    first, *_, last = read_rows(write(tmp_path, "a.yaml", "- name: flu\n- name: [\n"))
    assert isinstance(first, Row)
    assert not isinstance(last, Row)


def test_a_page_is_one_record(tmp_path: Path) -> None:
    content = (
        "---\nconcept: drug\n---\n# Aspirin\n\nA drug.\n\n## Side effects\n- rash\n- stomach\n"
        "  pain\n\n## Use\nAgainst fever\nand pain.\n\nNot for children.\n"
    )
    (row,) = read_rows(write(tmp_path, "a.md", content))
    assert isinstance(row, Row)
    assert row.values == {
        "concept": "drug",
        "name": "Aspirin",
        "description": "A drug.",
        "side_effects": ["rash", "stomach pain"],
        "use": "Against fever and pain.\n\nNot for children.",
    }


def test_a_page_without_front_matter_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        list(read_rows(write(tmp_path, "a.md", "# Aspirin\n")))
    assert "name" in caught.value.remedy
    assert "concept" in caught.value.remedy


def test_front_matter_that_is_no_record_is_skipped(tmp_path: Path) -> None:
    (row,) = read_rows(write(tmp_path, "a.md", "---\n- a\n---\n"))
    assert isinstance(row, Skipped)


def test_text_between_tabs_is_a_table_and_other_text_is_none(tmp_path: Path) -> None:
    path = write(tmp_path, "train.txt", "flu\thas_symptom\tfever\ncold\thas_symptom\tcough\n")
    assert sum(isinstance(row, Row) for row in read_rows(path)) == 2
    with pytest.raises(SourceError, match="neither a transcript"):
        list(read_rows(write(tmp_path, "b.txt", "a\tb\nplain text\n")))


@pytest.mark.parametrize(
    ("name", "content", "data"),
    [
        ("train.txt", "a\tb\tc\nd\te\tf\n", True),
        ("notes.txt", "a note\n", False),
        ("LICENSE.txt", "a\tb\tc\n", False),
        ("flu.md", "---\nname: flu\n---\n", True),
        ("flu.md", "# Flu\n", False),
        ("README.md", "---\nlicense: mit\n---\n", False),
        ("a.yaml", "- name: flu\n", True),
        ("a.yaml", "concept: disease\nname: flu\n", True),
        ("a.yml", "version: 2\nservices:\n  name: x\n", False),
        ("a.yaml", "text\n", False),
        ("a.csv", "", True),
        ("a.docx", "", False),
    ],
)
def test_what_in_a_folder_is_data(tmp_path: Path, name: str, content: str, data: bool) -> None:
    assert is_data(write(tmp_path, name, content)) is data
