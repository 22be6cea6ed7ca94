"""The task `retrieval`: which documents answer a question, ours beside words and vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.errors import ConfigurationError
from medweave.evaluation.data.beir import Collection, read_collection
from medweave.evaluation.items import Data, Item, System, Trainer
from medweave.evaluation.measures.classification import Measure
from medweave.evaluation.measures.ranking import ranking_measures
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, MeasuresOf, Plan
from medweave.evaluation.systems.document_ranking import Shelf
from medweave.ports import Embedder, Progress, no_progress
from medweave.retrieval.answer_ranking import AnswerRanking, Answers, weighed
from medweave.retrieval.answer_weights import Judged, learn_weights, shipped_weights, traits_of

if TYPE_CHECKING:
    from medweave.app import KnowledgeBase
    from medweave.evaluation.systems.dialogue_systems import BaseDialogues

HEADLINE = ("test",)
MOST_QUESTIONS = 1000
"""Of a corpus to train on, evenly spread."""


@dataclass(frozen=True, slots=True)
class EmbedTools:
    """What turns texts into vectors; None, and the reason, where nothing does."""

    embedder: Embedder | None
    reason: str = ""
    progress: Progress = no_progress

    @property
    def name(self) -> str:
        """The model, as settings tell it."""
        return self.embedder.model.id if self.embedder else f"none ({self.reason})"

    def rows(self, texts: Sequence[str]) -> Any:
        """A matrix with a row for each text."""
        import numpy as np

        assert self.embedder is not None  # noqa: S101 - asked before
        vectors = self.embedder.embed(texts, progress=self.progress)
        joined = b"".join(row.cast("B") for row in vectors)
        return np.frombuffer(joined, "f4").reshape(len(texts), -1)

    def answers(self, collection: Collection) -> Answers:
        """The documents of a collection, with vectors where there are any."""
        texts = [passage.whole for passage in collection.passages]
        return Answers(texts, self.rows if self.embedder else None)


def plan_retrieval(
    folder: Path,
    tools: EmbedTools,
    *,
    train: Path | None = None,
    folds: int = 0,
    seed: int = 0,
    sample: int = 0,
    qrels: Sequence[str] = (),
    relevant: int = 1,
    base: KnowledgeBase | None = None,
) -> Plan:
    """What is run: ours, ours without vectors, BM25, vectors alone, and plain fusion.

    The first of `qrels` gives the figures of `systems`. `relevant` is the lowest grade that counts
    as right for all measures but nDCG. With `train`, weights of ours are learned from that folder;
    otherwise they are those that ship. Where documents are dialogues of `base`, the graph of these
    is run, too.
    Raises `SourceError` or `NotFoundError` for what cannot be read, and `ConfigurationError` for
    folds: with `train` the same can be had from two folders.
    """
    if folds:
        raise ConfigurationError(
            "documents are not parted into folds",
            where="--folds",
            remedy="give a folder to learn from with --train DIR",
        )
    names = tuple(dict.fromkeys(qrels)) or HEADLINE
    collection = read_collection(folder, names)
    data = _data(collection, names, sample, relevant)
    shelf = Shelf(collection, tools.answers(collection))
    taught = read_collection(train) if train else None
    measures = {name: _measures_of(collection.qrels[name], relevant) for name in names}
    held = _dialogues(base, collection, tools) if base else None
    if held:
        data = replace(data, counts={**data.counts, "dialogues_of_the_base": held.known})
    return Plan(
        "retrieval",
        data,
        {**_systems(shelf, tools, taught, seed), **(held.systems if held else {})},
        measures[names[0]],
        seed=seed,
        settings={
            "sample": sample,
            "qrels": ",".join(names) if qrels else "",
            "relevant": relevant,
            "embedder": tools.name,
            **({"model": base.reader} if held and base and base.reader else {}),
            **({"train": _train_settings(train, taught)} if train and taught else {}),
        },
        qrels=measures,
    )


def _dialogues(
    base: KnowledgeBase, collection: Collection, tools: EmbedTools
) -> BaseDialogues | None:
    from medweave.evaluation.systems.dialogue_systems import base_dialogues

    documents = [passage.id for passage in collection.passages]
    return base_dialogues(base, documents, tools.embedder, tools.reason, tools.progress)


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
        wanted = tuple(dict.fromkeys(document for grades in judged for document in grades))
        limited = collection.candidates.get(identifier, ())
        items.append(Item(identifier, right, text, candidates=limited, wanted=wanted))
    if sample and sample < len(items):
        left_out["not in the sample"] = len(items) - sample
        items = [items[at * len(items) // sample] for at in range(sample)]
    counts = {
        "pool": len(collection.passages),
        "without_a_right_answer": sum(not item.expected for item in items),
    }
    if collection.candidates:
        limits = [len(item.candidates) for item in items if item.candidates]
        counts |= {"candidates": sum(limits), "questions_with_candidates": len(limits)}
    return Data(
        collection.name,
        collection.sha256,
        len(collection.questions),
        tuple(items),
        {reason: count for reason, count in left_out.items() if count},
        counts,
    )


def _systems(
    shelf: Shelf, tools: EmbedTools, taught: Collection | None, seed: int
) -> Mapping[str, Trainer]:
    def with_vectors(order: Any) -> Trainer:
        def make(_: Sequence[Item]) -> System:
            if tools.embedder is None:
                raise ConfigurationError(tools.reason, where="embedder")
            return shelf.system(order)

        return make

    def ours(tools: EmbedTools, answers: Answers) -> Trainer:
        def make(_: Sequence[Item]) -> System:
            weights = shipped_weights(dense=answers.embed is not None)
            if taught is not None:
                learned = learn_weights(judged_questions(taught, tools), seed=seed)
                weights = learned or weights
            ranking = AnswerRanking(answers, weights)
            return shelf.system(ranking.rank)

        return make

    blind = EmbedTools(None, "left out")
    systems: dict[str, Trainer] = {OURS: ours(tools, shelf.answers)}
    if tools.embedder:
        systems["medweave without vectors"] = ours(blind, Answers(shelf.answers.texts))
    return systems | {
        "bm25": lambda _: shelf.system(shelf.by_words),
        "dense": with_vectors(shelf.by_meaning),
        "hybrid": with_vectors(shelf.by_both),
    }


def _spread(taught: Collection, most: int = MOST_QUESTIONS) -> list[str]:
    """The questions to learn from."""
    judged = list(taught.qrels[HEADLINE[0]])
    if len(judged) <= most:
        return judged
    return [judged[at * len(judged) // most] for at in range(most)]


def judged_questions(taught: Collection, tools: EmbedTools) -> list[Judged]:
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
        return {name: _mean([row[name] for row in rows]) for name in names}

    return measures


def _mean(values: Sequence[float]) -> Callable[[Sequence[int]], float]:
    def measure(draw: Sequence[int]) -> float:
        return sum(map(values.__getitem__, draw)) / len(draw) if draw else 0.0

    return measure
