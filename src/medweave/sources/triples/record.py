"""What a page of triples holds."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.statement import Qualifiers


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
    qualifiers: Qualifiers = ()
    """How grave the row says that it is, and what is to be done."""
    typed: tuple[tuple[str, str], ...] = ()
    """Both names, as `plain_name` has them, with the types that the row gives them."""
    retyped: tuple[tuple[str, str, str], ...] = ()
    """Names whose type is another than the row gives: name, its concept before, and now."""


Triples = tuple[TripleRow, ...]
"""The content of a record of triples."""
