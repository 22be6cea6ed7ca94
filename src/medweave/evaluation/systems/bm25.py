"""BM25: the class whose text, or whose nearest case, shares the rarest words with the item.

    score(q, d) = sum over words w of q of  idf(w) tf (k1 + 1) / (tf + k1 (1 - b + b |d| / avg))
    idf(w) = ln(1 + (N - n(w) + 0.5) / (n(w) + 0.5)),   k1 = 1.2, b = 0.75

Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from math import log

from medweave.evaluation.items import Item, Ranked
from medweave.language.segmentation import index_terms

_K1, _B = 1.2, 0.75


class Bm25:
    """Ranks classes by the best of their texts.

    >>> texts = [("flu", "fever and aches"), ("cold", "runny nose")]
    >>> Bm25(texts).rank(Item("1", (), text="my nose runs")).labels
    ('cold',)
    """

    def __init__(
        self,
        texts: Iterable[tuple[str, str]],
        said: Callable[[Item], str] = lambda item: item.text or " ".join(item.facts),
    ) -> None:
        self._said = said
        self._labels: list[str] = []
        self._holding: dict[str, list[tuple[int, int]]] = defaultdict(list)
        sizes = []
        for number, (label, text) in enumerate(texts):
            terms = index_terms(text)
            self._labels.append(label)
            sizes.append(len(terms))
            for term, count in Counter(terms).items():
                self._holding[term].append((number, count))
        mean = sum(sizes) / len(sizes) if sizes else 1.0
        self._norms = [_K1 * (1 - _B + _B * size / (mean or 1.0)) for size in sizes]

    def rank(self, item: Item) -> Ranked:
        """Classes by their best text."""
        scores: dict[int, float] = defaultdict(float)
        for term in index_terms(self._said(item)):
            holding = self._holding.get(term, ())
            idf = log(1 + (len(self._labels) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number, count in holding:
                scores[number] += idf * count * (_K1 + 1) / (count + self._norms[number])
        best: dict[str, float] = {}
        for number, score in scores.items():
            label = self._labels[number]
            best[label] = max(best.get(label, 0.0), score)
        order = sorted(best, key=lambda label: (-best[label], label))
        if not order:
            return Ranked(recognised=False, answered=False)
        return Ranked(tuple(order), best[order[0]])
