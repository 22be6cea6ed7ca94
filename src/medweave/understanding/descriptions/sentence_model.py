"""The reader of descriptions over vectors of sentences, for where an embedder is installed.

    p_k(v) = exp(w_k · v + b_k) / sum over j of exp(w_j · v + b_j)

with v the vector of a clause (length 1) and a row of weights w and a bias b for each state. What
two hands say of one state shares few words and much meaning: how much more is read, decision 385.
The weights are of one embedder: with another, or none, the words' reader stands. numpy is there
wherever an embedder is.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from medweave.language.data import shipped
from medweave.model.vectors import Vectors
from medweave.understanding.descriptions.model import REMEDY, most_likely
from medweave.understanding.model_files import held_in, refused_as

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FORMAT = "medweave descriptions by sentence vectors 1"
CALIBRATION = {"en": 3, "zh": 2}
"""The power of p_k that is as often right as the same certainty by words, on phrases of a hand that
neither has learned from: decisions 385 and 461."""


@dataclass(frozen=True, slots=True, eq=False)
class SentenceModel:
    """For every state its weights over the numbers of a vector, and its bias."""

    model: str
    """The id of the embedder whose vectors these weights are of."""
    labels: Sequence[str]
    heads: Mapping[str, str]
    """The family of a label, where it is not its own."""
    weights: NDArray[Any]
    """(states, numbers of a vector + 1), the bias last."""
    trained_on: Mapping[str, Any] = field(default_factory=dict)
    calibration: int = 1

    def read(self, vectors: Vectors) -> list[tuple[str, float] | None]:
        """What each clause most likely describes, and how surely; None where that is nothing."""
        found = (
            most_likely(dict(enumerate(row)), 1.0, self.labels, self.heads)
            for row in self._shares(vectors)
        )
        return [one and (one[0], round(one[1] ** self.calibration, 2)) for one in found]

    def _shares(self, vectors: Vectors) -> list[list[float]]:
        import numpy as np

        rows = np.asarray(vectors.data).reshape(len(vectors), -1)
        scores = rows @ self.weights[:, :-1].T + self.weights[:, -1]
        powers = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: list[list[float]] = (powers / powers.sum(axis=1, keepdims=True)).tolist()
        return shares

    def to_text(self) -> str:
        """The model as a file: JSON, a line for each state, its weights as half-precision floats
        in base64."""
        head = {
            "format": _FORMAT,
            "model": self.model,
            "trained_on": self.trained_on,
            "calibration": self.calibration,
            "families": self.heads,
        }
        rows = ",\n".join(
            f"{json.dumps(label)}:{json.dumps(base64.b64encode(row.astype('<f2').tobytes()).decode())}"
            for label, row in zip(self.labels, self.weights, strict=True)
        )
        return f'{json.dumps(head, indent=1)[:-2]},\n "weights": {{\n{rows}\n}}}}\n'

    @classmethod
    def from_text(cls, text: str, *, where: str) -> SentenceModel:
        """The model of a file. Raises `SourceError` where it holds none."""
        import numpy as np

        with refused_as("descriptions by sentence vectors", where, REMEDY):
            held = held_in(text, _FORMAT)
            rows = [np.frombuffer(base64.b64decode(r), "<f2") for r in held["weights"].values()]
            weights = np.stack(rows).astype("f4")
            return cls(
                held["model"], list(held["weights"]), held["families"], weights,
                held["trained_on"], held["calibration"],
            )  # fmt: skip


@cache
def shipped_sentence_model(language: str) -> SentenceModel:
    """The model that ships for a language, read when first needed."""
    name = f"sentences.{language}.json"
    place = shipped("understanding", "descriptions", name)
    return SentenceModel.from_text(place.read_text("utf-8"), where=name)
