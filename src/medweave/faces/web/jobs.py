"""Jobs: what was sent is read into a base, one job after another, and outlives its server.

A job is a folder beside its base: what was sent, and how far it is. It is written down before it is
answered for. A server that ends in the middle, however that is, leaves a base that is whole, and a
job that is `interrupted`: a retry goes on where it was, as any build does.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from tempfile import mkdtemp
from threading import Event, RLock, Thread
from time import monotonic
from typing import Any
from uuid import uuid4

from medweave.errors import ConfigurationError, EmbeddingError, MedweaveError, NotFoundError
from medweave.faces.web.house import House, Served
from medweave.faces.web.problems import problem_of
from medweave.faces.web.replies import without_paths
from medweave.language.data import read_yaml
from medweave.model.mapping import Mapping as Layout
from medweave.ports import Progress
from medweave.private_files import replaced
from medweave.sources.kinds import kinds
from medweave.sources.mapping.layouts import kind_mapping, shipped_mappings
from medweave.sources.mapping.layouts import parse_mapping as read_layout

ENDED = ("done", "failed", "interrupted")
_COMING = "coming-"
"""How the folders begin of what is not all there yet."""
_MOST_FINISHED = 200
"""So many ended jobs of a base are remembered."""


class Cancelled(Exception):  # noqa: N818 - no error: somebody wanted it
    """Raised within a build to end it."""


@dataclass
class File:
    """One file of a job; `status` as the page shows it."""

    name: str
    status: str = "queued"
    errors: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Job:
    """What was sent at once. `key` and `digest` tell whether the same was sent before."""

    id: str
    base: str
    created: str
    files: list[File]
    key: str = ""
    digest: str = ""
    mapping: str = ""
    kind: str = ""
    status: str = "queued"
    done: int = 0
    total: int = 0
    seconds_left: float | None = None
    report: dict[str, Any] | None = None
    error: dict[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """As it is told; what was sent with it is not."""
        told = asdict(self)
        for name in ("key", "digest", "mapping", "kind"):
            del told[name]
        return told


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent: files that lie in a folder already, and what they are to be read by."""

    folder: Path
    names: tuple[str, ...]
    digest: str
    mapping: str = ""
    kind: str = ""
    key: str = ""


