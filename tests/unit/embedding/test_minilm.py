"""MiniLM makes the vectors that its authors' program makes, for any text, and can be stopped."""

from __future__ import annotations

import base64
import json
import shutil
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from medweave.embedding.minilm import MiniLM
from medweave.embedding.sentence_transformer import batches_by_length
from medweave.embedding.weights import ENGLISH, weights_folder, wrong
from medweave.errors import ConfigurationError, EmbeddingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

np = pytest.importorskip("numpy")
pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

FOLDER = weights_folder()
needs_weights = pytest.mark.skipif(
    bool(wrong(ENGLISH, FOLDER)), reason="the weights are not installed: medweave weights install"
)
REFERENCE = json.loads((Path(__file__).parent / "reference_vectors.json").read_text("utf-8"))
TEXTS: list[str] = REFERENCE["texts"]


@pytest.fixture(scope="module")
def minilm() -> MiniLM:
    return MiniLM(FOLDER, threads=2)


def rows(embedder: MiniLM, texts: list[str]) -> NDArray[Any]:
    made = embedder.embed(texts)
    found: NDArray[Any] = np.frombuffer(made.data, "f4").reshape(len(texts), 384)
    return found


@needs_weights
class TestVectors:
    def test_they_are_those_of_sentence_transformers(self, minilm: MiniLM) -> None:
        held = np.frombuffer(base64.b64decode(REFERENCE["vectors"]), "<f2").astype("f8")
        wanted = held.reshape(len(TEXTS), 384)
        wanted /= np.linalg.norm(wanted, axis=1, keepdims=True)
        cosines = (rows(minilm, TEXTS) * wanted).sum(axis=1)
        assert dict(zip(TEXTS, cosines, strict=True)) == pytest.approx(
            dict.fromkeys(TEXTS, 1.0), abs=1e-6
        )

    def test_a_text_has_the_same_vector_alone_and_among_others(self, minilm: MiniLM) -> None:
        together = rows(minilm, TEXTS)
        for text, row in zip(TEXTS, together, strict=True):
            assert float(rows(minilm, [text])[0] @ row) == pytest.approx(1, abs=1e-6)

    def test_however_many_threads_there_are(self, minilm: MiniLM) -> None:
        alone = MiniLM(FOLDER, threads=1)
        assert np.allclose(rows(alone, TEXTS), rows(minilm, TEXTS), atol=1e-6)

    def test_they_are_of_length_1(self, minilm: MiniLM) -> None:
        assert np.linalg.norm(rows(minilm, TEXTS), axis=1) == pytest.approx(1, abs=1e-6)

    def test_half_a_character_and_no_texts_at_all_are_no_trouble(self, minilm: MiniLM) -> None:
        assert len(minilm.embed([])) == 0
        broken = minilm.embed(["fever \ud83e", "fever ?"])
        assert float(np.dot(broken[0], broken[1])) == pytest.approx(1, abs=1e-5)

    def test_what_means_the_same_is_nearer_than_what_shares_words(self, minilm: MiniLM) -> None:
        asked, same, other = rows(
            minilm,
            ["my head hurts badly", "severe headache", "my head of department is badly paid"],
        )
        assert asked @ same > asked @ other


@needs_weights
class TestProgress:
    def test_it_is_told_up_to_the_end(self, minilm: MiniLM) -> None:
        told: list[tuple[int, int]] = []
        texts = [f"{'word ' * (number % 60)}{number}" for number in range(120)]
        minilm.embed(texts, progress=lambda done, total, what: told.append((done, total)))
        assert told[-1] == (120, 120)
        assert len(told) > 5
        assert all(one < next_one for one, next_one in pairwise(told))

    @pytest.mark.parametrize("threads", [1, 2])
    def test_it_can_be_stopped(self, threads: int) -> None:
        calls = 0

        def stop(done: int, total: int, what: str) -> None:
            nonlocal calls
            calls += 1
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            MiniLM(FOLDER, threads=threads).embed(["a long text " * 80] * 40, progress=stop)
        assert calls == 1


class TestBatches:
    def test_each_text_is_in_one_and_none_is_too_large(self) -> None:
        lengths = [(7 * number) % 250 + 2 for number in range(500)]
        batches = list(batches_by_length(lengths, 256))
        assert sorted(place for batch in batches for place in batch) == list(range(500))
        assert all(
            len(batch) == 1 or max(lengths[place] for place in batch) * len(batch) <= 256
            for batch in batches
        )

    def test_little_is_filled_up(self) -> None:
        lengths = [(7 * number) % 250 + 2 for number in range(500)]
        filled = sum(
            max(lengths[place] for place in batch) * len(batch)
            for batch in batches_by_length(lengths, 256)
        )
        assert filled < 1.05 * sum(lengths)


class TestWhatIsMissing:
    @pytest.mark.parametrize("name", ["numpy", "onnxruntime", "tokenizers"])
    def test_without_the_extra_it_says_what_to_install(
        self, name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ConfigurationError) as raised:
            MiniLM(tmp_path)
        assert name in raised.value.what
        assert raised.value.remedy == "pip install 'medweave[dense]'"

    def test_without_weights_it_names_the_command(self, tmp_path: Path) -> None:
        with pytest.raises(EmbeddingError, match="not installed") as raised:
            MiniLM(tmp_path)
        assert "medweave weights install" in raised.value.remedy

    def test_weights_cut_short_are_refused_before_anything_is_loaded(self, tmp_path: Path) -> None:
        for name in ENGLISH.parts:
            (tmp_path / name).write_bytes(b"{}")
        with pytest.raises(EmbeddingError, match="not whole"):
            MiniLM(tmp_path)

    @needs_weights
    @pytest.mark.parametrize("damaged", list(ENGLISH.parts))
    def test_damaged_weights_are_an_error_with_a_remedy(self, damaged: str, tmp_path: Path) -> None:
        for name in ENGLISH.parts:
            (tmp_path / name).symlink_to(FOLDER / name)
        (tmp_path / damaged).unlink()
        (tmp_path / damaged).write_bytes(bytes(ENGLISH.parts[damaged].size))
        with pytest.raises(EmbeddingError) as raised:
            MiniLM(tmp_path).embed(["fever"])
        assert "medweave weights install" in raised.value.remedy

    @needs_weights
    def test_weights_that_lost_a_tensor_are_an_error(self, tmp_path: Path) -> None:
        for name in ENGLISH.parts:
            shutil.copy(FOLDER / name, tmp_path)
        path = tmp_path / ENGLISH.weights
        head = path.read_bytes()[:20_000].replace(
            b"embeddings.LayerNorm.bias", b"embeddings.LayerNorm.bros"
        )
        with path.open("r+b") as file:
            file.write(head)
        with pytest.raises(EmbeddingError, match="cannot be loaded"):
            MiniLM(tmp_path).embed(["fever"])
