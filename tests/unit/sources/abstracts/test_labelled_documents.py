"""Labelled documents: one that is broken leaves the others of its file as they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import SourceError
from medweave.sources.abstracts.labelled.documents import labelled_documents
from medweave.sources.abstracts.relations.learner import Relation

TEXT = "Zinc prevents drusen."
SPANS = [{"start": 0, "end": 4, "label": "DRUG"}, {"start": 14, "end": 20, "label": "SIGN"}]
RELATION = {"head": 0, "child": 1, "label": "PREVENT"}
WHOLE = {"text": TEXT, "spans": SPANS, "relations": [RELATION]}


def lines(tmp_path: Path, *records: dict[str, Any]) -> Path:
    file = tmp_path / "labelled.jsonl"
    file.write_text("\n".join(json.dumps(record) for record in records))
    return file


@pytest.mark.parametrize("relations", [5, True, "zinc", {"head": 0}, [None, 7, "head"], [{}]])
def test_relations_that_are_none_are_left_out(relations: Any, tmp_path: Path) -> None:
    file = lines(tmp_path, {**WHOLE, "relations": relations}, WHOLE)
    broken, whole = labelled_documents(file).documents
    assert broken.relations == frozenset()
    assert [span.type for span in broken.spans] == ["drug", "sign"]
    assert whole.relations == {Relation("zinc", "prevent", "drusen")}
    assert not whole.directed


def test_a_sentence_without_an_effect_leaves_the_others(tmp_path: Path) -> None:
    pair = {"sentence": "Zinc caused nausea.", "drug": "Zinc", "effect": "nausea"}
    lacking = {"sentence": "Iron caused pain.", "drug": "Iron"}
    (found,), skipped = labelled_documents(lines(tmp_path, pair, lacking))
    assert [(each.line, each.reason) for each in skipped] == [
        (2, "no sentence with a drug and an effect")
    ]
    assert found.relations == {Relation("zinc", "cause", "nausea")}


@pytest.mark.parametrize("place", ["9" * 5000, "-1", "²", "x"])
def test_a_place_that_is_no_place_leaves_the_other_documents(place: str, tmp_path: Path) -> None:
    block = "{0}|t|Zinc helps\n{0}|a|It does.\n{0}\t{1}\t4\tZinc\tDrug\tD1\n"
    file = tmp_path / "labelled.pubtator"
    file.write_text(f"{block.format(1, place)}\n{block.format(2, 0)}")
    read = labelled_documents(file)
    assert [document.id for document in read.documents] == ["2"]
    assert len(read.skipped) == 1


def test_a_file_without_a_labelled_document_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no labelled document"):
        labelled_documents(lines(tmp_path, {"text": TEXT}))
