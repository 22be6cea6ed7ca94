"""A condition that is only kept in words is asked about as soon as a word of it is met."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from medweave import KnowledgeBase

DRUG = {
    "name": "ibuprofen",
    "concept": "drug",
    "indications": ["pain"],
    "contraindications": ["asthma that began after aspirin", "within 14 days of MAO inhibitors"],
}


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    file = tmp_path / "drugs.json"
    file.write_text(json.dumps([DRUG]), "utf-8")
    made = KnowledgeBase.open("memory:")
    (told,) = made.build([file]).skipped
    assert (
        told.reason == "kept in words, as nothing can compute it: 'asthma that began after aspirin'"
    )
    return made


def test_it_is_asked_where_a_word_of_it_is_met(base: KnowledgeBase) -> None:
    answer = base.ask("Can I take ibuprofen? I have asthma.")
    stops = {stop.reason: stop.status for stop in answer.stops}
    assert any("asthma that began after aspirin" in reason for reason in stops), stops
    assert "applies" not in stops.values()


def test_a_drug_that_must_not_be_near_in_time_stops(base: KnowledgeBase) -> None:
    answer = base.ask("I take an MAO inhibitor. Can I take ibuprofen?")
    assert "applies" in {stop.status for stop in answer.stops}
