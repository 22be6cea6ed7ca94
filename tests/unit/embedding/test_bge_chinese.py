"""The model that reads Chinese puts near what means alike, the same alone and among others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from medweave.embedding.choosing import choose_reader
from medweave.embedding.nearness import Closeness
from medweave.model.embedder import EmbedderName

if TYPE_CHECKING:
    from numpy.typing import NDArray

np = pytest.importorskip("numpy")

READER = choose_reader(EmbedderName(), "zh")
pytestmark = pytest.mark.skipif(
    READER is None, reason="bge-small-zh-v1.5 is not installed (medweave weights install)"
)
TEXTS = ["我妈天天打胰岛素", "她的糖尿病靠打针控制", "今天天气很好", "他在吃抗凝药，要查INR"]


def rows(texts: list[str]) -> NDArray[Any]:
    assert READER is not None
    found: NDArray[Any] = np.asarray(READER.embed(texts).data).reshape(len(texts), -1)
    return found


def test_what_means_alike_is_nearer_than_what_does_not() -> None:
    insulin, injected, weather, clotting = rows(TEXTS)
    assert insulin @ injected > max(insulin @ weather, insulin @ clotting, weather @ clotting)


def test_a_text_has_the_same_vector_alone_and_among_others() -> None:
    together = rows([*TEXTS, "长" * 400, ""])
    for text, row in zip(TEXTS, together, strict=False):
        assert (rows([text])[0] == row).all()
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("name", ["none", "openai-compatible:toy@http://127.0.0.1:9"])
def test_who_sets_another_embedder_has_no_vectors_of_sentences(name: str) -> None:
    assert Closeness(EmbedderName.of(name)).vectors(TEXTS, "zh") is None


def test_sentences_are_read_by_the_model_of_their_language() -> None:
    closeness = Closeness(EmbedderName())
    made = closeness.vectors(TEXTS, "zh")
    assert made is not None and made.model.reads("zh") and not made.model.reads("en")
