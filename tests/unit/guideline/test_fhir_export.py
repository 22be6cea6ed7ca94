"""A guideline as a FHIR Bundle: valid as R4B, by its own rules too, and nothing lost or made up."""

from __future__ import annotations

import json
from base64 import b64decode

import pytest
from hypothesis import HealthCheck, given, settings

from medweave.guideline.fhir.export import fhir_bundle
from medweave.guideline.loading import guideline_in
from medweave.guideline.yaml.reading import read_guideline
from tests.guideline_strategies import guidelines

TEXT = """\
guideline: small
version: "1"
title: A small one
country: TZ
citation: Written for a test
released: "2026-11-22"
developer: Nobody
limits: Not for use
ages: 2 mo to 60 mo
observations:
  cough: {label: Cough, question: Does the child cough?, help: At night too, group: main symptoms}
  spo2: {label: Oxygen, kind: number, unit: "%", range: [50, 100], group: main symptoms, asked_if: cough}
  drinking:
    label: Drinking
    kind: choice
    answers: {well: Drinks well, poorly: Drinks poorly, not_done: {label: Not seen, means: unavailable}}
    default: not_done
    ages: below 12 mo
    asked_if: {any: [cough, spo2 < 90]}
  where: {label: Where, kind: choices, answers: {arm: Arm, leg: Leg}, asked_if: {all: [drinking is not well, not cough]}}
  bad_sign: {label: Bad sign, derived: {rule: {all: [cough, spo2 < 90]}}, asked_if: {at_least: 2, of: [cough, bad_sign]}}
groups:
  signs: {any: [cough, spo2 < 90]}
conditions:
  coughs:
    label: Coughs
    classifications:
      bad:
        label: Bad
        severity: severe
        ages: 2 mo to 12 mo
        when: {all: [group signs, drinking is poorly]}
        refer: true
        source: page 3
        treatments:
          drops:
            label: Give drops
            kind: drug
            drug: dropine
            when: cough
            days: 5
            source: page 4
            formulations:
              syrup: {label: Syrup, form: syrup, strength: 50, volume: 5, route: by mouth, times_per_day: 2,
                dose: {unit: mg, per_kg_day: [10, 20], cap_day: 200}}
              tablet: {label: Tablet, form: tablet, strength: 50, times_per_day: 0.5, instructions: Chew it,
                dose: {unit: tablet, fixed: 1}}
              vial: {label: Vial, form: powder for injection,
                dose: {unit: mg, bands: [{weight: 4 kg to 10 kg, value: 250}]}}
          home: {label: Keep warm, text: Cover the child}
      cold: {label: Cold, severity: mild, when: cough, follow_up_days: 2}
"""  # noqa: E501


@pytest.fixture(scope="module")
def r4b():
    return pytest.importorskip("fhir.resources.R4B.bundle", reason="needs fhir.resources").Bundle


def parts(bundle, kind):
    found = [entry["resource"] for entry in bundle["entry"]]
    return [each for each in found if each["resourceType"] == kind]


@pytest.fixture(scope="module")
def small():
    return fhir_bundle(read_guideline(TEXT, file="g.yaml").guideline)


