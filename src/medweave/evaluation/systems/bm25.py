"""Baseline: the class of the text that is nearest by BM25."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from medweave.evaluation.items import Item, Ranked
from medweave.retrieval.lexical import LexicalIndex


class Bm25:
    """Ranks classes by the best of their texts.

    >>> texts = [("flu", "fever and aches"), ("cold", "runny nose")]
    >>> Bm25(texts).rank(Item("1", (), text="my nose runs")).labels
    ('cold',)
    """

    def __init__(
        self,
        texts: Iterable[tuple[str, str]],
        text_of: Callable[[Item], str] = lambda item: item.text or " ".join(item.facts),
    ) -> None:
        self._said = text_of
        given = list(texts)
        self._labels = [label for label, _ in given]
        self._index = LexicalIndex(text for _, text in given)

    def rank(self, item: Item) -> Ranked:
        """Classes by their best text."""
        best: dict[str, float] = {}
        for number, score in self._index.scores(self._said(item)).items():
            label = self._labels[number]
            best[label] = max(best.get(label, 0.0), score)
        return Ranked.by_score(best)
