"""A trained classifier of intents: how it is trained, what it says, and the file it lives in.

The file is JSON: what it was trained on, and a line for each feature with its weights. Nothing in
it is ever run.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import isfinite
from typing import Any
from typing import Literal as OneOf

from medweave.language.data import shipped
from medweave.model.question import Intent
from medweave.understanding.intents.calibration import Calibration, calibrate
from medweave.understanding.intents.features import (
    APART,
    FAMILY,
    QuestionText,
    intent_features,
    word_features,
)
from medweave.understanding.intents.information_gain import InformationGain, train_information_gain
from medweave.understanding.intents.linear import Fitting, Linear, train_linear
from medweave.understanding.model_files import (
    held_as_shipped,
    model_in,
    model_text,
    refused_as,
)

Method = OneOf["linear", "information_gain", "information_gain_paper"]
METHODS: tuple[Method, ...] = ("linear", "information_gain", "information_gain_paper")
NONE = "none"
"""The label of questions that are out of scope."""
SURE = 0.5
"""An intent is answered where it is more likely than not; where none is, the model abstains."""
FOLDS = 3
_FORMAT = "medweave intents 4"
_DIGITS = 4
_WEIGHT_DIGITS: dict[Method, int] = {
    "linear": 2,
    "information_gain": 6,
    "information_gain_paper": 5,
}
"""Finer weights say nothing."""
FITTING = Fitting("squared_hinge", 0.5, {APART: 0.5, FAMILY: 0.5}, telling=0.1, least=0.05)
"""Of the linear model. Each figure is a middle one of a range over which little changes
(decision 24); none is tuned to a set."""


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what it asks for: mostly one thing, sometimes several."""

    asked: QuestionText
    labels: tuple[str, ...]
    names_given: bool = False
    """The names in it were written down with it, and not found by a base: one may not know them."""

    @property
    def forms(self) -> tuple[QuestionText, ...]:
        """The question as it is, and as a base that knows none of its names would see it."""
        if self.names_given and self.asked.names:
            return self.asked, QuestionText(self.asked.text)
        return (self.asked,)


@dataclass(frozen=True, slots=True)
class IntentModel:
    """A classifier, and the curve that turns its scores into probabilities."""

    method: Method
    classifier: Linear | InformationGain
    calibration: Calibration
    trained_on: dict[str, Any] = field(default_factory=dict)

    @property
    def labels(self) -> tuple[str, ...]:
        """All that it can say."""
        return self.classifier.labels

    def ranked(self, asked: QuestionText) -> list[Intent]:
        """Every label with its probability, the most likely first."""
        chances = self.calibration.probabilities(_scores(self.classifier, asked))
        pairs = sorted(zip(chances, self.labels, strict=True), key=lambda p: (-p[0], p[1]))
        return [Intent(label, round(chance, _DIGITS)) for chance, label in pairs]

    def intents(self, asked: QuestionText) -> list[Intent]:
        """All that is asked for, the surest first; nothing where the question is out of scope."""
        found = [intent for intent in self.ranked(asked) if intent.score >= SURE]
        return [] if found and found[0].label == NONE else [i for i in found if i.label != NONE]

    def to_text(self) -> str:
        """The model as a file: JSON."""
        digits = _WEIGHT_DIGITS[self.method]
        calibrated = (self.calibration.score, self.calibration.lead, self.calibration.bias)
        head = {
            "format": _FORMAT,
            "method": self.method,
            "labels": list(self.labels),
            "trained_on": self.trained_on,
            "calibration": [_rounded(value) for value in calibrated],
            "bias": [round(value, digits) for value in getattr(self.classifier, "bias", ())],
            "views": dict(getattr(self.classifier, "views", {})),
        }
        return model_text(head, _rows(self.classifier, digits))

    @classmethod
    def from_text(cls, text: str, *, where: str) -> IntentModel:
        """The model a file holds. Raises `SourceError` where it is no such file."""
        remedy = "make one with `medweave train intents FILE`"
        with refused_as("intents that this version reads", where, remedy):
            model = cls.of_json(json.loads(text))
            _check(model.classifier)
        return model

    @classmethod
    def of_json(cls, held: Any) -> IntentModel:
        """The model of a file's JSON, whose weights nobody has looked at."""
        if held["format"] != _FORMAT or held["method"] not in METHODS:
            raise ValueError(held["format"])
        labels = tuple(held["labels"])
        classifier: Linear | InformationGain
        if held["method"] == "linear":
            views = {str(sign): float(share) for sign, share in held["views"].items()}
            classifier = Linear(labels, held["features"], tuple(held["bias"]), views)
        else:
            classifier = InformationGain(labels, held["features"])
        calibration = Calibration(*map(float, held["calibration"]))
        return cls(held["method"], classifier, calibration, held["trained_on"])


