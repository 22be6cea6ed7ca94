"""Training the learned reader of danger: a logistic regression over labelled messages.

Beside the messages it is shown ordinary complaints, questions in general, and some messages
among what people say around what they came for: so it does not take length for harmlessness, or
every complaint for danger. Weights are fitted by scikit-learn (L2, liblinear), which only training
needs; the same messages give the same weights.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log, sqrt
from typing import Any

from medweave.errors import ConfigurationError
from medweave.language.data import LANGUAGES, read_yaml_file
from medweave.language.segmentation import language_of
from medweave.understanding.danger.features import Blocks, danger_features
from medweave.understanding.danger.model import DangerModel
from medweave.understanding.danger.table import literal
from medweave.understanding.danger.word_classes import heard
from medweave.understanding.training_files import training_file

SEEN = 2
"""Features of fewer texts are left out."""
KEPT = 10_000
"""So many features are kept, those that weigh most; then the weights are fitted again."""
INVERSE_PENALTY = 3.0
"""C of the regression."""
_ORDINARY = {"en": 1800, "zh": 900}
"""So many ordinary messages are made of the complaints of a language."""
_OF_LONG = 3
"""Every third of them is about something that somebody has had for years."""
_TOGETHER = (1, 1, 2, 3, 4)
"""So many things are told in one of them."""
_AMONG = 3
"""Every third message is shown once more, among what people say around it."""
_SURROUNDED = 0.6
"""The share of ordinary messages among what people say around them."""
QUESTION_WEIGHT = 0.9
"""What a question in general counts, beside a message."""
_SENTENCE_ENDS = ".?!。？！"


@dataclass(frozen=True, slots=True)
class DangerMessage:
    """A message, and whether someone in it is in danger."""

    text: str
    in_danger: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A message as it is learned from."""

    blocks: Blocks
    told: bool
    """Whether it tells of what is learned."""
    weight: float = 1.0


def train_danger(
    messages: Sequence[DangerMessage], *, trained_on: dict[str, Any] | None = None
) -> DangerModel:
    """Fit the weights on messages, and on ordinary ones that are made here.

    Raises `ConfigurationError` without scikit-learn, and where all messages are of one kind.
    """
    check_both_kinds({message.in_danger for message in messages}, "danger", "in danger")
    _regression(INVERSE_PENALTY)  # what is not installed is told before messages are made
    weights, bias = fit_weights(_material(messages), inverse_penalty=INVERSE_PENALTY)
    return DangerModel(weights, bias, trained_on or {})


def check_both_kinds(kinds: set[bool], model: str, told: str) -> None:
    """Raise `ConfigurationError` where all messages for a model are of one kind."""
    if len(kinds) < len((False, True)):
        raise ConfigurationError(
            "there is nothing to tell apart",
            where=f"train {model}",
            remedy=f"give messages {told} and messages that are not",
        )


def fit_weights(shown: Sequence[Shown], *, inverse_penalty: float) -> tuple[dict[str, int], int]:
    """The weights of the features that weigh most, and the bias, in hundredths.

    Raises `ConfigurationError` without scikit-learn.
    """
    regression = _regression(inverse_penalty)
    counted = Counter(feature for one in shown for block in one.blocks for feature in block)
    features = sorted(feature for feature, count in counted.items() if count >= SEEN)
    matrix = _matrix(shown, features)
    weights, _ = _fit(regression, shown, matrix)
    ranked = sorted(range(len(features)), key=lambda at: -abs(weights[at]))
    kept = sorted(ranked[:KEPT])  # in the order of features, which are sorted
    features = [features[at] for at in kept]
    weights, bias = _fit(regression, shown, matrix[:, kept])
    whole = {feature: round(100 * w) for feature, w in zip(features, weights, strict=True)}
    return {feature: weight for feature, weight in whole.items() if weight}, round(100 * bias)


def quiet_questions() -> list[str]:
    """Questions of people who are in no danger."""
    return training_file("danger", "quiet_questions.txt").read_text("utf-8").splitlines()


def shipped_danger() -> list[DangerMessage]:
    """The messages that ship."""
    return [DangerMessage(r["text"].strip(), bool(r["danger"])) for r in records_of("danger")]


