"""How surely a sentence says something: affirmed, denied, or hedged.

A planned trial is never a full affirmation, and a denied relation is one of the opposite sign.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from medweave.language.data import shipped_yaml
from medweave.model.identifiers import digest
from medweave.sources.abstracts.relations.phrases import phrase


class Certainty(NamedTuple):
    """Polarity (-1: denied) and how much of a full affirmation is left."""

    polarity: int
    strength: float


def certainty(sentence: str, between: str) -> Certainty:
    """How surely a sentence joins two things, with what stands between them.

    >>> certainty("Smoking did not cause AMD.", " did not cause ")
    Certainty(polarity=-1, strength=1.0)
    >>> certainty("To determine whether zinc prevents AMD.", " prevents ")
    Certainty(polarity=1, strength=0.3)
    """
    denied = any(phrase(each).search(between.lower()) for each in _rules()["denied"])
    small = sentence.lower()
    strengths = [
        group["strength"]
        for group in _rules()["hedged"]
        if any(phrase(each).search(small) for each in group["words"])
    ]
    return Certainty(-1 if denied else 1, min(strengths, default=1.0))


@cache
def _rules() -> dict[str, Any]:
    return shipped_yaml("sources", "abstracts", "rules", "certainty.yaml")


@cache
def certainty_version() -> str:
    """Changes whenever the rules do."""
    return digest(shipped_yaml("sources", "abstracts", "rules", "certainty.yaml"), 6)
