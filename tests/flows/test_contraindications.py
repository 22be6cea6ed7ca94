"""Contraindications are hard stops, however they are asked about; the unknown is asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from medweave import Answer, KnowledgeBase
from medweave.model.answer import Stop

DATA = Path(__file__).parent / "data"


def messages() -> list[dict[str, Any]]:
    return [
        entry
        for path in sorted(DATA.glob("contraindications*.yaml"))
        for entry in yaml.safe_load(path.read_text("utf-8"))
    ]


def is_called(entity: Any, name: str) -> bool:
    return name.lower() in {called.lower() for called in entity.all_names()}


def stops(answer: Answer, drug: str) -> list[Stop]:
    """All stops of a drug."""
    return [stop for stop in answer.stops if is_called(stop.entity, drug)]


@pytest.mark.parametrize("message", messages(), ids=lambda message: message["ask"])
def test_what_stops_a_drug(base: KnowledgeBase, message: dict[str, Any]) -> None:
    answer = base.ask(message["ask"], candidates=50)
    found = stops(answer, message["drug"])
    applies = [stop for stop in found if stop.status == "applies"]
    excluded = any(stop.hard for stop in applies)
    if message["expect"] == "applies":
        assert applies
        offered = [c.status for c in answer.candidates if is_called(c.entity, message["drug"])]
        assert not excluded or set(offered) <= {"excluded"}
    elif message["expect"] == "ask":
        assert found
        assert not excluded
    else:
        assert not excluded


@pytest.mark.parametrize(
    ("question", "drug"),
    [
        ("I have malaria. Which drugs can I take?", "artemether-lumefantrine"),
        ("I have nephrotic syndrome, which drugs?", "spironolactone"),
        ("I have heart failure, which drugs?", "bisoprolol"),
        ("I have heart failure, which drugs?", "lisinopril"),
    ],
)
def test_what_a_drug_is_for_does_not_stop_it(base: KnowledgeBase, question: str, drug: str) -> None:
    found = base.ask(question, candidates=50).candidates
    assert [c.status for c in found if is_called(c.entity, drug)] == ["possible"]


def test_a_drug_that_is_taken_is_not_held_against_its_own_class(base: KnowledgeBase) -> None:
    answer = base.ask(
        "I take atorvastatin and aspirin, what can I take for a headache?", candidates=50
    )
    assert not [stop for stop in stops(answer, "aspirin") if stop.status == "applies"]
    assert [stop.status for stop in stops(answer, "ibuprofen") if stop.hard][:1] == ["applies"]


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (
            "I am allergic to penicillin. Can I take ceftriaxone?",
            "caution in allergy to penicillins",
        ),
        ("对青霉素过敏，可以用头孢曲松吗", "慎用于对青霉素类过敏"),
    ],
)
def test_kin_of_an_allergen_are_told_once_by_the_allergen(
    base: KnowledgeBase, question: str, reason: str
) -> None:
    found = [stop for stop in base.ask(question).stops if stop.status == "applies"]
    assert [stop.reason for stop in found] == [reason]
