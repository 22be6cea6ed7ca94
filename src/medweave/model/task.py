"""A piece of work for extraction: records that go out together, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.model.document import Extraction
from medweave.model.record import Record

CHUNK = 4000
"""Work that goes out together, in whole records: a second of it, or less."""


@dataclass(frozen=True, slots=True)
class Task:
    """Records, and the build key the base holds for each ('' for none)."""

    records: tuple[Record, ...]
    known: tuple[str, ...]


Made = tuple[Task, list[Extraction | None]]
"""A task, and the extraction of each of its records; None where the base holds just that."""
