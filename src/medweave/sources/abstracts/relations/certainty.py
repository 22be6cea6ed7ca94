"""How surely a sentence says something: affirmed, denied, or hedged.

A planned trial is never a full affirmation, and a denied relation is one of the opposite sign.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from medweave.language.data import shipped_yaml
from medweave.model.identifiers import digest
from medweave.sources.abstracts.relations.phrases import phrase

_CLAUSE = re.compile(r"[,;:.]|\b(?:but|whereas|while|although|and)\b")
"""What a denial before two things does not reach beyond."""


class Certainty(NamedTuple):
    """Polarity (-1: denied) and how much of a full affirmation is left."""

    polarity: int
    strength: float


def certainty(sentence: str, between: str, before: str = "") -> Certainty:
    """How surely a sentence joins two things, with what stands between and before them.

    >>> certainty("Smoking did not cause AMD.", " did not cause ")
    Certainty(polarity=-1, strength=1.0)
    >>> certainty("To determine whether zinc prevents AMD.", " prevents ")
    Certainty(polarity=1, strength=0.3)
    >>> before = "There was no evidence that "
    >>> certainty(f"{before}zinc prevents AMD.", " prevents ", before)
    Certainty(polarity=-1, strength=1.0)
    """
    small = sentence.lower()
    clause = _CLAUSE.split(before.lower())[-1]
    denied = _any("denied", _without_affirmed(between.lower())) or _any("denied_before", clause)
    strengths = [
        group["strength"]
        for group in _rules()["hedged"]
        if any(phrase(each).search(small) for each in group["words"])
    ]
    return Certainty(-1 if denied else 1, min(strengths, default=1.0))


def _any(rules: str, text: str) -> bool:
    return any(phrase(each).search(text) for each in _rules()[rules])


def _without_affirmed(text: str) -> str:
    for each in _rules()["affirmed"]:
        text = phrase(each).sub(" ", text)
    return text


def _rules() -> dict[str, Any]:
    return shipped_yaml("sources", "abstracts", "rules", "certainty.yaml")


@cache
def certainty_version() -> str:
    """Changes whenever the rules do."""
    return digest(shipped_yaml("sources", "abstracts", "rules", "certainty.yaml"), 6)
