"""What is known of one child: the case that a guideline is asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

UNAVAILABLE = "unavailable"
"""The value of an observation that cannot be had here; what is left out is unknown."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number in a unit that may be another than the observation's own."""

    value: float
    unit: str


FindingValue = bool | float | int | str | tuple[str, ...] | Measured | None


def shown_value(value: FindingValue) -> str:
    """A value as it is shown: 'yes', '38.5 Cel'; several answers with commas."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Measured):
        return f"{value.value:g} {value.unit}"
    if isinstance(value, tuple):
        return ", ".join(value)
    return f"{value:g}" if isinstance(value, int | float) else str(value)


@dataclass(frozen=True, slots=True)
class Findings:
    """Age (days), weight (kg), sex, and values of observations by id, label or alias.

    None and what is left out are unknown: not yet observed. "unavailable" cannot be had.
    """

    age_days: int | None = None
    weight_kg: float | None = None
    sex: str | None = None
    values: Mapping[str, FindingValue] = field(default_factory=dict)
    text: str = ""
    """Free text, from which further findings are understood."""
    refused: tuple[str, ...] = ()
    """Classifications somebody refused."""
    agreed: tuple[str, ...] = ()
    """Classifications somebody set."""
    given: tuple[str, ...] = ()
    """Drugs that were chosen: those they exclude are no longer offered."""
    allergies: tuple[str, ...] = ()
    """Drugs, and classes of drugs, that the child is allergic to, by name: these are not given."""
    resources: Mapping[str, bool] = field(default_factory=dict)
    """What is at hand here, and what is not."""
