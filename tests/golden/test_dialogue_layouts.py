"""Invented rows in each layout of dialogues that a mapping ships for, and the turns read of them."""
# ruff: noqa: E501 - what is said is one line

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from medweave.model.record import Record
from medweave.sources.mapping.layouts import shipped_mappings
from medweave.sources.reading import read_records
from tests.golden.layouts import jsonl, write

ASKED, TOLD = "I have a sore throat.", "Drink tea."
TURNS = [("patient", ASKED), ("doctor", TOLD)]
PAGE = {
    "question": "sore throat?",
    "answer": TOLD,
    "tags": ["throat"],
    "url": "https://a.example/1",
}
CASES: list[tuple[str, str, dict[str, Any], str, str]] = [
    ("dialogues/chatdoctor2k_dev.jsonl", "chatdoctor", {"id": 4, "question": ASKED, "answer": TOLD}, "4", "chatdoctor"),
    ("x/covid_en.jsonl", "covid_dialogues",
     {"description": ASKED, "utterances": [f"patient: {ASKED}", f"doctor: {TOLD}"]}, "", ""),
    ("x/icliniq.jsonl", "forum_questions", {**PAGE, "question_text": ASKED}, "", ""),
    ("x/forum.jsonl", "forum_questions", {**PAGE, "question": ASKED}, "", ""),
    ("x/mts_TrainingSet.jsonl", "mts_dialog",
     {"ID": "0", "dialogue": f"Patient: {ASKED} \nDoctor: {TOLD}", "section_header": "CC", "section_text": "Sore throat."},
     "0", "mts_training"),
    ("genmedgpt5k/dev.jsonl", "genmedgpt5k", {"id": 0, "input": ASKED, "output": TOLD}, "0", "genmedgpt5k"),
    ("liveqa/train.jsonl", "liveqa",
     {"id": "T1-9", "message": ASKED, "subject": "throat", "sub": [{"answers": [TOLD], "focus": "throat", "type": "x"}]},
     "T1-9", ""),
    ("medquad/answered.jsonl", "medquad",
     {"id": "1/2-3", "question": ASKED, "answer": TOLD, "qtype": "treatment", "focus": "Throat", "url": "https://b.example"},
     "1/2-3", ""),
    ("mediqa2019/val.jsonl", "mediqa2019",
     {"qid": "3", "question": ASKED, "answers": [{"aid": "3_1", "rank": 1, "text": TOLD}]}, "3", "mediqa2019"),
    ("y/pages.jsonl", "dialogues", {"id": "p1", "question": ASKED, "answer": TOLD}, "p1", ""),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=[case[1] for case in CASES])
def test_a_layout_is_recognised_by_itself(
    tmp_path: Path, case: tuple[str, str, dict[str, Any], str, str]
) -> None:
    file, mapping, row, name, namespace = case
    (record,) = read_records(write(tmp_path / file, jsonl([row])))
    assert isinstance(record, Record)
    assert record.content is not None
    assert [(turn.speaker, turn.text) for turn in record.content.turns] == TURNS
    assert record.mapping.evidence_class == record.document.evidence_class == "dialogue"
    assert record.document.name == name or (not name and "#" in record.document.name)
    assert record.content.namespace == namespace
    shipped = shipped_mappings()[mapping].everything
    assert mapping == "dialogues" or record.mapping in shipped


def test_every_mapping_of_dialogues_is_tried_here() -> None:
    of_dialogues = {
        name
        for name, mapping in shipped_mappings().items()
        if any(part.kind == "dialogues" for part in mapping.everything)
    }
    assert of_dialogues == {mapping for _, mapping, *_ in CASES}


def test_what_a_page_is_about_tells_which_section_its_answer_is(tmp_path: Path) -> None:
    rows = [row for _, mapping, row, *_ in CASES if mapping in ("medquad", "mts_dialog")]
    places = ["mts/mts_TrainingSet.jsonl", "medquad/answered.jsonl"]
    given = []
    for place, row in zip(places, rows, strict=True):
        (record,) = read_records(write(tmp_path / place, jsonl([row])))
        assert isinstance(record, Record)
        assert record.content is not None
        given += [(g.section, g.text) for g in record.content.given]
    assert given == [("CC", "Sore throat."), ("advice", TOLD)]
