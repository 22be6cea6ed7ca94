"""The texts of a base in memory, found by their words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from medweave.language.segmentation import index_terms
from medweave.model.document import Document
from medweave.model.statement import EvidenceClass
from medweave.ports import Hit

_K1, _B = 1.2, 0.75
"""As in SQLite's full text."""


def rare_enough(having: Mapping[str, int], frequent: int | None) -> list[str]:
    """Of words, by how many documents hold each, those that are looked for.

    >>> rare_enough({"cough": 9, "scabies": 2, "strange": 0}, 5)
    ['scabies']
    >>> rare_enough({"cough": 9, "fever": 8}, 5)
    ['cough', 'fever']
    """
    held = [word for word, documents in having.items() if documents]
    rare = [word for word in held if frequent is None or having[word] <= frequent]
    return rare or held


class TextIndex:
    """See `SupportsTextSearch`: texts of one revision, by BM25 (Robertson, Zaragoza 2009)."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._classes: dict[str, EvidenceClass] = {}
        self._lengths: dict[str, int] = {}
        self._having: dict[str, dict[str, int]] = {}
        """By word, how often each document has it."""
        for document in documents:
            terms = Counter(index_terms(document.words()))
            self._classes[document.id] = document.evidence_class
            self._lengths[document.id] = terms.total()
            for term, count in terms.items():
                self._having.setdefault(term, {})[document.id] = count

    def search(
        self,
        query: str,
        limit: int,
        without: Collection[EvidenceClass],
        frequent: int | None = None,
    ) -> list[Hit]:
        scores: dict[str, float] = {}
        having = {term: len(self._having.get(term, ())) for term in set(index_terms(query))}
        for term in sorted(rare_enough(having, frequent)):
            for document, score in self._scores(term):
                if self._classes[document] not in without:
                    scores[document] = scores.get(document, 0.0) + score
        hits = [Hit(document, score) for document, score in scores.items()]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document))[:limit]

    def _scores(self, term: str) -> Iterable[tuple[str, float]]:
        having, documents = self._having[term], len(self._lengths)
        average = sum(self._lengths.values()) / documents
        idf = math.log(1 + (documents - len(having) + 0.5) / (len(having) + 0.5))
        for document, count in having.items():
            length = 1 - _B + _B * self._lengths[document] / average
            yield document, idf * count * (1 + _K1) / (count + _K1 * length)
