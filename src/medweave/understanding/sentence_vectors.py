"""Vectors of sentences for the readers whose weights are of one embedder."""

from __future__ import annotations

from collections.abc import Sequence

from medweave.model.vectors import Vectors
from medweave.ports import SentenceVectors

READ = "en"
"""The language that the embedder which can be installed was taught."""


def vectors_by(
    model: str, texts: Sequence[str], language: str, vectors: SentenceVectors | None
) -> Vectors | None:
    """The vectors of some texts; None where none are to be had, or another embedder than `model`
    makes them."""
    if vectors is None or language != READ:
        return None
    made = vectors([as_read(text) for text in texts], language)
    return made if made is not None and made.model.id == model else None


def as_read(text: str) -> str:
    """A text as its vector is made: all blanks are one."""
    return " ".join(text.split())
