"""Passages: stretches of a text as it stands, each a document of its own.

A handbook is too long to be shown, ranked or embedded as one; so the kind `texts` parts it, and
every part is a document like any other: found by its words, given vectors, removed, and cited. What
it is a part of, and where it stands in that, is kept in its fields.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from medweave.model.document import PLACE, Document
from medweave.model.identifiers import canonical_json

TEXT, HEADING = "text", "heading"
"""The fields of a passage beside its place."""
NOTED = "passages"
"""The note of a base that has had passages."""
SAID_BY_TEXT = "passage"
"""The method of evidence that is a sentence of a passage."""
BETWEEN = " › "
"""Between the headings of a path."""
NUMBER = "#"
"""Between the name of a text and the number of its passage."""


def whole_of(name: str) -> str:
    """The text of which a document of this name is a passage; '' where it is called like none.

    >>> whole_of("handbook.pdf#12"), whole_of("handbook.pdf"), whole_of("diseases#flu")
    ('handbook.pdf', '', '')
    """
    whole, mark, number = name.rpartition(NUMBER)
    return whole if mark and number.isdecimal() else ""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a text, and where it stands."""

    whole: str
    """The name of the text that it is a part of: `handbook.pdf`, or the id of a row."""
    number: int
    """The how many-th part it is, from 1."""
    start: int
    end: int
    """In characters of the whole text."""
    text: str
    """The stretch, as it stands."""
    page: int | None = None
    """The page on which it begins, from 1, where the text has pages."""
    headings: tuple[str, ...] = ()
    """Of the part of the text, chapter, section, …, outermost first."""

    @property
    def name(self) -> str:
        """What it is cited as."""
        return f"{self.whole}{NUMBER}{self.number}"

    def fields(self) -> tuple[tuple[str, str], ...]:
        """As the fields of its document."""
        place = {
            "whole": self.whole,
            "number": self.number,
            "start": self.start,
            "end": self.end,
            "page": self.page,
            "headings": self.headings,
        }
        heading = ((HEADING, BETWEEN.join(self.headings)),) if self.headings else ()
        return (*heading, (TEXT, self.text), (PLACE, canonical_json(place)))


def passage_number(document: Document) -> int:
    """The how many-th of its text a document is; 0 where it is no passage."""
    passage = passage_of(document)
    return passage.number if passage else 0


def passage_of(document: Document) -> Passage | None:
    """The passage that a document is; None where it is none.

    >>> passage = Passage("leaflet.txt", 2, 120, 138, "Keep out of reach.", headings=("Storage",))
    >>> passage_of(Document("leaflet.txt", passage.name, "A leaflet", passage.fields())) == passage
    True
    >>> passage_of(Document("leaflet.txt", "aspirin", "A monograph", ())) is None
    True
    """
    try:
        place = json.loads(document.text(PLACE))
        return Passage(
            place["whole"],
            place["number"],
            place["start"],
            place["end"],
            document.text(TEXT),
            place["page"],
            tuple(place["headings"]),
        )
    except (ValueError, KeyError, TypeError):
        return None
