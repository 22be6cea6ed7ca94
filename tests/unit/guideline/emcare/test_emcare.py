"""A small guideline in the layout of EmCare, written for these tests."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import SourceError
from medweave.guideline.emcare.importing import import_emcare
from medweave.guideline.logic.evaluation import Evaluated, evaluate
from medweave.guideline.logic.graph import FALSE, TRUE, UNKNOWN, compile_guideline
from medweave.model.findings import UNAVAILABLE, Findings
from medweave.model.logic import Compared, walk
from tests.emcare_small import folder

pytest.importorskip("openpyxl", reason="reading a workbook needs openpyxl")


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return folder(tmp_path)


def state_of(source: Path, **values: Any) -> Evaluated:
    graph = compile_guideline(import_emcare(source).guideline)
    named = {name.replace("_", "."): value for name, value in values.items()}
    return evaluate(graph, Findings(age_days=400, values=named))


def test_a_classification_has_its_colour_ages_and_treatment(source: Path) -> None:
    guideline = import_emcare(source).guideline
    bad = next(found for found in guideline.classifications if found.id == "T.C1")
    assert (bad.label, bad.severity, bad.colour) == ("Very bad", "severe", "pink")
    assert (bad.ages.from_days, bad.ages.to_days) == (60, None)
    assert bad.refer
    assert bad.treatments[0].text.startswith("Very bad")


def test_unknown_is_not_absent(source: Path) -> None:
    assert state_of(source, T_cough=True).own("T.C1") == UNKNOWN
    assert state_of(source, T_cough=True, T_spo2=88).own("T.C1") == TRUE
    assert state_of(source, T_cough=False).own("T.C1") == FALSE


def test_what_cannot_be_had_has_the_guidelines_own_default(source: Path) -> None:
    assert state_of(source, T_cough=True, T_spo2=UNAVAILABLE).own("T.C1") == FALSE


def test_limits_come_in_the_unit_of_the_observation(source: Path) -> None:
    rules = [found.rule for found in import_emcare(source).guideline.classifications]
    limits = [p.limit for rule in rules for p in walk(rule)
              if isinstance(p, Compared) and p.observation == "T.muac"]  # fmt: skip
    assert limits == [115.0]


def test_what_the_form_works_out_is_worked_out(source: Path) -> None:
    warm = {"T_cough": False, "T_temp": 38.0}
    assert state_of(source, **warm, T_skin=("T.all",)).own("T.C2") == TRUE
    assert state_of(source, **warm, T_skin=("T.some",), T_muac=130).own("T.C2") == FALSE
    assert state_of(source, **warm, T_skin=("T.some",), T_muac=110).own("T.C2") == TRUE


def test_a_rule_that_cannot_be_read_is_reported_with_those_that_need_it(source: Path) -> None:
    imported = import_emcare(source)
    assert {found.id for found in imported.guideline.classifications} == {"T.C1", "T.C2"}
    why = {item.what: item.why for item in imported.not_mapped}
    assert "Nobody knows this" in why["Lost"]
    assert "T.C3" in why["Needs the lost one"]
    assert "by itself" in why["By itself"]


def test_an_archive_reads_as_its_folder(source: Path, tmp_path: Path) -> None:
    archive = tmp_path / "small.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(source, arcname="small")
    assert import_emcare(archive) == import_emcare(source)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8bnot an archive", b"PK\x03\x04broken"])
def test_what_is_no_archive_says_so(tmp_path: Path, content: bytes) -> None:
    broken = tmp_path / "x.tar.gz"
    broken.write_bytes(content)
    with pytest.raises(SourceError):
        import_emcare(broken)


def test_a_broken_workbook_among_libraries_is_reported(tmp_path: Path) -> None:
    (tmp_path / "form.xlsx").write_bytes(io.BytesIO(b"no workbook").getvalue())
    (tmp_path / "a.cql").write_text("library a version '1'\ndefine \"B\": true\n", "utf-8")
    with pytest.raises(SourceError, match=r"form\.xlsx"):
        import_emcare(tmp_path)


def test_libraries_without_a_workbook_are_refused_with_what_is_missing(tmp_path: Path) -> None:
    condition = "library landcondition version '1'\ncode \"A\": 'L.1' from \"L\" display 'A'\n"
    (tmp_path / "condition.cql").write_text(condition, "utf-8")
    with pytest.raises(SourceError) as told:
        import_emcare(tmp_path)
    assert "the workbook is missing" in told.value.what
    assert "1 CQL libraries name 1 classifications" in told.value.what
    assert ".xlsx" in (told.value.remedy or "")
