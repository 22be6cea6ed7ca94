"""What one document contributes, checked before any store takes it in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from medweave.errors import StoreError
from medweave.model.document import Extraction
from medweave.model.statement import Statement

TOGETHER = 2000
"""So many rows of evidence and names, or so, are written in one turn."""


def supported_statements(extraction: Extraction) -> dict[str, Statement]:
    """The statements its evidence is about, by identifier; a statement without evidence is none.

    Raises `StoreError` where evidence is about another document, or about a statement that does
    not come with it.
    """
    given = {statement.id: statement for statement in extraction.statements}
    found: dict[str, Statement] = {}
    for item in extraction.evidence:
        if item.document != extraction.document.id or item.statement not in given:
            raise StoreError(
                f"the evidence {item.id} does not belong to what this document contributes",
                where=extraction.document.name,
                remedy="give each piece of evidence with its own document and its statement",
            )
        found[item.statement] = given[item.statement]
    return found


def together(extractions: Iterable[Extraction]) -> Iterator[dict[str, Extraction]]:
    """Some at a time, by document; the same document twice is never among them."""
    some: dict[str, Extraction] = {}
    weight = 0
    for extraction in extractions:
        if extraction.document.id in some or weight >= TOGETHER:
            yield some
            some, weight = {}, 0
        some[extraction.document.id] = extraction
        weight += 1 + len(extraction.evidence) + len(extraction.mentions)
    if some:
        yield some
