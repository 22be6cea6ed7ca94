"""The relations of papers in the sample: real ones, in words of our own, each with its address."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_files

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
FILE = next(path for path in sample_files() if path.name == "papers.csv")
ABSTRACTS = DATA / "amd" / "abstracts100.jsonl.gz"
LEAST = 40


def _rows() -> list[dict[str, str]]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_row_is_evidence_with_the_address_of_its_trial(base: KnowledgeBase) -> None:
    store = base.knowledge.store
    of_papers = {each.id: each for each in store.documents() if Path(each.source).name == FILE.name}
    evidence = [e for s in store.match() for e in s.evidence if e.document in of_papers]
    assert len(evidence) == len(_rows()) >= LEAST
    assert all(each.url.startswith("https://") for each in of_papers.values())
    assert all(each.cites == (of_papers[each.document].name,) for each in evidence)


@pytest.mark.skipif(not ABSTRACTS.exists(), reason="the published abstracts are not there")
def test_each_trial_is_one_of_the_published_abstracts_and_no_text_of_theirs_is_copied() -> None:
    with gzip.open(ABSTRACTS, "rt", encoding="utf-8") as file:
        texts = {row["id"]: row["text"] for row in map(json.loads, file)}
    for row in _rows():
        assert row["publication"] in texts
        assert row["quote"].rstrip(".").lower() not in texts[row["publication"]].lower()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("What does AMD cause?", "blindness"),
        ("Which genes are associated with AMD?", "CFH"),
        ("Does CFH cause AMD?", "yes, CFH leads to age-related macular degeneration"),
        ("Does lutein protect against AMD?", "not as certain: lutein protects"),
        ("What treats wet AMD?", "studied for wet age-related macular degeneration"),
        ("What causes AMD?", "smoking (not certain)"),
    ],
)
def test_what_they_say_is_answered(base: KnowledgeBase, text: str, told: str) -> None:
    assert told in base.ask(text).text
