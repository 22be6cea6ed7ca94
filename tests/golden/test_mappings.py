"""Ten real rows of each data set that a mapping was written for. Nothing of them is kept here."""

from __future__ import annotations

import gzip
import os
from collections import Counter
from pathlib import Path

import pytest

from medweave.model.document import Extraction
from medweave.model.record import Record
from medweave.sources.extraction import extract
from medweave.sources.names import Naming
from medweave.sources.reading import read_records
from medweave.vocabulary.lexicon import shipped_lexicon
from medweave.vocabulary.vocabulary import shipped_vocabulary

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
GOLDEN = {
    "disease_db/format_dataset.jsonl.gz": {
        "described_as": 34, "has_symptom": 115, "has_test": 69, "used_for": 89,
    },
    "emckg/triples.jsonl.gz": {"has_symptom": 5},
    "kg/umls/train.tsv.gz": {
        "sn_affects": 1, "sn_associated_with": 1, "sn_complicates": 1, "sn_interacts_with": 1,
        "sn_isa": 1, "sn_location_of": 2, "sn_manifestation_of": 1, "sn_result_of": 2,
    },
}  # fmt: skip
"""Statements of each predicate in the first ten rows."""


def first_ten(file: str, tmp_path: Path) -> list[Extraction]:
    """The first ten rows, read from a folder of the same name as the data's own."""
    source = DATA / file
    if not source.is_file():
        pytest.skip(f"no data at {source}; name the folder with MEDWEAVE_DATA")
    folder = tmp_path / source.parent.name
    folder.mkdir()
    copy = folder / source.name.removesuffix(".gz")
    with gzip.open(source, "rt", encoding="utf-8") as stream:
        copy.write_text("".join(next(stream) for _ in range(10)), "utf-8")
    naming = Naming(shipped_vocabulary(), shipped_lexicon())
    return [extract(r, naming) for r in read_records(copy) if isinstance(r, Record)]


@pytest.mark.parametrize("file", GOLDEN)
def test_ten_rows_give_these_statements_and_skip_nothing(file: str, tmp_path: Path) -> None:
    made = first_ten(file, tmp_path)
    assert Counter(s.predicate for each in made for s in each.statements) == GOLDEN[file]
    assert [skipped for each in made for skipped in each.skipped] == []


@pytest.mark.parametrize("file", GOLDEN)
def test_every_quote_stands_in_its_place(file: str, tmp_path: Path) -> None:
    for each in first_ten(file, tmp_path):
        for item in each.evidence:
            text = each.document.text(item.place.field)
            assert text[item.place.start : item.place.end] == item.quote


@pytest.mark.parametrize("file", GOLDEN)
def test_names_are_written_as_people_write_them(file: str, tmp_path: Path) -> None:
    for each in first_ten(file, tmp_path):
        for mention in each.mentions:
            assert "_" not in mention.name
            assert not mention.name.startswith(("[", "'", '"'))


def test_what_stands_in_parentheses_is_a_synonym(tmp_path: Path) -> None:
    made = first_ten("disease_db/format_dataset.jsonl.gz", tmp_path)
    synonyms = {m.name for each in made for m in each.mentions if not m.preferred}
    assert {"Xanax", "Effexor"} <= synonyms


def test_both_directions_of_a_relation_are_two_pieces_of_evidence(tmp_path: Path) -> None:
    (page,) = first_ten("emckg/triples.jsonl.gz", tmp_path)
    assert len(page.evidence) == 2 * len(page.statements)
