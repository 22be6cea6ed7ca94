"""Bringing one source of a base up to date, in transactions small enough to be stopped between.

A document whose build key is unchanged is not touched. Documents a source no longer has are
removed, unless the source could not be read to its end: what was not read is unknown, not gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from medweave.errors import SourceError
from medweave.graph.decisions import put_decided
from medweave.graph.domain import MEDICAL, check_domain, note_domain
from medweave.graph.passage_vectors import note_passages
from medweave.model.document import Extraction, Skipped, merged_by_reason
from medweave.model.edge import statement_number
from medweave.model.json_form import json_of
from medweave.model.record import Record
from medweave.model.refinement import Refinement, refinement_of
from medweave.model.task import CHUNK, Made, Task
from medweave.ports import Counts, Progress, StoreView, no_progress

BATCH = 20_000
"""Statements written in one transaction, or so; fewer where work is slow."""
_SHOWN = 5
"""Ids that are told of many."""
SECONDS = 3.0
"""At most about so much work is lost when a build is stopped, and done again by the next."""


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
    masked: dict[str, int] = field(default_factory=dict)
    """Pieces of personal data that were masked in what was read, by kind."""
    model: dict[str, Any] = field(default_factory=dict)
    """What a language model did, where one read."""
    usage: dict[str, Any] | None = None
    """What asking it took."""
    left: tuple[str, ...] | None = None
    """Documents that a limit kept from being read, by their names."""
    refinement: Refinement | None = None
    """What became of the relations that programs read, where there were any."""

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        return json_of(
            self,
            "documents statements entities unchanged removed skipped masked [model] [usage] "
            "[refinement] seconds base",
        ) | {
            "seconds": round(self.seconds, 3),
            "base": json_of(self.base, "documents statements entities"),
            **({} if self.left is None else {"left": list(self.left)}),
        }


@dataclass
class SourceBuild:
    """The build of one source: hands out its records as tasks, takes in what comes of them."""

    path: Path
    store: StoreView
    progress: Progress = no_progress
    lines: int = 0
    """Lines of the source, where progress is watched; 0 for unknown."""
    documents: int = 0
    unchanged: int = 0
    changed: int = 0
    """Documents the base holds in another form."""
    removed: int = 0
    statements: set[int] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)
    masked: Counter[str] = field(default_factory=Counter)
    refined: list[Refinement] = field(default_factory=list)
    failed: bool = False
    complete: bool = True
    """Whether the source was read to its end."""
    _known: dict[str, str] = field(default_factory=dict)
    _seen: set[str] = field(default_factory=set)
    _waiting: list[Extraction] = field(default_factory=list)
    _weight: int = 0
    _domain: str = MEDICAL
    _kind: str = ""
    _namesakes: dict[str, list[str]] = field(default_factory=dict)
    """By source, the names that its documents share with others of this one."""
    _written: float = field(default_factory=perf_counter)

    def __post_init__(self) -> None:
        self._known = self.store.build_keys(str(self.path))

    def tasks(self, records: Callable[[], Iterable[object]]) -> Iterator[Task]:
        """The records as tasks; what is no record is noted.

        A source that cannot be read, or not to its end, is a line of the report; what the base has
        of it stays.
        """
        chunk: list[Record] = []
        size = 0
        try:
            for record in records():
                if not isinstance(record, Record):
                    self._note(record)
                    continue
                if not self.documents and not chunk:
                    self._domain = record.mapping.domain
                    check_domain(self.store, self._domain, str(self.path))
                chunk.append(record)
                size += record.weight
                if size >= CHUNK:
                    yield self._task(chunk)
                    chunk, size = [], 0
        except SourceError as error:
            self.complete = False
            where = error.where if error.where != str(self.path) else ""  # said already
            reason = ", ".join(part for part in (error.what, where, error.remedy) if part)
            self.skipped.append(Skipped(str(self.path), 0, reason))
        self.failed = not self.complete and not self.documents and not chunk
        if chunk:
            yield self._task(chunk)

    def _task(self, chunk: list[Record]) -> Task:
        self.documents += len(chunk)
        known = [self._known.get(record.document.id, "") for record in chunk]
        self._seen.update(record.document.id for record in chunk)
        for record in chunk:
            self.masked.update(dict(record.masked))
        self._note_namesakes(chunk)
        return Task(tuple(chunk), tuple(known))

    def _note_namesakes(self, chunk: list[Record]) -> None:
        """Documents of other sources that are called like one of these, where that should mean one
        thing, and say something else."""
        for record in chunk:
            if not record.unique:
                continue
            self._kind = record.kind
            named = self.store.documents_called(record.document.name)
            others = [each for each in named if each != record.document.id]
            content = record.document.content_key()
            for other in self.store.documents(others) if others else ():
                same_kind = other.evidence_class == record.document.evidence_class
                theirs = same_kind and other.content_key() != content
                if theirs and other.source != record.document.source:
                    self._namesakes.setdefault(other.source, []).append(record.document.name)

    def _tell_namesakes(self) -> None:
        for source, ids in self._namesakes.items():
            shown = ", ".join(ids[:_SHOWN]) + (", …" if len(ids) > _SHOWN else "")
            other = f"have ids of other {self._kind}, of {source} ({shown}): both are kept"
            self.skipped.append(Skipped(str(self.path), 0, f"{len(ids)} {self._kind} {other}"))

    def holds(self, document: str, key: str) -> bool:
        """Whether the base has a document of this source under just this build key."""
        return self._known.get(document) == key

    def _note(self, row: object) -> None:
        left = getattr(row, "record", None)
        if isinstance(left, Record):  # the source has it, though nothing could be read of it
            self._seen.add(left.document.id)
            return
        skipped = getattr(row, "skipped", row)
        if skipped is not row:
            self.complete = False
        if isinstance(skipped, Skipped):
            self.skipped.append(skipped)
            if skipped.line:  # a source of nothing else is told of, too, and can be stopped
                self.progress(skipped.line, self.lines, self.path.name)
            if skipped.dropped:
                self.refined.append(Refinement(read=1, dropped=((skipped.dropped, 1),)))

    def take(self, made: Made) -> None:
        """What came of a task; it is written when enough has come together."""
        task, extractions = made
        for record, known, extraction in zip(task.records, task.known, extractions, strict=True):
            if extraction is None:
                self.unchanged += 1
            else:
                self.changed += bool(known)
                self._wait(extraction)
            if record.document.line:  # else whoever read it told how far it is
                self.progress(record.document.line, self.lines, self.path.name)
        if self._weight >= BATCH or perf_counter() - self._written > SECONDS:
            self._write()

    def _wait(self, extraction: Extraction) -> None:
        self._waiting.append(extraction)
        self._weight += 1 + len(extraction.evidence)
        self.skipped.extend(extraction.skipped)
        if extraction.refinement:
            self.refined.append(extraction.refinement)
        self.statements.update(statement_number(s.id) for s in extraction.statements)
        self.entities.update(mention.entity for mention in extraction.mentions)

    def _write(self) -> None:
        if self._waiting:
            with self.store.transaction():
                note_domain(self.store, self._domain)
                note_passages(self.store, self._waiting)
                put_decided(self.store, self._waiting)
        self._waiting, self._weight, self._written = [], 0, perf_counter()

    def foresee(self, task: Task, key: Callable[[Record], str]) -> None:
        """Count what would become of a task."""
        for record, known in zip(task.records, task.known, strict=True):
            if known == key(record):
                self.unchanged += 1
            else:
                self.changed += bool(known)

    @property
    def gone(self) -> list[str]:
        """Documents of the base that the source no longer has."""
        unread = not self._seen and bool(self.skipped)
        return sorted(set(self._known) - self._seen) if self.complete and not unread else []

    def finish(self) -> None:
        """Write what waits, and remove what the source no longer has."""
        self._write()
        gone = self.gone
        self.removed = self.store.remove(gone) if gone else 0
        self._tell_namesakes()
        self.skipped = sorted(merged_by_reason(self.skipped), key=lambda skipped: skipped.line)


@dataclass(frozen=True, slots=True)
class SourcePlan:
    """What a build would do with one source."""

    source: str
    new: int
    changed: int
    unchanged: int
    removed: int
    skipped: tuple[Skipped, ...]

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form."""
        return json_of(self, "source new changed unchanged removed skipped")


BuildPlan = tuple[SourcePlan, ...]
"""What a build would do, source by source."""


def plan_of(builds: Sequence[SourceBuild]) -> BuildPlan:
    """What was foreseen of each source."""
    return tuple(
        SourcePlan(
            str(build.path),
            build.documents - build.unchanged - build.changed,
            build.changed,
            build.unchanged,
            len(build.gone),
            tuple(build.skipped),
        )
        for build in builds
    )


def report_of(builds: Sequence[SourceBuild], store: StoreView, seconds: float) -> BuildReport:
    """One report over all sources of a run."""
    statements: set[int] = set().union(*(build.statements for build in builds))
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
        masked=dict(sorted(sum((build.masked for build in builds), Counter[str]()).items())),
        refinement=refinement_of(part for build in builds for part in build.refined),
    )
