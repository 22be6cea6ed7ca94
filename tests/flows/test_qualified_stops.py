"""What a source says of time, kidneys, weight and history is weighed, or asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase

DRUG = {
    "name": "naproxen",
    "concept": "drug",
    "indications": ["pain"],
    "contraindications": [
        "within 14 days of MAO inhibitors",
        "history of stroke",
        "heart attack within the last 30 days",
        "creatinine clearance below 45 ml/min",
        "children weighing less than 10 kg",
    ],
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    file: Path = tmp_path_factory.mktemp("base") / "drugs.json"
    file.write_text(json.dumps([DRUG]), "utf-8")
    made = KnowledgeBase.open("memory:")
    made.build([file])
    return made


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("I stopped my MAO inhibitor last week.", "asked"),
        ("I take an MAO inhibitor.", "applies"),
        ("I had a stroke in May.", "applies"),
        ("I have never had a stroke.", "nothing"),
        ("I had a heart attack.", "asked"),
        ("My eGFR is 40.", "applies"),
        ("My eGFR is 55.", "nothing"),
        ("I have kidney disease.", "asked"),
        ("I am on dialysis.", "applies"),
        ("My son weighs 8 kg.", "applies"),
        ("My son weighs 18 kg.", "nothing"),
        ("I am 40 years old.", "nothing"),
    ],
)
def test_a_qualified_stop(base: KnowledgeBase, told: str, expected: str) -> None:
    answer = base.ask(f"{told} Is naproxen recorded for pain?")
    candidates = {c.status for c in answer.candidates}
    applies = any(stop.status == "applies" and stop.hard for stop in answer.stops)
    review = base.ask(f"{told} Which drugs are recorded for pain?")
    standing = {group.standing for listed in review.drugs for group in listed.groups}
    assert applies == (expected == "applies"), (answer.stops, candidates)
    assert ("stopped" in standing) == (expected != "nothing"), standing
