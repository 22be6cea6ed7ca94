"""What turns texts into vectors, for systems that compare by meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from medweave.evaluation.data.beir import Collection
from medweave.ports import Embedder, Progress, no_progress
from medweave.retrieval.passages.answer_ranking import Answers


@dataclass(frozen=True, slots=True)
class Embedding:
    """An embedder; None, and the reason, where nothing makes vectors."""

    embedder: Embedder | None
    reason: str = ""
    progress: Progress = no_progress

    @property
    def name(self) -> str:
        """The model, as settings tell it."""
        return self.embedder.model.id if self.embedder else f"none ({self.reason})"

    def rows(self, texts: Sequence[str]) -> Any:
        """A matrix with a row for each text."""
        import numpy as np

        assert self.embedder is not None  # noqa: S101 - asked before
        vectors = self.embedder.embed(texts, progress=self.progress)
        joined = b"".join(row.cast("B") for row in vectors)
        return np.frombuffer(joined, "f4").reshape(len(texts), -1)

    def answers(self, collection: Collection) -> Answers:
        """The documents of a collection, with vectors where there are any."""
        texts = [passage.whole for passage in collection.passages]
        return Answers(texts, self.rows if self.embedder else None)


NO_VECTORS = Embedding(None, "none was opened")
