"""Systems that answer in words out of the passages of a base: ours, a best sentence, a passage."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from medweave.embedding.cache import CachedEmbedder
from medweave.errors import MedweaveError
from medweave.evaluation.items import Cited, Item, Ranked, Reply
from medweave.evaluation.systems.embedding import Embedding
from medweave.graph.passage_vectors import passage_in_words
from medweave.knowledge_base import KnowledgeBase
from medweave.language.sentences import sentences
from medweave.model.answer import Answer, Sentence
from medweave.model.identifiers import digest
from medweave.model.passage import Passage, passage_of
from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_ranking import fused
from medweave.retrieval.passages.question_kinds import content_terms

FIRST = 5
"""So many passages a system finds for a question, and so many sentences the oracle may choose of.
"""
_RANKED = 100
"""So many places of a ranking are fused."""
Order = Callable[[str], Sequence[int]]
"""A question → numbers of passages, the best first."""
SentenceRanker = Callable[[str, Sequence[int]], Sequence[int]]
"""A question and the passages found for it → numbers of sentences, the best first."""


class PassageShelf:
    """The passages of a base and their sentences, as all systems but ours have them."""

    def __init__(self, base: KnowledgeBase, embedding: Embedding) -> None:
        held = _passages(base)
        self.passages = [passage for _, passage, _ in held]
        self.ids = [identifier for identifier, _, _ in held]
        """Of their documents: two texts may have the same name."""
        self._words_of = [in_words for _, _, in_words in held]
        self._embedding = _with_those_of(base, embedding)
        self._rows: dict[int, Any] = {}
        """Vectors of sentences that were compared by meaning."""

    @cached_property
    def digest(self) -> str:
        """Of what all passages say."""
        texts = [passage.text for passage in self.passages]
        return digest([self.ids, texts], 8)

    @cached_property
    def by_id(self) -> dict[str, Passage]:
        """The passages by the ids of their documents."""
        return dict(zip(self.ids, self.passages, strict=True))

    @cached_property
    def sentences(self) -> list[tuple[int, str]]:
        """All sentences, each with the number of its passage."""
        return [
            (number, " ".join(text.split()))
            for number, passage in enumerate(self.passages)
            for _, _, text in sentences(passage.text)
        ]

    @cached_property
    def _words(self) -> LexicalIndex:
        return LexicalIndex((passage.text for passage in self.passages), content_terms)

    @cached_property
    def _sentence_words(self) -> LexicalIndex:
        return LexicalIndex((text for _, text in self.sentences), content_terms)

    @cached_property
    def _vectors(self) -> Any:
        return self._embedding.rows(self._words_of)

    def by_words(self, question: str) -> list[int]:
        """Passages by BM25 over stems."""
        return _best(self._words.scores(question).items())

    def by_meaning(self, question: str) -> list[int]:
        """Passages by the cosine of vectors."""
        return _best(enumerate((self._vectors @ self._vector(question)).tolist()))

    def by_both(self, question: str) -> list[int]:
        """Passages by reciprocal rank fusion of the two, each counting the same."""
        return _best(fused(self.by_words(question), self.by_meaning(question)).items())

    def sentences_by_words(self, question: str, _: Sequence[int]) -> list[int]:
        """Sentences of all passages by BM25 over stems."""
        return _best(self._sentence_words.scores(question).items())

    def sentences_by_meaning(self, question: str, found: Sequence[int]) -> list[int]:
        """Sentences of these passages by the cosine of vectors."""
        vector = self._vector(question)
        self._embed(self._within(found))
        return _best((n, float(self._rows[n] @ vector)) for n in self._within(found))

    def sentences_by_both(self, question: str, found: Sequence[int]) -> list[int]:
        """Sentences of these passages by reciprocal rank fusion of the two."""
        scores = self._sentence_words.scores(question)
        by_words = _best((n, scores[n]) for n in self._within(found) if n in scores)
        return _best(fused(by_words, self.sentences_by_meaning(question, found)).items())

    def _within(self, found: Collection[int]) -> list[int]:
        return [number for passage in found for number in self._of_passage[passage]]

    @cached_property
    def _of_passage(self) -> list[list[int]]:
        held: list[list[int]] = [[] for _ in self.passages]
        for number, (passage, _) in enumerate(self.sentences):
            held[passage].append(number)
        return held

    def _vector(self, text: str) -> Any:
        return self._embedding.rows([text])[0]

    def _embed(self, numbers: Sequence[int]) -> None:
        new = [number for number in numbers if number not in self._rows]
        if new:
            rows = self._embedding.rows([self.sentences[number][1] for number in new])
            self._rows.update(zip(new, rows, strict=True))


class BestSentence:
    """Passages in an order, and of their sentences the one that comes first."""

    def __init__(self, shelf: PassageShelf, order: Order, told: SentenceRanker) -> None:
        self._shelf, self._order, self._told = shelf, order, told

    def rank(self, item: Item) -> Ranked:
        """See `System`."""
        found = self._order(item.text)[:FIRST]
        said = [self._shelf.sentences[number] for number in self._told(item.text, found)]
        return self._ranked(item, found, said)

    def _ranked(self, item: Item, found: Sequence[int], said: list[tuple[int, str]]) -> Ranked:  # noqa: ARG002 - for the oracle
        return _reply(self._shelf, found, said[:1])


class FirstPassage:
    """The whole passage that comes first."""

    def __init__(self, shelf: PassageShelf, order: Order) -> None:
        self._shelf, self._order = shelf, order

    def rank(self, item: Item) -> Ranked:
        """See `System`."""
        found = self._order(item.text)[:FIRST]
        said = [(number, self._shelf.passages[number].text) for number in found[:1]]
        return _reply(self._shelf, found, said)


class Oracle(BestSentence):
    """Of the first five sentences the one that is nearest to the right answer: who chooses one
    sentence cannot do better, whatever it knows."""

    def __init__(
        self,
        shelf: PassageShelf,
        order: Order,
        told: SentenceRanker,
        score: Callable[[tuple[str, ...], str], float],
    ) -> None:
        super().__init__(shelf, order, told)
        self._score = score

    def _ranked(self, item: Item, found: Sequence[int], said: list[tuple[int, str]]) -> Ranked:
        best = sorted(said[:FIRST], key=lambda each: -self._score(item.expected, each[1]))
        return _reply(self._shelf, found, best[:1])


class MedweaveAnswers:
    """Ours: what `ask` says, sentence by sentence, and the passages that it finds."""

    def __init__(self, base: KnowledgeBase) -> None:
        self._base = base

    def rank(self, item: Item) -> Ranked:
        """See `System`. A question that cannot be answered for an error is told as failed."""
        try:
            answer = self._base.ask(item.text)
            found = self._base.passages(item.text, FIRST).passages
        except MedweaveError as error:
            return Ranked(answered=False, reply=Reply(error=str(error)))
        said = tuple(Cited(each.text, _cited(answer, each)) for each in answer.sentences)
        why = "" if said else _why(answer)
        ids = tuple(each.document.id for each in found)
        return Ranked(answered=bool(said), reply=Reply(said, ids, why))


def _why(answer: Answer) -> str:
    """Why an answer has no sentences: what came first, or what it says is missing."""
    if answer.emergency:
        return "an emergency comes first"
    if answer.stops:
        return "what stops a drug is told"
    if answer.candidates or answer.drugs or answer.weighing or answer.comparison:
        return "a list or table is told"
    return " ".join(answer.missing) or "nothing is told"


def _cited(answer: Answer, sentence: Sentence) -> tuple[str, ...]:
    evidence = (e for s in sentence.statements for e in answer.statements[s].evidence)
    return tuple(dict.fromkeys(each.document for each in evidence))


def _reply(shelf: PassageShelf, found: Sequence[int], said: Sequence[tuple[int, str]]) -> Ranked:
    cited = tuple(Cited(text, (shelf.ids[number],)) for number, text in said)
    return Ranked(answered=bool(cited), reply=Reply(cited, tuple(shelf.ids[n] for n in found)))


def _best(scored: Any) -> list[int]:
    """Numbers by their scores; what ties stands in the order of the texts."""
    return [n for n, _ in sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:_RANKED]]


def _with_those_of(base: KnowledgeBase, embedding: Embedding) -> Embedding:
    """What looks for a vector in the base, before it makes one."""
    index = base.knowledge.store.vectors()
    if embedding.embedder is None or index is None:
        return embedding
    return replace(embedding, embedder=CachedEmbedder(embedding.embedder, index, keep=False))


def _passages(base: KnowledgeBase) -> list[tuple[str, Passage, str]]:
    """All passages with the ids of their documents, in the order of their texts, and with what
    vectors are made of."""
    store = base.knowledge.store
    found = [
        (document.id, passage, passage_in_words(document))
        for source in store.sources()
        for document in store.documents(source=source)
        if (passage := passage_of(document))
    ]
    return sorted(found, key=lambda held: (held[1].whole, held[1].number, held[0]))
