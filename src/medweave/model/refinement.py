"""What became of relations on their way into a base: nothing is lost uncounted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from medweave.model.json_form import json_of

RENAMED = ("synonym", "trailing")
"""Steps that give a thing another name."""
RETYPED = "type"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that refinement did, as a line of `--log` has it."""

    step: str
    """`synonym`, `trailing`, `type`, `repeated`, or `dropped`."""
    document: str
    before: str
    after: str
    """'' for what is left out."""
    why: str

    def to_json(self) -> dict[str, Any]:
        """A line of the log."""
        return json_of(self, "step document before after why")


@dataclass(frozen=True, slots=True)
class Refinement:
    """The count of the relations that were read, of a document or of a whole run."""

    read: int = 0
    evidence: int = 0
    """Relations that became evidence of a statement."""
    repeated: int = 0
    """Relations that a document says again in the same words."""
    dropped: tuple[tuple[str, int], ...] = ()
    """How many were left out, by reason."""
    types: frozenset[tuple[str, str]] = frozenset()
    """Each name, as `plain_name` has it, with each type that it came with."""
    changes: tuple[Change, ...] = ()
    checked: tuple[tuple[str, int], ...] = ()
    """How the relations that were kept stand to an ontology that somebody named."""

    def to_json(self) -> dict[str, Any]:
        """The form `refinement` of a report.

        >>> types = frozenset({("amd", "disease"), ("amd", "symptom"), ("smoking", "risk_factor")})
        >>> found = Refinement(3, 1, 1, (("self", 1),), types).to_json()
        >>> found["names"], found["several_types"], found["dropped"]
        (2, 1, {'self': 1})
        """
        steps = Counter(change.step for change in self.changes)
        names = Counter(name for name, _ in self.types)
        return json_of(self, "read evidence repeated") | {
            "dropped": dict(self.dropped),
            "names": len(names),
            "several_types": sum(count > 1 for count in names.values()),
            "renamed": {step: steps[step] for step in RENAMED},
            "retyped": steps[RETYPED],
            **({"checked": dict(self.checked)} if self.checked else {}),
        }


def plain_name(name: str) -> str:
    """A name in lower case, trimmed, with single spaces.

    >>> plain_name(" Wet  AMD")
    'wet amd'
    """
    return " ".join(name.lower().split())


def refinement_of(parts: Iterable[Refinement | None]) -> Refinement | None:
    """The sum over documents; None where none of them is refined."""
    found = [part for part in parts if part is not None]
    if not found:
        return None
    dropped: Counter[str] = Counter()
    checked: Counter[str] = Counter()
    for part in found:
        dropped.update(dict(part.dropped))
        checked.update(dict(part.checked))
    return Refinement(
        read=sum(part.read for part in found),
        evidence=sum(part.evidence for part in found),
        repeated=sum(part.repeated for part in found),
        dropped=tuple(sorted(dropped.items())),
        types=frozenset[tuple[str, str]]().union(*(part.types for part in found)),
        changes=tuple(change for part in found for change in part.changes),
        checked=tuple(sorted(checked.items())),
    )
