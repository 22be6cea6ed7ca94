"""How near texts are in meaning, for whoever compares a few of them now and then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import mul

from medweave.embedding.choosing import choose
from medweave.errors import EmbeddingError
from medweave.model.embedder import EmbedderName
from medweave.ports import Embedder


class Closeness:
    """Cosines between a text and others. The embedder is opened when it is first needed.

    Without one, or where it fails, there is no saying: an answer must not wait for it.
    """

    def __init__(self, name: EmbedderName) -> None:
        self._name = name

    @cached_property
    def _embedder(self) -> Embedder | None:
        return choose(self._name).embedder

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """A cosine for each of the others; none where nothing can be said."""
        if self._embedder is None:
            return ()
        try:
            asked, *rows = self._embedder.embed([text, *others])
        except EmbeddingError:
            self._embedder = None  # an endpoint that is away would hold up each question
            return ()
        return [sum(map(mul, asked, row)) for row in rows]
