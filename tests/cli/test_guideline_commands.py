"""The commands of guidelines, from outside."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from medweave.errors import FindingsError, MedweaveError
from medweave.faces.cli.commands import program


def run(*arguments, given=None):
    return CliRunner().invoke(program(), [str(each) for each in arguments], input=given)


def test_one_child_on_a_terminal_is_told_in_colours_and_words():
    found = run("classify", "--age", "10mo", "--weight", "8.2kg", "--findings", "-",
                given='{"cough": true, "respiratory rate": 55}')  # fmt: skip
    assert found.exit_code == 0
    assert "YELLOW: Pneumonia (provisional" in found.output
    assert "1.5 tablet (375 mg) each time, by mouth, twice a day, for 5 days" in found.output
    assert "Ask next:" in found.output


def test_many_children_one_a_line_and_a_bad_line_in_its_place(tmp_path):
    file = tmp_path / "children.jsonl"
    lines = ['{"age_days": 304, "findings": {"cough": true}}', '{"age_days": -3}', "nonsense",
             '{"findings": {"cogh": true}}', '{"findings": {"cough": true, "cough": false}}',
             '{"age_days": 20, "findings": {}}']  # fmt: skip
    file.write_text("\n".join(lines), "utf-8")
    found = run("classify", "--findings", file, "--json")
    rows = [json.loads(line) for line in found.stdout.splitlines()]
    assert found.exit_code == 1
    assert ["error" in row for row in rows] == [False, True, True, True, True, False]
    assert rows[1]["error"]["message"] == "an age of -3 days cannot be"
    assert rows[0]["guideline"] == {"id": "sample-child-health", "version": "1.0"}
    statuses = {each["status"] for each in rows[0]["classifications"]}
    assert {"possible", "not_applicable"} <= statuses


@pytest.mark.parametrize(
    "arguments",
    [
        ("--age", "-3d"),
        ("--age", "soon"),
        ("--weight", "400kg"),
        ("--weight", "heavy"),
        ("--guideline", "nowhere.yaml"),
        ("--findings", "nowhere.json"),
    ],
)
def test_what_cannot_be_is_a_typed_error(arguments):
    found = run("classify", *arguments)
    assert isinstance(found.exception, MedweaveError)
    assert found.exception.remedy


def test_options_and_findings_that_contradict_are_an_error():
    found = run("classify", "--age", "10mo", "--findings", "-", given='{"age_days": 20}')
    assert isinstance(found.exception, FindingsError)


def test_a_guideline_is_checked_written_out_and_read_again(tmp_path):
    file = tmp_path / "g.yaml"
    assert run("guideline", "export", "sample", "--out", file).exit_code == 0
    assert run("guideline", "check", file).exit_code == 0
    listed, again = (
        json.loads(run("guideline", "export", name, "--json").stdout) for name in ("sample", file)
    )
    assert listed == again
    assert {"id", "label", "aliases", "kind", "unit", "range", "answers", "ages", "danger_sign",
            "main_symptom", "derived"} <= set(listed["observations"][0])  # fmt: skip


def test_what_is_wrong_with_a_guideline_is_told_with_its_line(tmp_path):
    file = tmp_path / "g.yaml"
    file.write_text(
        """\
guideline: g
version: "1"
ages: 0 d to 60 mo
observations: {cough: {label: Cough, danger_sign: true}}
conditions:
  coughs:
    label: Cough
    classifications:
      never: {label: Never, when: {all: [cough, never]}}
      bad: {label: Bad, severity: severe, ages: 0 d to 2 mo, when: cough}
      mild: {label: Mild, severity: mild, ages: 0 d to 1 mo, when: cough}
      old: {label: Old, ages: 3 mo to 60 mo, when: cough}
