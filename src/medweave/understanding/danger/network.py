"""What the vector of a whole message says of danger: a network of one hidden layer.

    n = c + sum over units h of a_h · max(0, w_h · v + b_h)

with v the vector of the message (length 1). Several ordinary signs are a danger together and none
alone, which no sum of weights over a vector can say; how much more is told, decision 563. The
weights of each language are of one embedder; with another, or none, a message is read without it.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from medweave.errors import SourceError
from medweave.language.data import shipped
from medweave.ports import SentenceVectors
from medweave.understanding.danger.courtesies import bare
from medweave.understanding.sentence_vectors import vectors_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FORMAT = "medweave danger network 1"


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """Weights of the hidden units over the numbers of a vector, and of their outcome."""

    model: str
    """The id of the embedder whose vectors these weights are of."""
    units: bytes
    """(units, numbers of a vector) half-precision floats."""
    unit_bias: Sequence[float]
    outcome: Sequence[float]
    bias: float
    trained_on: Mapping[str, Any] = field(default_factory=dict)

    def score(self, vector: Sequence[float]) -> float:
        """Above 0 where it is the vector of somebody in danger.

        >>> import numpy as np
        >>> units = np.array([[1, 0], [0, 1]], "<f2").tobytes()
        >>> Network("toy", units, (-0.5, 0.0), (2.0, -1.0), 0.25).score((1.0, 0.5))
        0.75
        """
        import numpy as np

        active = np.maximum(_units(self) @ np.asarray(vector, "f4") + self.unit_bias, 0.0)
        return round(float(active @ np.asarray(self.outcome)) + self.bias, 4)

    def to_text(self) -> str:
        """The weights as a file."""
        held = {
            "format": _FORMAT,
            "model": self.model,
            "trained_on": dict(self.trained_on),
            "bias": self.bias,
            "outcome": list(self.outcome),
            "unit_bias": list(self.unit_bias),
            "units": base64.b64encode(self.units).decode(),
        }
        return json.dumps(held, indent=0) + "\n"

    @classmethod
    def from_text(cls, text: str, *, where: str) -> Network:
        """The weights of a file. Raises `SourceError` where it holds none of these."""
        try:
            held = json.loads(text)
            if held["format"] != _FORMAT:
                raise ValueError(held["format"])
            units = base64.b64decode(held["units"])
            return cls(
                held["model"], units, held["unit_bias"], held["outcome"], held["bias"],
                held["trained_on"],
            )  # fmt: skip
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(
                "this is no network of danger",
                where=where,
                remedy="make one with `python scripts/train_danger_meaning.py network`",
            ) from error


def network_score(text: str, language: str, vectors: SentenceVectors | None) -> float | None:
    """What a message says of danger as a whole; None where no vector is to be had, or another
    embedder makes it."""
    made = vectors_by(lambda: shipped_network(language).model, [bare(text)], language, vectors)
    return None if made is None else shipped_network(language).score(made[0])


@cache
def shipped_network(language: str) -> Network:
    """The network that ships for a language, read when it is first needed."""
    place = shipped("understanding", "danger", f"danger_network.{language}.json")
    return Network.from_text(place.read_text("utf-8"), where=place.name)


@cache
def _units(network: Network) -> NDArray[Any]:
    """The weights of the units. numpy is there wherever an embedder is."""
    import numpy as np

    return np.frombuffer(network.units, "<f2").reshape(len(network.outcome), -1).astype("f4")
