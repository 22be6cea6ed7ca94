"""What an entry of a monograph says besides its name: its grade, what to do, its strength."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from medweave.model.document import Extraction, Skipped
from medweave.model.record import Record
from medweave.model.statement import INTERACTION_GRADES
from medweave.sources.extraction import extract
from medweave.sources.mapping.layouts import find_mapping
from medweave.sources.names import Naming
from medweave.sources.reading import read_records
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary
from tests.reading_rows import one_record

NAMING = Naming(shipped_vocabulary(), shipped_lexicon())


def read(**fields: Any) -> Extraction:
    rows = [{"name": "ibuprofen", "concept": "drug", **fields}]
    return extract(one_record(rows, find_mapping("monographs")), NAMING)


@pytest.mark.parametrize("grade", INTERACTION_GRADES)
def test_an_interaction_has_the_grade_and_the_action_of_its_entry(grade: str) -> None:
    entry = {
        "with": "warfarin",
        "severity": grade.upper(),
        "action": "Use paracetamol.",
        "action_zh": "改用对乙酰氨基酚。",
        "source": "PMID:1",
    }
    made = read(interactions=[entry, "lithium"])
    graded, plain = made.statements
    assert dict(graded.qualifiers) == {
        "severity": grade, "action": "Use paracetamol.", "action_zh": "改用对乙酰氨基酚。",
    }  # fmt: skip
    assert dict(plain.qualifiers) == {"severity": "unrated"}
    assert [item.cites for item in made.evidence] == [("PMID:1",), ()]
    assert [item.quote for item in made.evidence] == ["warfarin", "lithium"]


@pytest.mark.parametrize(("written", "kept"), [(0.5, 0.5), (1, 1.0), (0, 1.0), ("much", 1.0)])
def test_an_entry_may_say_how_much_its_source_makes_of_it(written: object, kept: float) -> None:
    made = read(indications=[{"text": "fever", "strength": written}, "pain"])
    assert [item.strength for item in made.evidence] == [kept, 1.0]


def test_a_grade_that_is_none_is_reported_and_the_interaction_kept(tmp_path: Path) -> None:
    entry = {"with": "warfarin", "severity": "dreadful"}
    file = tmp_path / "m.json"
    file.write_text(json.dumps([{"name": "ibuprofen", "concept": "drug", "interactions": [entry]}]))
    told, record = read_records(file)
    assert isinstance(told, Skipped)
    assert told.reason == "'dreadful' is no severity in 'interactions'"
    assert isinstance(record, Record)
    (statement,) = extract(record, NAMING).statements
    assert dict(statement.qualifiers) == {"severity": "unrated"}


def test_interactions_in_a_table_are_plain_or_graded_by_a_column() -> None:
    rows = [
        {"subject": "ibuprofen", "predicate": "interacts_with", "object": "warfarin"},
        {"subject": "ibuprofen", "predicate": "interacts_with", "object": "lithium",
         "severity": "avoid", "action": "Measure lithium."},
    ]  # fmt: skip
    made = extract(one_record(rows, find_mapping("triples")), NAMING)
    assert [dict(statement.qualifiers) for statement in made.statements] == [
        {"severity": "unrated"},
        {"severity": "avoid", "action": "Measure lithium."},
    ]
