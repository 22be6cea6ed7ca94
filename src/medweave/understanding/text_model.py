"""A model that tells which of many labels a text bears: by its words, and by vectors of it.

    p_k = exp(c s_k) / sum over j of exp(c s_j)
    s_k = b_k + sum over features f of w_kf · idf_f / |idf| + v_k · u

with u the vectors of the text, one after the other, |idf| the length of the features of the text,
and c what makes a certainty as often right as it says. A multinomial logistic regression over both,
learned from each text with and without vectors, so that the words alone are read by the same
weights (decision 520). The file is JSON; weights of features are signed bytes in base64, a scale
for each.
"""

from __future__ import annotations

import base64
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, sqrt
from typing import TYPE_CHECKING, Any

from medweave.language.data import shipped
from medweave.model.vectors import Vectors
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.model_files import held_as_shipped, held_in, model_text, refused_as

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FORMAT = "medweave text model 1"
_REMEDY = "make one with `python scripts/train_asked.py` or `python scripts/train_complaints.py`"
BYTES = 127
"""The largest weight of a feature, in its scale."""

_Row = tuple[float, float, bytes]


@dataclass(frozen=True, slots=True, eq=False)
class TextModel:
    """For every label its weights over the features of a text and the numbers of its vectors."""

    embedder: str
    """The id of the embedder whose vectors these weights are of."""
    labels: Sequence[str]
    bias: Sequence[float]
    features: Mapping[str, _Row]
    """Of each feature its idf, its scale, and a signed byte for each label."""
    vectors: bytes
    """(labels, numbers of all vectors of a text) half-precision floats."""
    trained_on: int
    sharper: tuple[float, float] = (1.0, 1.0)
    """What scores are multiplied by: those of the words alone, and those of all."""

    def chances(self, asked: QuestionText, made: Vectors | None) -> dict[str, float]:
        """The chance of every label, by the words of a text and its vectors, if it has any."""
        scores = self.scores(asked)
        return self.by_words(scores) if made is None else self.by_all(scores, made)

    def by_words(self, scores: Sequence[float]) -> dict[str, float]:
        """The chance of every label by the words of a text alone, from their `scores`."""
        return self._chances(scores, self.sharper[0])

    def by_all(self, scores: Sequence[float], made: Vectors) -> dict[str, float]:
        """The chance of every label; `made` holds the vectors of the text, as learned from."""
        import numpy as np

        added = _matrix(self) @ np.asarray(made.data).ravel()
        return self._chances(
            [s + a for s, a in zip(scores, added.tolist(), strict=True)], self.sharper[1]
        )

    def scores(self, asked: QuestionText) -> list[float]:
        """What the words of a text weigh for every label."""
        held = [row for name in intent_features(asked) if (row := self.features.get(name))]
        length = sqrt(sum(idf * idf for idf, _, _ in held)) or 1.0
        scores = list(self.bias)
        for idf, scale, weights in held:
            share = idf * scale / length
            for at, weight in enumerate(array("b", weights)):
                scores[at] += share * weight
        return scores

    def _chances(self, scores: Sequence[float], sharper: float) -> dict[str, float]:
        most = max(scores)
        powers = [exp(sharper * (score - most)) for score in scores]
        total = sum(powers)
        return {label: power / total for label, power in zip(self.labels, powers, strict=True)}

    def to_text(self) -> str:
        """The model as a file."""
        head = {
            "format": _FORMAT,
            "embedder": self.embedder,
            "trained_on": self.trained_on,
            "sharper": list(self.sharper),
            "labels": list(self.labels),
            "bias": [round(value, 3) for value in self.bias],
            "vectors": _in_base64(self.vectors),
        }
        features = {
            f: (idf, scale, _in_base64(row)) for f, (idf, scale, row) in self.features.items()
        }
        return model_text(head, features)

    @classmethod
    def from_text(cls, text: str, *, where: str) -> TextModel:
        """The model of a file. Raises `SourceError` where it holds none."""
        with refused_as("texts and their labels", where, _REMEDY):
            held = held_in(text, _FORMAT)
            return cls._of(held, {name: _row(row) for name, row in held["features"].items()})

    @classmethod
    def shipped(cls, text: str) -> TextModel:
        """The model of a file that ships."""
        held = held_as_shipped(text, _FORMAT, _row)
        return cls._of(held, held["features"])

    @classmethod
    def _of(cls, held: Mapping[str, Any], features: Mapping[str, _Row]) -> TextModel:
        return cls(
            held["embedder"], held["labels"], held["bias"], features,
            base64.b64decode(held["vectors"]), held["trained_on"], tuple(held["sharper"]),
        )  # fmt: skip


@cache
def shipped_text_model(room: str, name: str, language: str) -> TextModel:
    """The model of a room of `understanding` that ships for a language, read when first needed."""
    place = shipped("understanding", room, f"{name}.{language}.json")
    return TextModel.shipped(place.read_text("utf-8"))


@cache
def _matrix(model: TextModel) -> NDArray[Any]:
    """The weights of the vectors. numpy is there wherever an embedder is."""
    import numpy as np

    return np.frombuffer(model.vectors, "<f2").reshape(len(model.labels), -1).astype("f4")


def _row(held: Sequence[Any]) -> _Row:
    """A feature as a file has it: its idf, its scale and its weights."""
    idf, scale, weights = held
    return idf, scale, base64.b64decode(weights)


def _in_base64(held: bytes) -> str:
    return base64.b64encode(held).decode()
