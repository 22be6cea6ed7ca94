"""Learning which sign of the table messages in danger are told of.

The lists call a danger in words of their authors: where these are no signs of the table,
`training/danger/signs.yaml` says which is meant, and else the first sign that the table itself sees
is. What has none of these is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from medweave.language.data import read_yaml_file
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.language.typed import as_read
from medweave.model.vectors import Vectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.danger.table import danger_signs
from medweave.understanding.danger.table_reader import read_danger
from medweave.understanding.danger.training import records_of
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.patient import read_patient
from medweave.understanding.text_fitting import Fitting, View, fit_text_model
from medweave.understanding.text_model import TextModel
from medweave.understanding.training_files import training_file

FITTING = Fitting(least=12, spread=8.0, penalty=0.1, sharper=(1.0, 1.0), steps=80)
"""By authors left out in turn (decision 563)."""
_ENOUGH = 4
"""A sign of fewer messages is not learned."""
_ENDS_NOW = ("now", "today")


@dataclass(frozen=True, slots=True)
class SignMessage:
    """A message in danger, the sign of it, and who wrote it, where that is told."""

    text: str
    sign: str
    author: str = ""


def messages_of_signs(language: str) -> list[SignMessage]:
    """The messages in danger that ship, of which the sign is known.

    >>> {message.author for message in messages_of_signs("zh")} >= {"", "a", "b"}
    True
    """
    found = [
        SignMessage(text, sign, record.get("author", ""))
        for record in records_of("danger")
        if record["danger"] and language_of(text := record["text"].strip()) == language
        for sign in _signs_of(record["danger"], text, language)
    ]
    met = Counter(message.sign for message in found)
    return [message for message in found if met[message.sign] >= _ENOUGH]


def _signs_of(named: Sequence[str], text: str, language: str) -> Iterator[str]:
    """The sign of a message, or none."""
    known = {sign.id for sign in danger_signs() if sign.grade in _ENDS_NOW}
    for name in named:
        sign = name if name in known else _meant().get(name, "")
        if sign:
            yield sign
            return
    seen = read_danger(text, language, read_patient(passage_of(text, language)))
    yield from [one.sign for one in seen if one.status == "present" and one.grade != "soon"][:1]


@cache
def _meant() -> Mapping[str, str]:
    """By what an author calls a danger, the sign of the table."""
    held: dict[str, list[str]] = read_yaml_file(training_file("danger", "signs.yaml"))
    return {name: sign for sign, names in held.items() for name in names}


def train_signs(
    messages: Sequence[SignMessage], language: str, embed: Callable[[Sequence[str]], Vectors]
) -> TextModel:
    """Fit the model of one language, with the vectors that `embed` makes; each message with its
    vector and without. It needs scipy."""
    import numpy as np

    texts = [bare(message.text) for message in messages]
    features: list[Any] = [intent_features(QuestionText(text)) for text in texts]
    made = embed([as_read(text, language) for text in texts])
    vectors = np.asarray(made.data).reshape(len(made), -1)
    labels = [message.sign for message in messages]
    return fit_text_model([View(features, vectors), View(features)], labels, made.model.id, FITTING)
