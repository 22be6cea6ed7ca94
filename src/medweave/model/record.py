"""What reading hands to extraction: a document and the parts of it that say something."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.dialogue import Dialogue
from medweave.model.document import Document
from medweave.model.mapping import FieldRule, Mapping


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of one field, with its span in the document's text of that field."""

    rule: FieldRule
    text: str
    start: int
    end: int
    cites: tuple[str, ...] = ()
    identifier: str = ""


@dataclass(frozen=True, slots=True)
class TripleRow:
    """One row of a triple source, with its span in the document's text."""

    subject: str
    predicate: str
    object: str
    start: int
    end: int
    line: int
    subject_concept: str = ""
    object_concept: str = ""
    polarity: int = 1
    strength: float | None = None
    quote: str = ""
    subject_identifier: str = ""
    object_identifier: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """A document as read: what it is about, its entries, its triples, or a dialogue."""

    document: Document
    mapping: Mapping
    subject: str = ""
    concept: str = ""
    identifier: str = ""
    synonyms: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    triples: tuple[TripleRow, ...] = ()
    dialogue: Dialogue | None = None
    masked: tuple[tuple[str, int], ...] = ()
    """How many pieces of personal data of each kind were masked when it was read."""
