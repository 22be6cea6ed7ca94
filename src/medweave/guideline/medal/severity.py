"""How severe a final diagnosis of a medAL algorithm is, from its level of urgency."""

from __future__ import annotations

from medweave.guideline.medal.file import words
from medweave.model.guideline import Severity


def severity_of(level_of_urgency: int) -> Severity:
    """The severity of a level of urgency (1 to 10).

    >>> [severity_of(level) for level in (10, 7, 4, 1)]
    ['severe', 'moderate', 'mild', 'none']
    """
    rows = words()["urgency"]
    found: Severity = next(row["severity"] for row in rows if level_of_urgency >= row["from"])
    return found
