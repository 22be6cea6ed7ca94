"""Dialogues: who said what, what the record itself says of it, and the sections of its tree.

A tree is a root (the dialogue) with one node for each section that could be filled. Each part of a
section keeps where it stands in the document and how it was found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.model.statement import Place

Speaker = OneOf["patient", "doctor", "other"]
Origin = OneOf["rule", "llm"]
"""Whether a rule filled a section, from fields or turns, or a language model."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says at a time; `number` counts from 1."""

    number: int
    speaker: Speaker
    text: str

    @property
    def field(self) -> str:
        """The field of the document that holds it.

        >>> Turn(2, "doctor", "Rest.").field
        'turn 2 doctor'
        """
        return f"turn {self.number} {self.speaker}"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the document that belongs to a section; `how` says by what it was found."""

    place: Place
    text: str
    how: str


@dataclass(frozen=True, slots=True)
class Section:
    """One node of a tree: its parts in the order of the document."""

    name: str
    parts: tuple[Part, ...]
    origin: Origin = "rule"
    written: str = ""
    """What a language model says of the parts in words of its own; '' where they are the text."""

    @property
    def text(self) -> str:
        """All of it, a part a line; or what was written of them.

        >>> here = Place("turn 1 patient", 0, 5)
        >>> Section("symptom", (Part(here, "cough", "findings"),)).text
        'cough'
        """
        return self.written or "\n".join(part.text for part in self.parts)


@dataclass(frozen=True, slots=True)
class Given:
    """A section that the record itself has, as a field; `section` is called as the source does."""

    section: str
    field: str
    text: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Another dialogue that the record names in a field; `type` is called as the source does."""

    type: str
    target: str
    place: Place
    quote: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue as read, before its tree is made. All texts are as they are kept: masked."""

    id: str
    """As the record has it; see `namespace`."""
    turns: tuple[Turn, ...]
    given: tuple[Given, ...] = ()
    references: tuple[Reference, ...] = ()
    namespace: str = ""
    """Told before the identifier where a source's ids mean nothing outside of it."""
    sections: tuple[Section, ...] = ()
    """Those that a language model filled, where one read it."""


def dialogue_curie(identifier: str, namespace: str = "") -> str:
    """The root of a dialogue's tree.

    >>> dialogue_curie("145"), dialogue_curie("7 b", "icliniq")
    ('dialogue:145', 'dialogue:icliniq/7_b')
    """
    local = "_".join(identifier.split())
    return f"dialogue:{namespace}/{local}" if namespace else f"dialogue:{local}"
