"""What is read in an abstract: its things, and what it says of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Entity:
    """A place where an abstract names a thing; offsets count Unicode characters of its text."""

    start: int
    end: int
    text: str
    type: str
    """A type of the ontology, as its term; of learned ones, as their labels have it."""
    name: str
    """What all names of the thing in this abstract stand for."""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """What an abstract says of two of its things, which are places in its list of these."""

    subject: int
    predicate: str
    object: int
    polarity: int
    """-1: denied."""
    strength: float
    """Under 1: hedged, or only planned to be found out."""
    confidence: float
    start: int
    end: int
    """Of the sentence that says it, or of all between both where no one sentence does."""
    method: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was read and could not be kept; `reason` is one of those of the formats."""

    reason: str
    what: str


@dataclass(frozen=True, slots=True)
class ReadAbstract:
    """An abstract with all that was read in it."""

    id: str
    title: str
    text: str
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    dropped: tuple[Dropped, ...] = ()
    repeated: int = 0
    """Relations that a reply of a model says more than once."""

    def to_json(self) -> dict[str, Any]:
        """The form Extracted."""
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "entities": [_fields(entity) for entity in self.entities],
            "relations": [_fields(relation) for relation in self.relations],
            "dropped": [_fields(dropped) for dropped in self.dropped],
        }


def _fields(value: Entity | Relation | Dropped) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}
