"""A number of a text with what it measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from typing import Literal as OneOf

from medweave.model.json_form import json_of


@dataclass(frozen=True, slots=True)
class Threshold:
    """From where on a value is a finding: at least `at`, or below it; and who says so."""

    finding: str
    quantity: str
    side: OneOf["from", "below"]
    at: float
    source: str
    """What states it; "unsourced" where nothing does."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a text. Offsets count characters of the text as given, the unit included."""

    start: int
    end: int
    quantity: str
    value: float
    """In `unit`, the UCUM unit that this quantity is reasoned about in."""
    unit: str
    written_value: float
    written_unit: str | None
    """As the text has it; None where it gives no unit."""
    code: str
    """The UCUM code of the unit it was read as being written in."""
    bound: OneOf["", "<", ">"] = ""
    """Only a bound is told: "under 38", "over 39"."""
    threshold: Threshold | None = None
    """What makes it a finding, where it is one."""

    def to_json(self) -> dict[str, Any]:
        """The form of `values` in a Question."""
        found = self.threshold
        value: dict[str, Any] = json_of(self, "start end quantity value unit") | {
            "finding": found.finding if found else None,
            "as_written": json_of(self, "value=written_value unit=written_unit"),
        }
        if self.bound:
            value["bound"] = self.bound
        if found:
            value["threshold"] = {found.side: found.at, "source": found.source}
        return value
