"""Guidelines from outside in layouts that nobody has shown before: read, or refused in a line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from medweave.errors import MedweaveError
from medweave.faces.cli.commands import program
from tests import emcare_small, medal_small


def run(*arguments, given=None):
    return CliRunner().invoke(program(), [str(each) for each in arguments], input=given)


def _rewritten(folder: Path, change) -> None:
    """The workbook of a folder with each sheet's rows as `change` makes them."""
    openpyxl = pytest.importorskip("openpyxl")
    (file,) = folder.rglob("*.xlsx")
    old, new = openpyxl.load_workbook(file, data_only=True), openpyxl.Workbook()
    new.remove(new.active)
    for sheet in old.worksheets:
        page = new.create_sheet(sheet.title)
        for number, row in enumerate(sheet.iter_rows(values_only=True)):
            page.append(change(list(row), heading=number == 0))
    new.save(file)


def _backwards(row, *, heading):
    return row[::-1]


def _in_capitals(row, *, heading):
    return [str(cell).upper() if cell and heading else cell for cell in row]


def _in_two_languages(row, *, heading):
    if not heading:
        return ["Kikohozi", *row]
    return ["label::Kiswahili (sw)", *("label::en" if cell == "label" else cell for cell in row)]


@pytest.mark.parametrize("change", [_backwards, _in_capitals, _in_two_languages])
def test_another_country_may_write_its_workbook_otherwise(tmp_path, change):
    pytest.importorskip("openpyxl")
    folder = emcare_small.folder(tmp_path / "emcare")
    plain = tmp_path / "plain.yaml"
    assert run("guideline", "import", folder, "--out", plain).exit_code == 0
    _rewritten(folder, change)
    other = tmp_path / "other.yaml"
    assert run("guideline", "import", folder, "--out", other).exit_code == 0
    assert other.read_text("utf-8") == plain.read_text("utf-8")


@pytest.mark.parametrize("broken", [5, None, "text", [1], [None], {"x": 1}])
@pytest.mark.parametrize("part", ["nodes", "diagnoses", "final_diagnoses", "health_cares"])
def test_an_algorithm_with_parts_of_another_form_is_one_line(tmp_path, part, broken):
    document = medal_small.algorithm()
    parts = document[part]
    first = next(iter(parts))
    key = "label" if part == "health_cares" else next(
        name for name in ("answers", "instances", "conditions", "drugs") if name in parts[first]
    )  # fmt: skip
    parts[first][key] = broken
    file = tmp_path / "a.json"
    file.write_text(json.dumps(document), "utf-8")
    found = run("guideline", "import", file, "--out", tmp_path / "a.yaml")
    assert found.exception is None or isinstance(found.exception, MedweaveError | SystemExit)


def test_a_guideline_is_added_without_saying_that_it_is_one(tmp_path):
    pytest.importorskip("openpyxl")
    ours, medal, base = tmp_path / "g.yaml", tmp_path / "m.json", tmp_path / "kb.db"
    run("guideline", "export", "sample", "--out", ours)
    medal.write_text(json.dumps(medal_small.algorithm()), "utf-8")
    for file in (ours, medal):
        added = run("add", "--kb", base, file, "--json")
        assert added.exit_code == 0, added.output
        assert json.loads(added.stdout)["documents"] == 1
    child = ("--age", "10mo", "--findings", "-")
    stored = run("classify", "--guideline", "sample-child-health@1.0", "--kb", base, *child,
                 given='{"cough": true}')  # fmt: skip
    assert stored.exit_code == 0
    other = tmp_path / "notes.csv"
    other.write_text("subject,predicate,object\nflu,has_symptom,fever\n", "utf-8")
    planned = json.loads(run("build", "--dry-run", "--kb", base, ours, other, "--json").stdout)
    assert [(each["new"], each["unchanged"]) for each in planned["plan"]] == [(0, 1), (1, 0)]
    report = json.loads(run("build", "--kb", base, ours, other, "--json").stdout)
    assert (report["documents"], report["base"]["documents"]) == (2, 3)


