"""An embedder for tests: texts are near where they share words. It needs no weights."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from medweave.language.segmentation import index_terms
from medweave.model.vectors import VectorModel, Vectors, unit
from medweave.ports import Progress, no_progress


class BagOfWords:
    """See `Embedder`. Each word adds 1 to the number that its digest says.

    >>> embedder = BagOfWords()
    >>> fever, same, other = embedder.embed(["high fever", "fever, high", "sore throat"])
    >>> list(fever) == list(same), list(fever) == list(other)
    (True, False)
    """

    def __init__(self, dimension: int = 64) -> None:
        self.model = VectorModel(f"bag of words {dimension}", dimension)
        self.seen: list[str] = []
        """All texts that it was asked for, in order."""

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`."""
        self.seen += texts
        progress(len(texts), len(texts), "texts")
        return Vectors.of(self.model, [self._vector(text) for text in texts])

    def _vector(self, text: str) -> list[float]:
        numbers = [0.0] * self.model.dimension
        for term in index_terms(text) or [""]:
            digest = hashlib.blake2b(term.encode(), digest_size=8).digest()
            numbers[int.from_bytes(digest, "big") % self.model.dimension] += 1
        return unit(numbers)
