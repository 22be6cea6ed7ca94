"""JSON with one record a line that is not named .jsonl, as several graphs come."""

from pathlib import Path

import pytest

from medweave.errors import SourceError
from medweave.sources.files.row import Cut, Row
from medweave.sources.files.rows import read_rows


def test_one_record_a_line_is_read_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "medical.json"
    path.write_text('{"name": "a"}\n\n{"name": "b", "x": [}\n{"name": "c"}\n', "utf-8")
    rows = list(read_rows(path))
    assert [row.line for row in rows if not isinstance(row, Cut)] == [1, 3, 4]
    assert [row.values["name"] for row in rows if isinstance(row, Row)] == ["a", "c"]


def test_an_object_over_several_lines_is_one_record(tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text('{\n"name": "a"\n}\n', "utf-8")
    assert [row.values for row in read_rows(path) if isinstance(row, Row)] == [{"name": "a"}]


def test_two_objects_on_one_line_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text('{"name": "a"} {"name": "b"}\n', "utf-8")
    with pytest.raises(SourceError):
        list(read_rows(path))
