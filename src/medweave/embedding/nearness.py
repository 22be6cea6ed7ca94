"""How near texts are in meaning, for whoever compares a few of them now and then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from operator import mul

from medweave.embedding.choosing import choose, choose_reader
from medweave.errors import EmbeddingError
from medweave.model.embedder import EmbedderName
from medweave.model.vectors import Vectors
from medweave.ports import Embedder
from medweave.vocabulary.memo import KEPT, Memo

_SENTENCES = 1024


class Closeness:
    """Cosines between a text and others. The embedder is opened when it is first needed.

    What texts are held against is mostly the same again: it is embedded once. Without an embedder,
    or where it fails, there is no saying: an answer must not wait for it.
    """

    def __init__(self, name: EmbedderName) -> None:
        self._name = name
        self._readers: dict[str, tuple[Embedder, Memo[Sequence[float]]] | None] = {}
        """Who reads sentences of a language, and what was read last: of one message several readers
        ask, so a few are enough."""

    @cached_property
    def _embedder(self) -> Embedder | None:
        return choose(self._name).embedder

    @cached_property
    def _rows(self) -> Memo[Sequence[float]]:
        assert self._embedder is not None  # noqa: S101 - asked before
        return _memo(self._embedder, KEPT)

    def vectors(self, texts: Sequence[str], language: str) -> Vectors | None:
        """Vectors by an embedder on this machine; see `SentenceVectors`."""
        if language not in self._readers:
            reader = choose_reader(self._name, language)
            self._readers[language] = (reader, _memo(reader, _SENTENCES)) if reader else None
        if (chosen := self._readers[language]) is None:
            return None
        reader, memo = chosen
        rows = memo.of(texts)
        return Vectors.of(reader.model, [rows[text] for text in texts])

    def __call__(self, text: str, others: Sequence[str]) -> Sequence[float]:
        """A cosine for each of the others; none where nothing can be said."""
        if self._embedder is None:
            return ()
        try:
            rows = self._rows.of([text, *others])
        except EmbeddingError:
            self._embedder = None  # an endpoint that is away would hold up each question
            return ()
        return [sum(map(mul, rows[text], rows[other])) for other in others]


def _memo(embedder: Embedder, most: int) -> Memo[Sequence[float]]:
    def look_up(texts: set[str]) -> dict[str, Sequence[float]]:
        listed = sorted(texts)
        return dict(zip(listed, embedder.embed(listed), strict=True))

    return Memo(look_up, most=most)
