"""A piece of work for extraction: records that go out together, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.document import Extraction
from medweave.model.record import Record

CHUNK = 4000
"""Entries and rows that go out together, in whole records."""


@dataclass(frozen=True, slots=True)
class Task:
    """Records, and the build key the base holds for each ('' for none)."""

    records: tuple[Record, ...]
    known: tuple[str, ...]


Made = tuple[Task, list[Extraction | None]]
"""A task, and the extraction of each of its records; None where the base holds just that."""


def weight(record: Record) -> int:
    """How much work a record is: its entries, rows and turns.

    >>> from medweave.model.document import Document
    >>> from medweave.model.mapping import Mapping
    >>> weight(Record(Document("a.csv", "a#1", "a", ()), Mapping("m", "triples", "1")))
    1
    """
    turns = len(record.dialogue.turns) if record.dialogue else 0
    return 1 + len(record.items) + len(record.triples) + turns
