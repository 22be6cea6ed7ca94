"""Vectors of passages: made once for each, and only of passages."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

from medweave.graph.passage_vectors import make_passage_vectors
from medweave.knowledge_base import KnowledgeBase
from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Progress, no_progress


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
        assert make_passage_vectors(base._store, base.vectors, embedder) == 2
        assert make_passage_vectors(base._store, base.vectors, embedder) == 0
        assert base.vectors.counts() == {"passage": 2}
        base.remove(str(path))
        assert base.vectors.counts() == {}
