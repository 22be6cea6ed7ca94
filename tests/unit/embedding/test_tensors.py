"""Numbers are read from where they lie; what is no such file is an error."""

import json
from pathlib import Path

import pytest

from medweave.embedding.minilm import read_tensors
from medweave.errors import EmbeddingError

np = pytest.importorskip("numpy")


def written(path: Path, header: object, numbers: bytes = b"") -> Path:
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + numbers)
    return path


def test_tensors_of_floats_are_read_by_name_and_shape(tmp_path: Path) -> None:
    numbers = np.arange(6, dtype="<f4")
    header = {
        "__metadata__": {"format": "pt"},
        "places": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
        "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [8, 32]},
    }
    found = read_tensors(written(tmp_path / "t", header, bytes(8) + numbers.tobytes()))
    assert list(found) == ["w"]
    assert found["w"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize(
    "header",
    [
        [],
        {"w": {}},
        {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}},
        {"w": {"dtype": "F32", "shape": [1], "data_offsets": [0, "x"]}},
        {"w": {"dtype": "F32", "shape": ["x"], "data_offsets": [0, 4]}},
    ],
)
def test_a_header_that_makes_no_sense_is_an_error(tmp_path: Path, header: object) -> None:
    with pytest.raises(EmbeddingError, match="cannot be read"):
        read_tensors(written(tmp_path / "t", header, bytes(4)))


@pytest.mark.parametrize("content", [b"", b"\xff" * 20, b"\x02" + bytes(7) + b"{x"])
def test_a_file_of_another_kind_is_an_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t").write_bytes(content)
    with pytest.raises(EmbeddingError, match="cannot be read"):
        read_tensors(tmp_path / "t")


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="cannot be read"):
        read_tensors(tmp_path / "none")
