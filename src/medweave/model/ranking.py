"""How diseases are ranked by a walk over the graph: which equation, how far, corrected by size."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Literal as OneOf
from typing import get_args

from medweave.errors import ConfigurationError

Mode = OneOf["personalized", "textrank", "verbatim"]
MODES: tuple[Mode, ...] = get_args(Mode)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A way to rank; the default is what decision 0009 measured to be best.

    >>> Ranking(damping=2)
    Traceback (most recent call last):
    medweave.errors.ConfigurationError: 2 is no damping, damping, give a number between 0 and 1
    """

    mode: Mode = "personalized"
    """`personalized` answers the question; `textrank` forgets it; `verbatim` decays to nothing."""
    damping: float = 0.3
    """How far the walk wanders, between 0 and 1; document K has 0.85, which puts what is central
    in the base before what fits."""
    correction: float = 0.1
    """A disease's score is divided by its size (the weights of its edges) to this power, 0 to 1:
    who is said to show everything explains nothing. Measured: decision 9."""

    words: float = 1.0
    """How much single words count that names of findings share with a question, beside findings
    recognised by name: 1 as much as these, 0 nothing. Measured: decision 17."""

    def __post_init__(self) -> None:
        """Raises `ConfigurationError`, whose `where` is the field that is wrong."""
        if self.mode not in MODES:
            raise ConfigurationError(
                f"there is no ranking '{self.mode}'",
                where="ranking",
                remedy=f"use one of {', '.join(MODES)}",
            )
        if not (_is_number(self.damping) and 0 < self.damping < 1):
            raise ConfigurationError(
                f"{self.damping} is no damping",
                where="damping",
                remedy="give a number between 0 and 1",
            )
        if not (_is_number(self.correction) and 0 <= self.correction <= 1):
            raise ConfigurationError(
                f"{self.correction} is no correction",
                where="correction",
                remedy="give a number from 0 to 1",
            )

        if not (_is_number(self.words) and self.words >= 0):
            raise ConfigurationError(
                f"{self.words} is no weight of words",
                where="words",
                remedy="give a number from 0",
            )

    @property
    def follows_question(self) -> bool:
        """Whether the best may be named as what fits, and lead to drugs; other modes compare."""
        return self.mode == "personalized"


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and isfinite(value)


RANKING = Ranking()
"""The ranking that is used where nothing else is said."""
