"""Rules are read alike parsed and unparsed, and what was parsed of another text is never taken."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from medweave.errors import VocabularyError
from medweave.guideline.yaml.reading import read_guideline_file
from medweave.language import parsed_rules
from medweave.language.data import read_yaml, shipped

YAML = "a: {b: [1, 2.5, yes, null, 感冒]}\nc: 'no'\n"
HELD = {"a": {"b": [1, 2.5, True, None, "感冒"]}, "c": "no"}


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "one.yaml").write_text(YAML, "utf-8")
    monkeypatch.setattr(parsed_rules, "_PACKAGE", tmp_path)
    monkeypatch.setattr(parsed_rules, "_FOLDER", tmp_path / "parsed")
    return tmp_path


def test_rules_are_read_alike_before_and_after_they_are_parsed(package: Path) -> None:
    assert parsed_rules.parsed_rules(YAML) is None
    assert read_yaml(YAML, where="x") == HELD
    parsed_rules._write()
    assert parsed_rules.parsed_rules(YAML) == read_yaml(YAML, where="x") == HELD


def test_a_file_that_has_changed_is_parsed_anew(package: Path) -> None:
    parsed_rules._write()
    assert read_yaml(YAML.replace("2.5", "3.5"), where="x")["a"]["b"][1] == 3.5


def test_what_is_written_anew_leaves_nothing_old(package: Path) -> None:
    parsed_rules._write()
    (package / "rules" / "one.yaml").write_text("d: e\n", "utf-8")
    parsed_rules._write()
    assert len(list((package / "parsed").iterdir())) == 1
    assert parsed_rules.parsed_rules("d: e\n") == {"d": "e"}


def test_a_sample_guideline_is_read_alike_with_its_lines(package: Path) -> None:
    sample = shipped("samples", "guideline.yaml")
    before = read_guideline_file(sample)
    (package / "samples").mkdir()
    text = sample.read_text("utf-8")
    (package / "samples" / "guideline.yaml").write_text(text, "utf-8")
    parsed_rules._write()
    assert parsed_rules.parsed_nodes(text) is not None
    assert read_guideline_file(sample) == before


@pytest.mark.parametrize("text", ["1: one\n", "when: 2020-01-01\n"])
def test_what_json_would_change_is_parsed_each_time(package: Path, text: str) -> None:
    (package / "rules" / "one.yaml").write_text(text, "utf-8")
    parsed_rules._write()
    assert parsed_rules.parsed_rules(text) is None
    assert read_yaml(text, where="x") == read_yaml(text, where="x")


def test_what_is_wrong_is_said_every_time_and_where(package: Path) -> None:
    for where in ("one", "other"):
        with pytest.raises(VocabularyError) as caught:
            read_yaml("a: [1", where=where)
        assert caught.value.where.startswith(f"{where} line")


@pytest.mark.thorough
def test_what_ships_is_read_alike_with_and_without_libyaml() -> None:
    """The two parsers differ: libyaml takes a bare `(a)? b` in braces, the other refuses it."""
    for path in parsed_rules._PACKAGE.rglob("*.yaml"):
        text = path.read_text("utf-8")
        assert yaml.load(text, yaml.CSafeLoader) == yaml.safe_load(text), path.name
