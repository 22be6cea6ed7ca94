"""BM25 over any texts: who holds the words of a question, and how tellingly; k1 = 1.2, b = 0.75.

Source: Robertson and Zaragoza, "The probabilistic relevance framework: BM25 and beyond" (2009).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import log

from medweave.language.segmentation import index_terms

_K1, _B = 1.2, 0.75


class LexicalIndex:
    """Texts by their numbers, from 0 in the order given; `terms_of` says what their words are.

    >>> index = LexicalIndex(["fever and aches", "runny nose"])
    >>> sorted(index.scores("my nose runs"))
    [1]
    """

    def __init__(
        self, texts: Iterable[str], terms_of: Callable[[str], Sequence[str]] = index_terms
    ) -> None:
        self._terms_of = terms_of
        self._holding: dict[str, dict[int, int]] = defaultdict(dict)
        self._norms: list[float] = []
        self._rarities: dict[str, float] = {}
        self._add(map(terms_of, texts))

    @classmethod
    def of_terms(cls, lists: Iterable[Sequence[str]]) -> LexicalIndex:
        """Texts whose words are known already."""
        index = cls(())
        index._add(lists)
        return index

    def _add(self, lists: Iterable[Sequence[str]]) -> None:
        sizes = []
        for number, terms in enumerate(lists):
            sizes.append(len(terms))
            for term, count in Counter(terms).items():
                self._holding[term][number] = count
        mean = sum(sizes) / len(sizes) if sizes else 1.0
        self._norms = [_K1 * (1 - _B + _B * size / (mean or 1.0)) for size in sizes]

    def __len__(self) -> int:
        return len(self._norms)

    def rarity(self, term: str) -> float:
        """How telling a term is: 0 at least, more the fewer texts hold it."""
        known = self._rarities.get(term)
        if known is None:
            holding = len(self.counts(term))
            known = log(1 + (len(self) - holding + 0.5) / (holding + 0.5))
            if holding:
                self._rarities[term] = known
        return known

    def counts(self, term: str) -> Mapping[int, int]:
        """How often each text has a term that has it at all."""
        return self._holding.get(term, {})

    def holds(self, term: str) -> bool:
        """Whether any text has the term."""
        return term in self._holding

    def scores(self, question: str) -> dict[int, float]:
        """The score of each text that shares a term with the question."""
        return self.scores_of(self._terms_of(question))

    def scores_of(self, terms: Iterable[str]) -> dict[int, float]:
        """The score of each text that has any of these terms; a term that comes twice counts so."""
        scores: dict[int, float] = defaultdict(float)
        for term in terms:
            idf = self.rarity(term)
            for number, count in self.counts(term).items():
                scores[number] += idf * count * (_K1 + 1) / (count + self._norms[number])
        return scores
