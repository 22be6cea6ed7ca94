"""Drugs recorded for something, grouped by what is known of the person: never ranked as advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.model.entity import Entity

DrugStanding = OneOf["not_stopped", "with_care", "stopped", "no_data"]


@dataclass(frozen=True, slots=True)
class ListedDrug:
    """A drug of a list, and why it stands in its group."""

    entity: Entity
    statements: tuple[str, ...]
    """That it is recorded for what the list is of."""
    reason: str = ""
    """Why it is stopped, or needs care: "peptic ulcer"; '' in the other groups."""
    grounds: tuple[str, ...] = ()
    """The statements that the reason rests on."""
    line: str = ""
    """How early it is chosen: 'first', 'reserve', or '' where nothing says; orders its group."""


@dataclass(frozen=True, slots=True)
class DrugGroup:
    """Drugs of which the same is known with regard to this person."""

    standing: DrugStanding
    drugs: tuple[ListedDrug, ...]


@dataclass(frozen=True, slots=True)
class DrugList:
    """Drugs recorded for something, grouped by what is known of this person."""

    about: Entity
    groups: tuple[DrugGroup, ...]
    """In the order of `DrugStanding`; none is empty."""
    of_class: Entity | None = None
    """The class that was asked for ("which painkiller"), which filters the list."""
