"""The task `retrieval`: which documents answer a question, ours beside words and vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError
from medweave.evaluation.data.beir import Collection, read_collection
from medweave.evaluation.data.reading import evenly
from medweave.evaluation.items import Data, Item, System, Trainer
from medweave.evaluation.measures.classification import Measure, mean
from medweave.evaluation.measures.ranking import ranking_measures
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, MeasuresOf, Plan
from medweave.evaluation.systems.embedding import Embedding
from medweave.evaluation.task import Request, register
from medweave.retrieval.passages.answer_ranking import AnswerRanking, Answers, weighed
from medweave.retrieval.passages.answer_weights import (
    Judged,
    learn_weights,
    shipped_weights,
    traits_of,
)

if TYPE_CHECKING:
    from medweave.evaluation.systems.dialogue_systems import BaseDialogues

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from medweave.evaluation.items import Ranked
from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_ranking import fused

Order = Callable[[str, Sequence[int]], Sequence[int]]
"""A question and the only documents to rank (none: all) → numbers of documents, the best first."""
MOST = 1000
"""So many documents are ranked, as is usual with trec_eval."""
HEADLINE = ("test",)
MOST_QUESTIONS = 1000
"""Of a corpus to train on, evenly spread."""


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


def plan(request: Request) -> Plan:
    """What is run: ours, ours without vectors, BM25, vectors alone, and plain fusion.

    The first of `qrels` gives the figures of `systems`. `relevant` is the lowest grade that counts
    as right for all measures but nDCG. With `train`, weights of ours are learned from that folder;
    otherwise they are those that ship. Where documents are dialogues of a named base, the graph of
    these is run, too. Raises `SourceError` or `NotFoundError` for what cannot be read.
    """
    names = tuple(dict.fromkeys(request.qrels)) or HEADLINE
    collection = read_collection(request.data, names)
    data = _data(collection, names, request.sample, request.relevant)
    embedding, train = request.embedding, request.train
    shelf = Shelf(collection, embedding.answers(collection))
    taught = read_collection(train) if train else None
    measures = {name: _measures_of(collection.qrels[name], request.relevant) for name in names}
    held = _dialogues(request, collection) if request.base_named else None
    settings = {
        "qrels": ",".join(names) if request.qrels else "",
        "relevant": request.relevant,
        "embedder": embedding.name,
        **({"train": _train_settings(train, taught)} if train and taught else {}),
    }
    if held:
        data = replace(data, counts={**data.counts, "dialogues_of_the_base": held.known})
        settings |= {"model": request.base.reader} if request.base.reader else {}
    return request.plan(
        "retrieval",
        data,
        {**_systems(shelf, embedding, taught, request.seed), **(held.systems if held else {})},
        measures[names[0]],
        settings=settings,
        qrels=measures,
    )


def _dialogues(request: Request, collection: Collection) -> BaseDialogues | None:
    from medweave.evaluation.systems.dialogue_systems import base_dialogues

    documents = [passage.id for passage in collection.passages]
    return base_dialogues(request.base, documents, request.embedding)


def _train_settings(path: Path, taught: Collection) -> dict[str, Any]:
    return {
        "path": path.name,
        "sha256": taught.sha256,
        "n": len(taught.questions),
        "evaluated": len(_spread(taught)),
        "left_out": {},
    }


def _data(collection: Collection, names: tuple[str, ...], sample: int, relevant: int) -> Data:
    """The questions that were judged, in any of the files."""
    items = []
    left_out = Counter(collection.left_out)
    for identifier, text in collection.questions.items():
        judged = [collection.qrels[name].get(identifier, {}) for name in names]
        if not any(judged):
            left_out["questions without judgements"] += 1
            continue
        right = tuple(document for document, grade in judged[0].items() if grade >= relevant)
        labels_to_place = tuple(dict.fromkeys(document for grades in judged for document in grades))
        limited = collection.candidates.get(identifier, ())
        items.append(
            Item(identifier, right, text, candidates=limited, labels_to_place=labels_to_place)
        )
    chosen = evenly(items, sample)
    left_out["not in the sample"] = len(items) - len(chosen)
    counts = {
        "pool": len(collection.passages),
        "without_a_right_answer": sum(not item.expected for item in chosen),
    }
    if collection.candidates:
        limits = [len(item.candidates) for item in chosen if item.candidates]
        counts |= {"candidates": sum(limits), "questions_with_candidates": len(limits)}
    return Data(
        collection.name,
        collection.sha256,
        len(collection.questions),
        tuple(chosen),
        {reason: count for reason, count in left_out.items() if count},
        counts,
    )


def _systems(
    shelf: Shelf, tools: Embedding, taught: Collection | None, seed: int
) -> Mapping[str, Trainer]:
    def with_vectors(order: Any) -> Trainer:
        def make(_: Sequence[Item]) -> System:
            if tools.embedder is None:
                raise ConfigurationError(tools.reason, where="embedder")
            return shelf.system(order)

        return make

    def ours(tools: Embedding, answers: Answers) -> Trainer:
        def make(_: Sequence[Item]) -> System:
            weights = shipped_weights(dense=answers.embed is not None)
            if taught is not None:
                learned = learn_weights(judged_questions(taught, tools), seed=seed)
                weights = learned or weights
            ranking = AnswerRanking(answers, weights)
            return shelf.system(ranking.rank)

        return make

    blind = Embedding(None, "left out")
    systems: dict[str, Trainer] = {OURS: ours(tools, shelf.answers)}
    if tools.embedder:
        systems["medweave without vectors"] = ours(blind, Answers(shelf.answers.texts))
    return systems | {
        "bm25": lambda _: shelf.system(shelf.by_words),
        "dense": with_vectors(shelf.by_meaning),
        "hybrid": with_vectors(shelf.by_both),
    }


def _spread(taught: Collection) -> Sequence[str]:
    """The questions to learn from."""
    return evenly(list(taught.qrels[HEADLINE[0]]), MOST_QUESTIONS)


def judged_questions(taught: Collection, tools: Embedding) -> list[Judged]:
    """The questions to learn from, each with the answers weighed for it."""
    answers = tools.answers(taught)
    documents = [passage.id for passage in taught.passages]
    numbers = {name: number for number, name in enumerate(documents)}
    found: list[Judged] = []
    for identifier in _spread(taught):
        among = [numbers[name] for name in taught.candidates.get(identifier, ())]
        question = taught.questions[identifier]
        features = weighed(question, answers, among).features
        grades = taught.qrels[HEADLINE[0]][identifier]
        rows = [(grades.get(documents[number], 0), row) for number, row in features.items()]
        found.append(Judged(traits_of(question), rows))
    return found


def _measures_of(judged: Mapping[str, Mapping[str, int]], relevant: int) -> MeasuresOf:
    """The measures of a system by one file of judgements: means over questions."""

    def measures(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
        rows = [
            ranking_measures(judged.get(item.id, {}), outcome.places, relevant)
            for item, outcome in zip(items, outcomes, strict=True)
        ]
        names = ranking_measures({}, {})
        return {name: mean([row[name] for row in rows]) for name in names}

    return measures


register("retrieval", plan, "train", "qrels", "relevant", folder=True, embeds=True)
