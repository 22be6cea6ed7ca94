"""The task `intents`: what does a question ask for?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from medweave.errors import ConfigurationError
from medweave.evaluation.data.reading import in_our_labels, intent_item
from medweave.evaluation.items import Item, Trainer
from medweave.evaluation.measures.classification import (
    Measure,
    calibration_error,
    macro_f1,
    right,
    share,
    share_of,
)
from medweave.evaluation.measures.overlap import overlap
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.bm25 import Bm25
from medweave.evaluation.systems.intent_models import (
    ModelIntents,
    Reader,
    TrainedIntents,
    UnderstoodIntents,
)
from medweave.evaluation.systems.majority import Majority
from medweave.evaluation.systems.naive_bayes import NaiveBayes
from medweave.evaluation.systems.nearest_case import NearestCase
from medweave.evaluation.systems.tfidf_regression import TfidfRegression
from medweave.evaluation.task import Request, register
from medweave.model.question import Question
from medweave.understanding.intents.features import word_features
from medweave.understanding.intents.labelled_questions import shipped_questions
from medweave.understanding.intents.model import shipped_model


def plan(request: Request) -> Plan:
    """What is run; without training cases, what ships and others trained on the same."""
    data, cases = request.read(intent_item)
    read = lru_cache(maxsize=1 << 16)(request.base.question_text)
    systems = _trained(read, request.seed)
    if request.learns:
        return request.plan("intents", data, systems, measures_of, cases=cases)
    learned = _shipped_cases()
    data, label_map = in_our_labels(data, shipped_model().labels)
    shared = overlap((item.text for item in data.items), (case.text for case in learned))
    return request.plan(
        "intents",
        data,
        _as_shipped(systems, read, request.base.understand),
        measures_of,
        settings={"labels": label_map or "ours", "overlap": shared},
        train=learned,
    )


def _trained(read: Reader, seed: int) -> dict[str, Trainer]:
    def words(item: Item) -> frozenset[str]:
        return word_features(read(item.text))

    return {
        OURS: lambda cases: TrainedIntents(cases, read, "linear", seed=seed),
        "medweave information gain": lambda cases: TrainedIntents(
            cases, read, "information_gain", seed=seed
        ),
        "medweave information gain paper": lambda cases: TrainedIntents(
            cases, read, "information_gain_paper", seed=seed
        ),
        "majority": Majority,
        "naive bayes": lambda cases: NaiveBayes(cases, words),
        "nearest case": lambda cases: NearestCase(cases, words),
        "bm25": lambda cases: Bm25((label, c.text) for c in cases for label in c.expected),
        "tf-idf + logistic regression": TfidfRegression,
    }


def _as_shipped(
    trained: Mapping[str, Trainer], read: Reader, understand: Callable[[str], Question]
) -> dict[str, Trainer]:
    """Nothing is trained on the data: ours as it ships, the others on the questions that ship."""
    return {
        OURS: lambda _: ModelIntents(shipped_model(), read),
        "medweave understand": lambda _: UnderstoodIntents(understand),
        **{name: make for name, make in trained.items() if name != OURS},
    }


def _shipped_cases() -> tuple[Item, ...]:
    """The questions that ours was learned from; none where this is no checkout."""
    try:
        questions = shipped_questions()
    except ConfigurationError:
        return ()
    return tuple(
        Item(f"shipped {at}", question.labels, question.asked.text)
        for at, question in enumerate(questions)
    )


def measures_of(items: Sequence[Item], outcomes: Sequence[Outcome]) -> dict[str, Measure]:
    """Accuracy counts whether or not a system abstains; only shares can be calibrated."""
    answered = [outcome.answered for outcome in outcomes]
    measures = {
        "accuracy": share(right(outcomes)),
        "macro_f1": macro_f1(items, outcomes),
        "answered": share(answered),
        "accuracy_when_answered": share_of(right(outcomes), answered),
    }
    if all(0 <= outcome.confidence <= 1 for outcome in outcomes):
        measures["calibration_error"] = calibration_error(outcomes)
    return measures


register("intents", plan, "train", "folds", "perturb")
