"""The audit file: JSON lines to which one is added for each answer, assessment, decision, change.

Each line carries the hash of the one before it, so that an altered, missing or moved line is
seen; a tail that was cut is seen by whoever noted the last hash (`Verified.head`). Its key lies
beside it: a question is short enough to be guessed from a plain hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from medweave import __version__
from medweave.audit.facts import facts_of_answer, facts_of_assessment, rests_on
from medweave.audit.record import FIRST, RecordKind, hash_of, output_hash, tombstone
from medweave.errors import ConfigurationError, SourceError
from medweave.model.json_form import json_of
from medweave.private_files import POSIX, appended, replaced


@dataclass(frozen=True, slots=True)
class Broken:
    """A record that is not as it was written, and what is wrong with it."""

    n: int
    what: str

    def to_json(self) -> dict[str, Any]:
        """One of `broken`."""
        return {"n": self.n, "what": self.what}


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether a file is as it was written."""

    records: int
    purged: int
    head: str
    """The hash of the last record: note it elsewhere, and a cut tail is seen."""
    broken: tuple[Broken, ...]

    @property
    def ok(self) -> bool:
        """Nothing is broken."""
        return not self.broken

    def to_json(self) -> dict[str, Any]:
        """What `audit verify --json` prints."""
        return json_of(self, "ok records purged head broken")


