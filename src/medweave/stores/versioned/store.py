"""Writing a base that is kept as versioned rows, and the whole store."""

from __future__ import annotations

import os
import threading
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from medweave.errors import NotFoundError, StoreBusyError, StoreUnreachableError
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Extraction
from medweave.model.edge import statement_number, thing_number
from medweave.model.statement import Evidence, Statement
from medweave.ports import Counts
from medweave.stores.contribution import supported_statements, together
from medweave.stores.versioned.counted import COUNTED, counts_in, counts_text
from medweave.stores.versioned.forms import (
    EVIDENCE,
    document_row,
    evidence_of,
    evidence_row,
    name_row,
    note_row,
    premise_number,
    premise_rows,
    run_row,
    statement_row,
    thing_row,
    vector_read,
    vector_row,
)
from medweave.stores.versioned.lease import BUSY_SECONDS, RENEWED, Lease, is_free
from medweave.stores.versioned.present import Present
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Rows, first_stamp
from medweave.stores.versioned.upkeep import VersionedUpkeep
from medweave.stores.versioned.vectors import VersionedVectors

_WAITING = 10_000
"""So many rows are sent at once, or fewer before anything else is asked of the server: for each
thing that is sent some servers write much besides."""
REVISIONS = 64
"""So many revisions can still be read, and what changed since them be told."""
_FORGET = 16
"""After so many revisions, what nobody can read any more is taken out."""
_NOTHING_YET: Header = {"revision": "0"}


@dataclass
class _Pending:
    """What this transaction did so far."""

    stamp: int
    total: int
    counts: Counts | None
    """How much the base holds now; None where its header does not say."""
    changed: bool = False
    waiting: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    """Rows by kind that the server has not got yet."""

    @property
    def at(self) -> int:
        return self.stamp + 1


def opened(rows: Rows, where: str, *, create: bool) -> VersionedStore:
    """A base over the rows of a database. Raises `NotFoundError`, and lets go of the database,
    where there is none and `create` is False. One whose first writer has committed nothing yet, or
    never will, is none."""
    try:
        if not create and (rows.header() or _NOTHING_YET)["revision"] == "0":
            raise NotFoundError(
                "there is no base", where=where, remedy="make it with `medweave build --kb`"
            )
    except BaseException:
        rows.close()
        raise
    return VersionedStore(rows, where, create=create)


