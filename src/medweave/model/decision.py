"""What a person decided about a statement of a base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

from medweave.model.statement import Activity, Evidence, Statement

Verdict = OneOf["accepted", "rejected", "corrected"]


@dataclass(frozen=True, slots=True)
class Decision:
    """A person's word on one statement: it holds, it does not, or another holds in its place.

    >>> from medweave.model.statement import Statement
    >>> cold = Statement("mw.condition:cold", "has_symptom", "mw.condition:rash")
    >>> Decision(cold, "rejected", "Ana", "2026-01-02T03:04:05Z").to_json()["replaced_by"] is None
    True
    """

    statement: Statement
    verdict: Verdict
    by: str
    """Who decided; '' where no name was given."""
    time: str
    """ISO 8601, UTC."""
    replacement: Statement | None = None
    """What holds in its place, where it was corrected."""
    aside: tuple[Evidence, ...] = ()
    """The evidence of a statement that does not hold, kept to give it back."""
    runs: tuple[Activity, ...] = ()
    """What read this evidence."""

    @property
    def bars(self) -> bool:
        """Whether the statement is not to be in the base."""
        return self.verdict != "accepted"

    @property
    def upheld(self) -> Statement:
        """What the person says holds; of a rejected statement, what they say does not."""
        return self.replacement or self.statement

    def to_json(self) -> dict[str, Any]:
        """The form that `medweave review --list` prints."""
        return {
            "statement": self.statement.id,
            "decision": self.verdict,
            "by": self.by,
            "time": self.time,
            "replaced_by": self.replacement.id if self.replacement else None,
        }
