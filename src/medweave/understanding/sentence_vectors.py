"""Vectors of sentences for the readers whose weights are of one embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.ports import SentenceVectors


def vectors_by(
    model: Callable[[], str], texts: Sequence[str], language: str, vectors: SentenceVectors | None
) -> Vectors | None:
    """The vectors of some texts; None where none are to be had, or another embedder than `model`
    makes them. That is asked only where there are vectors: its weights are read for it."""
    if vectors is None:
        return None
    made = vectors([as_read(text, language) for text in texts], language)
    return made if made is not None and made.model.id == model() else None
