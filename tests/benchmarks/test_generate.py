"""The generated base is the same every time, of the size asked for, and readable."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import dialogues
from benchmarks.generate import STRENGTHS, World, name_of, write
from medweave import KnowledgeBase


@pytest.mark.parametrize("layout", ["triples", "monographs"])
def test_the_same_seed_gives_the_same_file(tmp_path: Path, layout: str) -> None:
    texts = []
    for name in ("one", "two"):
        write(World(500), layout, tmp_path / name)
        texts.append((tmp_path / name).read_bytes())
    write(World(500, seed=8), layout, tmp_path / "other")
    assert texts[0] == texts[1] != (tmp_path / "other").read_bytes()


@pytest.mark.parametrize("size", [1, 57, 3000])
def test_there_are_as_many_different_statements_as_asked_for(tmp_path: Path, size: int) -> None:
    write(World(size), "triples", tmp_path / "t.csv")
    with (tmp_path / "t.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert len(rows) == len(set(rows)) == size
    assert {predicate for _, predicate, _ in rows} <= set(STRENGTHS)


def test_both_layouts_say_the_same(tmp_path: Path) -> None:
    world = World(300)
    write(world, "monographs", tmp_path / "m.jsonl")
    lines = [
        json.loads(line) for line in (tmp_path / "m.jsonl").read_text("utf-8").split("\n")[:-1]
    ]
    said = {(line["name"], name) for line in lines for part in line.values()
            if isinstance(part, list) for name in part}  # fmt: skip
    assert said == {(s, o) for page in world.pages() for s, _, o in page.triples()}


def test_different_things_have_different_names() -> None:
    names = Counter(
        name_of(kind, number, language)
        for kind in ("disease", "symptom", "drug", "test", "risk_factor")
        for number in range(3000)
        for language in ("en", "zh")
    )
    assert set(names.values()) == {1}


def test_few_things_are_named_often_and_most_seldom() -> None:
    named = Counter(o for page in World(5000).pages() for _, _, o in page.triples())
    counts = sorted(named.values(), reverse=True)
    assert counts[0] > 20 * counts[len(counts) // 2]


def test_medweave_reads_all_of_it_and_answers_in_both_languages(tmp_path: Path) -> None:
    world = World(300)
    write(world, "triples", tmp_path / "t.csv")
    with KnowledgeBase.open("memory:") as base:
        report = base.build([tmp_path / "t.csv"])
        assert (report.base.statements, report.skipped) == (300, ())
        asked = world.questions(40)
        assert {question.text.isascii() for question in asked} == {True, False}
        for question in asked:
            mentioned = {m.text.lower() for m in base.understand(question.text).mentions}
            assert mentioned == set(question.names), question.text


def test_a_new_document_is_new_and_speaks_of_what_is_there() -> None:
    world = World(2000)
    new = world.new_page(1)
    names = {name for page in world.pages() for triple in page.triples() for name in triple}
    assert new.name not in names
    assert len(new.rows) == 12
    assert sum(name in names for _, name in new.rows) > 6


def test_dialogues_are_the_same_and_marked(tmp_path: Path) -> None:
    for name, count in (("one", 60), ("more", 90)):
        dialogues.write(dialogues.talk_of(), range(count), tmp_path / name)
    one = (tmp_path / "one").read_text("utf-8").splitlines()
    assert one == (tmp_path / "more").read_text("utf-8").splitlines()[:60]
    records = [json.loads(line) for line in one]
    assert all(record["id"].startswith("synthetic-") for record in records)
    assert all("synthetic" in record["tags"] for record in records)
    names = {record["id"] for record in records}
    references = [said["id"] for record in records for said in record["references"]]
    assert references
    assert {*references} <= names