class Jobs:
    """The jobs of all bases, in the order they came; one thread works on them."""

    def __init__(self, house: House) -> None:
        """Takes up what an earlier server left; what it had not ended is interrupted."""
        self._house = house
        self._jobs: dict[str, Job] = {}
        self._queue: SimpleQueue[str] = SimpleQueue()
        self.lock = RLock()
        self._cancelled: set[str] = set()
        self._stopping = Event()
        self._thread: Thread | None = None
        for served in house.all:
            self._take_up(served)

    def _take_up(self, served: Served) -> None:
        if not served.writable:
            return
        for left in _folder(served).glob(f"{_COMING}*"):  # its server ended while it came
            shutil.rmtree(left, ignore_errors=True)
        for folder in sorted(_folder(served).glob("*/job.json")):
            with suppress(ValueError, TypeError, OSError):
                held = json.loads(folder.read_text("utf-8"))
                job = Job(**held | {"files": [File(**each) for each in held["files"]]})
                job.base = served.name
                self._jobs[job.id] = job
                if job.status not in ENDED:
                    self._end(job, "interrupted")

    @property
    def stopping(self) -> bool:
        """Whether the server is about to end."""
        return self._stopping.is_set()

    def all(self) -> list[Job]:
        """All jobs."""
        return list(self._jobs.values())

    def named(self, identifier: str) -> Job:
        """A job by its id. Raises `NotFoundError`."""
        if identifier not in self._jobs:
            raise NotFoundError("there is no such job", where=identifier, remedy="see the list")
        return self._jobs[identifier]

    def known(self, served: Served, key: str) -> Job | None:
        """The job that was sent to a base under a key."""
        found = (j for j in self._jobs.values() if key and (j.base, j.key) == (served.name, key))
        return next(found, None)

    def coming(self, served: Served) -> Path:
        """A new folder for what is being sent."""
        _folder(served).mkdir(mode=0o700, parents=True, exist_ok=True)
        return Path(mkdtemp(prefix=_COMING, dir=_folder(served)))

    def begin(self, served: Served, sent: Sent) -> Job:
        """Write a job down, and work on it as soon as all before it are ended."""
        job = Job(
            id=uuid4().hex,
            base=served.name,
            created=datetime.now(UTC).isoformat(timespec="milliseconds"),
            files=[File(name) for name in sent.names],
            key=sent.key,
            digest=sent.digest,
            mapping=sent.mapping,
            kind=sent.kind,
        )
        place = _folder(served) / job.id
        sent.folder.rename(place)
        with self.lock:
            self._jobs[job.id] = job
            self._write(job)
            self._forget_old(served)
            self._put(job)
        return job

    def _put(self, job: Job) -> None:
        self._queue.put(job.id)
        if self._thread is None:
            self._thread = Thread(target=self._work, name="jobs", daemon=True)
            self._thread.start()

    def cancel(self, identifier: str) -> Job:
        """End a job; what was read until then stays."""
        job = self.named(identifier)
        with self.lock:
            if job.status == "queued":
                self._end(job, "interrupted")
            elif job.status == "running":
                self._cancelled.add(identifier)
        return job

    def retry(self, identifier: str) -> Job:
        """Work on a job again that failed or was interrupted."""
        job = self.named(identifier)
        with self.lock:
            if job.status not in ("failed", "interrupted"):
                raise ConfigurationError(
                    f"this job is {job.status}", where=identifier, remedy="only others are retried"
                )
            job.status, job.error, job.report, job.done, job.total = "queued", None, None, 0, 0
            for file in job.files:
                file.status, file.errors = "queued", []
            self._write(job)
            self._put(job)
        return job

    def stop(self) -> None:
        """Begin to end the work: nothing new is begun."""
        self._stopping.set()

    def close(self, seconds: float) -> None:
        """End the work: what is under way is interrupted."""
        self.stop()
        if self._thread is not None:
            self._queue.put("")
            self._thread.join(seconds)
        with self.lock:
            for job in self._jobs.values():
                if job.status not in ENDED:
                    self._end(job, "interrupted")

    def _work(self) -> None:
        while not self._stopping.is_set():
            job = self._jobs.get(self._queue.get())
            if job is None or job.status != "queued":
                continue
            try:
                self._run(job)
            except Cancelled:
                self._end(job, "interrupted")
            except MedweaveError as error:
                self._fail(job, error)
            except Exception:  # a job that breaks must not end the others
                self._fail(job, ConfigurationError("something failed here", remedy="retry"))
            finally:
                self._cancelled.discard(job.id)

    def _run(self, job: Job) -> None:
        served = self._house.named(job.base)
        with self.lock:
            job.status, job.files[0].status = "running", "reading"
            self._write(job)
        layout = layout_of(job.mapping, job.kind)
        with self._recorded(served, job), _in_place(served, job) as paths:
            report = served.base.build(paths, mapping=layout, progress=self._telling(job))
            with suppress(EmbeddingError):  # passages are then found by words alone
                served.base.make_passage_vectors(progress=self._telling(job))
            errors: dict[str, list[dict[str, Any]]] = {path.name: [] for path in paths}
            for item in report.skipped:
                line = {"line": item.line, "reason": item.reason}
                errors.setdefault(Path(item.file).name, []).append(line)
        failed = {Path(each).name for each in report.failed}
        for file in job.files:
            file.errors = errors[file.name]
            bad = "failed" if file.name in failed else "partial"
            file.status = bad if file.errors else "ready"
        job.report = without_paths(report.to_json())
        self._end(job, "done")
        shutil.rmtree(_folder(served) / job.id / "files", ignore_errors=True)

    @contextmanager
    def _recorded(self, served: Served, job: Job) -> Iterator[None]:
        """Whoever keeps a record hears of a build, and of one that broke off if it changed the
        base: what was read until then stays."""
        before, whole = served.base.version, False
        try:
            yield
            whole = True
        finally:
            if whole or served.base.version != before:
                self._house.changed("build", served, {"job": job.id, "files": len(job.files)})

    def _fail(self, job: Job, error: MedweaveError) -> None:
        job.error = problem_of(error)
        for file in job.files:
            file.status = "failed"
            named = len(job.files) == 1 or file.name in error.where
            file.errors = [{"line": 0, "reason": error.what}] if named else []
        self._end(job, "failed")

    def _telling(self, job: Job) -> Progress:
        begun: dict[str, float] = {}

        def tell(done: int, total: int, what: str) -> None:
            if self._stopping.is_set() or job.id in self._cancelled:
                raise Cancelled
            passed = monotonic() - begun.setdefault(what, monotonic())
            job.done, job.total = done, total
            job.seconds_left = round(passed / done * (total - done), 1) if done and total else None
            for file in job.files:
                if file.name in what and file.status == "queued":
                    file.status = "reading"

        return tell

    def _end(self, job: Job, status: str) -> None:
        with self.lock:
            job.status, job.seconds_left = status, None
            if status == "interrupted":
                for file in job.files:
                    file.status = "failed"
                    file.errors = [{"line": 0, "reason": "interrupted"}]
            self._write(job)

    def _write(self, job: Job) -> None:
        """Write a job down, so that a power failure leaves the old or the new."""
        folder = _folder(self._house.named(job.base)) / job.id
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replaced(folder / "job.json") as stream:
            stream.write(json.dumps(asdict(job)).encode())

    def _forget_old(self, served: Served) -> None:
        ended = [j for j in self._jobs.values() if j.base == served.name and j.status in ENDED]
        for job in sorted(ended, key=lambda each: each.created)[:-_MOST_FINISHED]:
            del self._jobs[job.id]
            shutil.rmtree(_folder(served) / job.id, ignore_errors=True)


