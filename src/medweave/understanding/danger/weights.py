"""What the learned readers of danger and of crises share: weights of features, and their file.

    s(t) = b + sum over blocks B of sum over features f of B in t of w_f (1 + ln(count)) / sqrt(|B|)

|B| is how many features of the block t has. Nothing in the file is ever run: JSON, one line for
each feature with its weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log, sqrt
from typing import Any, ClassVar, Self

from medweave.understanding.danger.features import Blocks
from medweave.understanding.model_files import held_in, model_text, refused_as

UNIT = 0.01
"""Weights are kept as whole numbers of this unit: finer ones say nothing."""

_SURE = 0.99
"""No message is called surer than that: the models have seen a few thousand."""


def confidence_of(score: float) -> float:
    """How alike a text of this score is to what was learned, between 0 and 1.

    >>> confidence_of(0.0), confidence_of(9.0)
    (0.5, 0.99)
    """
    return min(_SURE, round(1 / (1 + exp(-score)), 2))


@dataclass(frozen=True, slots=True)
class BlockWeights:
    """A weight for every feature, in hundredths."""

    weights: Mapping[str, int]
    bias: int
    trained_on: dict[str, Any] = field(default_factory=dict)
    of: ClassVar[str]
    """What is learned, as `medweave train` calls it."""

    def score(self, blocks: Blocks) -> float:
        """What all blocks of features weigh together."""
        return UNIT * (self.bias + sum(self._part(block) for block in blocks))

    def _part(self, block: Mapping[str, int]) -> float:
        weight_of, total = self.weights.get, 0.0
        for feature, count in block.items():
            weight = weight_of(feature)
            if weight is not None:
                total += weight if count == 1 else weight * (1 + log(count))
        return total / sqrt(len(block) or 1)

    def to_text(self) -> str:
        """The model as a file: JSON, a line for each feature."""
        head = {
            "format": self._format(),
            "trained_on": self.trained_on,
            "unit": UNIT,
            "bias": self.bias,
        }
        return model_text(head, self.weights)

    @classmethod
    def from_text(cls, text: str, *, where: str) -> Self:
        """The model a file holds. Raises `SourceError` where it is no such file."""
        remedy = f"make one with `medweave train {cls.of} FILE`"
        with refused_as(f"{cls.of} that this version reads", where, remedy):
            held = held_in(text, cls._format())
            if held["unit"] != UNIT:
                raise ValueError(held["unit"])
            weights = held["features"]
            if not {type(weight) for weight in (held["bias"], *weights.values())} <= {int}:
                raise ValueError("a weight is no whole number")
            return cls(weights, held["bias"], held["trained_on"])

    @classmethod
    def _format(cls) -> str:
        return f"medweave {cls.of} 1"
