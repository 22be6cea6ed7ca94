"""What reading hands to extraction: a document, and what its kind of source made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from medweave.model.document import Document
from medweave.model.mapping import Mapping


@dataclass(frozen=True, slots=True)
class Record:
    """A document as read. What it says is for its kind alone to know."""

    document: Document
    kind: str
    """The name of the kind of source that read it, and extracts from it."""
    mapping: Mapping
    content: Any = None
    """What the kind read; it comes back as it was to the kind's own functions."""
    weight: int = 1
    """How much work it is, in entries or rows."""
    unique: bool = False
    """Its name means one thing everywhere: another document of this name, of another source, that
    says something else is a clash to be reported."""
    reader: str = ""
    """The language model that reads it and what that is asked; '' where rules do."""
    masked: tuple[tuple[str, int], ...] = ()
    """How many pieces of personal data of each kind were masked when it was read."""