def test_the_plan_has_an_action_for_each_classification(small):
    (plan,), (library,) = parts(small, "PlanDefinition"), parts(small, "Library")
    activities = {each["title"]: each["url"] for each in parts(small, "ActivityDefinition")}
    reference = {"language": "text/plain", "reference": library["url"]}
    urls = plan.pop("url"), plan.pop("id")
    assert urls[0] == f"urn:uuid:{urls[1]}"
    assert plan == {
        "resourceType": "PlanDefinition",
        "language": "en",
        "identifier": [{"value": "small"}],
        "version": "1",
        "name": "PlanDefinition_small",
        "title": "A small one",
        "status": "unknown",
        "experimental": False,
        "date": "2026-11-22",
        "publisher": "Nobody",
        "jurisdiction": [{"coding": [{"system": "urn:iso:std:iso:3166", "code": "TZ"}]}],
        "type": {
            "coding": [{
                "system": "http://terminology.hl7.org/CodeSystem/plan-definition-type",
                "code": "clinical-protocol",
            }],
        },
        "description": "For children aged from 2 months to below 5 years.",
        "usage": "Not for use",
        "relatedArtifact": [{"type": "citation", "citation": "Written for a test"}],
        "library": [library["url"]],
        "action": [
            {
                "title": "Bad",
                "description": "Coughs: severe, pink, refer",
                "code": [{"text": "bad"}],
                "documentation": [{"type": "citation", "citation": "page 3"}],
                "condition": [{
                    "kind": "applicability",
                    "expression": reference | {"expression":
                        "age from 2 months to below 1 year and all of (any of (Cough; Oxygen below "
                        "90 %); Drinking: Drinks poorly)"},
                }],
                "action": [
                    {
                        "title": "Give drops",
                        "code": [{"text": "drops"}],
                        "condition": [{
                            "kind": "applicability",
                            "expression": reference | {"expression": "Cough"},
                        }],
                        "selectionBehavior": "exactly-one",
                        "action": [
                            {"title": name, "definitionCanonical": url}
                            for name in ("Syrup", "Tablet", "Vial")
                            for url in [activities[f"Give drops: {name}"]]
                        ],
                    },
                    {
                        "title": "Keep warm",
                        "code": [{"text": "home"}],
                        "definitionCanonical": activities["Keep warm"],
                    },
                ],
            },
            {
                "title": "Cold",
                "description": "Coughs: mild, green, come back in 2 days",
                "code": [{"text": "cold"}],
                "condition": [{
                    "kind": "applicability",
                    "expression": reference | {
                        "expression": "Cough and none of these holds: Bad"},
                }],
            },
        ],
    }  # fmt: skip


def test_doses_are_figures_only_where_nothing_is_looked_up(small):
    dosages = [each["dosage"][0] for each in parts(small, "ActivityDefinition") if "dosage" in each]
    ucum = {"system": "http://unitsofmeasure.org"}
    days = {"value": 5, "unit": "d", **ucum, "code": "d"}
    rate = {"unit": "mg/kg/d", **ucum, "code": "mg/kg/d"}
    assert dosages == [
        {
            "text": "10 to 20 mg/kg a day, at most 200 mg a day; 2 times a day; for 5 days; "
            "by mouth",
            "timing": {"repeat": {"frequency": 2, "period": 1, "periodUnit": "d",
                                  "boundsDuration": days}},
            "route": {"text": "by mouth"},
            "doseAndRate": [
                {"rateRange": {"low": {"value": 10, **rate}, "high": {"value": 20, **rate}}}
            ],
            "maxDosePerPeriod": {
                "numerator": {"value": 200, "unit": "mg", **ucum, "code": "mg"},
                "denominator": {"value": 1, "unit": "d", **ucum, "code": "d"},
            },
        },
        {
            "text": "1 tablet; 0.5 times a day; for 5 days",
            "patientInstruction": "Chew it",
            "timing": {"repeat": {"frequency": 1, "period": 2, "periodUnit": "d",
                                  "boundsDuration": days}},
            "doseAndRate": [{"doseQuantity": {"value": 1, "unit": "tablet"}}],
        },
        {
            "text": "4 kg to 10 kg: 250 mg; 1 times a day; for 5 days",
            "timing": {"repeat": {"frequency": 1, "period": 1, "periodUnit": "d",
                                  "boundsDuration": days}},
        },
    ]  # fmt: skip
    assert {each["status"] for each in parts(small, "ActivityDefinition")} == {"draft"}
    kinds = {each["title"]: each["kind"] for each in parts(small, "ActivityDefinition")}
    assert kinds["Give drops: Syrup"] == "MedicationRequest"
    assert kinds["Keep warm"] == "CommunicationRequest"


