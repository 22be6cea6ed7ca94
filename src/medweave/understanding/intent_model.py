"""A trained classifier of intents: how it is trained, what it says, and the file it lives in.

The file is JSON for people to read: what it was trained on, and one line for each feature with its
weight for each label. Nothing in it is ever run.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
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
from medweave.understanding.linear import Linear, train_linear
from medweave.understanding.question_features import AskedText, gram_features, word_features

Method = OneOf["linear", "information_gain", "information_gain_paper"]
METHODS: tuple[Method, ...] = ("linear", "information_gain", "information_gain_paper")
NONE = "none"
"""The label of questions that are out of scope."""
SURE = 0.5
"""An intent is answered where it is more likely than not; where none is, the model abstains."""
FOLDS = 3
_FORMAT = "medweave intents 1"
_DIGITS = 4
_UNITS = {"linear": 0.01, "information_gain": 1e-6, "information_gain_paper": 1e-5}
"""Weights are kept as whole numbers of this unit: finer ones say nothing."""


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and what it asks for: mostly one thing, sometimes several."""

    asked: AskedText
    labels: tuple[str, ...]


class _InUnits(Mapping[str, Sequence[float]]):
    """Rows of whole numbers of a unit, brought to numbers when a row is asked for: few ever are."""

    def __init__(self, rows: dict[str, list[int]], unit: float) -> None:
        self._rows, self._unit = rows, unit

    def __getitem__(self, feature: str) -> Sequence[float]:
        return [value * self._unit for value in self._rows[feature]]

    def __contains__(self, feature: object) -> bool:
        return feature in self._rows

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)


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
        }
        rows = ",\n".join(
            f"{json.dumps(feature, ensure_ascii=False)}:"
            f"{json.dumps([round(value / unit) for value in weights[feature]])}"
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
            rows = held["features"]
            if not labels or any(len(row) != len(labels) + linear for row in rows.values()):
                raise ValueError("a row has too few weights")
            if not {type(weight) for row in rows.values() for weight in row} <= {int, float}:
                raise ValueError("a weight is no number")
            weights = _InUnits(rows, unit)
            bias = tuple(value * unit for value in held["bias"])
            classifier = (
                Linear(labels, weights, bias) if linear else InformationGain(labels, weights)
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
    fit = _fitting(method)
    order = list(range(len(questions)))
    random.Random(seed).shuffle(order)  # noqa: S311 - chance here decides nothing secret
    observed = []
    for fold in range(FOLDS):
        held_back = set(order[fold::FOLDS])
        kept = [question for at, question in enumerate(questions) if at not in held_back]
        if not kept:
            continue
        classifier = fit(kept)
        for at in sorted(held_back):
            question = questions[at]
            holds = [label in question.labels for label in classifier.labels]
            observed.append((_scores(classifier, question.asked), holds))
    return IntentModel(method, fit(questions), calibrate(observed), trained_on or {})


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


def _fitting(method: Method) -> Callable[[Sequence[LabelledQuestion]], Linear | InformationGain]:
    if method == "linear":
        return lambda questions: train_linear(
            [(gram_features(q.asked), q.labels) for q in questions]
        )
    mode: OneOf["joint", "paper"] = "joint" if method == "information_gain" else "paper"
    return lambda questions: train_information_gain(
        [(word_features(q.asked), q.labels) for q in questions], mode=mode
    )


def _scores(classifier: Linear | InformationGain, asked: AskedText) -> list[float]:
    if isinstance(classifier, Linear):
        return classifier.scores(gram_features(asked))
    return classifier.scores(word_features(asked))


def _rounded(value: float) -> float:
    """Four significant digits: more say nothing, and make the file unreadable."""
    return float(f"{value:.{_DIGITS}g}")
