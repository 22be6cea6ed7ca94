"""What is sent of a patient becomes findings, and what a guideline says becomes cards."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from medweave.errors import FindingsError
from medweave.faces.protocols.cds_hooks import (
    PatientMissingError,
    cards_of,
    record_of,
    service_of,
)
from medweave.guideline.loading import graph_in
from medweave.knowledge_base import KnowledgeBase

TODAY = date(2026, 11, 27)
PATIENT = {"resourceType": "Patient", "birthDate": "2026-01-27", "gender": "female"}


@pytest.fixture(scope="module")
def graph() -> Any:
    return graph_in("sample")


def observation(code: str, **value: Any) -> dict[str, Any]:
    coding = [{"system": "http://loinc.org", "code": code}]
    return {"resourceType": "Observation", "code": {"coding": coding}, **value}


def quantity(value: float, unit: str) -> dict[str, Any]:
    return {"valueQuantity": {"value": value, "unit": unit, "code": unit}}


def bundle(*resources: dict[str, Any]) -> dict[str, Any]:
    return {"resourceType": "Bundle", "entry": [{"resource": each} for each in resources]}


def response(*items: dict[str, Any]) -> dict[str, Any]:
    return {"resourceType": "QuestionnaireResponse", "status": "completed", "item": list(items)}


def test_measurements_come_by_loinc_in_any_unit(graph: Any) -> None:
    sent = {
        "patient": PATIENT,
        "observations": bundle(
            observation("29463-7", **quantity(8200, "g")),
            observation("8310-5", **quantity(101, "[degF]")),
            observation("9279-1", **quantity(52, "/min")),
            observation("59408-5", dataAbsentReason={"coding": [{"code": "not-performed"}]}),
        ),
    }
    assert record_of(sent, graph, TODAY) == {
        "age_days": 304,
        "sex": "female",
        "weight_kg": 8.2,
        "findings": {
            "temperature": {"value": 101, "unit": "[degF]"},
            "respiratory_rate": {"value": 52, "unit": "/min"},
            "oxygen_saturation": "unavailable",
        },
    }


def test_the_latest_of_two_measurements_counts(graph: Any) -> None:
    earlier = observation("29463-7", effectiveDateTime="2026-10-01", **quantity(7, "kg"))
    later = observation("29463-7", effectiveDateTime="2026-11-26", **quantity(8, "kg"))
    for sent in ((earlier, later), (later, earlier)):
        record = record_of({"patient": PATIENT, "observations": bundle(*sent)}, graph, TODAY)
        assert record["weight_kg"] == 8


def test_answers_of_the_questionnaire_in_groups(graph: Any) -> None:
    sent = response(
        {
            "linkId": "group/1",
            "item": [
                {"linkId": "cough", "answer": [{"valueBoolean": True}]},
                {"linkId": "malaria_risk", "answer": [{"valueCoding": {"code": "high"}}]},
                {"linkId": "fever_duration", "answer": [{"valueDecimal": 3}]},
                {"linkId": "stridor"},
            ],
        }
    )
    record = record_of({"patient": PATIENT, "responses": sent}, graph, TODAY)
    assert record["findings"] == {"cough": True, "malaria_risk": "high", "fever_duration": 3}


@pytest.mark.parametrize(
    "patient", [None, {}, {"resourceType": "Patient"}, {**PATIENT, "birthDate": "2026"}]
)
def test_without_a_patient_or_a_birth_date_nothing_is_said(graph: Any, patient: Any) -> None:
    with pytest.raises(PatientMissingError) as told:
        record_of({"patient": patient}, graph, TODAY)
    assert told.value.remedy


@pytest.mark.parametrize(
    "sent",
    [
        {"responses": response({"linkId": "nothing", "answer": [{"valueBoolean": True}]})},
        {"observations": bundle(observation("29463-7", **quantity(8, "Cel")))},
    ],
)
def test_what_cannot_be_understood_is_said(graph: Any, sent: dict[str, Any]) -> None:
    with pytest.raises(FindingsError):
        record_of({"patient": PATIENT, **sent}, graph, TODAY)


@pytest.mark.parametrize("sent", [None, [], "x", {"patient": PATIENT, "observations": "x"}])
def test_whatever_is_sent_is_understood_or_refused(graph: Any, sent: Any) -> None:
    try:
        assert record_of(sent, graph, TODAY)["age_days"] == 304
    except PatientMissingError:
        assert not isinstance(sent, dict)


def test_cards_are_told_gravest_first_with_what_stands() -> None:
    with KnowledgeBase.sample() as base:
        guideline = base.guideline()
        ill = base.classify(
            {"age_days": 304, "weight_kg": 8.2,
             "findings": {"cough": True, "convulsions": True, "ear_pain": True}}
        )  # fmt: skip
        well = base.classify({"age_days": 304})
    cards = cards_of(ill, guideline, "http://127.0.0.1:8080/guideline")
    order = [card["indicator"] for card in cards]
    assert order == sorted(order, key=["critical", "warning", "info"].index)
    told = {c["extension"]["medweave"]["classification"] for c in cards if "extension" in c}
    stands = {c.id for c in ill.classifications if c.status in ("confirmed", "provisional")}
    assert told == stands and "very_severe_disease" in told
    for card in cards:
        assert 0 < len(card["summary"]) < 140 and card["source"]["label"]
    [only] = cards_of(well, guideline, "")
    assert only["indicator"] == "info" and only["summary"].startswith("Next: ")
    assert service_of(guideline).to_json()["id"] == guideline.id
