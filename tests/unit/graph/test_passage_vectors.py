"""Vectors of passages: made once for each, and only of passages."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import pytest

from medweave.embedding.choosing import Chosen
from medweave.graph.passage_vectors import make_passage_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress
from tests.commands import medweave


class ByFirstLetter:
    """An embedder of two topics."""

    model = VectorModel("letters", 2)

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        rows = array("f")
        for text in texts:
            rows.extend([1.0, 0.0] if text[:1].lower() < "m" else [0.0, 1.0])
        return Vectors(self.model, memoryview(rows))


def test_each_passage_gets_one_vector_once(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"_id": "a", "text": "Asthma is treated."}\n{"_id": "z", "text": "Zinc."}\n')
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        base.build([path])
        embedder = ByFirstLetter()
        assert make_passage_vectors(base._opened.store, base.vectors, embedder) == 2
        assert make_passage_vectors(base._opened.store, base.vectors, embedder) == 0
        assert base.vectors.counts() == {"passage": 2}
        base.remove(str(path))
        assert base.vectors.counts() == {}


class EnglishAlone(ByFirstLetter):
    model = VectorModel("all-MiniLM-L6-v2:letters", 2)


def test_only_what_the_model_reads_gets_a_vector(tmp_path: Path) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"_id": "a", "text": "Zinc."}\n{"_id": "z", "text": "痛风病人少吃海鲜。"}\n')
    with KnowledgeBase.open(str(tmp_path / "kb.db")) as base:
        base.build([path])
        base._opened.chosen = Chosen(EnglishAlone())
        assert (base.make_passage_vectors(), base.make_passage_vectors()) == (1, 0)
        base._opened.chosen = Chosen(ByFirstLetter())
        assert base.make_passage_vectors() == 0, "the vectors of another model are left alone"


def test_build_makes_the_vectors_of_passages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("medweave.opened_base.open_embedder", lambda _: Chosen(ByFirstLetter()))
    text, kb = tmp_path / "ward.txt", str(tmp_path / "kb.db")
    text.write_text("Asthma is treated.\n", "utf-8")
    assert "1 passages more" in medweave("build", "--kb", kb, str(text)).out
    with KnowledgeBase.open(kb) as base:
        assert base.vectors.counts() == {"passage": 1}
