"""What is read at some cost is kept for the next process, and nothing depends on its being kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from medweave.errors import VocabularyError
from medweave.language.data import read_yaml
from medweave.language.parsed_cache import cached

YAML = "a: {b: [1, 2.5, yes, null, 感冒]}\nc: 'no'\n"
MADE = {"a": {"b": [1, 2.5, True, None, "感冒"]}, "c": "no"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "medweave" / "read"


def test_what_was_made_of_a_text_is_not_made_again() -> None:
    made: list[str] = []

    def make() -> dict[str, str]:
        made.append("once")
        return {"a": "b"}

    assert cached("text", make) == cached("text", make) == {"a": "b"}
    assert cached("other text", make) == {"a": "b"}
    assert made == ["once", "once"]


def test_yaml_is_read_alike_before_and_after_it_is_kept(folder: Path) -> None:
    first = read_yaml(YAML, where="x")
    assert len(list(folder.iterdir())) == 1
    assert first == read_yaml(YAML, where="x") == MADE
    assert list(first["a"]["b"]) == MADE["a"]["b"]  # type: ignore[index]


def test_what_is_cut_off_is_made_anew(folder: Path) -> None:
    read_yaml(YAML, where="x")
    (place,) = folder.iterdir()
    whole = place.read_text("utf-8")
    place.write_text(whole[:10], "utf-8")
    assert read_yaml(YAML, where="x") == MADE
    assert place.read_text("utf-8") == whole


def test_a_folder_that_cannot_be_written_to_costs_nothing_but_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert read_yaml(YAML, where="x") == read_yaml(YAML, where="x") == MADE


def test_what_is_wrong_is_said_every_time_and_where() -> None:
    for where in ("one", "other"):
        with pytest.raises(VocabularyError) as caught:
            read_yaml("a: [1", where=where)
        assert caught.value.where.startswith(f"{where} line")


@pytest.mark.parametrize("text", ["1: one\n", "when: 2020-01-01\n"])
def test_what_json_would_change_is_not_kept(folder: Path, text: str) -> None:
    assert read_yaml(text, where="x") == read_yaml(text, where="x")
    assert not folder.exists()


def test_a_few_marks_that_stand_for_a_lot_are_not_written_out(folder: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    assert len(read_yaml("\n".join(lines), where="x")) == 9
    assert not folder.exists()


def test_not_more_and_more_is_kept(folder: Path) -> None:
    for number in range(1100):
        cached(str(number), lambda: {})
    assert 100 <= len(list(folder.iterdir())) <= 500