def _folder(served: Served) -> Path:
    if served.place is None:
        raise NotFoundError("this base takes no documents", remedy="make a base of your own")
    return served.place.with_name(f"{served.place.name}.jobs")


@contextmanager
def _in_place(served: Served, job: Job) -> Iterator[list[Path]]:
    """The files of a job where the base knows them: the same path for the same name, so that what
    is sent again replaces. They are there while they are read, and no longer: a text that is not
    masked must not stay behind.
    """
    place = _folder(served) / "files"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(mode=0o700, parents=True)
    try:
        for file in job.files:
            sent = _folder(served) / job.id / "files" / file.name
            try:
                os.link(sent, place / file.name)
            except OSError:  # a file system without links
                shutil.copy(sent, place / file.name)
        yield [place / file.name for file in job.files]
    finally:
        shutil.rmtree(place, ignore_errors=True)


def layout_of(mapping: str, kind: str) -> Layout | None:
    """What files are to be read by: a layout that ships, one written out as YAML, or a kind.

    A name is never taken for a file. Raises `MappingError`.
    """
    if "\n" in mapping or ":" in mapping:
        return read_layout(read_yaml(mapping, where="mapping"), "mapping")
    if mapping:
        return _among(mapping, "mapping", shipped_mappings())
    if kind:
        return _among(kind, "kind", {each.name: kind_mapping(each.name) for each in kinds()})
    return None


def _among(name: str, what: str, known: Mapping[str, Layout]) -> Layout:
    if name not in known:
        raise ConfigurationError(
            f"there is no {what} '{name}'", where=what, remedy=f"one of {', '.join(sorted(known))}"
        )
    return known[name]
