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

CLAUSE = re.compile(r"[,;:.]|\b(?:but|whereas|while|although|and)\b")
"""What a denial before two things does not reach beyond."""
_CLAUSE_BEHIND = re.compile(
    rf"{CLAUSE.pattern}|\b(?:that|which|who|whom|where|when|if|as|in|with)\b"
)
"""What parts a statement from what is denied of something else behind it."""
_PART = re.compile(r"[,;:]|\b(?:but|whereas|while|although)\b")
"""What a condition does not reach beyond."""
_END = ";"
"""What no hedge reaches beyond."""


class Certainty(NamedTuple):
    """Polarity (-1: denied) and how much of a full affirmation is left."""

    polarity: int
    strength: float


def certainty(between: str, before: str = "", behind: str = "") -> Certainty:
    """How surely two things of a sentence are joined, by what stands between, before and behind.

    >>> certainty(" did not cause ")
    Certainty(polarity=-1, strength=1.0)
    >>> certainty(" prevents ", before="To determine whether ")
    Certainty(polarity=1, strength=0.3)
    >>> certainty(" prevents ", before="There was no evidence that ")
    Certainty(polarity=-1, strength=1.0)
    >>> certainty(" prevents ", before="Eyes were treated if they bled, and ")
    Certainty(polarity=1, strength=1.0)
    """
    before, between, behind = before.lower(), between.lower(), behind.lower()
    denied = (
        _any("denied", _without_affirmed(between))
        or _any("denied_before", CLAUSE.split(before)[-1])
        or _any("denied_behind", _CLAUSE_BEHIND.split(behind)[0])
    )
    statement = f"{before.split(_END)[-1]} _ {between} _ {behind.split(_END)[0]}"
    clause = f"{_PART.split(before)[-1]} _ {between}"
    strengths = [
        group["strength"]
        for scope, text in (("hedged", statement), ("hedged_clause", clause))
        for group in _rules()[scope]
        if any(phrase(each).search(text) for each in group["words"])
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
