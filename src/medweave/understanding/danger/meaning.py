"""What the vector of a message adds to the weight of its words, for both learned readers.

    m = a · v + b

with v the vector of the message (length 1) and weights a of a logistic regression. Two people tell
of one wish, or of one danger, in few words that are the same: how much more is heard, decision 400.
The weights of each language are of one embedder; with another, or none, the words stand alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import mul
from typing import Any
from typing import Literal as OneOf

from medweave.errors import SourceError
from medweave.language.data import shipped
from medweave.ports import SentenceVectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.danger.weights import UNIT
from medweave.understanding.model_files import model_text
from medweave.understanding.sentence_vectors import vectors_by

MeaningOf = OneOf["danger", "crisis"]


@dataclass(frozen=True, slots=True)
class MeaningWeights:
    """Weights, in hundredths, of the numbers of the vector of a message."""

    of: str
    """What is told apart: danger, or a crisis."""
    model: str
    """The id of the embedder whose vectors these weights are of."""
    weights: Sequence[int]
    bias: int
    trained_on: Mapping[str, Any] = field(default_factory=dict)

    def score(self, vector: Sequence[float]) -> float:
        """Above 0 where it is the vector of somebody in danger, or in a crisis.

        >>> MeaningWeights("danger", "toy", (100, -200), 50).score((0.6, 0.8))
        -0.5
        """
        weighed: float = sum(map(mul, self.weights, vector))
        return round(UNIT * (self.bias + weighed), 4)

    def to_text(self) -> str:
        """The weights as a file."""
        head = {
            "format": _format(self.of),
            "model": self.model,
            "trained_on": self.trained_on,
            "unit": UNIT,
            "bias": self.bias,
        }
        return model_text(head, {f"{at:04}": weight for at, weight in enumerate(self.weights)})

    @classmethod
    def from_text(cls, text: str, *, of: str, where: str) -> MeaningWeights:
        """The weights of a file. Raises `SourceError` where it holds none of these."""
        try:
            held = json.loads(text)
            if held["format"] != _format(of) or held["unit"] != UNIT:
                raise ValueError(held["format"])
            weights = tuple(held["features"][name] for name in sorted(held["features"]))
            if not {type(weight) for weight in (held["bias"], *weights)} <= {int}:
                raise ValueError("a weight is no whole number")
            return cls(of, held["model"], weights, held["bias"], held["trained_on"])
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(
                f"these are no weights of {of} by meaning",
                where=where,
                remedy="make them with `python scripts/train_danger_meaning.py`",
            ) from error


def meaning_score(
    text: str, language: str, vectors: SentenceVectors | None, of: MeaningOf
) -> float | None:
    """What a text weighs by its meaning; None where no vector is to be had, or another embedder
    makes it."""
    made = vectors_by(lambda: shipped_meaning(of, language).model, [bare(text)], language, vectors)
    return None if made is None else shipped_meaning(of, language).score(made[0])


@cache
def shipped_meaning(of: MeaningOf, language: str) -> MeaningWeights:
    """The weights that ship for a language, read when they are first needed."""
    place = shipped("understanding", "danger", f"{of}_meaning.{language}.json")
    return MeaningWeights.from_text(place.read_text("utf-8"), of=of, where=place.name)


def _format(of: str) -> str:
    return f"medweave {of} by meaning 1"
