"""A trained classifier of intents: how it is trained, what it says, and the file it lives in.

The file is JSON for people to read: what it was trained on, and one line for each feature with its
weight for each label. Nothing in it is ever run.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any
from typing import Literal as OneOf

from medweave.errors import SourceError
from medweave.language.data import shipped
from medweave.model.question import Intent
from medweave.understanding.calibration import Calibration, calibrate
from medweave.understanding.information_gain import InformationGain, train_information_gain
from medweave.understanding.linear import Fitting, Linear, train_linear
from medweave.understanding.question_features import (
    APART,
    FAMILY,
    AskedText,
    intent_features,
    word_features,
)
from medweave.understanding.weight_rows import WeightRows, row_text

Method = OneOf["linear", "information_gain", "information_gain_paper"]
METHODS: tuple[Method, ...] = ("linear", "information_gain", "information_gain_paper")
NONE = "none"
"""The label of questions that are out of scope."""
SURE = 0.5
"""An intent is answered where it is more likely than not; where none is, the model abstains."""
FOLDS = 3
_FORMAT = "medweave intents 2"
_DIGITS = 4
_UNITS = {"linear": 0.01, "information_gain": 1e-6, "information_gain_paper": 1e-5}
"""Weights are kept as whole numbers of this unit: finer ones say nothing."""
FITTING = Fitting("squared_hinge", 0.5, views={APART: 0.5, FAMILY: 0.5}, least=0.125)
"""Of the linear model. Each figure is a middle one of a range over which little changes
(decision 19); none is tuned to a set."""


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what it asks for: mostly one thing, sometimes several."""

    asked: AskedText
    labels: tuple[str, ...]
    names_given: bool = False
    """The names in it were written down with it, and not found by a base: one may not know them."""

    @property
    def forms(self) -> tuple[AskedText, ...]:
        """The question as it is, and as a base that knows none of its names would see it."""
        if self.names_given and self.asked.names:
            return self.asked, AskedText(self.asked.text)
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

    def ranked(self, asked: AskedText) -> list[Intent]:
        """Every label with its probability, the most likely first."""
        chances = self.calibration.probabilities(_scores(self.classifier, asked))
        pairs = sorted(zip(chances, self.labels, strict=True), key=lambda p: (-p[0], p[1]))
        return [Intent(label, round(chance, _DIGITS)) for chance, label in pairs]

    def intents(self, asked: AskedText) -> list[Intent]:
        """All that is asked for, the surest first; nothing where the question is out of scope."""
        found = [intent for intent in self.ranked(asked) if intent.score >= SURE]
        return [] if found and found[0].label == NONE else [i for i in found if i.label != NONE]

    def to_text(self) -> str:
        """The model as a file: JSON, a line for each feature."""
        weights, unit = self.classifier.weights, _UNITS[self.method]
        head = {
            "format": _FORMAT,
            "method": self.method,
            "labels": list(self.labels),
            "trained_on": self.trained_on,
            "calibration": [
                _rounded(value)
                for value in (
                    self.calibration.score,
                    self.calibration.lead,
                    self.calibration.bias,
                )
            ],
            "unit": unit,
            "bias": [round(value / unit) for value in getattr(self.classifier, "bias", ())],
            "views": dict(getattr(self.classifier, "views", {})),
        }
        rows = ",\n".join(
            f'{json.dumps(feature, ensure_ascii=False)}:"{row_text(weights[feature], unit)}"'
            for feature in sorted(weights)
        )
        opening = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
        return f'{opening},\n "features": {{\n{rows}\n}}}}\n'

    @classmethod
    def from_text(cls, text: str, *, where: str) -> IntentModel:
        """The model a file holds. Raises `SourceError` where it is no such file."""
        try:
            held = json.loads(text)
            if held["format"] != _FORMAT or held["method"] not in METHODS:
                raise ValueError(held["format"])
            labels, unit = tuple(held["labels"]), float(held["unit"])
            linear = held["method"] == "linear"
            if not labels:
                raise ValueError("no labels")
            weights = WeightRows(held["features"], unit=unit, width=len(labels) + linear)
            bias = tuple(value * unit for value in held["bias"])
            views = {str(sign): float(share) for sign, share in held["views"].items()}
            classifier = (
                Linear(labels, weights, bias, views) if linear else InformationGain(labels, weights)
            )
            return cls(
                held["method"], classifier, Calibration(*held["calibration"]), held["trained_on"]
            )
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise SourceError(
                "this is no model of intents that this version reads",
                where=where,
                remedy="make one with `medweave train intents FILE`",
            ) from error


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
        kept = [example for at, example in enumerate(examples) if at not in held_back]
        if not kept:
            continue
        classifier = fit(kept)
        for at in sorted(held_back):
            forms, labels = examples[at]
            holds = [label in labels for label in classifier.labels]
            observed += [(classifier.scores(form), holds) for form in forms]
    return IntentModel(method, fit(examples), calibrate(observed), trained_on or {})


@cache
def shipped_model() -> IntentModel:
    """The model that ships, trained on questions written by the authors."""
    place = shipped("understanding", "models", "intents.json")
    return IntentModel.from_text(place.read_text("utf-8"), where=place.name)


def read_model(path: Path) -> IntentModel:
    """A model of the user's. Raises `SourceError`."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            "this model cannot be read", where=str(path), remedy="check the path"
        ) from error
    return IntentModel.from_text(text, where=str(path))


def model_for(file: str) -> IntentModel:
    """The model in a file, read again when the file changes; for '' the one that ships.

    Raises `SourceError` where there is none.
    """
    if not file:
        return shipped_model()
    path = Path(file)
    return _read_once(path, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=2)
def _read_once(path: Path, changed: int) -> IntentModel:  # noqa: ARG001 - told by its time
    return read_model(path)


_Classifier = Linear | InformationGain
_Example = tuple[Sequence[Counter[str]], Sequence[str]]


def _method(
    method: Method,
) -> tuple[Callable[[Sequence[_Example]], _Classifier], Callable[[AskedText], Counter[str]]]:
    """How a method is fitted, and the features it is fitted to."""
    if method == "linear":
        return lambda examples: train_linear(examples, FITTING), intent_features
    mode: OneOf["joint", "paper"] = "joint" if method == "information_gain" else "paper"
    return lambda examples: train_information_gain(
        [(forms[0], labels) for forms, labels in examples], mode=mode
    ), lambda asked: Counter(word_features(asked))


def _scores(classifier: _Classifier, asked: AskedText) -> list[float]:
    if isinstance(classifier, Linear):
        return classifier.scores(intent_features(asked))
    return classifier.scores(word_features(asked))


def _rounded(value: float) -> float:
    """Four significant digits: more say nothing, and make the file unreadable."""
    return float(f"{value:.{_DIGITS}g}")
