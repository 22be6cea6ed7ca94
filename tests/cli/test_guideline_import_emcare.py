"""EmCare imported by the command, and named as a guideline."""

from __future__ import annotations

import json
import os
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from medweave.errors import MedweaveError
from medweave.faces.cli.commands import program
from tests.emcare_small import folder

DATA = Path(os.environ.get("MEDWEAVE_DATA", Path(__file__).parents[2].parent / "shared" / "data"))


def run(*arguments, given=None):
    return CliRunner().invoke(program(), [str(each) for each in arguments], input=given)


@pytest.fixture
def emcare(tmp_path):
    pytest.importorskip("openpyxl", reason="reading a workbook needs openpyxl")
    return folder(tmp_path)


def test_a_folder_and_an_archive_of_emcare_become_the_same_yaml(emcare, tmp_path):
    archive = tmp_path / "small.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(emcare, arcname=".")
    reports = [
        json.loads(run("guideline", "import", source, "--out", tmp_path / name, "--json").stdout)
        for source, name in ((emcare, "a.yaml"), (archive, "b.yaml"))
    ]
    assert reports[0]["classifications"] == reports[1]["classifications"] > 0
    assert {"guideline", "conditions", "observations", "treatments", "not_mapped"} < set(reports[0])
    texts = [(tmp_path / name).read_text("utf-8").split("conditions:")[1] for name in
             ("a.yaml", "b.yaml")]  # fmt: skip
    assert texts[0] == texts[1]
    assert run("guideline", "check", tmp_path / "a.yaml").exit_code == 0


def test_what_can_be_imported_can_be_named_as_a_guideline(emcare, tmp_path):
    run("guideline", "import", emcare, "--out", tmp_path / "a.yaml")
    by_file, by_folder = (
        run("classify", "--guideline", name, "--age", "10mo", "--json").stdout
        for name in (tmp_path / "a.yaml", emcare)
    )
    assert by_file == by_folder
    assert json.loads(by_file)["classifications"]


def test_it_is_put_into_a_base(emcare, tmp_path):
    base = tmp_path / "kb.db"
    found = run("guideline", "import", emcare, "--kb", base, "--json")
    named = json.loads(found.stdout)["guideline"]
    stored = run("guideline", "export", f"{named['id']}@{named['version']}", "--kb", base)
    assert stored.stdout == run("guideline", "export", emcare).stdout


@pytest.mark.parametrize("name", ["nowhere", "nothing", "empty.zip", "text.json"])
def test_what_is_no_guideline_says_so(tmp_path, name):
    (tmp_path / "nothing").mkdir()
    (tmp_path / "empty.zip").write_bytes(b"")
    (tmp_path / "text.json").write_text("[1]", "utf-8")
    for command in (("import", "--out", tmp_path / "out.yaml"), ("export",)):
        found = run("guideline", *command, tmp_path / name)
        assert isinstance(found.exception, MedweaveError)
        assert found.exception.remedy
    assert not (tmp_path / "out.yaml").exists()


def test_it_must_be_put_somewhere(tmp_path):
    found = run("guideline", "import", tmp_path)
    assert isinstance(found.exception, MedweaveError)


@pytest.mark.parametrize(("country", "least"), [("iraq", 50), ("global", 50)])
def test_the_published_guidelines_are_imported_and_have_no_errors(country, least, tmp_path):
    source = DATA / "guidelines" / f"who_emcare_{country}.tar.gz"
    if not source.is_file():
        pytest.skip(f"no data at {source}; name the folder with MEDWEAVE_DATA")
    out = tmp_path / "g.yaml"
    report = json.loads(run("guideline", "import", source, "--out", out, "--json").stdout)
    assert report["guideline"]["id"] == f"who-emcare-{country}"
    assert report["classifications"] >= least
    assert report["treatments"] > 0
    assert all(set(each) == {"what", "where", "why"} for each in report["not_mapped"])
    assert run("guideline", "check", out).exit_code == 0