class AuditFile:
    """An audit file that is written; several processes may write to one.

    With `keep_text` questions and findings in free text are kept as they were typed.
    """

    def __init__(self, path: Path, *, keep_text: bool = False) -> None:
        """Makes the file and its key where there is none; `ConfigurationError` where it cannot."""
        self.path, self.keep_text = path, keep_text
        with _locked(path):
            self._key = _key_of(path)
            with appended(path):
                pass  # it is there from now on

    def answer(
        self, form: Mapping[str, Any], *, answer_id: str, model: str = "", k: int | None = None,
        history: tuple[str, ...] = (), guideline: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        """Add an answer, given in its JSON form; the record as it was written."""
        text = str(form["question"])
        asked = {"k": k, "guideline": guideline, "turns": len(history)}
        facts = facts_of_answer(form) | {name: value for name, value in asked.items() if value}
        told = {"text": text, "history": list(history)} if self.keep_text else {}
        return self._record(
            "answer", answer_id, form, model=model, facts=facts, base=form["base"],
            typed="\n".join([*history, text]), more=told,
        )  # fmt: skip

    def assessment(
        self, record: Mapping[str, Any], form: Mapping[str, Any], *, assessment_id: str,
        base: Mapping[str, Any] | None = None, texts: frozenset[str] = frozenset(),
    ) -> dict[str, Any]:  # fmt: skip
        """Add an assessment: the findings it was made of, and its JSON form.

        `texts` are the observations whose value is free text.
        """
        named = form["guideline"]
        more: dict[str, Any] = {"guideline": f"{named['id']}@{named['version']}"}
        if self.keep_text:
            more["text"] = str(record.get("text") or "")
        elif record.get("text"):
            more["without_text"] = True
        facts = facts_of_assessment(record, form, texts)
        if self.keep_text:
            facts["findings"] = dict(record.get("findings") or {})
        typed = json.dumps(record, ensure_ascii=False, sort_keys=True)
        return self._record(
            "assessment", assessment_id, form, facts=facts, base=base, typed=typed, more=more
        )

    def decision(self, about: str, decision: Mapping[str, Any]) -> dict[str, Any]:
        """Add what somebody decided of an answer or assessment; a reason is kept with its text."""
        told = {name: value for name, value in decision.items() if value not in (None, "")}
        if not self.keep_text:
            told.pop("reason", None)
        return self._add({"kind": "decision", "id": about, "decision": told})

    def change(self, what: str, *, base: Mapping[str, Any], details: Mapping[str, Any]) -> None:
        """Add that a base was changed: what was done, and the base after it."""
        self._add({"kind": "change", "id": what, "base": dict(base), "facts": dict(details)})

    def _record(
        self, kind: RecordKind, about: str, form: Mapping[str, Any], *, facts: Mapping[str, Any],
        base: Mapping[str, Any] | None, typed: str, more: Mapping[str, Any], model: str = "",
    ) -> dict[str, Any]:  # fmt: skip
        statements, evidence = rests_on(form)
        keyed = hmac.new(self._key, typed.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return self._add(
            {
                "kind": kind,
                "id": about,
                "base": dict(base) if base else None,
                "version": __version__,
                "model": model or None,
                "input": keyed.hexdigest(),
                "facts": dict(facts),
                "statements": statements,
                "evidence": evidence,
                "output": output_hash(form),
                **more,
            }
        )

    def _add(self, record: Mapping[str, Any]) -> dict[str, Any]:
        with _locked(self.path):
            n, prev = _last(self.path)
            now = datetime.now(UTC).isoformat(timespec="milliseconds")
            whole = {"n": n + 1, "time": now, **record, "prev": prev}
            whole["hash"] = hash_of(whole)
            with appended(self.path) as stream:
                stream.write(_line(whole))
        return whole


def read_audit(path: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The lines of a file, counted from 1; None in place of one that is no record.

    `SourceError` where the file cannot be read.
    """
    try:
        with path.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                yield number, _read(line)
    except OSError as error:
        raise SourceError(
            f"this audit file cannot be read ({error.strerror})",
            where=str(path),
            remedy="check the path",
        ) from error


def verify(path: Path, *, head: str = "") -> Verified:
    """Whether a file is as it was written; `head` is a hash that was noted earlier."""
    broken: list[Broken] = []
    prev, n, count, purged, seen = FIRST, 0, 0, 0, not head or head == FIRST
    for number, record in read_audit(path):
        count += 1
        if record is None:
            broken.append(Broken(n + 1, f"line {number} is no record, or was cut short"))
            n, prev = n + 1, ""
            continue
        broken += [Broken(record["n"], what) for what in _wrong(record, n + 1, prev)]
        n, prev = record["n"], record["hash"]
        purged += bool(record.get("purged"))
        seen = seen or prev == head
    if not seen:
        broken.append(Broken(n + 1, "the record with this head is not there: the tail was cut"))
    return Verified(count, purged, prev, tuple(broken))


def _wrong(record: Mapping[str, Any], n: int, prev: str) -> Iterator[str]:
    if record["n"] != n:
        yield f"record {n} was expected here: one is missing, or was moved"
    if prev and record["prev"] != prev:
        yield "the record before it was altered or is missing"
    if not record.get("purged") and record["hash"] != hash_of(record):
        yield "it was altered"


def purge(path: Path, before: str) -> int:
    """Leave only the tombstones of records from before a day or time (ISO 8601, UTC); how many.

    The chain stays whole. `ConfigurationError` where the time is none, `SourceError` where the file
    is broken: what was altered is not covered up.
    """
    limit = _time(before)
    with _locked(path):
        found = verify(path)
        if not found.ok:
            raise SourceError(
                "this audit file is not as it was written, so nothing of it is purged",
                where=f"{path}, record {found.broken[0].n}",
                remedy="see `medweave audit verify`",
            )
        purged = 0
        with replaced(path) as stream:
            for _, record in read_audit(path):
                if record is None:  # it was verified: this cannot be
                    continue
                old = _time(record["time"]) < limit and not record.get("purged")
                purged += old
                stream.write(_line(tombstone(record) if old else record))
    return purged


def _time(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ConfigurationError(
            f"'{text}' is no day or time", where="--before", remedy="write it like 2026-01-31"
        ) from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _line(record: Mapping[str, Any]) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _read(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(record, dict):
        return None
    right = isinstance(record.get("n"), int) and all(
        isinstance(record.get(name), str) for name in ("time", "kind", "prev", "hash")
    )
    return record if right else None


def _last(path: Path) -> tuple[int, str]:
    """The number and the hash of the last record. What was cut short as it was written (the power
    failed) is taken away; it was never told as written."""
    with path.open("rb+") as stream:
        end = stream.seek(0, os.SEEK_END)
        tail, start = b"", end
        while start and tail.count(b"\n") < 2:  # noqa: PLR2004 - the end of a line and of the one before
            start = max(0, start - 65536)
            stream.seek(start)
            tail = stream.read(end - start)
        whole = tail[: tail.rfind(b"\n") + 1]
        if len(whole) < len(tail):
            stream.truncate(end - len(tail) + len(whole))
    if not whole:
        return 0, FIRST
    record = _read(whole.rstrip(b"\n").rpartition(b"\n")[2] + b"\n")
    if record is None:
        raise SourceError(
            "the last line of this audit file is no record, so nothing is added to it",
            where=str(path),
            remedy="move it away and begin a new one; see `medweave audit verify`",
        )
    return record["n"], record["hash"]


def _key_of(path: Path) -> bytes:
    """The key beside a file; made with it. Lost, a question could no longer be looked up."""
    beside = path.with_name(path.name + ".key")
    if not beside.exists():
        if path.exists() and path.stat().st_size:
            raise ConfigurationError(
                "the key of this audit file is not there", where=str(beside),
                remedy="put it back, or name a new audit file",
            )  # fmt: skip
        with appended(beside, new=True) as stream:
            stream.write(secrets.token_hex(32).encode() + b"\n")
    return bytes.fromhex(beside.read_text("ascii").strip())


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """One writer at a time, whichever process it is in."""
    try:
        with appended(path.with_name(path.name + ".lock")) as stream:
            if POSIX:
                import fcntl

                fcntl.flock(stream, fcntl.LOCK_EX)
            yield
    except OSError as error:
        raise ConfigurationError(
            f"this audit file cannot be written ({error.strerror})",
            where=str(path),
            remedy="name another file",
        ) from error
