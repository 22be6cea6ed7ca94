"""The task `intents`: what does a question ask for?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from statistics import median
from typing import Any

from medweave.errors import ConfigurationError
from medweave.evaluation.data.reading import in_our_labels, intent_item
from medweave.evaluation.items import Item, Ranked, Trainer
from medweave.evaluation.measures.classification import (
    Measure,
    calibration_error,
    macro_f1,
    right,
    share,
    share_of,
)
from medweave.evaluation.outcomes import Outcome
from medweave.evaluation.runner import OURS, Plan
from medweave.evaluation.systems.baselines import (
    Bm25,
    Majority,
    NaiveBayes,
    NearestCase,
    TfidfRegression,
)
from medweave.evaluation.task import Request, register
from medweave.language.segmentation import is_han, symbol_runs
from medweave.model.question import Question
from medweave.understanding.intents.features import QuestionText, word_features
from medweave.understanding.intents.labelled_questions import shipped_questions
from medweave.understanding.intents.model import (
    NONE,
    SURE,
    IntentModel,
    LabelledQuestion,
    Method,
    shipped_model,
    train_intents,
)

Reader = Callable[[str], QuestionText]
"""A text with the names in it."""
LONGEST = 12
"""Runs are looked for up to this length."""


class TrainedIntents:
    """One of our methods, trained on cases; see `understanding.intents.model`."""

    def __init__(
        self, cases: Sequence[Item], read: Reader, method: Method, *, seed: int = 0
    ) -> None:
        if not cases:
            raise ConfigurationError("no training cases", remedy="give them with --train FILE")
        questions = [LabelledQuestion(read(case.text), case.expected) for case in cases]
        self._model = ModelIntents(train_intents(questions, method=method, seed=seed), read)

    def rank(self, item: Item) -> Ranked:
        """Labels by probability."""
        return self._model.rank(item)


class ModelIntents:
    """A model as it is."""

    def __init__(self, model: IntentModel, read: Reader) -> None:
        self._model, self._read = model, read

    def rank(self, item: Item) -> Ranked:
        """Labels by probability; it abstains where none is more likely than not."""
        found = self._model.ranked(self._read(item.text))
        labels = tuple(intent.label for intent in found)
        answered = found[0].score >= SURE and found[0].label != NONE
        return Ranked(labels, found[0].score, answered=answered)


class UnderstoodIntents:
    """What `medweave understand` makes of a text: all steps, nothing trained on the data."""

    def __init__(self, understand: Callable[[str], Question]) -> None:
        self._understand = understand

    def rank(self, item: Item) -> Ranked:
        """The intents, the surest first; 'none' where it abstains."""
        found = sorted(self._understand(item.text).intents, key=lambda intent: -intent.score)
        if not found:
            return Ranked((NONE,), 0.0, answered=False)
        return Ranked(tuple(intent.label for intent in found), found[0].score)


def overlap(items: Iterable[str], trained_on: Iterable[str]) -> dict[str, Any]:
    """How much of the questions that are evaluated stands word for word in those trained on: a
    classifier that ships with questions close to a test would do well for the wrong reason.

    The longest shared run of words (Chinese: characters) of each item: the median, the
    greatest, and how many stand whole.

    >>> overlap(["what are the signs of flu"], ["what are the causes of flu"])["longest"]
    3
    """
    runs: set[tuple[str, ...]] = set()
    whole: set[tuple[str, ...]] = set()
    for text in trained_on:
        symbols = _symbols(text)
        whole.add(tuple(symbols))
        for length in range(1, LONGEST + 1):
            runs.update(_runs(symbols, length))
    texts = [_symbols(text) for text in items]
    shared = [_longest(symbols, runs) for symbols in texts]
    shares = [n / len(s) for n, s in zip(shared, texts, strict=True) if s]
    longest = max(range(len(shared)), key=lambda at: shared[at], default=None)
    return {
        "longest": shared[longest] if longest is not None else 0,
        "longest_text": " ".join(texts[longest]) if longest is not None else "",
        "median": median(shared) if shared else 0,
        "median_share": round(median(shares), 4) if shares else 0.0,
        "identical": sum(tuple(symbols) in whole for symbols in texts),
        "up_to": LONGEST,
    }


def _longest(symbols: list[str], runs: set[tuple[str, ...]]) -> int:
    found = 0
    for length in range(1, LONGEST + 1):
        if not any(run in runs for run in _runs(symbols, length)):
            break
        found = length
    return found


def _runs(symbols: list[str], length: int) -> Iterable[tuple[str, ...]]:
    return (tuple(symbols[at : at + length]) for at in range(len(symbols) - length + 1))


def _symbols(text: str) -> list[str]:
    return [s for run in symbol_runs(text) for s in (run if is_han(run) else (run,))]


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
