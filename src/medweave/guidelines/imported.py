"""What an importer makes of a source: a guideline, and what of the source it has no place for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.guideline import Guideline


@dataclass(frozen=True, slots=True)
class NotMapped:
    """A part of a source that is not in the guideline: what, where it stands, and why."""

    what: str
    where: str
    why: str

    def to_json(self) -> dict[str, str]:
        """One of `not_mapped`."""
        return {"what": self.what, "where": self.where, "why": self.why}


@dataclass(frozen=True, slots=True)
class Imported:
    """A guideline, and what could not be mapped."""

    guideline: Guideline
    not_mapped: tuple[NotMapped, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The report of an import."""
        guideline = self.guideline
        return {
            "guideline": {"id": guideline.id, "version": guideline.version},
            "conditions": len(guideline.conditions),
            "classifications": len(guideline.classifications),
            "observations": len(guideline.observations),
            "treatments": sum(len(found.treatments) for found in guideline.classifications),
            "not_mapped": [item.to_json() for item in self.not_mapped],
        }
