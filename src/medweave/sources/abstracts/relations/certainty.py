"""How surely a sentence says something: affirmed, denied, or hedged.

A planned trial is never a full affirmation, and a denied relation is one of the opposite sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_INSTANCE = re.compile(r",?\s*\b(?:including|such as|among them|especially|particularly|notably)\b")
"""What parts nothing: an instance of that of which a clause speaks."""
_PART = re.compile(r"[,;:]|\b(?:but|whereas|while|although)\b")
"""What a condition does not reach beyond."""
_CONCESSION = re.compile(r"\b(?:although|though|while|whereas|despite)\b[^,;]*,")
"""What is granted before a statement, and is said of something else."""
_SUBORDINATE = re.compile(r"\bthat(?:\s+[^\s,;:]+){0,4}\s*$")
"""What makes that of which the next words speak the content of somebody's words or thoughts."""
_MERELY_REPORTED = 0.5
"""What is left of something that is told in a clause of its own, and by nothing as a fact."""
_QUESTIONED = 0.3
_REPORTED = re.compile(
    r"(?<!which )(?<!who )(?<!that )\b(?:is|are|was|were|be|been|being)\s+"
    r"(?:(?:\w+ly|also|now|still|often|thus|then|so|being|been|not|sometimes)\s+)*([a-z]+)"
)
"""What a thing is said to be."""
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
    >>> certainty(" prevents ", before="The belief that ")
    Certainty(polarity=1, strength=0.5)
    >>> certainty(" prevents ", before="Although the mechanism is unknown, ")
    Certainty(polarity=1, strength=1.0)
    >>> certainty(" prevents ", before="It is known that ")
    Certainty(polarity=1, strength=1.0)
    """
    before, between, behind = before.lower(), between.lower(), behind.lower()
    before = _CONCESSION.sub(" ", before)
    denied = (
        _any("denied", _without_affirmed(between))
        or _any("denied_before", CLAUSE.split(_INSTANCE.sub(" ", before))[-1])
        or _any("denied_behind", _CLAUSE_BEHIND.split(behind)[0])
    )
    statement = f"{_without_affirmed(before.split(_END)[-1])} _ {between} _ {behind.split(_END)[0]}"
    clause = f"{_PART.split(before)[-1]} _ {between}"
    strengths = [
        group["strength"]
        for scope, text in (("hedged", statement), ("hedged_clause", clause))
        for group in _rules()[scope]
        if any(phrase(each).search(text) for each in group["words"])
    ]
    strengths += _by_form(before, behind)
    return Certainty(-1 if denied else 1, min(strengths, default=1.0))


def lead_strength(lead: str) -> float:
    """What is left of a relation where something else is said of a thing before it.

    So in "is blamed for causing". `lead` stands between the thing and the words of the relation.

    >>> lead_strength(" is able to "), lead_strength(" was recently blamed for ")
    (1.0, 0.5)
    """
    words = {match[1] for match in _REPORTED.finditer(lead.lower())}
    known = {*_rules()["said_to_be"]}
    unknown = [w for w in words if w not in known and not _any("told_as_fact", w)]
    return _MERELY_REPORTED if unknown else 1.0


def _by_form(before: str, behind: str) -> Iterator[float]:
    """What questions and words within words leave of a full affirmation."""
    if behind.rstrip().endswith("?"):
        yield _QUESTIONED
    if _SUBORDINATE.search(before) and not _any("told_as_fact", before):
        yield _MERELY_REPORTED


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