class VersionedStore(VersionedUpkeep):
    """A base in any database that keeps `Rows`. See `medweave.ports` for what it promises.

    A writer that stalls for longer than a lease lasts and then goes on is not held back; whoever
    took its place finds that by `check`.
    """

    def __init__(self, rows: Rows, where: str, *, create: bool) -> None:
        super().__init__(rows, where)
        self._fresh: Header | None = None
        """The header of a base that will be made by the first write."""
        if create:
            start = {"id": os.urandom(16).hex(), "revision": "0", "oldest": "0"}
            empty = {"total": as_text(0), "counts": counts_text(Counts(0, 0, 0, 0))}
            self._fresh = {**start, **empty, "writer": "", "turn": ""}
        self._lock = threading.RLock()
        """Held while a thread writes."""
        self._writer: int | None = None
        """The thread that writes."""
        self._pending: _Pending | None = None
        self._held: Header | None = None
        """The header, while nobody else may write."""
        self._holds = 0
        self._lease: Lease | None = None
        self._renewed = 0.0
        self._writes = 0
        """How often this store wrote something."""
        self._present = Present()
        """What is there for certain, while nobody else may write."""
        self._vectors = VersionedVectors(self, where)

    # one writer

    @contextmanager
    def writing(self) -> Iterator[None]:
        with self._lock:
            if not self._holds:
                self._take()
            self._holds += 1
        try:
            yield
        finally:
            with self._lock:
                self._holds -= 1
                if not self._holds:
                    self._give_back()

    def _give_back(self) -> None:
        try:
            if self._held is not None:
                self._put_header(writer="")
        finally:
            self._held = None
            self._present.forget()
            if self._lease:
                self._lease.give_back()

    def _take(self) -> None:
        """Take the lease; what another left half written is taken back."""
        self._lease = lease = Lease()
        try:
            left = self._take_by(lease)
            if left["writer"]:
                self._undo(first_stamp(int(left["revision"]) + 1))
            if left["revision"] == "0":
                self._present.is_empty()
        except BaseException:
            lease.give_back()
            self._held = None
            raise

    def _take_by(self, lease: Lease) -> Header:
        """Put a lease into the header; what it was before."""
        patience = time.monotonic() + BUSY_SECONDS
        while True:
            before = self._rows.header()
            header = before or self._fresh or self._read_header()
            if is_free(header["writer"]):
                after = {**header, "writer": lease.text(), "turn": os.urandom(8).hex()}
                if self._rows.swap(before, after):
                    self._held, self._renewed = after, time.monotonic()
                    return header
            elif time.monotonic() > patience:
                raise StoreBusyError(
                    "another process is writing to this base",
                    where=self._where,
                    remedy="try again when it is done; reading goes on meanwhile",
                )
            else:
                time.sleep(0.05)

    def _put_header(self, **changed: str) -> None:
        """Change the header. Raises `StoreBusyError` where another took our place."""
        before, self._held = self._held, None
        if before is not None:
            after = {**before, **changed, "turn": os.urandom(8).hex()}
            if self._rows.swap(before, after):
                self._held, self._renewed = after, time.monotonic()
                return
        raise StoreBusyError(
            "this process stopped for so long that another one writes to the base",
            where=self._where,
            remedy="try again; nothing that it was writing is kept",
        )

    def _renew(self) -> None:
        if self._lease and time.monotonic() - self._renewed > RENEWED:
            self._put_header(writer=self._lease.text())

    # one revision

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing; one inside another is a part of it."""
        with self._lock:
            if self._pending is not None:
                with self._part(self._pending):
                    yield
                return
            with self.writing(), self._whole():
                yield

    @contextmanager
    def _whole(self) -> Iterator[None]:
        held = self._held or self._read_header()
        revision = int(held["revision"]) + 1
        pending = _Pending(first_stamp(revision), int(held["total"], 16), counts_in(held))
        self._pending, self._writer = pending, threading.get_ident()
        try:
            with self._part(pending):
                yield
                self._send(pending)
            if pending.changed:
                oldest = max(int(held["oldest"]), revision - REVISIONS)
                self._put_header(revision=str(revision), oldest=str(oldest), **_told(pending))
        finally:
            self._pending = self._writer = None
        if pending.changed and revision % _FORGET == 0:
            for kind in NUMBERED:
                if not self._present.never_ended(kind):
                    self._rows.forget(kind, first_stamp(oldest + 1))

    @contextmanager
    def _part(self, pending: _Pending) -> Iterator[None]:
        """Where a part fails, nothing of it is kept, and the rest is. Where the server is lost,
        nothing more is asked of it: whoever writes next takes back what is half written."""
        pending.stamp += 1
        before = (pending.stamp, pending.total, pending.counts, pending.changed)
        pending.changed = False
        try:
            yield
        except BaseException as error:
            started, pending.total, pending.counts, changed = before
            _take_back(pending, started)
            if pending.changed:
                held, self._held = self._held, None  # who cannot undo it leaves it to the next
                if not isinstance(error, StoreUnreachableError):
                    self._undo(started)
                    self._held = held
            pending.changed = changed
            raise
        pending.changed |= before[-1]
        pending.stamp += 1

    def _undo(self, stamp: int) -> None:
        self._writes += 1
        self._present.forget()
        for kind in NUMBERED:
            self._rows.undo(kind, stamp)

    def _writes_here(self) -> bool:
        return self._pending is not None and self._writer == threading.get_ident()

    def _at(self) -> int:
        """See `VersionedReader._at`; who writes reads what it wrote, so it is sent."""
        pending = self._pending
        if pending is not None and self._writes_here():
            self._send(pending)
            return pending.at
        return super()._at()

    def _send(self, pending: _Pending) -> None:
        """Send the rows that wait, if any do; when the server has them they wait no more."""
        if pending.waiting:
            self._renew()
            self._rows.insert(pending.waiting)
            pending.waiting.clear()

    def _read_header(self) -> Header:
        return self._rows.header() or self._fresh or super()._read_header()

    def _header(self) -> Header:
        pending, held = self._pending, self._held
        if pending is not None and held is not None and self._writes_here():
            return {**held, **_told(pending)}
        return super()._header()

    def _now(self) -> _Pending:
        """The transaction that is open, in which something is about to be written."""
        if self._pending is None:
            raise AssertionError("nothing is written outside a transaction")
        self._renew()
        self._writes += 1
        self._pending.changed = True
        return self._pending

    # putting

    def put(self, extractions: Iterable[Extraction]) -> None:
        with self.transaction():
            for some in together(extractions):
                left = list(some.values())
                while left:
                    left = self._put_some(left)

    def _put_some(self, some: list[Extraction]) -> list[Extraction]:
        """Put some documents, up to and with the first that is there otherwise; those left.

        What goes for a new text may take with it what a later one rests on, so each of these is
        looked at only when all before it are in.
        """
        known = self._known(some)
        fresh: list[Extraction] = []
        for place, extraction in enumerate(some):
            held = known.get(extraction.document.id)
            if held is None:
                fresh.append(extraction)
                continue
            build_key, same = held
            if not (same and build_key == extraction.build_key):
                self._insert(fresh)
                self._replace(extraction, same=same)
                return some[place + 1 :]
        self._insert(fresh)
        return []

    def _known(self, some: list[Extraction]) -> dict[str, tuple[str, bool]]:
        """Of those that are there: the build key, and whether text and evidence are the same."""
        at = self._at()
        fields = ("id", "build_key", "content_key")
        numbers = {thing_number(each.document.id): each for each in some}
        if self._present.among("document", numbers) == set():
            return {}
        rows = list(self._find("document", fields, at, n=numbers))
        among = [thing_number(row["id"]) for row in rows]
        stored: dict[int, set[int]] = {number: set() for number in among}
        for row in self._find("evidence", ("n", "document_n"), at, document_n=among):
            stored[row["document_n"]].add(row["n"])
        known = {}
        for row in rows:
            number = thing_number(row["id"])
            new = numbers[number]
            same = row["content_key"] == new.document.content_key()
            same = same and stored[number] == {thing_number(item.id) for item in new.evidence}
            known[row["id"]] = (row["build_key"], same)
        return known

    def _replace(self, extraction: Extraction, *, same: bool) -> None:
        statements = supported_statements(extraction)
        identifier = extraction.document.id
        returning = {*statements, identifier} if same else {*statements}
        self._cascade(self._drop([identifier]), returning=frozenset(returning))
        self._insert([extraction])

    def _insert(self, some: list[Extraction]) -> None:
        if not some:
            return
        self._name({thing_number(m.entity) for each in some for m in each.mentions})
        statements: dict[str, Statement] = {}
        things: set[str] = set()
        for extraction in some:
            statements |= supported_statements(extraction)
            things |= {mention.entity for mention in extraction.mentions}
        for one in statements.values():
            things.update((one.subject, *filter(None, [one.object_entity])))
        self._write_new(
            {
                "statement": map(statement_row, statements.values()),
                "thing": map(thing_row, things),
                "run": (run_row(extraction.activity) for extraction in some),
            }
        )
        for extraction in some:
            evidence = {item.id: item for item in extraction.evidence}.values()
            self._count(evidence, extraction.document.name, 1)
        self._write("evidence", (row for each in some for row in _evidence_rows(each)))
        self._write("premise", (p for each in some for e in each.evidence for p in premise_rows(e)))
        self._write(
            "name",
            (name_row(mention, each.document) for each in some for mention in each.mentions),
        )
        self._write("document", map(document_row, some))

    def _write_new(self, shared: Mapping[str, Iterable[Row]]) -> None:
        """Write rows that several documents share, by kind: what is not there yet."""
        wanted = {kind: {row["n"]: row for row in rows} for kind, rows in shared.items()}
        there = {kind: frozenset(self._there(kind, rows)) for kind, rows in wanted.items()}
        for kind, rows in wanted.items():
            self._write(kind, (row for number, row in rows.items() if number not in there[kind]))

    def _write(self, kind: str, rows: Iterable[Row]) -> None:
        """Write rows that are not there."""
        wanted = {row["n"]: row for row in rows}
        if wanted:
            pending = self._now()
            pending.waiting[kind] += [{**r, "since": pending.stamp} for r in wanted.values()]
            self._present.came(kind, wanted)
            self._add(kind, len(wanted))
            if sum(map(len, pending.waiting.values())) >= _WAITING:
                self._send(pending)

    def _there(self, kind: str, numbers: Collection[int]) -> Collection[int]:
        """Those of some numbers that rows of a kind have now."""
        known = self._present.among(kind, numbers)
        if known is not None:
            return known
        return [row["n"] for row in self._find(kind, ("n",), self._at(), n=numbers)]

    def _end(self, kind: str, numbers: Iterable[int]) -> None:
        ended = sorted(set(numbers))
        if ended:
            pending = self._now()
            self._send(pending)  # they may be among these
            self._rows.end(kind, ended, pending.stamp)
            self._present.went(kind, ended)
            self._add(kind, -len(ended))

    def _name(self, things: set[int]) -> None:
        """Count things that are about to be named, and are not yet."""
        if self._now().counts is None:
            return
        named = self._present.among("named", things)
        if named is None:
            named = set(self._tally("name", "thing_n", self._at(), thing_n=things))
        self._present.came("named", things - named)
        self._add("named", len(things - named))

    def _add(self, kind: str, count: int) -> None:
        pending, field = self._now(), COUNTED.get(kind)
        if pending.counts is not None and field:
            now = getattr(pending.counts, field) + count
            pending.counts = replace(pending.counts, **{field: now})

    def _count(self, evidence: Iterable[Evidence], document: str, sign: int) -> None:
        term = sum(evidence_term(item, document) for item in evidence)
        added, removed = (term, 0) if sign > 0 else (0, term)
        pending = self._now()
        pending.total = add_terms(pending.total, added, removed)

    # removing

    def remove(self, documents: Iterable[str]) -> int:
        with self.transaction():
            numbers = map(thing_number, documents)
            rows = self._find("document", ("id",), self._at(), n=numbers)
            present = [row["id"] for row in rows]
            if present:
                self._cascade(self._drop(present))
            return len(present)

    def _drop(self, documents: list[str]) -> set[str]:
        """Take documents out; they, and the statements that died, may have been premises."""
        at, numbers = self._at(), [thing_number(document) for document in documents]
        died = self._drop_evidence(self._find("evidence", EVIDENCE, at, document_n=numbers))
        named = list(self._find("name", ("n", "thing_n"), at, document_n=numbers))
        self._end("name", (row["n"] for row in named))
        self._end("document", numbers)
        self.end_vectors(row["n"] for row in self.vector_rows(("n",), document_n=numbers))
        things = {row["thing_n"] for row in named}
        nameless = things - self._drop_things(things)
        self._present.went("named", nameless)
        self._add("named", -len(nameless))
        return {*documents, *died}

    def _drop_evidence(self, rows: Iterable[Row]) -> set[str]:
        """Take evidence out; the statements that died of it."""
        touched: dict[int, str] = {}
        numbers, premises = [], []
        for row in rows:
            item = evidence_of(row)
            self._count([item], row["document_name"], -1)
            touched[statement_number(item.statement)] = item.statement
            numbers.append(row["n"])
            premises += [premise_number(item, premise) for premise in item.premises]
        self._end("evidence", numbers)
        self._end("premise", premises)
        alive = self._tally("evidence", "statement_n", self._at(), statement_n=touched)
        died = [number for number in touched if number not in alive]
        ends = ("subject_n", "object_n")
        gone = [
            row[end] for row in self._find("statement", ends, self._at(), n=died) for end in ends
        ]
        self._end("statement", died)
        self._drop_things(set(gone))
        return {touched[number] for number in died}

    def _drop_things(self, things: set[int]) -> set[int]:
        """Take out things that nothing names and no statement is about; those that are named."""
        at = self._at()
        named = self._tally("name", "thing_n", at, thing_n=things)
        used = named | self._tally("statement", "subject_n", at, subject_n=things - named.keys())
        left = things - used.keys()
        used |= self._tally("statement", "object_n", at, object_n=left, literal=[0])
        self._end("thing", things - used.keys())
        return set(named)

    def _cascade(self, gone: set[str], *, returning: frozenset[str] = frozenset()) -> None:
        """Inferred evidence goes with its premises, except those that are about to return."""
        while gone := gone - returning:
            at, premises = self._at(), map(thing_number, gone)
            orphans = [r["of_n"] for r in self._find("premise", ("of_n",), at, premise_n=premises)]
            gone = self._drop_evidence(list(self._find("evidence", EVIDENCE, at, n=orphans)))

    # vectors

    def vectors(self) -> VersionedVectors:
        return self._vectors

    def vector_rows(
        self, fields: Sequence[str], first: int | None = None, **where: Iterable[int]
    ) -> list[Row]:
        return [
            vector_read(row) for row in self._find("vector", fields, self._at(), first, **where)
        ]

    def missing_documents(self, documents: Collection[str]) -> set[str]:
        rows = self._find("document", ("id",), self._at(), n=map(thing_number, documents))
        return set(documents) - {row["id"] for row in rows}

    def put_vectors(self, rows: Iterable[Row]) -> None:
        self._write_new({"vector": map(vector_row, rows)})

    def end_vectors(self, numbers: Iterable[int]) -> None:
        self._end("vector", numbers)

    def moment(self) -> tuple[int, int]:
        return self._at(), self._writes

    # notes

    def set_note(self, key: str, text: str) -> None:
        with self.transaction():
            if self.note(key) != text:
                self._end("note", [thing_number(key)])
                self._write("note", [note_row(key, text)])


def _take_back(pending: _Pending, stamp: int) -> None:
    """Have no rows wait that were written from a stamp on."""
    waiting = {k: [row for row in rows if row["since"] < stamp]
               for k, rows in pending.waiting.items()}  # fmt: skip
    pending.waiting.clear()
    pending.waiting.update((kind, rows) for kind, rows in waiting.items() if rows)


def _told(pending: _Pending) -> Header:
    """What the header says of what is there."""
    counts = {} if pending.counts is None else {"counts": counts_text(pending.counts)}
    return {"total": as_text(pending.total), **counts}


def _evidence_rows(extraction: Extraction) -> list[Row]:
    return [evidence_row(item, extraction.document) for item in extraction.evidence]