""",
        "utf-8",
    )
    found = run("guideline", "check", file)
    assert found.exit_code == 1
    assert f"{file}:9: error: 'never' can never hold" in found.output
    assert f"{file}:11: error: 'mild' can never stand: 'bad' goes before it" in found.output
    file.write_text(
        file.read_text("utf-8").replace("when: cough}\n      old", "when: x}\n      old")
    )
    error = run("guideline", "check", file).exception
    assert error.where == f"{file}:11"


def test_a_guideline_in_a_base_classifies_as_its_file(tmp_path):
    file, base = tmp_path / "g.yaml", tmp_path / "kb.db"
    run("guideline", "export", "sample", "--out", file)
    assert run("add", "--kb", base, "guideline", file, "--json").exit_code == 0
    case = '{"age_days": 304, "weight_kg": 8.2, "findings": {"cough": true}}'
    name = ("--guideline", "sample-child-health@1.0", "--kb", base)
    stored = run("classify", *name, "--findings", "-", "--json", given=case)
    assert stored.stdout == run("classify", "--findings", "-", "--json", given=case).stdout


def test_cases_are_counted_and_what_is_wrong_with_them_is_listed(tmp_path):
    file = tmp_path / "cases.jsonl"
    child = {"guideline": "sample", "age_days": 304, "weight_kg": 8.2}
    cough = {"cough": True, "respiratory rate": 55}
    dose = {"drug": "amoxicillin", "value": 375, "unit": "mg", "times_per_day": 2}
    cases = [
        {**child, "findings": cough, "expected": {
            "provisional": ["PNEUMONIA"], "possible": ["severe_pneumonia"], "doses": [dose],
            "excluded": ["cough or cold"], "values": {"cough": True},
            "treatments": [{"classification": "pneumonia", "drug": "amoxicillin"}]}},
        {**child, "findings": cough, "expected": {"confirmed": ["pneumonia"]}},
        {**child, "findings": {"cough": True}, "expected": {}},
        {**child, "findings": {"nothing": True}, "expected": {}},
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, cases)), "utf-8")
    found = run("evaluate", "guideline", file, "--json")
    result = json.loads(found.stdout)
    ours, absent = result["systems"]
    assert (ours["name"], absent["name"]) == ("medweave", "unknown as absent")
    values = {name: each["value"] for name, each in ours["measures"].items()}
    assert values == {
        "exact": 0.5, "false_confirmed": 0.0, "missed_confirmed": 0.25, "unsafe": 0.0
    }  # fmt: skip
    assert absent["measures"]["unsafe"]["value"] > 0
    assert [error["id"] for error in result["errors"]] == ["2", "4"]
    assert result["data"]["n"] == 4


def test_two_versions_are_compared_and_saved_cases_run_again(tmp_path):
    file, cases = tmp_path / "g.yaml", tmp_path / "cases.jsonl"
    run("guideline", "export", "sample", "--out", file)
    same = run("guideline", "diff", "sample", file)
    assert same.output == "sample-child-health@1.0 → sample-child-health@1.0\nthey say the same\n"
    text = file.read_text("utf-8")
    assert text.count("oxygen_saturation, is_below: 90") == 1
    text = text.replace("oxygen_saturation, is_below: 90", "oxygen_saturation, is_below: 92")
    file.write_text(text.replace("version: '1.0'", "version: '2.0'"), "utf-8")
    child = {"age_days": 304, "weight_kg": 8.2}
    records = [
        {**child, "findings": {"cough": True, "oxygen_saturation": 91}, "expected": {}},
        {**child, "findings": {"cough": True, "oxygen_saturation": 95}},
    ]
    cases.write_text("\n".join(map(json.dumps, records)), "utf-8")
    found = run("guideline", "diff", "sample", file, "--cases", cases)
    assert "Oxygen saturation below 92 %" in found.output
    assert "sample-child-health@2.0 changes 1 of 2 cases" in found.output
    result = json.loads(run("guideline", "diff", "sample", file, "--cases", cases, "--json").stdout)
    (change,) = result["changes"]
    assert (change["id"], change["what"], change["wording"]) == ("severe_pneumonia", "rule", False)
    (case,) = result["cases"]["changed"]
    assert (case["id"], case["matters"]) == ("line 1", True)
    assert {"what": "Severe pneumonia or very severe disease", "old": "possible",
            "new": "confirmed"} in case["changes"]  # fmt: skip


def test_a_classification_is_drawn_by_its_label(tmp_path):
    picture, text = tmp_path / "p.svg", tmp_path / "p.mmd"
    for file in (picture, text):
        found = run("guideline", "draw", "sample", "--classification", "Pneumonia", "--out", file)
        assert (found.exit_code, found.output) == (0, "")
    assert picture.read_text("utf-8").startswith("<svg")
    shown = run("guideline", "draw", "sample", "--classification", "pneumonia")
    assert shown.stdout == text.read_text("utf-8")
    assert shown.stdout.startswith("flowchart LR\n")
    assert run("guideline", "draw", "sample", "--out", tmp_path / "p.png").exit_code == 2
