"""Systems that rank documents: ours, BM25, vectors alone, and the plain fusion of the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from medweave.evaluation.data.beir import Collection
from medweave.evaluation.items import Item, Ranked
from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_ranking import Answers, fused

Order = Callable[[str, Sequence[int]], Sequence[int]]
"""A question and the only documents to rank (none: all) → numbers of documents, the best first."""
MOST = 1000
"""So many documents are ranked, as is usual with trec_eval."""


@dataclass(frozen=True, slots=True)
class RankedDocuments:
    """Any order of documents as a system; see `Order`."""

    documents: Sequence[str]
    numbers: Mapping[str, int]
    order: Order

    def rank(self, item: Item) -> Ranked:
        """The identifiers of documents, the best first."""
        among = [self.numbers[name] for name in item.candidates]
        best = self.order(item.text, among)[:MOST]
        return Ranked(tuple(self.documents[number] for number in best))


class Shelf:
    """The documents of a collection, as all systems have them; made when first needed."""

    def __init__(self, collection: Collection, answers: Answers) -> None:
        self.documents = [passage.id for passage in collection.passages]
        self.numbers = {name: number for number, name in enumerate(self.documents)}
        self.answers = answers

    @cached_property
    def _words(self) -> LexicalIndex:
        return LexicalIndex(self.answers.texts)

    def system(self, order: Order) -> RankedDocuments:
        """An order as a system."""
        return RankedDocuments(self.documents, self.numbers, order)

    def by_words(self, question: str, among: Sequence[int]) -> list[int]:
        """By BM25 over words as they are; statistics are those of all documents."""
        return self.answers.order(self._words.scores(question), among, MOST)

    def by_meaning(self, question: str, among: Sequence[int]) -> list[int]:
        """By the cosine of vectors."""
        assert self.answers.embed is not None  # noqa: S101 - asked before
        vector = self.answers.embed([question])[0]
        return self.answers.order_of_row(self.answers.vectors @ vector, among, MOST)

    def by_both(self, question: str, among: Sequence[int]) -> list[int]:
        """By reciprocal rank fusion of the two, each counting the same."""
        both = fused(self.by_words(question, among), self.by_meaning(question, among))
        return self.answers.order(both, among, MOST)
