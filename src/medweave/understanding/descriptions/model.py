"""The learned reader of descriptions: what a clause weighs for each state, and its file.

    s_k(t) = sum over blocks B of sum over features f of B in t of w_fk / sqrt(|B|)
    p_k(t) = exp(c s_k(t)) / sum over j of exp(c s_j(t))

with the blocks of `described_by`. What is easily taken for one another shares a family: its members
are summed, and the member is told only where it has most of the sum. Nothing in the file is ever
run: JSON, one line for each feature with its weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import exp
from typing import Any, NamedTuple

from medweave.language.data import language_with_rules, shipped
from medweave.understanding.descriptions.features import described_by, tokens
from medweave.understanding.model_files import held_as_shipped, held_in, model_text, refused_as

NOTHING = "nothing"
"""The label of what describes no state."""
SHARPNESS = 10.0
"""c: how fast a difference of scores becomes certainty."""
MOST_OF_IT = 0.6
"""The share of a family's certainty from which its member is told, and not the family."""
_OPEN = 0.5
"""The certainty of nothing, by words, below which a clause is worth reading by its meaning."""
_FEWEST_TELLING = 2
"""So many words that may tell something such a clause has."""
_FORMAT = "medweave descriptions 1"
REMEDY = "make one with `python scripts/train_descriptions.py`"
"""What helps where a file is no model of descriptions."""
_UNIT = 0.01
"""Weights are kept as whole numbers of this unit."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """What a clause describes, how surely (0 to 1), and where the words stand that weigh for it."""

    label: str
    confidence: float
    start: int
    end: int


class Weighed(NamedTuple):
    """What the words of a clause say."""

    found: Recognised | None
    is_open: bool
    """Whether they leave open that it describes something, so that it is worth a vector."""


@dataclass(frozen=True, slots=True)
class DescriptionModel:
    """For every feature its weights: the place of a label, and hundredths, by turns."""

    labels: Sequence[str]
    heads: Mapping[str, str]
    """The family of a label, where it is not its own."""
    weights: Mapping[str, Sequence[int]]
    trained_on: Mapping[str, Any] = field(default_factory=dict)

    def weigh(self, text: str, language: str) -> Weighed:
        """What a clause most likely describes by its words, and whether these leave open more."""
        powers, whole = self._powers(text, language)
        if not powers:
            return Weighed(None, False)
        likely = most_likely(powers, whole, self.labels, self.heads)
        found = likely and Recognised(*likely, *self.span(text, language, likely[0]))
        unsure = powers.get(self.labels.index(NOTHING), 0.0) < _OPEN * whole
        return Weighed(found, unsure and len(tokens(text, language)) >= _FEWEST_TELLING)

    def read(self, text: str, language: str) -> Recognised | None:
        """What a clause most likely describes; None where that is nothing."""
        return self.weigh(text, language).found

    def _powers(self, text: str, language: str) -> tuple[dict[int, float], float]:
        """exp(c s_k(t)) of each label that any feature speaks for, and the sum over all labels, as
        multiples of the highest."""
        scores = self._scores(described_by(text, language))
        highest = max(scores.values(), default=0.0)
        powers = {at: exp(SHARPNESS * (score - highest)) for at, score in scores.items()}
        others = (len(self.labels) - len(scores)) * exp(-SHARPNESS * highest)
        return powers, sum(powers.values()) + others

    def _scores(self, features: Mapping[str, float]) -> dict[int, float]:
        scores: dict[int, float] = {}
        for feature, value in features.items():
            held = self.weights.get(feature, ())
            for place in range(0, len(held), 2):
                at = held[place]
                scores[at] = scores.get(at, 0.0) + _UNIT * held[place + 1] * value
        return scores

    def span(self, text: str, language: str, label: str) -> tuple[int, int]:
        """From the first word that weighs for a label to the last one; all, where none does."""
        at = self.labels.index(label) if label in self.labels else -1
        telling = [
            token
            for token in tokens(text, language)
            if any(self._weight(feature, at) > 0 for feature in token.features)
        ]
        if not telling:
            return 0, len(text)
        return min(token.start for token in telling), max(token.end for token in telling)

    def _weight(self, feature: str, label: int) -> int:
        held = self.weights.get(feature, ())
        return next((held[at + 1] for at in range(0, len(held), 2) if held[at] == label), 0)

    def to_text(self) -> str:
        """The model as a file: JSON, a line for each feature."""
        head = {
            "format": _FORMAT,
            "trained_on": self.trained_on,
            "labels": self.labels,
            "families": self.heads,
        }
        return model_text(head, self.weights)

    @classmethod
    def from_text(cls, text: str, *, where: str) -> DescriptionModel:
        """The model of a file. Raises `SourceError` where it holds none."""
        with refused_as("descriptions", where, REMEDY):
            return cls._of(held_in(text, _FORMAT))

    @classmethod
    def shipped(cls, text: str) -> DescriptionModel:
        """The model of a file that ships."""
        return cls._of(held_as_shipped(text, _FORMAT))

    @classmethod
    def _of(cls, held: Mapping[str, Any]) -> DescriptionModel:
        return cls(held["labels"], held["families"], held["features"], held["trained_on"])


def most_likely(
    powers: Mapping[int, float], whole: float, labels: Sequence[str], heads: Mapping[str, str]
) -> tuple[str, float] | None:
    """The family with most of the whole, or its member that has most of that, and its share of the
    whole; None where that is nothing. `powers` are by the places of labels.

    >>> most_likely({0: 1.0, 1: 6.0, 2: 3.0}, 10.0, ["nothing", "dialysis", "kidneys"],
    ...             {"dialysis": "kidneys"})
    ('dialysis', 0.9)
    """
    families: dict[str, float] = {}
    for at, power in powers.items():
        head = heads.get(labels[at], labels[at])
        families[head] = families.get(head, 0.0) + power
    family = max(families, key=lambda name: families[name])
    if family == NOTHING:
        return None
    member = max(
        (at for at in powers if heads.get(labels[at], labels[at]) == family),
        key=lambda at: powers[at],
    )
    sure = powers[member] >= MOST_OF_IT * families[family]
    return labels[member] if sure else family, round(families[family] / whole, 2)


@cache
def shipped_descriptions(language: str) -> DescriptionModel:
    """The model that ships for a language, read when it is first needed."""
    name = f"weights.{language_with_rules(language)}.json"
    place = shipped("understanding", "descriptions", name)
    return DescriptionModel.shipped(place.read_text("utf-8"))
