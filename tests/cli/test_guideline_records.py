"""Records that come from outside: cases to evaluate, and answers in other words."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from medweave.faces.cli.commands import program

CHILD = {"guideline": "sample", "age_days": 304, "weight_kg": 8.2, "findings": {"cough": True}}


def run(*arguments, given=None):
    return CliRunner().invoke(program(), [str(each) for each in arguments], input=given)


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


def classified(given, *arguments):
    found = run("classify", *arguments, "--findings", "-", "--json", given=json.dumps(given))
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout)


PNEUMONIA = {"age_days": 304, "weight_kg": 8, "findings": {"cough": True, "respiratory rate": 55}}


@pytest.mark.parametrize(
    ("record", "arguments"),
    [
        ({**PNEUMONIA, "allergies": ["penicillin"]}, ()),
        ({**PNEUMONIA, "allergies": ["amoxicillin"]}, ()),
        (PNEUMONIA, ("--text", "She is allergic to penicillin.")),
    ],
)
def test_a_drug_the_child_is_allergic_to_is_not_given(record, arguments):
    plain, found = classified(PNEUMONIA), classified(record, *arguments)
    assert {row["drug"] for row in plain["treatments"]} >= {"amoxicillin"}
    drugs = {row["drug"]: row["note"] for row in found["treatments"]}
    assert "amoxicillin" not in drugs
    assert "allergy to" in drugs["azithromycin"]
    assert any("allergy to" in told for told in found["warnings"])


def test_without_a_substitute_an_allergy_is_a_reason_to_refer():
    found = classified({**PNEUMONIA, "allergies": ["penicillins", "macrolides"]})
    assert not {"amoxicillin", "azithromycin"} & {row["drug"] for row in found["treatments"]}
    assert "because of an allergy to penicillins" in found["refer"]


def test_an_allergy_that_no_drug_is_known_by_is_told_and_denied_ones_are_none():
    unknown = classified({**PNEUMONIA, "allergies": ["zzz"]})
    assert any("nothing is known of it by this name" in told for told in unknown["warnings"])
    denied = classified(PNEUMONIA, "--text", "no known allergies, not allergic to penicillin")
    assert denied["warnings"] == []


def test_one_drug_in_place_of_two_is_given_once():
    case = {
        "age_days": 304, "weight_kg": 8, "findings": {"convulsions in this illness": True},
        "resources": {"ampicillin": False, "gentamicin": False},
    }  # fmt: skip
    found = classified(case)["treatments"]
    (row,) = [each for each in found if each["drug"] == "ceftriaxone"]
    assert "ampicillin" in row["note"]
    assert "gentamicin" in row["note"]


def test_what_depends_on_something_open_says_so_wherever_it_is_told(tmp_path):
    given = json.dumps(PNEUMONIA)
    text = (
        "10 month old child, cough, breathing rate 55. No convulsions, not lethargic, able to "
        "drink, does not vomit everything, no blue lips, no grunting. What is it?"
    )
    told = run("classify", "--findings", "-", given=given).stdout
    asked = run("ask", "--guideline", "sample", text, "--json").stdout
    rows = classified(PNEUMONIA)["treatments"]
    assert "only if this turns out so: Wheezing" in told
    assert "only if this turns out so: wheezing" in json.loads(asked)["assessment"]["answer"]
    (row,) = [each for each in rows if each["drug"] == "salbutamol"]
    assert (row["missing"], row["note"]) == (["wheezing"], "only if this turns out so: Wheezing")


def test_how_long_a_single_dose_takes_is_told():
    case = {"age_days": 304, "weight_kg": 8,
            "findings": {"diarrhoea": True, "sunken eyes": True, "restless or irritable": True,
                         "lethargic or unconscious": False, "drinking": "normally",
                         "skin pinch": "goes back normally"}}  # fmt: skip
    told = run("classify", "--findings", "-", given=json.dumps(case)).stdout
    assert "over 4 hours; then look again for dehydration" in told
    assert "once a day, for 1 day" not in told


def test_what_is_not_at_hand_cannot_be_had_whatever_it_is_called():
    child = {"age_days": 304, "findings": {"mother's HIV test": "positive"}}
    found = classified({**child, "resources": {"PCR": False}})
    (exposed,) = [each for each in found["classifications"] if each["id"] == "hiv_exposed"]
    assert exposed["status"] == "provisional"
    assert "childs_virological_test" in exposed["unavailable"]
    (warning,) = classified({**child, "resources": {"spaceship": False}})["warnings"]
    assert "nothing in the guideline needs 'spaceship'" in warning
