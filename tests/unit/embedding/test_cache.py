"""A text is embedded once; what was made before a stop is not made again."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import pytest

from medweave.embedding import cache
from medweave.embedding.cache import CachedEmbedder
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress
from medweave.stores.derived_vectors import vector_view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.vector_conformance import TOY, toy


@dataclass
class Counting:
    """An embedder that remembers what it was asked, and breaks down before some text."""

    model: VectorModel = TOY
    asked: list[list[str]] = field(default_factory=list)
    breaks_at: str = ""

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        if self.breaks_at in texts:
            raise ConnectionError
        self.asked.append(list(texts))
        progress(len(texts), len(texts), "embedding")
        return toy(*texts, model=self.model)


def test_each_different_text_is_embedded_once() -> None:
    embedder = Counting(breaks_at="never")
    cached = CachedEmbedder(embedder, vector_view_of(MemoryStore().vectors()))
    made = cached.embed(["east", "up", "east"])
    assert embedder.asked == [["east", "up"]]
    assert [list(row) for row in made] == [[1, 0, 0], [0, 0, 1], [1, 0, 0]]
    assert cached.embed(["up", "north", "east"]).data == toy("up", "north", "east").data
    assert embedder.asked == [["east", "up"], ["north"]]


def test_what_is_not_to_be_kept_is_not() -> None:
    embedder, index = Counting(breaks_at="never"), vector_view_of(MemoryStore().vectors())
    CachedEmbedder(embedder, index, keep=False).embed(["east"])
    assert index.known(TOY, ["east"]) == {}
    assert index.model() is None


def test_after_a_stop_it_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "AT_ONCE", 3)
    index, texts = (
        vector_view_of(MemoryStore().vectors()),
        [f"text {number}" for number in range(8)],
    )
    broken = Counting(breaks_at="text 7")
    with suppress(ConnectionError):
        CachedEmbedder(broken, index).embed(texts)
    assert broken.asked == [texts[:3], texts[3:6]]
    whole = Counting(breaks_at="never")
    made = CachedEmbedder(whole, index).embed(texts)
    assert whole.asked == [texts[6:]]
    assert made.data == toy(*texts).data


def test_progress_is_that_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "AT_ONCE", 3)
    cached = CachedEmbedder(Counting(breaks_at="never"), vector_view_of(MemoryStore().vectors()))
    cached.embed(["east", "up"])
    told: list[tuple[int, int]] = []
    texts = ["east", "up", *(f"text {number}" for number in range(5))]
    cached.embed(texts, progress=lambda done, total, what: told.append((done, total)))
    assert told == [(5, 7), (7, 7)]


def test_vectors_of_another_model_are_not_taken() -> None:
    index = vector_view_of(MemoryStore().vectors())
    CachedEmbedder(Counting(breaks_at="never"), index).embed(["east"])
    other = Counting(VectorModel("other", 3), breaks_at="never")
    CachedEmbedder(other, index, keep=False).embed(["east"])
    assert other.asked == [["east"]]
