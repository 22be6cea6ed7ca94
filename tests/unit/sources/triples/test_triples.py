"""Triples: rows that lack a part or hold an impossible number are skipped, one by one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave.model.document import Skipped
from medweave.model.record import Record
from medweave.sources.files.rows import Cut
from medweave.sources.reading import read_records

ROW: dict[str, object] = {"subject": "flu", "predicate": "has_symptom", "object": "fever"}


def read(path: Path, *rows: dict[str, object]) -> list[Record | Skipped | Cut]:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return list(read_records(path))


@pytest.mark.parametrize("part", ["subject", "predicate", "object"])
@pytest.mark.parametrize("value", ["", "  ", "_", "...", None, ["fever"], {"a": 1}, True])
def test_a_row_without_a_part_is_skipped_and_the_part_named(
    tmp_path: Path, part: str, value: object
) -> None:
    skipped, page = read(tmp_path / "t.jsonl", {**ROW, part: value}, ROW)
    assert skipped == Skipped(str(tmp_path / "t.jsonl"), 1, f"nothing in the column '{part}'")
    assert isinstance(page, Record)
    assert len(page.content) == 1


@pytest.mark.parametrize("value", [10**400, "nan", "inf", float("nan"), [1], "-0"])
def test_an_impossible_polarity_is_refused(tmp_path: Path, value: object) -> None:
    (skipped,) = read(tmp_path / "t.jsonl", {**ROW, "polarity": value})
    assert isinstance(skipped, Skipped)
    assert "is no polarity" in skipped.reason


def test_a_denied_row_has_a_negative_polarity_and_its_quote(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "t.jsonl", {**ROW, "polarity": -1, "quote": "No\nfever."})
    assert isinstance(page, Record)
    (triple,) = page.content
    assert triple.polarity == -1
    text = page.document.text("rows")[triple.start : triple.end]
    assert text == "flu | has_symptom | fever | No fever."


def test_numbers_may_be_names(tmp_path: Path) -> None:
    (page,) = read(tmp_path / "t.jsonl", {**ROW, "object": 5})
    assert isinstance(page, Record)
    assert page.content[0].object == "5"
