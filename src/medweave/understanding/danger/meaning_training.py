"""Training what the meaning of a message adds: a logistic regression over vectors of sentences.

It learns from the lists of a language that the readers of words learn from, in other shares. Only
training needs scikit-learn; the same lists and embedder give the same weights.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from medweave.language.segmentation import language_of
from medweave.language.typed import as_read
from medweave.model.identifiers import digest
from medweave.model.vectors import Vectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.danger.crisis_training import messages_of_danger, shipped_crises
from medweave.understanding.danger.features import sentences
from medweave.understanding.danger.meaning import MeaningOf, MeaningWeights
from medweave.understanding.danger.model import MANY
from medweave.understanding.danger.training import (
    ordinary_messages,
    quiet_questions,
    shipped_danger,
)

INVERSE_PENALTY = 10.0
"""C of the regression."""
GENERAL = {"danger": 0.7, "crisis": 0.5}
"""What a question in general, or an ordinary message, counts."""
_OF_A_LETTER = 0.5
"""What a sentence of a quiet letter counts."""


@dataclass(frozen=True, slots=True)
class Told:
    """A text whose vector is learned from."""

    text: str
    told: bool
    """Whether somebody in it is in danger, or in a crisis."""
    weight: float = 1.0


def material_of_meaning(of: MeaningOf, language: str) -> list[Told]:
    """All that is learned from: the lists that ship, and what is harmless.

    >>> sorted({one.told for one in material_of_meaning("crisis", "en")})
    [False, True]
    """
    made = _danger() if of == "danger" else _crises()
    chance = random.Random(0)  # noqa: S311 - chance here decides nothing secret
    general = [*quiet_questions(), *ordinary_messages(chance)[:: 1 if of == "danger" else 2]]
    made += [Told(text, False, GENERAL[of]) for text in general]
    return [one for one in made if language_of(one.text) == language]


def _crises() -> list[Told]:
    return [Told(m.text, m.in_crisis) for m in (*shipped_crises(), *messages_of_danger())]


def _danger() -> list[Told]:
    """The messages, and the sentences of quiet letters: none of them is one of danger."""
    messages = shipped_danger()
    made = [Told(message.text, message.in_danger) for message in messages]
    for message in messages:
        spans = sentences(message.text)
        if not message.in_danger and len(spans) >= MANY:
            made += [Told(message.text[slice(*s)], False, _OF_A_LETTER) for s in spans]
    return made


def digest_of(material: Sequence[Told]) -> str:
    """What the material is known by: weights that tell of it were learned from it."""
    return digest(json.dumps([(one.text, one.told, one.weight) for one in material]), 8)


def train_meaning(
    of: MeaningOf, language: str, embed: Callable[[Sequence[str]], Vectors]
) -> MeaningWeights:
    """Fit the weights on the lists that ship, with the vectors that `embed` makes."""
    import numpy as np
    from sklearn.linear_model import LogisticRegression

    material = material_of_meaning(of, language)
    made = embed([as_read(bare(one.text), language) for one in material])
    regression = LogisticRegression(C=INVERSE_PENALTY, max_iter=1000)
    regression.fit(
        np.frombuffer(made.data.tobytes(), "f4").reshape(len(made), -1),
        [one.told for one in material],
        sample_weight=[one.weight for one in material],
    )
    return MeaningWeights(
        of,
        made.model.id,
        tuple(round(100 * float(weight)) for weight in regression.coef_[0]),
        round(100 * float(regression.intercept_[0])),
        {"texts": len(material), "of": digest_of(material)},
    )
