"""The record of an assessment: a file of its own, to which lines are only ever added.

One JSON object a line. The first names the guideline, with the hash of its written form; each
further one is an event, a hash of all that was known then, and what it changed. Each line carries
the hash of the line before it, so a line that was altered or taken away is seen. A last line that
was cut short (the power failed) is left out; whatever was said before it is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from medweave.assessment.case import case_of
from medweave.assessment.events import Event
from medweave.assessment.session import Session
from medweave.errors import FindingsError, SourceError
from medweave.guideline.logic.graph import Graph
from medweave.guideline.yaml.writing import write_guideline
from medweave.language.text_file import read_record
from medweave.model.findings import UNAVAILABLE
from medweave.model.guideline import Guideline
from medweave.private_files import appended

FORMAT = "medweave assessment 1"
_FROM_BEFORE = "go back to a copy of it from before"
_REDACTED = "(not kept)"


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as it was recorded: the hash of what was known, and the statuses it changed."""

    event: Event
    known: str
    changes: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it was read. `bytes` of it are whole; what is after them was cut short."""

    guideline: str
    guideline_hash: str
    entries: tuple[Entry, ...]
    bytes: int
    last: str
    """The hash of the last whole line."""
    torn: bool = False

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, in order."""
        return tuple(entry.event for entry in self.entries)


def hash_of(guideline: Guideline) -> str:
    """The hash (SHA-256) of a guideline as it is written: two that say the same have the same."""
    return hashlib.sha256(write_guideline(guideline).encode()).hexdigest()


class RecordFile:
    """A record that is being written; readable by its owner alone, and flushed to the disk after
    each event."""

    def __init__(
        self, path: Path, graph: Graph, *, keep_text: bool = False, program: str = ""
    ) -> None:
        """Opens a new file; `SourceError` where there is one already, or it cannot be written.

        `program` says what wrote it, and its version.
        """
        self._path, self._graph, self._keep_text = path, graph, keep_text
        self._statuses: dict[str, str] = {}
        self._last = ""
        head = {
            "record": FORMAT,
            "guideline": graph.guideline.name,
            "hash": hash_of(graph.guideline),
            "program": program,
        }
        self._write(head, new=True)

    @classmethod
    def going_on(
        cls, path: Path, graph: Graph, *, keep_text: bool = False
    ) -> tuple[RecordFile, Session]:
        """A record to go on with, and the assessment so far.

        `SourceError` where the guideline is not the one it was begun with: an assessment keeps its
        version.
        """
        record = read_record_file(path)
        if record.guideline_hash != hash_of(graph.guideline):
            raise SourceError(
                f"this assessment was begun with {record.guideline}, which has changed since, "
                "or with another guideline",
                where=str(path),
                remedy=f"name that guideline with --guideline, or begin a new one; "
                f"this one is {graph.guideline.name}",
            )
        session = Session.of(graph, record.events)
        found = cls.__new__(cls)
        found._path, found._graph, found._keep_text = path, graph, keep_text
        found._statuses = _words(session)
        found._last = record.last
        if record.torn:
            os.truncate(path, record.bytes)
        return found, session

    def add(self, session: Session) -> None:
        """Add the last event of an assessment. Words somebody typed are left out unless asked."""
        events = [self._appended(event) for event in session.events]
        statuses = _words(session)
        changes = {
            name: status for name, status in statuses.items() if self._statuses.get(name) != status
        }
        line = {
            **events[-1].to_json(),
            "known": case_of(events).digest(),
            "changes": changes,
        }
        if events[-1].kind == "finished":
            line["result"] = session.assessment().to_json()
        self._write(line)
        self._statuses = statuses

    def _appended(self, event: Event) -> Event:
        observation = self._graph.observations.get(event.about)
        free = observation is not None and observation.kind == "text"
        if self._keep_text or not free or not isinstance(event.value, str):
            return event
        return event if event.value == UNAVAILABLE else replace(event, value=_REDACTED)

    def _write(self, line: Mapping[str, Any], *, new: bool = False) -> None:
        text = json.dumps({**line, "before": self._last}, ensure_ascii=False) + "\n"
        try:
            with appended(self._path, new=new) as stream:
                stream.write(text.encode())
        except OSError as error:
            raise SourceError(
                f"this record cannot be written ({error.strerror})",
                where=str(self._path),
                remedy="name another file with --session",
            ) from error
        self._last = hashlib.sha256(text.encode()).hexdigest()


def _words(session: Session) -> dict[str, str]:
    return {name: each.status for name, each in session.statuses().items()}


def read_record_file(path: Path) -> Record:
    """A record; `SourceError` where it is none, or a line of it was altered or is missing."""
    try:
        held = path.read_bytes()
    except OSError as error:
        raise SourceError(
            f"this record cannot be read ({error.strerror})",
            where=str(path),
            remedy="check the path",
        ) from error
    raw = held.split(b"\n")
    whole, torn = raw[:-1], bool(raw[-1])
    head: dict[str, Any] = {}
    entries: list[Entry] = []
    last, count = "", 0
    for number, line in enumerate(whole, 1):
        form = _line(line, path, number)
        if form.get("before") != last:
            raise _broken("a line before it was altered or is missing", path, number)
        last = hashlib.sha256(line + b"\n").hexdigest()
        count += len(line) + 1
        if number == 1:
            head = form
        else:
            entries.append(_entry(form, path, number))
    if head.get("record") != FORMAT:
        raise _broken("this is no record of an assessment", path, 1)
    return Record(str(head["guideline"]), str(head["hash"]), tuple(entries), count, last, torn=torn)


def _line(line: bytes, path: Path, number: int) -> dict[str, Any]:
    return read_record(line, where=f"{path}, line {number}", remedy=_FROM_BEFORE)


def _entry(form: Mapping[str, Any], path: Path, number: int) -> Entry:
    try:
        event = Event.from_json(form)
    except FindingsError as error:
        raise _broken(error.what, path, number) from error
    changes = form.get("changes")
    return Entry(event, str(form.get("known", "")), changes if isinstance(changes, dict) else {})


def _broken(what: str, path: Path, number: int) -> SourceError:
    return SourceError(what, where=f"{path}, line {number}", remedy=_FROM_BEFORE)


def differences(record: Record, graph: Graph) -> list[str]:
    """Replay a record: what comes out otherwise now than it was recorded; [] where nothing does."""
    found: list[str] = []
    if record.guideline_hash != hash_of(graph.guideline):
        found.append(
            f"the guideline is not as it was: {record.guideline} then, {graph.guideline.name} now"
        )
    recorded: dict[str, str] = {}
    session = Session.of(graph)
    for number, entry in enumerate(record.entries, 1):
        named = f"event {number} ({entry.event.kind} {entry.event.about}".rstrip() + ")"
        try:
            session = session.after(entry.event)
        except FindingsError as error:
            return [*found, f"{named}: {error}"]
        recorded.update(entry.changes)
        now = _words(session)
        found += [
            f"{named}: {name} was {recorded.get(name, 'not there')} and is {now.get(name, 'gone')}"
            for name in _changed(recorded, now)
        ]
        recorded = now
        if entry.known and entry.known != session.case.digest():
            found.append(f"{named}: what was known then is not what it is now")
    return found


def _changed(recorded: Mapping[str, str], now: Mapping[str, str]) -> Sequence[str]:
    return [name for name in {**recorded, **now} if recorded.get(name) != now.get(name)]
