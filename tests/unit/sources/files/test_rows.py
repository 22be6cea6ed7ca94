"""Rows at their worst: a broken row is named with its line, and a cut file is known to be cut."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave import KnowledgeBase, SourceError
from medweave.model.document import Skipped
from medweave.sources.files.rows import Cut, Row, read_rows
from medweave.sources.reading import read_records

FLU = {"name": "flu", "concept": "disease", "symptoms": ["fever"]}
COLD = {"name": "cold", "concept": "disease", "symptoms": ["cough"]}


def write(tmp_path: Path, name: str, content: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def rows(path: Path) -> list[Row | Skipped | Cut]:
    return list(read_rows(path))


def values(path: Path) -> list[dict[str, Any]]:
    return [row.values for row in rows(path) if isinstance(row, Row)]


class TestCutFiles:
    @pytest.mark.parametrize(
        ("name", "whole", "cut"),
        [
            ("a.jsonl", f"{json.dumps(FLU)}\n{json.dumps(COLD)}\n", -9),
            ("a.json", json.dumps([FLU, COLD]), -9),
            ("a.csv", "name,concept,symptoms\nflu,disease,fever\ncold,disease,cough\n", -7),
            ("a.tsv", "name\tconcept\tsymptoms\nflu\tdisease\tfever\ncold\tdisease\tcough\n", -7),
            ("a.csv", 'name,concept,symptoms\nflu,disease,fever\ncold,disease,"cough"\n', -2),
        ],
    )
    def test_what_stood_before_is_kept_and_what_follows_is_not_deleted(
        self, tmp_path: Path, name: str, whole: str, cut: int
    ) -> None:
        path = write(tmp_path, name, whole)
        with KnowledgeBase.open("memory:") as base:
            assert base.build([path]).base.documents == 2
            write(tmp_path, name, whole[:cut])
            report = base.build([path])
            assert (report.base.documents, report.removed, len(report.skipped)) == (2, 0, 1)
        first, last = rows(path)
        assert isinstance(first, Row)
        assert isinstance(last, Cut)
        assert last.skipped.file == str(path)

    def test_an_inch_in_the_last_cell_is_no_open_quote(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.csv", 'name,size\nnail,5" long')
        assert values(path) == [{"name": "nail", "size": '5" long'}]


class TestFiles:
    @pytest.mark.parametrize("content", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xef\xbb\xbf \n"])
    def test_a_mark_of_encoding_alone_is_an_empty_file(
        self, tmp_path: Path, content: bytes
    ) -> None:
        with pytest.raises(SourceError, match="empty"):
            rows(write(tmp_path, "a.jsonl", content))

    @pytest.mark.parametrize("name", ["", "missing.csv", "nul\0.csv"])
    def test_what_is_no_file_is_a_typed_error(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(SourceError):
            rows(tmp_path / name)


class TestHeaders:
    @pytest.mark.parametrize("header", ["disease,symptoms,treatment", "疾病,症状,治疗"])
    def test_three_columns_called_like_columns_are_a_header(
        self, tmp_path: Path, header: str
    ) -> None:
        (row,) = values(write(tmp_path, "a.csv", f"{header}\nflu,fever,rest\n"))
        assert list(row) == header.split(",")

    def test_three_columns_of_data_have_none(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.csv", "flu,symptom,fever\ncold,symptom,cough\n")
        assert [list(row) for row in values(path)] == [["0", "1", "2"]] * 2


class TestRows:
    def test_rows_in_a_wrapping_object_know_their_lines(self, tmp_path: Path) -> None:
        content = json.dumps({"note": "two", "records": [FLU, "no record", COLD]}, indent=1)
        found = rows(write(tmp_path, "a.json", content))
        lines = [row.line for row in found if not isinstance(row, Cut)]
        assert [content.split("\n")[line - 1].strip() for line in lines] == [
            "{",
            '"no record",',
            "{",
        ]
        assert isinstance(found[1], Skipped)

    def test_a_row_over_several_lines_is_named_by_its_first(self, tmp_path: Path) -> None:
        path = write(tmp_path, "a.csv", 'name,text\nflu,"one\ntwo"\ncold,three\n')
        assert [row.line for row in rows(path) if isinstance(row, Row)] == [2, 4]

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ('{"name": "\\ud800", "concept": "disease"}', "half a character"),
            ('{"name": ' + "9" * 5000 + "}", "too many digits"),
            ("7", "a number"),
            ("null", "null"),
            ("\0", "not JSON"),
        ],
    )
    def test_a_hostile_line_is_skipped_with_the_reason(
        self, tmp_path: Path, line: str, reason: str
    ) -> None:
        found = rows(write(tmp_path, "a.jsonl", f"{line}\n{json.dumps(FLU)}\n"))
        assert isinstance(found[0], Skipped)
        assert (found[0].line, reason in found[0].reason) == (1, True)
        assert isinstance(found[1], Row)

    @pytest.mark.parametrize(
        "text", ["fe\0ver", "\x1b[31mfever", "🤒", "\u202eחום", "f" * 1_000_000]
    )
    def test_odd_texts_are_built_from_without_harm(self, tmp_path: Path, text: str) -> None:
        path = write(tmp_path, "a.jsonl", json.dumps({**FLU, "symptoms": [text], "name": text}))
        with KnowledgeBase.open(f"sqlite:{tmp_path / 'kb.db'}") as base:
            report = base.build([path])
            assert report.documents == 1

    @pytest.mark.parametrize(
        "text", ["[__import__('os')]", "['\\ud800']", "[" * 5000, "['a'] * 10**9", "[open('x')]"]
    )
    def test_program_text_that_is_no_list_stays_text(self, tmp_path: Path, text: str) -> None:
        path = write(tmp_path, "a.jsonl", json.dumps({**FLU, "symptoms": text}))
        (record,) = read_records(path)
        assert not isinstance(record, Skipped | Cut)
        assert [item.text for item in record.content.items] == [text]

    def test_a_list_may_be_written_as_json(self, tmp_path: Path) -> None:
        path = write(
            tmp_path, "a.jsonl", json.dumps({**FLU, "symptoms": '["fever", null, "rash"]'})
        )
        (record,) = read_records(path)
        assert not isinstance(record, Skipped | Cut)
        assert [item.text for item in record.content.items] == ["fever", "rash"]
