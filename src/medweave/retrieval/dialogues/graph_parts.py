"""What a graph of dialogues is made of, and what brings it up to date."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from medweave.model.vector_links import VectorLink
from medweave.model.vectors import VectorTable, VectorUpdate


class Reference(NamedTuple):
    """A link between two roots that a record gives."""

    source: str
    target: str
    predicate: str
    symmetric: bool
    statement: int
    """Its number: of what says so."""


@dataclass(frozen=True, slots=True)
class GraphParts:
    """What a graph is made of."""

    wholes: Sequence[VectorTable]
    """Vectors of trees: one table, or none."""
    sections: Sequence[VectorTable]
    """Vectors of sections, a table for each name."""
    references: Sequence[Reference]
    alike: Sequence[VectorLink]
    """Links of trees or of sections, by their keys."""
    importance: Mapping[str, float]
    """By predicate; also of `HAS_SECTION` and of `similar`."""
    similar: str
    """The predicate of what is alike."""


@dataclass(frozen=True, slots=True)
class GraphUpdate:
    """What came and what went since a graph was made or brought up to date."""

    wholes: VectorUpdate
    sections: VectorUpdate
    changed: Collection[int]
    """The statements that may have changed: what they said before is true no more."""
    references: Sequence[Reference]
    """What those of them say that are references."""
    alike: Sequence[VectorLink]
    """Links that came; those that went did so with their vectors."""
