"""The model of what a question asks: of its words, and of the vectors of its sentence.

    p_k = exp(s_k) / sum over j of exp(s_j)
    s_k = b_k + sum over features f of w_kf · idf_f / |idf| + v_k · (u, t)

with u the vector of the text with names as what they are, and t that of the text as it is; |idf| is
the length of the features of the text. A multinomial logistic regression over both, learned from
each question with and without vectors, so that the words alone are read by the same weights
(decision 520). The file is JSON; weights of features are signed bytes in base64, a scale for each.
"""

from __future__ import annotations

import base64
import json
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, sqrt
from typing import TYPE_CHECKING, Any

from medweave.errors import SourceError
from medweave.model.vectors import Vectors
from medweave.understanding.intents.features import QuestionText, intent_features
from medweave.understanding.model_files import model_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FORMAT = "medweave asked 1"
SHARPER_WORDS, SHARPER = 2.0, 1.35
"""What scores are multiplied by, so that a certainty is as often right as it says: by the words
alone, and by all; on questions of hands that nothing was learned from (decision 520)."""
BYTES = 127
"""The largest weight of a feature, in its scale."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedModel:
    """For every label its weights over the features of a text and the numbers of two vectors."""

    embedder: str
    """The id of the embedder whose vectors these weights are of."""
    labels: Sequence[str]
    bias: Sequence[float]
    features: Mapping[str, tuple[float, float, bytes]]
    """Of each feature its idf, its scale, and a signed byte for each label."""
    vectors: bytes
    """(labels, numbers of two vectors) half-precision floats."""
    trained_on: int

    def by_words(self, scores: Sequence[float]) -> dict[str, float]:
        """The chance of every label by the words of a text alone, from their `scores`."""
        return self._chances(scores, SHARPER_WORDS)

    def by_all(self, scores: Sequence[float], made: Vectors) -> dict[str, float]:
        """The chance of every label; `made` holds the vector of the text without names and that of
        the text as it is."""
        import numpy as np

        added = _matrix(self) @ np.asarray(made.data).ravel()
        return self._chances([s + a for s, a in zip(scores, added.tolist(), strict=True)], SHARPER)

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
            "labels": list(self.labels),
            "bias": [round(value, 3) for value in self.bias],
            "vectors": _in_base64(self.vectors),
        }
        features = {
            f: (idf, scale, _in_base64(row)) for f, (idf, scale, row) in self.features.items()
        }
        return model_text(head, features)

    @classmethod
    def from_text(cls, text: str, *, where: str) -> AskedModel:
        """The model of a file. Raises `SourceError` where it holds none."""
        try:
            held = json.loads(text)
            if held["format"] != _FORMAT:
                raise ValueError(held["format"])
            features = {name: (idf, scale, base64.b64decode(row))
                        for name, (idf, scale, row) in held["features"].items()}  # fmt: skip
            vectors = base64.b64decode(held["vectors"])
            return cls(
                held["embedder"], held["labels"], held["bias"], features, vectors,
                held["trained_on"],
            )  # fmt: skip
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(
                "this is no model of what is asked",
                where=where,
                remedy="make one with `python scripts/train_asked.py`",
            ) from error


@cache
def _matrix(model: AskedModel) -> NDArray[Any]:
    """The weights of the vectors. numpy is there wherever an embedder is."""
    import numpy as np

    return np.frombuffer(model.vectors, "<f2").reshape(len(model.labels), -1).astype("f4")


def _in_base64(held: bytes) -> str:
    return base64.b64encode(held).decode()
