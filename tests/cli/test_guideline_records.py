"""Records that come from outside: cases to evaluate, and answers in other words."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from medweave.cli.commands import app

CHILD = {"guideline": "sample", "age_days": 304, "weight_kg": 8.2, "findings": {"cough": True}}


def run(*arguments, given=None):
    return CliRunner().invoke(app, [str(each) for each in arguments], input=given)


def evaluated(tmp_path, *cases):
    file = tmp_path / "cases.jsonl"
    file.write_text("\n".join(map(json.dumps, cases)), "utf-8")
    found = run("evaluate", "guideline", file, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


@pytest.mark.parametrize(
    "expected",
    [
        {"confirmed": "pneumonia"},
        {"confirmed": {"pneumonia": True}},
        {"confirmed": [["pneumonia"]]},
        {"values": ["cough"]},
        {"treatments": [None]},
        {"treatments": "amoxicillin"},
        {"no_treatments": [{}]},
        {"doses": {"drug": "amoxicillin"}},
        {"doses": ["amoxicillin"]},
        {"doses": [{"value": 250, "unit": "mg"}]},
        {"doses": [{"drug": "amoxicillin", "value": "many", "unit": "mg"}]},
        {"confirmd": []},
        None,
        [],
    ],
)
def test_a_case_in_another_form_is_wrong_with_its_reason_and_the_others_count(tmp_path, expected):
    found = evaluated(tmp_path, {**CHILD, "expected": expected}, {**CHILD, "expected": {}})
    assert found["systems"][0]["measures"]["exact"]["value"] == 0.5
    (error,) = found["errors"]
    assert (error["id"], error["expected"]) == ("1", "a case that can be evaluated")
    assert "unexpected" not in error["got"]


def test_remarks_of_a_case_are_passed_over_and_a_finding_in_the_wrong_place_is_not(tmp_path):
    remarked = {**CHILD, "name": "a cough", "note": "from the clinic", "expected": {}}
    misplaced = {**CHILD, "fever": True, "expected": {}}
    found = evaluated(tmp_path, remarked, misplaced)
    assert [(error["id"], "'fever' is not known" in error["got"]) for error in found["errors"]] == [
        ("2", True)
    ]


@pytest.mark.parametrize(
    ("said", "answer"),
    [(True, "positive"), (False, "negative"), ("yes", "positive"), ("absent", "negative")],
)
def test_positive_and_negative_are_said_by_true_and_false(tmp_path, said, answer):
    case = {**CHILD, "findings": {"malaria test": said}}
    found = evaluated(tmp_path, {**case, "expected": {"values": {"malaria test": answer}}})
    assert found["errors"] == []


def test_a_question_of_three_answers_is_not_one_of_yes_and_no():
    given = json.dumps({"age_days": 304, "findings": {"mother's HIV test": True}})
    error = run("classify", "--findings", "-", given=given).exception
    assert "is not a question of yes or no" in error.what
