"""Vectors of dialogues: which there are, and that stopping and going on end alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from medweave.embedding.cache import CachedEmbedder
from medweave.errors import EmbeddingError, VectorError
from medweave.graph.tree_vectors import VectorsMade, make_tree_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.configuration import Configuration
from medweave.model.dialogue_tree import TreeKey
from medweave.model.embedder import EmbedderName
from medweave.model.vectors import Vectors
from medweave.ports import Progress, no_progress
from medweave.testing.bag_of_words import BagOfWords

CALLS = [
    {"id": "145", "turns": [{"speaker": "patient", "text": "I have a headache and a fever."},
                            {"speaker": "doctor", "text": "You should rest, as in ticket 120."}]},
    {"id": "7", "turns": [{"speaker": "patient", "text": "My knee hurts."}]},
]  # fmt: skip


@pytest.fixture
def base(tmp_path: Path) -> KnowledgeBase:
    pytest.importorskip("numpy")
    file = tmp_path / "calls.jsonl"
    file.write_text("".join(json.dumps(call) + "\n" for call in CALLS), "utf-8")
    base = KnowledgeBase.open("memory:")
    base.build([file])
    return base


def make(
    base: KnowledgeBase, embedder: BagOfWords, progress: Progress = no_progress
) -> VectorsMade:
    cached = CachedEmbedder(embedder, base.vectors)
    return make_tree_vectors(base._opened.store, base.vectors, cached, progress=progress)


def keys(base: KnowledgeBase) -> dict[str, set[str]]:
    return {
        table.concept: {TreeKey.of(key).root for key in table.keys}
        for table in (*base.vectors.tables("section"), *base.vectors.tables("publication"))
    }


def test_every_section_and_every_tree_has_a_vector(base: KnowledgeBase) -> None:
    made = make(base, BagOfWords())
    both = {"dialogue:145", "dialogue:7"}
    assert keys(base)["dialogue"] == keys(base)["description"] == both
    assert keys(base)["advice"] == {"dialogue:145"}
    assert made.dialogues == 2
    assert base.vectors.counts() == {"publication": 2, "section": made.sections}


def test_a_second_run_embeds_and_changes_nothing(base: KnowledgeBase) -> None:
    make(base, BagOfWords())
    before, again = base.version, BagOfWords()
    make(base, again)
    assert (again.seen, base.version) == ([], before)


def test_what_was_embedded_before_a_stop_is_kept(base: KnowledgeBase) -> None:
    class StopError(Exception):
        pass

    class Stopping(BagOfWords):
        def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
            if "My knee hurts." in texts:
                raise StopError
            return super().embed(texts, progress=progress)

    with pytest.raises(StopError):
        make(base, Stopping())
    make(base, BagOfWords())
    assert keys(base)["dialogue"] == {"dialogue:145", "dialogue:7"}


def test_a_dialogue_that_goes_takes_its_vectors_along(base: KnowledgeBase, tmp_path: Path) -> None:
    make(base, BagOfWords())
    base.remove("145")
    assert keys(base)["description"] == {"dialogue:7"}


def test_another_model_is_refused_with_the_remedy(base: KnowledgeBase) -> None:
    make(base, BagOfWords())
    with pytest.raises(VectorError, match="vectors forget"):
        make(base, BagOfWords(32))


def test_without_an_embedder_it_says_what_to_do() -> None:
    how = Configuration(embedder=EmbedderName.of("none"))
    with (
        KnowledgeBase.open("memory:", configuration=how) as base,
        pytest.raises(EmbeddingError, match="weights install"),
    ):
        base.make_vectors()
