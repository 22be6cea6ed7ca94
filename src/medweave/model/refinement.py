"""What became of the relations that were read in texts: nothing is lost uncounted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from medweave.model.json_form import json_of


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that was made otherwise than it was read, or left out."""

    step: str
    """`repeated`, `dropped`, `synonym`, `trailing` or `retyped`."""
    document: str
    """The id of its document, as people cite it."""
    before: str
    after: str
    """'' where it was left out."""
    why: str

    def to_json(self) -> dict[str, Any]:
        """A line of `--log`."""
        return json_of(self, "step document before after why")


@dataclass(frozen=True, slots=True)
class Refinement:
    """The count of what was read in texts: `read` is `evidence`, `repeated` and all `dropped`."""

    read: int = 0
    evidence: int = 0
    names: frozenset[tuple[str, str]] = frozenset()
    """Each name as it was read, with lower case, single spaces and nothing around, by its type."""
    changes: tuple[Change, ...] = ()


@dataclass
class Refinements:
    """Counts of many documents, taken together one after the other.

    >>> both = Refinements()
    >>> both.add(Refinement(2, 1, frozenset({("amd", "disease"), ("amd", "symptom")}),
    ...                     (Change("dropped", "PMID:1", "amd affects amd", "", "self"),)))
    >>> form = both.to_json()
    >>> form["read"], form["dropped"], form["names"], form["several_types"]
    (2, {'self': 1}, 1, 1)
    """

    read: int = 0
    evidence: int = 0
    steps: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    names: set[tuple[str, str]] = field(default_factory=set)

    def add(self, of_document: Refinement) -> None:
        """Count what became of one document's relations."""
        self.read += of_document.read
        self.evidence += of_document.evidence
        self.names |= of_document.names
        self.steps.update(change.step for change in of_document.changes)
        self.dropped.update(c.why for c in of_document.changes if c.step == "dropped")

    def together_with(self, others: Iterable[Refinements]) -> Refinements:
        """These and others in one count."""
        whole = Refinements()
        for each in (self, *others):
            whole.read += each.read
            whole.evidence += each.evidence
            whole.names |= each.names
            whole.steps += each.steps
            whole.dropped += each.dropped
        return whole

    def to_json(self) -> dict[str, Any]:
        """`refinement` of a report; {} where no text was read for relations."""
        if not self.read:
            return {}
        types = Counter(name for name, _ in self.names)
        return {
            "read": self.read,
            "evidence": self.evidence,
            "repeated": self.steps["repeated"],
            "dropped": dict(sorted(self.dropped.items())),
            "names": len(types),
            "several_types": sum(count > 1 for count in types.values()),
            "renamed": {"synonym": self.steps["synonym"], "trailing": self.steps["trailing"]},
            "retyped": self.steps["retyped"],
        }
