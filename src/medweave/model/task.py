"""A piece of work for extraction: records that go out together, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.document import Extraction
from medweave.model.record import Record

CHUNK = 4000
"""Work that goes out together, in whole records: a second of it, or less."""
_LETTERS = 20
"""So many letters of what is said are as much work as a row."""


@dataclass(frozen=True, slots=True)
class Task:
    """Records, and the build key the base holds for each ('' for none)."""

    records: tuple[Record, ...]
    known: tuple[str, ...]


Made = tuple[Task, list[Extraction | None]]
"""A task, and the extraction of each of its records; None where the base holds just that."""


def weight(record: Record) -> int:
    """How much work a record is: its entries, its rows, and what is said in it.

    >>> from medweave.model.document import Document
    >>> from medweave.model.mapping import Mapping
    >>> weight(Record(Document("a.csv", "a#1", "a", ()), Mapping("m", "triples", "1")))
    1
    """
    turns = record.dialogue.turns if record.dialogue else ()
    said = sum(1 + len(turn.text) // _LETTERS for turn in turns)
    return 1 + len(record.items) + len(record.triples) + said
