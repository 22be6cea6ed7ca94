"""What was embedded once is not embedded again: vectors by the content of their texts."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

from medweave.model.vectors import VectorModel, Vectors
from medweave.ports import Embedder, Progress, SupportsEmbeddings, no_progress

AT_ONCE = 1024
"""So many texts are embedded before their vectors are kept: what a stop can cost."""


class CachedEmbedder:
    """An embedder that asks an index first, and keeps there what it had to make.

    A text that comes twice is embedded once. Where nothing is to be kept, as for a question, or
    where the base can only be read, `keep` is False.
    """

    def __init__(self, embedder: Embedder, index: SupportsEmbeddings, *, keep: bool = True) -> None:
        self._embedder = embedder
        self._index = index
        self._keep = keep

    @property
    def model(self) -> VectorModel:
        """See `Embedder.model`."""
        return self._embedder.model

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> Vectors:
        """See `Embedder.embed`. Stopped, it goes on next time where it was."""
        different = list(dict.fromkeys(texts))
        vectors = self._index.known(self.model, different)
        new = [text for text in different if text not in vectors]
        known = len(different) - len(new)
        for start in range(0, len(new), AT_ONCE):
            part = new[start : start + AT_ONCE]
            part_progress = _PartProgress(progress, known + start, len(different))
            made = self._embedder.embed(part, progress=part_progress)
            if self._keep:
                self._index.keep(part, made)
            vectors.update(zip(part, made, strict=True))
        numbers = array("f")
        for text in texts:
            numbers.frombytes(vectors[text].cast("B"))
        return Vectors(self.model, memoryview(numbers))


@dataclass(frozen=True, slots=True)
class _PartProgress:
    """The progress of a part, as progress of the whole."""

    progress: Progress
    before: int
    whole: int

    def __call__(self, done: int, total: int, what: str) -> None:  # noqa: ARG002 - of the part
        self.progress(self.before + done, self.whole, what)
