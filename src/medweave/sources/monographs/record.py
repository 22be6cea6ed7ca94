"""What a monograph holds: the thing it is about, and the entries of its fields."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.mapping import FieldRule
from medweave.model.statement import Qualifiers


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of one field, with its span in the document's text of that field."""

    rule: FieldRule
    text: str
    start: int
    end: int
    cites: tuple[str, ...] = ()
    identifier: str = ""
    qualifiers: Qualifiers = ()
    """What the entry itself says of its grade and of what is to be done."""
    strength: float | None = None
    """How much the entry makes of what it says, where it tells."""


@dataclass(frozen=True, slots=True)
class Monograph:
    """A record about one thing."""

    subject: str
    concept: str
    identifier: str = ""
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