def records_of(kind: str) -> list[Mapping[str, Any]]:
    """The records of the messages of a kind that ship."""
    paths = sorted(training_file(kind).glob("*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def _material(messages: Sequence[DangerMessage]) -> list[Shown]:
    chance = random.Random(0)  # noqa: S311 - chance here decides nothing secret
    shown = [_shown(message.text, message.in_danger) for message in messages]
    shown += [_shown(among_others(m.text, chance), m.in_danger) for m in messages[::_AMONG]]
    shown += [_shown(text, in_danger=False) for text in ordinary_messages(chance)]
    return shown + [
        _shown(text, in_danger=False, weight=QUESTION_WEIGHT) for text in quiet_questions()
    ]


def _shown(text: str, in_danger: bool, weight: float = 1.0) -> Shown:
    passage = literal(text, language_of(text))
    return Shown(danger_features(passage.hidden, heard(passage)), in_danger, weight)


def ordinary_messages(chance: random.Random) -> list[str]:
    """Messages of people in no danger, most of them among what people say around them."""
    made = (text for language in LANGUAGES for text in _ordinary(language, chance))
    return [among_others(text, chance) if chance.random() < _SURROUNDED else text for text in made]


@cache
def _words(language: str) -> dict[str, Any]:
    return read_yaml_file(training_file("danger", f"ordinary.{language}.yaml"))


def _ordinary(language: str, chance: random.Random) -> list[str]:
    """Messages of people who have one or two ordinary complaints, or something since long."""
    held = _words(language)
    made = []
    for at in range(_ORDINARY[language]):
        ways = held["asked_of_it" if at % _OF_LONG == 0 else "told"]
        several = chance.sample(ways, chance.choice(_TOGETHER))
        made.append(_space(language).join(_example(way, held, chance) for way in several))
    return made


def _example(way: str, held: dict[str, Any], chance: random.Random) -> str:
    first, second, third = chance.sample(held["complaints"], 3)
    return way.format(
        a=first,
        A=first[0].upper() + first[1:],
        b=second,
        c=third,
        d=chance.choice(held["for_how_long"]),
        s=chance.choice(held["since_when"]),
        x=chance.choice(held["long_known"]),
        r=chance.choice(held["who"]),
        y=chance.choice(held["years"]),
    )


def among_others(text: str, chance: random.Random) -> str:
    """A message among what people say around what they came for."""
    language = language_of(text)
    held = _words(language)
    before = chance.sample(held["before"], chance.randint(0, 4))
    behind = chance.sample(held["behind"], chance.randint(0, 2))
    text = text.strip()
    if text[-1] not in _SENTENCE_ENDS:
        text += "。" if language == "zh" else "."
    return _space(language).join((*before, text, *behind))


def _space(language: str) -> str:
    return "" if language == "zh" else " "


def _regression(inverse_penalty: float) -> Any:
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError as error:
        raise ConfigurationError(
            "training this reader needs scikit-learn",
            remedy="run `pip install 'medweave[evaluate]'`",
        ) from error
    return LogisticRegression(
        C=inverse_penalty, solver="liblinear", dual=True, random_state=0, max_iter=2000
    )


def _matrix(shown: Sequence[Shown], features: Sequence[str]) -> Any:
    """A row for each message: of each feature, what it has of it."""
    from scipy.sparse import csr_matrix

    columns = {feature: at for at, feature in enumerate(features)}
    value = cache(_value)  # the same few counts and lengths, millions of times
    values: list[float] = []
    places: list[int] = []
    ends = [0]
    for one in shown:
        for block in one.blocks:
            length = len(block)
            for feature, count in block.items():
                at = columns.get(feature)
                if at is not None:
                    places.append(at)
                    values.append(value(count, length))
        ends.append(len(values))
    return csr_matrix((values, places, ends), shape=(len(shown), len(columns)))


def _value(count: int, length: int) -> float:
    """What a feature counts that stands so often in a block of so many."""
    return (1 + log(count)) / sqrt(length)


def _fit(model: Any, shown: Sequence[Shown], matrix: Any) -> tuple[Sequence[float], float]:
    model.fit(matrix, [s.told for s in shown], sample_weight=[s.weight for s in shown])
    return [float(weight) for weight in model.coef_[0]], float(model.intercept_[0])
