"""A guideline that was read from another format, and what of it could not be said in ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from medweave.model.guideline import Guideline
from medweave.model.json_form import json_of


@dataclass(frozen=True, slots=True)
class NotMapped:
    """Something of the source that is not in the guideline: what, where it stands, and why."""

    what: str
    where: str
    why: str

    def to_json(self) -> dict[str, str]:
        """One of `not_mapped` of the report."""
        return json_of(self, "what where why")


@dataclass(slots=True)
class Notes:
    """Collects what could not be mapped while a source is read; each thing once."""

    found: dict[NotMapped, None] = field(default_factory=dict)

    def add(self, what: str, where: str, why: str) -> None:
        """Note one thing."""
        self.found[NotMapped(what, where, why)] = None


@dataclass(frozen=True, slots=True)
class Imported:
    """A guideline and what of its source is not in it."""

    guideline: Guideline
    not_mapped: tuple[NotMapped, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """What `medweave guideline import` prints; `treatments` are counted once each."""
        guideline = self.guideline
        steps = {step.id for each in guideline.classifications for step in each.treatments}
        parts = ("conditions", "classifications", "observations")
        return {
            "guideline": json_of(guideline, "id version"),
            **{name: len(getattr(guideline, name)) for name in parts},
            "treatments": len(steps),
            **json_of(self, "not_mapped"),
        }
