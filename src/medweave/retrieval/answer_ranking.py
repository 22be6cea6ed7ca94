"""Ranks answers to a question: by words and by meaning, then by what speaks for each of the best.

The best by words, by meaning, and by the words and the meaning of their beginnings are weighed by
their features; all others follow in the order of both rankings together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from heapq import nlargest
from typing import TYPE_CHECKING, Any

from medweave.retrieval.answer_features import (
    AnswerText,
    answer_text,
    asked_for,
    beginning_of,
    lexical_features,
)
from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.question_kinds import content_terms, focus_terms

if TYPE_CHECKING:
    from numpy.typing import NDArray

EmbedTexts = Callable[[Sequence[str]], "NDArray[Any]"]
"""Texts → their vectors of length 1, as rows."""
RANK_CONSTANT = 60
"""Of reciprocal rank fusion: Cormack, Clarke and Büttcher (2009)."""
_WEIGHED = 100
"""So many of the best by each ranking are weighed."""
_NEAREST = 3
"""So many of the best are taken for what is looked for, when it is looked for again."""
_PULL = 0.5


class Answers:
    """Answers to rank, by their numbers from 0; read when they are first needed.

    Without `embed` only words count.
    """

    def __init__(self, texts: Sequence[str], embed: EmbedTexts | None = None) -> None:
        self.texts = texts
        self.embed = embed
        self._read: dict[int, AnswerText] = {}
        self._ties = [blake2b(text.encode("utf-8", "replace")).digest() for text in texts]

    def __len__(self) -> int:
        return len(self.texts)

    @cached_property
    def index(self) -> LexicalIndex:
        """All answers by the stems of their words."""
        return LexicalIndex(self.texts, content_terms)

    @cached_property
    def beginnings(self) -> LexicalIndex:
        """Their beginnings, likewise."""
        return LexicalIndex(map(beginning_of, self.texts), content_terms)

    @cached_property
    def vectors(self) -> Any:
        """A row for each answer."""
        return self.embed(self.texts) if self.embed else None

    @cached_property
    def beginning_vectors(self) -> Any:
        """A row for the beginning of each answer."""
        return self.embed(list(map(beginning_of, self.texts))) if self.embed else None

    def read(self, number: int) -> AnswerText:
        """An answer as features see it."""
        if number not in self._read:
            self._read[number] = answer_text(self.texts[number])
        return self._read[number]

    def order(
        self,
        scores: Mapping[int, float] | Sequence[float],
        among: Collection[int] = (),
        most: int = 1000,
    ) -> list[int]:
        """The best first. What ties stands in an order that has nothing to do with any question."""
        numbers = among or (scores if isinstance(scores, Mapping) else range(len(scores)))
        value = (
            (lambda n: scores.get(n, 0.0)) if isinstance(scores, Mapping) else scores.__getitem__
        )
        return nlargest(most, numbers, key=lambda number: (value(number), self._ties[number]))


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


def candidates_with_features(
    question: str, answers: Answers, among: Collection[int] = ()
) -> tuple[dict[int, list[float]], list[int]]:
    """The answers that are weighed, with their features, and all in the order of plain fusion."""
    words = answers.index.scores_of(focus_terms(question))
    first = answers.beginnings.scores_of(focus_terms(question))
    rankings = [answers.order(words, among), answers.order(first, among, _WEIGHED)]
    meaning: Any = None
    if answers.embed:
        asked = answers.embed([question])[0]
        meaning, begins = answers.vectors @ asked, answers.beginning_vectors @ asked
        by_meaning = answers.order(meaning.tolist(), among)
        both = fused(rankings[0], by_meaning)
        best = answers.order(both, among, _NEAREST)
        pulled = asked + _PULL * answers.vectors[best].mean(axis=0)
        again = answers.vectors @ pulled
        rankings += [by_meaning, answers.order(begins.tolist(), among, _WEIGHED)]
    else:
        both = fused(*rankings)
    weighed = list(among) or list(dict.fromkeys(n for r in rankings for n in r[:_WEIGHED]))
    asked_of = asked_for(question, answers.index)
    most = max((words.get(n, 0.0) for n in weighed), default=0.0) or 1.0
    most_first = max((first.get(n, 0.0) for n in weighed), default=0.0) or 1.0
    found = {}
    for number in weighed:
        features = [words.get(number, 0.0) / most, first.get(number, 0.0) / most_first]
        features += lexical_features(asked_of, answers.read(number))
        if meaning is not None:
            features += [float(meaning[number]), float(begins[number]), float(again[number]),
                         30 * both.get(number, 0.0)]  # fmt: skip
        found[number] = features
    return found, answers.order(both, among)


class AnswerRanking:
    """Ranks answers by weights of their features; see `answer_weights` for how they are learned."""

    def __init__(self, answers: Answers, weights: Sequence[float]) -> None:
        self._answers = answers
        self._weights = weights

    def rank(self, question: str, among: Collection[int] = ()) -> list[int]:
        """The numbers of answers, the best first; of those `among` alone, where some are named."""
        found, rest = candidates_with_features(question, self._answers, among)
        scores = {n: sum(w * f for w, f in zip(self._weights, features, strict=True))
                  for n, features in found.items()}  # fmt: skip
        best = self._answers.order(scores, most=len(scores))
        return [*best, *(number for number in rest if number not in scores)]
