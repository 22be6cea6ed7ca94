"""What changed between two ontologies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from medweave.model.ontology import Ontology


@dataclass(frozen=True, slots=True)
class Difference:
    """Entries by their terms; `changed` with what of them is another than before."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[tuple[str, str], ...] = ()

    @property
    def any(self) -> bool:
        """Whether anything is another."""
        return bool(self.added or self.removed or self.changed)

    @property
    def touched(self) -> frozenset[str]:
        """The terms of all entries that are not as they were."""
        return frozenset((*self.added, *self.removed, *(name for name, _ in self.changed)))

    def to_json(self) -> dict[str, Any]:
        """The form of `ontology diff --json`."""
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": [{"id": name, "what": what} for name, what in self.changed],
        }


def difference(old: Ontology, new: Ontology) -> Difference:
    """What was added, what went, and which parts of an entry changed.

    >>> from medweave.ontology.form import read_form
    >>> old = read_form("{classes: [{label: Drug}, {label: Sign}]}", where="old")
    >>> new = read_form("{classes: [{label: Drug, priority: 2}, {label: Gene}]}", where="new")
    >>> difference(old, new)
    Difference(added=('gene',), removed=('sign',), changed=(('drug', 'priority'),))
    """
    before, after = _entries(old), _entries(new)
    both = [name for name in before if name in after]
    changes = ((name, _changed(before[name], after[name])) for name in both)
    return Difference(
        added=tuple(name for name in after if name not in before),
        removed=tuple(name for name in before if name not in after),
        changed=tuple((name, what) for name, what in changes if what),
    )


def _entries(ontology: Ontology) -> dict[str, dict[str, Any]]:
    return {entry.term: entry.to_json() for entry in ontology.entries}


def _changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    parts = (part for part in dict.fromkeys((*before, *after)) if part != "id")
    return ", ".join(part for part in parts if before.get(part) != after.get(part))
