"""A drug that a past case was given, or a guideline names, is held against the person."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from medweave import KnowledgeBase
from medweave.app import sample_files
from medweave.model.answer import Answer


def stopped(safety: Answer | None) -> set[str]:
    stops = safety.stops if safety else ()
    return {s.entity.name("en") for s in stops if s.status == "applies" and s.hard}


@pytest.mark.parametrize(
    "told",
    [
        "Child of 2 years weighs 12 kg, cough for 3 days, breathes 52 a minute. Allergic to "
        "penicillin.",
        "2 year old boy, 12 kg, cough, 55 breaths per minute, amoxicillin gave him hives",
    ],
)
def test_a_treatment_of_a_guideline_is_stopped(base: KnowledgeBase, told: str) -> None:
    found = base.classify({"text": told, "age_days": 760, "weight_kg": 12})
    assert [row.drug for row in found.treatments if row.drug]
    assert "amoxicillin" in stopped(found.safety)
    assert "amoxicillin" in {stop["name"] for stop in found.to_json()["stops"]}


def test_a_child_of_whom_nothing_is_told_has_no_stops(base: KnowledgeBase) -> None:
    told = "Child of 2 years weighs 12 kg, cough for 3 days, breathes 52 a minute."
    found = base.classify({"text": told, "age_days": 760, "weight_kg": 12})
    assert [row.drug for row in found.treatments if row.drug]
    assert not stopped(found.safety)


@pytest.mark.parametrize(("allergy", "put"), [("", True), (", allergic to tetracycline", False)])
def test_an_ointment_of_the_eye_is_stopped_by_an_allergy_alone(
    base: KnowledgeBase, allergy: str, put: bool
) -> None:
    # Tablets of it are contraindicated below 8 years; nothing of that is said of the ointment.
    found = base.classify({"text": f"pus in the eye, fever{allergy}", "age_days": 730})
    assert not stopped(found.safety)
    assert any(row.drug == "tetracycline_eye_ointment" for row in found.treatments) is put


def test_ask_tells_it_with_what_the_guideline_says(base: KnowledgeBase) -> None:
    told = (
        "My 2 year old daughter weighs 12 kg, has had a cough for 3 days, breathes 52 times a "
        "minute, and is allergic to penicillin. What should be done?"
    )
    answer = base.ask(told)
    assert answer.assessment is not None
    assert "amoxicillin" in stopped(answer)


@pytest.fixture(scope="module")
def with_cases(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KnowledgeBase]:
    """The monographs of drugs, and dialogues in which two of them are advised."""
    folder = tmp_path_factory.mktemp("cases")
    turns = [
        {"speaker": "patient", "text": "I have a fever, a cough and a headache. What can I take?"},
        {"speaker": "doctor", "text": "Take amoxicillin for a week, and ibuprofen for the fever."},
    ]
    lines = [json.dumps({"id": f"c{n}", "turns": turns}) for n in range(3)]
    (folder / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
    monographs = [path for path in sample_files() if path.name == "drugs.en.json"]
    with KnowledgeBase.open(str(folder / "kb.db")) as opened:
        opened.build([*monographs, folder / "cases.jsonl"])
        yield opened


@pytest.mark.parametrize(
    ("told", "drug"),
    [
        ("fever, cough and headache, I am allergic to amoxicillin", "amoxicillin"),
        ("fever, cough and headache, I take warfarin", "ibuprofen"),
        ("fever, cough and headache, and I am 34 weeks pregnant", "ibuprofen"),
    ],
)
def test_what_past_cases_were_given_is_stopped(
    with_cases: KnowledgeBase, told: str, drug: str
) -> None:
    found = with_cases.similar(told)
    assert len(found.dialogues) == 3
    assert drug in stopped(found.safety)
    assert "applies" in {stop["status"] for stop in found.to_json()["stops"]}


def test_cases_are_found_and_stop_nothing_for_whom_nothing_is_told(
    with_cases: KnowledgeBase,
) -> None:
    found = with_cases.similar("fever, cough and headache for four days")
    assert len(found.dialogues) == 3
    assert found.to_json()["stops"] == []


def test_beside_thoughts_of_suicide_an_assessment_holds_nothing_else(base: KnowledgeBase) -> None:
    told = "Girl of 4 years, 15 kg, cough, breathes 52 a minute. Her mother wants to kill herself."
    crisis = base.classify({"text": told, "age_days": 1500, "weight_kg": 15})
    plain = base.classify({"text": told[:51], "age_days": 1500, "weight_kg": 15})
    assert plain.to_json()["classifications"] and not plain.in_crisis
    shown = crisis.to_json()
    assert crisis.in_crisis and shown["danger"]
    empty = ("classifications", "treatments", "follow_ups", "warnings", "stops")
    assert not any(shown[name] for name in empty)
    assert shown["next_question"] is shown["refer"] is None