def test_a_guideline_is_one_source_among_others(tmp_path):
    """In a folder, beside other files: previewed, built, found unchanged, changed, and refused."""
    folder, base = tmp_path / "all", tmp_path / "kb.db"
    folder.mkdir()
    (folder / "facts.csv").write_text("subject,predicate,object\nflu,has_symptom,fever\n", "utf-8")
    ours = folder / "g.yaml"
    run("guideline", "export", "sample", "--out", ours)
    seen = json.loads(run("build", "--preview", ours, "--json").stdout)
    assert seen["recognised"]
    assert seen["records"][0]["document"] == "sample-child-health@1.0"
    report = json.loads(run("build", "--kb", base, folder, "--json").stdout)
    assert (report["documents"], report["skipped"]) == (2, [])
    again = json.loads(run("build", "--kb", base, folder, "--json").stdout)
    assert (again["documents"], again["statements"]) == (2, 0)
    ours.write_text(ours.read_text("utf-8").replace("version: '1.0'", "version: '1.1'"), "utf-8")
    changed = json.loads(run("build", "--kb", base, folder, "--json").stdout)
    assert changed["base"]["documents"] == 2
    assert run("guideline", "export", "sample-child-health@1.1", "--kb", base).exit_code == 0
    whole = run("stats", "--kb", base, "--hash").stdout
    ours.write_text(ours.read_text("utf-8")[:4000] + "\n[", "utf-8")
    broken = json.loads(run("build", "--kb", base, folder, "--json").stdout)
    assert [Path(each["file"]).name for each in broken["skipped"]] == ["g.yaml"]
    assert run("stats", "--kb", base, "--hash").stdout == whole


def test_the_sample_is_removed_by_the_name_it_was_added_by(tmp_path):
    base = tmp_path / "kb.db"
    run("add", "--kb", base, "guideline", "sample")
    found = run("remove", "--kb", base, "sample", "--json")
    assert json.loads(found.stdout)["removed"] == 1


def test_ages_between_the_bands_of_a_dose_and_in_two_of_them_are_told(tmp_path):
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
      bad:
        label: Bad
        severity: severe
        when: cough
        treatments:
          x:
            label: Give x
            kind: drug
            drug: x
            formulations:
              f:
                label: x
                form: tablet
                strength: 250
                dose:
                  unit: mg
                  bands:
                    - {age: 2 mo to 12 mo, value: 5}
                    - {age: 13 mo to 24 mo, value: 6}
                    - {age: 20 mo to 30 mo, value: 7}
""",
        "utf-8",
    )
    found = run("guideline", "check", file)
    assert found.exit_code == 1
    assert "has no dose from 1 year to 13 months" in found.output
    assert "has two doses from 20 months to 2 years" in found.output


def test_a_question_to_the_samples_is_assessed_by_the_sample_guideline():
    text = "Mother is reporting positive HIV test. Unsure about patient's PCR results."
    found = json.loads(run("ask", text, "--json").stdout)
    statuses = {each["id"]: each["status"] for each in found["assessment"]["classifications"]}
    assert statuses["hiv_exposed"] == "provisional"
    assert {statuses["hiv_infected"], statuses["hiv_infection_unlikely"]} == {"possible"}
    assert statuses["hiv_status_unknown"] == "excluded"
    assert found["missing"][1].startswith("To settle it, find out: child's virological HIV test")
    assert not any("not understood" in told for told in found["missing"])
    (sign,) = found["danger"]
    assert (sign["status"], sign["sign"]) == ("ask", "danger_signs_of_the_guideline")
    assert "onvulsions in this illness" in sign["text"]
    general = json.loads(run("ask", "What are the symptoms of measles?", "--json").stdout)
    assert "assessment" not in general
