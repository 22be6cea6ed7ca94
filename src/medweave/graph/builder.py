"""Bringing one source of a base up to date, in transactions small enough to be stopped between.

A document whose build key is unchanged is not touched. Documents a source no longer has are
removed, unless the source could not be read to its end: what was not read is unknown, not gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.model.document import Extraction, Skipped
from medweave.model.record import Record
from medweave.ports import Counts, GraphStore, Progress

BATCH = 200
"""Documents written in one transaction."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What one run read and made, and the base's totals after it."""

    documents: int
    statements: int
    entities: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]
    failed: tuple[str, ...]
    """Sources that could not be read at all."""
    seconds: float
    base: Counts

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        return {
            "documents": self.documents,
            "statements": self.statements,
            "entities": self.entities,
            "unchanged": self.unchanged,
            "removed": self.removed,
            "skipped": [
                {"file": item.file, "line": item.line, "reason": item.reason}
                for item in self.skipped
            ],
            "masked": {},
            "seconds": round(self.seconds, 3),
            "base": {
                "documents": self.base.documents,
                "statements": self.base.statements,
                "entities": self.base.entities,
            },
        }


@dataclass
class SourceBuild:
    """The build of one source: takes its records one by one and keeps the count."""

    path: Path
    store: GraphStore
    progress: Progress
    documents: int = 0
    unchanged: int = 0
    removed: int = 0
    statements: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)
    failed: bool = False
    complete: bool = True
    lines: int = 0
    """Lines of the source, where progress is watched; 0 for unknown."""
    _known: dict[str, str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _waiting: list[Extraction] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._known = self.store.build_keys(str(self.path))

    @contextmanager
    def failures_are_reported(self) -> Iterator[None]:
        """A source that cannot be read is a line of the report; what the base has of it stays."""
        try:
            yield
        except SourceError as error:
            self.failed = not self.documents
            self.complete = False
            self._write()
            self.skipped.append(Skipped(str(self.path), 0, str(error)))

    def take(
        self,
        record: object,
        key: Callable[[Record], str],
        extract: Callable[[Record], Extraction],
    ) -> None:
        """One record, or one line about a row that is none."""
        if not isinstance(record, Record):
            self._note(record)
            return
        document = record.document
        self.documents += 1
        self._seen.add(document.id)
        if self._known.get(document.id) == key(record):
            self.unchanged += 1
        else:
            self._wait(extract(record))
        self.progress(document.line, self.lines, self.path.name)

    def _note(self, row: object) -> None:
        skipped = getattr(row, "skipped", row)
        if skipped is not row:
            self.complete = False
        if isinstance(skipped, Skipped):
            self.skipped.append(skipped)

    def _wait(self, extraction: Extraction) -> None:
        self._waiting.append(extraction)
        self.skipped.extend(extraction.skipped)
        self.statements.update(statement.id for statement in extraction.statements)
        self.entities.update(mention.entity for mention in extraction.mentions)
        if len(self._waiting) >= BATCH:
            self._write()

    def _write(self) -> None:
        if self._waiting:
            self.store.put(self._waiting)
            self._waiting = []

    def finish(self) -> None:
        """Write what waits, and remove what the source no longer has."""
        self._write()
        unread = not self.documents and bool(self.skipped)
        gone = sorted(set(self._known) - self._seen) if self.complete and not unread else []
        self.removed = self.store.remove(gone) if gone else 0


def report_of(builds: Sequence[SourceBuild], store: GraphStore, seconds: float) -> BuildReport:
    """One report over all sources of a run."""
    statements: set[str] = set().union(*(build.statements for build in builds))
    entities: set[str] = set().union(*(build.entities for build in builds))
    return BuildReport(
        documents=sum(build.documents for build in builds),
        statements=len(statements),
        entities=len(entities),
        unchanged=sum(build.unchanged for build in builds),
        removed=sum(build.removed for build in builds),
        skipped=tuple(item for build in builds for item in build.skipped),
        failed=tuple(str(build.path) for build in builds if build.failed),
        seconds=seconds,
        base=store.counts(),
    )
