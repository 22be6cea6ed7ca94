"""Diseases that fit what was told: what speaks for and against each, and what tells them apart."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.entity import Entity


@dataclass(frozen=True, slots=True)
class Point:
    """A finding that speaks for or against a disease, and the statement that records it."""

    entity: Entity
    statement: str


@dataclass(frozen=True, slots=True)
class WeighedDisease:
    """A disease that fits, with what speaks for it and against it."""

    entity: Entity
    speaks_for: tuple[Point, ...] = ()
    speaks_against: tuple[Point, ...] = ()
    also: tuple[Point, ...] = ()
    """What is recorded for it, and for none of the others that are weighed."""


@dataclass(frozen=True, slots=True)
class Weighing:
    """The diseases that fit, best first, and what would tell them apart."""

    diseases: tuple[WeighedDisease, ...]
    clear: bool = False
    """Whether the first leads clearly."""
    apart: tuple[Entity, ...] = ()
    """Findings to ask about, the most telling first."""