def test_questions_are_enabled_as_far_as_a_questionnaire_can_say_it(small):
    (form,) = parts(small, "Questionnaire")
    group, drinking, where, bad = form["item"]
    cough, spo2 = group["item"]
    assert (group["text"], group["type"]) == ("main symptoms", "group")
    assert (cough["linkId"], cough["text"]) == ("cough", "Does the child cough?")
    assert cough["item"][0]["text"] == "At night too"
    assert spo2["type"] == "decimal"
    assert spo2["enableWhen"] == [{"question": "cough", "operator": "=", "answerBoolean": True}]
    assert [next(iter(set(each) - {"url"})) for each in spo2["extension"]] == [
        "valueCoding", "valueDecimal", "valueDecimal"]  # fmt: skip
    assert drinking["answerOption"][2] == {
        "valueCoding": {"code": "not_done", "display": "Not seen"}, "initialSelected": True
    }  # fmt: skip
    assert drinking["enableBehavior"] == "any"
    assert drinking["enableWhen"][1] == {
        "question": "spo2", "operator": "<", "answerDecimal": 90.0
    }  # fmt: skip
    assert drinking["extension"][0]["valueMarkdown"] == "Asked at age below 1 year."
    assert where["repeats"] is True
    assert where["enableWhen"][0] == {
        "question": "drinking", "operator": "!=", "answerCoding": {"code": "well"}
    }  # fmt: skip
    assert bad["readOnly"] is True
    assert "enableWhen" not in bad
    assert bad["extension"][0]["valueMarkdown"] == "Asked if: at least 2 of (Cough; Bad sign)."


def test_the_library_holds_the_guideline_itself(small):
    (library,) = parts(small, "Library")
    text = b64decode(library["content"][0]["data"]).decode()
    assert library["content"][0]["size"] == len(text.encode())
    assert read_guideline(text, file="f").guideline == read_guideline(TEXT, file="g").guideline


def items_of(items):
    for item in items:
        yield item
        yield from items_of(item.get("item", []))


def check(bundle, r4b):
    """Valid as R4B, nothing dropped; and what the models do not look at."""
    found = json.loads(json.dumps(bundle))
    assert json.loads(r4b.model_validate(found).model_dump_json()) == found
    urls = [entry["fullUrl"] for entry in bundle["entry"]]
    assert len(urls) == len(set(urls))
    named = set(urls)
    waiting = [each for plan in parts(bundle, "PlanDefinition") for each in plan.get("action", [])]
    while waiting:
        action = waiting.pop()
        assert action.get("definitionCanonical", urls[0]) in named
        waiting += action.get("action", [])
    (form,) = parts(bundle, "Questionnaire")
    items = list(items_of(form.get("item", [])))
    links = [item["linkId"] for item in items]
    assert len(links) == len(set(links))  # que-2
    for item in items:
        assert item["type"] != "group" or item["item"]  # que-1
        assert item["type"] != "display" or not {"item", "enableWhen", "initial"} & set(item)
        assert "answerOption" not in item or item["type"] == "choice"  # que-5
        assert not ("answerOption" in item and "initial" in item)  # que-11
        assert len(item.get("enableWhen", [])) < 2 or "enableBehavior" in item  # que-12
        assert {each["question"] for each in item.get("enableWhen", [])} <= set(links)


def test_what_is_written_is_valid(small, r4b):
    check(small, r4b)


def test_the_sample_is_valid_and_a_draft(r4b):
    bundle = fhir_bundle(guideline_in("sample"))
    check(bundle, r4b)
    (plan,) = parts(bundle, "PlanDefinition")
    assert (plan["status"], plan["experimental"]) == ("draft", True)
    assert len(plan["action"]) == len(guideline_in("sample").classifications)


@pytest.mark.thorough
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(guidelines())
def test_whatever_a_guideline_says_is_valid(r4b, guideline):
    bundle = fhir_bundle(guideline)
    check(bundle, r4b)
    assert bundle == fhir_bundle(guideline)
