"""Ranks answers to a question: by words and by meaning, then by what speaks for each of the best.

The best by words, by meaning, and by the words and the meaning of their beginnings are weighed by
their features; all others follow in the order of both rankings together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from heapq import nlargest
from operator import mul
from typing import TYPE_CHECKING, Any

from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_features import lexical_features, question_features
from medweave.retrieval.passages.answer_text import (
    AnswerText,
    beginning_of,
    read_answer_text,
)
from medweave.retrieval.passages.answer_weights import Weights, traits_of, weights_for
from medweave.retrieval.passages.question_kinds import (
    content_terms,
    focus_terms,
    focus_words,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

EmbedTexts = Callable[[Sequence[str]], "NDArray[Any]"]
"""Texts → their vectors of length 1, as rows."""
RANK_CONSTANT = 60
"""Of reciprocal rank fusion: Cormack, Clarke and Büttcher (2009)."""
MOST = 1000
"""So many are ranked, as is usual with trec_eval."""
_WEIGHED = 100
"""So many of the best by each ranking are weighed."""
_NEAREST = 3
"""So many of the best are taken for what is looked for, when it is looked for again."""
_PULL = 0.5


class Answers:
    """Answers to rank, by their numbers from 0; read, once and all, when they are first needed.

    Without `embed` only words count.
    """

    def __init__(self, texts: Sequence[str], embed: EmbedTexts | None = None) -> None:
        self.texts = texts
        self.embed = embed
        by_chance = sorted(range(len(texts)), key=lambda n: (_digest(texts[n]), -n))
        self._ties = [0] * len(texts)
        for place, number in enumerate(by_chance):
            self._ties[number] = place

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def _terms(self) -> list[tuple[str, ...]]:
        return [tuple(content_terms(text)) for text in self.texts]

    @cached_property
    def _begins(self) -> list[int]:
        """How many terms of each lie in its beginning."""
        return [len(content_terms(beginning_of(text))) for text in self.texts]

    @cached_property
    def index(self) -> LexicalIndex:
        """All answers by the stems of their words."""
        return LexicalIndex.of_terms(self._terms)

    @cached_property
    def beginnings(self) -> LexicalIndex:
        """Their beginnings, likewise."""
        both = zip(self._terms, self._begins, strict=True)
        return LexicalIndex.of_terms(terms[:begins] for terms, begins in both)

    @cached_property
    def read(self) -> list[AnswerText]:
        """Each answer as features see it."""
        rarity = self.index.rarity
        each = zip(self.texts, self._terms, self._begins, strict=True)
        return [read_answer_text(text, terms, begins, rarity) for text, terms, begins in each]

    @cached_property
    def vectors(self) -> Any:
        """A row for each answer."""
        return self.embed(self.texts) if self.embed else None

    @cached_property
    def beginning_vectors(self) -> Any:
        """A row for the beginning of each answer."""
        return self.embed(list(map(beginning_of, self.texts))) if self.embed else None

    @cached_property
    def _tie_row(self) -> Any:
        import numpy as np

        return np.array(self._ties)

    def order(
        self, scores: Mapping[int, float], among: Collection[int] = (), most: int = MOST
    ) -> list[int]:
        """The best first. What ties stands in an order that has nothing to do with any question."""
        if among:
            scores = {number: scores.get(number, 0.0) for number in among}
        numbers: Iterable[int] = scores
        if len(scores) > most:
            least = nlargest(most, scores.values())[-1]
            numbers = [number for number, score in scores.items() if score >= least]
        ties = self._ties
        return sorted(numbers, key=lambda n: (scores[n], ties[n]), reverse=True)[:most]

    def order_of_row(
        self, row: NDArray[Any], among: Collection[int] = (), most: int = MOST
    ) -> list[int]:
        """The same, for a score of each answer in a row."""
        import numpy as np

        numbers = np.array(among, int) if among else np.arange(len(row))
        given = row[numbers]
        if len(given) > most:
            numbers = numbers[given >= np.partition(given, -most)[-most]]
        best = np.lexsort((-self._tie_row[numbers], -row[numbers]))[:most]
        found: list[int] = numbers[best].tolist()
        return found


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace")).digest()


def fused(*rankings: Sequence[int]) -> dict[int, float]:
    """Reciprocal rank fusion: each ranking gives 1 / (60 + place) to what it ranks.

    >>> max(fused([7, 8], [8, 9]).items(), key=lambda pair: pair[1])[0]
    8
    """
    scores: dict[int, float] = {}
    for ranking in rankings:
        for place, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0.0) + 1 / (RANK_CONSTANT + place)
    return scores


@dataclass(frozen=True, slots=True)
class Weighed:
    """The answers that are weighed, with their features, and all in the order of plain fusion."""

    features: Mapping[int, list[float]]
    order: list[int]


def weighed(question: str, answers: Answers, among: Collection[int] = ()) -> Weighed:
    """The candidates of a question; all of those it is limited to, where it is."""
    focus = focus_terms(question)
    words, first = answers.index.scores_of(focus), answers.beginnings.scores_of(focus)
    rankings = [answers.order(words, among), answers.order(first, among, _WEIGHED)]
    meaning: list[Any] = []
    if answers.embed:
        meaning, more = _meaning(question, answers, among, rankings[0])
        rankings += more
    both = fused(*(rankings[::2] if meaning else rankings))  # by the whole, where there are both
    numbers = list(among) or list(dict.fromkeys(n for r in rankings for n in r[:_WEIGHED]))
    features = _features(question, answers, numbers, words, first)
    if meaning:
        columns = [row[numbers].tolist() for row in meaning]
        columns.insert(3, [30 * both.get(number, 0.0) for number in numbers])
        features = [[*row, *values] for row, *values in zip(features, *columns, strict=True)]
    return Weighed(dict(zip(numbers, features, strict=True)), answers.order(both, among))


def _meaning(
    question: str, answers: Answers, among: Collection[int], by_words: Sequence[int]
) -> tuple[list[Any], list[list[int]]]:
    """Rows of cosines, one for each feature, and the rankings by the whole and the beginning."""
    assert answers.embed is not None  # noqa: S101 - asked before
    asked, focus = answers.embed([question, " ".join(focus_words(question))])
    whole, begins = answers.vectors @ asked, answers.beginning_vectors @ asked
    by_meaning = answers.order_of_row(whole, among)
    best = answers.order(fused(by_words, by_meaning), among, _NEAREST)
    again = answers.vectors @ (asked + _PULL * answers.vectors[best].mean(axis=0))
    begun = answers.beginning_vectors @ (
        asked + _PULL * answers.beginning_vectors[best].mean(axis=0)
    )
    rows = [whole, begins, again, answers.vectors @ focus, answers.beginning_vectors @ focus, begun]
    return rows, [by_meaning, answers.order_of_row(begins, among, _WEIGHED)]


def _features(
    question: str, answers: Answers, numbers: Sequence[int],
    words: Mapping[int, float], first: Mapping[int, float],
) -> list[list[float]]:  # fmt: skip
    asked_of = question_features(question, answers.index)
    most = max((words.get(n, 0.0) for n in numbers), default=0.0) or 1.0
    most_first = max((first.get(n, 0.0) for n in numbers), default=0.0) or 1.0
    read = answers.read
    return [
        [
            words.get(number, 0.0) / most,
            first.get(number, 0.0) / most_first,
            *lexical_features(asked_of, number, read[number]),
        ]
        for number in numbers
    ]


class AnswerRanking:
    """Ranks answers by weights of their features; see `answer_weights` for how they are learned."""

    def __init__(self, answers: Answers, weights: Weights) -> None:
        self._answers = answers
        self._weights = weights

    def rank(self, question: str, among: Collection[int] = ()) -> list[int]:
        """The numbers of answers, the best first; of those `among` alone, where some are named."""
        found = weighed(question, self._answers, among)
        weights = weights_for(traits_of(question), self._weights)
        scores = {number: sum(map(mul, weights, row)) for number, row in found.features.items()}
        best = self._answers.order(scores, most=len(scores))
        return [*best, *(number for number in found.order if number not in scores)]
