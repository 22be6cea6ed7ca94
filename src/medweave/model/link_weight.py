"""How much a link of a graph of dialogues counts (T6).

Equations 6 and 7: w = beta = (1 + cos) / 2. Section 4.6: w = lambda alpha(T) + (1 - lambda) beta,
where alpha is the importance of the link's type. The source leaves alpha and beta open: alpha is
data (`importance` of predicates), and beta is that of equation 7, or else w could be negative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args
from typing import Literal as OneOf

from medweave.errors import ConfigurationError

Weighting = OneOf["cosine", "convex"]
WEIGHTINGS: tuple[Weighting, ...] = get_args(Weighting)


@dataclass(frozen=True, slots=True)
class LinkWeight:
    """How links are weighed. With a lambda of 0, `convex` is `cosine`.

    >>> LinkWeight("convex", 0.5).of(0.6, importance=1.0)
    0.9
    >>> LinkWeight("convex", 0).of(0.6, importance=1.0) == LinkWeight("cosine").of(0.6, 1.0) == 0.8
    True
    """

    weighting: Weighting = "cosine"
    lambda_: float = 0.5
    """From 0 to 1; only `convex` uses it."""

    def __post_init__(self) -> None:
        """Raises `ConfigurationError` for a weighting or a lambda that there is not."""
        if self.weighting not in WEIGHTINGS:
            raise ConfigurationError(
                f"there is no weighting '{self.weighting}'",
                where="weighting",
                remedy=f"use one of {', '.join(WEIGHTINGS)}",
            )
        if not 0 <= self.lambda_ <= 1:
            raise ConfigurationError(
                f"lambda is {self.lambda_}", where="lambda", remedy="give a number from 0 to 1"
            )

    def of(self, cosine: Any, importance: Any) -> Any:
        """The weight, from 0 to 1, of a link by its cosine and its type's importance.

        Both may be arrays of numpy, too.
        """
        alike = similarity(cosine)
        if self.weighting == "cosine":
            return alike
        return self.lambda_ * importance + (1 - self.lambda_) * alike


BY_COSINE = LinkWeight()
"""Equation 7."""


def similarity(cosine: Any) -> Any:
    """beta of equations 6 to 9: a cosine as a number from 0 to 1; also of an array.

    >>> similarity(-1.0), similarity(0.0), similarity(1.0)
    (0.0, 0.5, 1.0)
    """
    return (1 + cosine) / 2