def _rows(classifier: Linear | InformationGain, digits: int) -> dict[str, list[Any]]:
    """The weights of each feature as a file has them."""

    def rounded(weights: Sequence[float]) -> list[float]:
        return [round(weight, digits) for weight in weights]

    if isinstance(classifier, InformationGain):
        return {feature: rounded(gains) for feature, gains in classifier.weights.items()}
    return {
        feature: [round(idf, digits), list(places), rounded(weights)]
        for feature, (idf, places, weights) in classifier.weights.items()
    }


def _check(classifier: Linear | InformationGain) -> None:
    """Raises `ValueError` or `TypeError` where something stands for a weight that is none."""
    labels = len(classifier.labels)
    if not labels:
        raise ValueError("no labels")
    if isinstance(classifier, InformationGain):
        if any(len(list(map(float, gains))) != labels for gains in classifier.weights.values()):
            raise ValueError("a feature needs a gain for each label")
        return
    if len(list(map(float, classifier.bias))) != labels:
        raise ValueError("a bias for each label is needed")
    for idf, places, weights in classifier.weights.values():
        if len(places) != len(weights) or not set(places) <= set(range(labels)):
            raise ValueError("a weight has no label")
        if not all(map(isfinite, (idf, *weights))):
            raise ValueError("a weight is no number")


def train_intents(
    questions: Sequence[LabelledQuestion],
    *,
    method: Method = "linear",
    seed: int = 0,
    trained_on: dict[str, Any] | None = None,
) -> IntentModel:
    """Train a classifier and calibrate it on folds it was not trained on.

    The same questions, method and seed give the same model. Raises `ConfigurationError` where
    the method needs an extra.
    """
    fit, features = _method(method)
    examples = [([features(form) for form in q.forms], q.labels) for q in questions]
    order = list(range(len(questions)))
    random.Random(seed).shuffle(order)  # noqa: S311 - chance here decides nothing secret
    observed = []
    for fold in range(FOLDS):
        held_back = set(order[fold::FOLDS])
        learned_from = [example for at, example in enumerate(examples) if at not in held_back]
        if not learned_from:
            continue
        classifier = fit(learned_from)
        for at in sorted(held_back):
            forms, labels = examples[at]
            holds = [label in labels for label in classifier.labels]
            observed += [(classifier.scores(form), holds) for form in forms]
    return IntentModel(method, fit(examples), calibrate(observed), trained_on or {})


@cache
def shipped_model() -> IntentModel:
    """The model that ships, trained on questions written by the authors."""
    place = shipped("understanding", "intents", "weights.json")
    return IntentModel.of_json(held_as_shipped(place.read_text("utf-8"), _FORMAT))


def model_for(file: str) -> IntentModel:
    """The model in a file, read again when the file changes; for '' the one that ships.

    Raises `SourceError` where there is none.
    """
    if not file:
        return shipped_model()
    return model_in(file, IntentModel.from_text)


_Classifier = Linear | InformationGain
_Example = tuple[Sequence[Counter[str]], Sequence[str]]


def _method(
    method: Method,
) -> tuple[Callable[[Sequence[_Example]], _Classifier], Callable[[QuestionText], Counter[str]]]:
    """How a method is fitted, and the features it is fitted to."""
    if method == "linear":
        return lambda examples: train_linear(examples, FITTING), intent_features
    mode: OneOf["joint", "paper"] = "joint" if method == "information_gain" else "paper"
    return lambda examples: train_information_gain(
        [(forms[0], labels) for forms, labels in examples], mode=mode
    ), lambda asked: Counter(word_features(asked))


def _scores(classifier: _Classifier, asked: QuestionText) -> list[float]:
    if isinstance(classifier, Linear):
        return classifier.scores(intent_features(asked))
    return classifier.scores(word_features(asked))


def _rounded(value: float) -> float:
    """Four significant digits: more say nothing, and make the file unreadable."""
    return float(f"{value:.{_DIGITS}g}")
