"""A client of `medweave serve`: the calls of the library, over HTTP.

It needs the extra `client`. What comes back is the library's own (`Answer`, `Question`, `Similar`,
`Assessment`), each with the form of the interface as its `to_json`; a job is a `Job`.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from medweave.errors import ConfigurationError, MedweaveError
from medweave.model.answer_reading import ReadAnswer, answer_from_json
from medweave.model.result_reading import (
    ReadAssessment,
    ReadQuestion,
    ReadSimilar,
    assessment_from_json,
    question_from_json,
    similar_from_json,
)

try:
    import httpx
except ImportError as error:
    raise ConfigurationError(
        "the client needs a package that is not installed (httpx)",
        where="medweave.client", remedy="pip install 'medweave[client]'",
    ) from error  # fmt: skip

_SECONDS = 60.0
_LOOK_AGAIN = 0.5
_ENDED = ("done", "failed", "interrupted")


@dataclass(frozen=True, slots=True)
class LineError:
    """What could not be read of a file, and in which line; line 0 is the file itself."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file of a job: `queued`, `reading`, `ready`, `partial` or `failed`."""

    name: str
    status: str
    errors: tuple[LineError, ...] = ()


@dataclass(frozen=True, slots=True)
class Job:
    """What was sent at once, and how far it is read: `queued`, `running`, `done`, `failed` or
    `interrupted`. `report` is that of `build`, once it is done."""

    id: str
    status: str
    done: int
    total: int
    seconds_left: float | None
    files: tuple[SentFile, ...]
    report: Mapping[str, Any] | None

    @property
    def ended(self) -> bool:
        """Whether nothing more comes of it, unless it is retried."""
        return self.status in _ENDED


class ServerError(MedweaveError):
    """What the server refused or could not do; `status` is that of HTTP, 0 where it is away."""

    def __init__(self, what: str, *, where: str = "", remedy: str = "", status: int = 0) -> None:
        super().__init__(what, where=where, remedy=remedy)
        self.status = status


class Client:
    """A server by its address, such as `http://127.0.0.1:8080`, and a key where it asks for one."""

    def __init__(self, url: str, key: str = "", *, kb: str = "", timeout: float = _SECONDS) -> None:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._http = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=timeout,
            params={"kb": kb} if kb else {},
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the connection."""
        self._http.close()

    def ask(self, question: str, **more: Any) -> ReadAnswer:
        """The Answer to a question; `k`, `guideline` and `history` as in the interface."""
        return answer_from_json(self._post("ask", {"question": question, **more}))

    def stream(self, question: str, **more: Any) -> Iterator[tuple[str, Any]]:
        """The same as it comes: (event, value), `danger` first; the last is the whole `answer`."""
        asked = {"question": question, **more}
        headers = {"accept": "text/event-stream"}
        with self._http.stream("POST", "/api/v1/ask", json=asked, headers=headers) as sent:
            if sent.is_error:
                sent.read()
                _whole(sent)
            event = ""
            for line in sent.iter_lines():
                name, _, value = line.partition(": ")
                if name == "event":
                    event = value
                elif name == "data":
                    held = json.loads(value)
                    yield event, answer_from_json(held) if event == "answer" else held

    def understand(self, text: str) -> ReadQuestion:
        """How a text is understood."""
        return question_from_json(self._post("understand", {"text": text}))

    def similar(self, text: str, k: int = 3) -> ReadSimilar:
        """Past dialogues like a message."""
        return similar_from_json(self._post("similar", {"text": text, "k": k}))

    def classify(self, record: Mapping[str, Any]) -> ReadAssessment:
        """What a guideline says of a child: a line of `classify --findings`."""
        return assessment_from_json(self._post("classify", record))

    def upload(self, paths: Iterable[str | Path], **more: str) -> Job:
        """Send documents, with `mapping` or `kind`; the job, to be looked after with `job`."""
        named = [Path(path) for path in paths]
        files = [("files", (path.name, path.read_bytes())) for path in named]
        sent = self._sent("POST", "/api/v1/documents", files=files, data=more)
        return self.job(sent["job"])

    def job(self, identifier: str, *, wait: float = 0.0) -> Job:
        """How far a job is; with `wait` (seconds), once it has ended or the time is over."""
        until = time.monotonic() + wait
        while True:
            found = _job(self._sent("GET", f"/api/v1/jobs/{identifier}"))
            if found.ended or time.monotonic() >= until:
                return found
            time.sleep(_LOOK_AGAIN)

    def _post(self, call: str, form: Any) -> dict[str, Any]:
        return self._sent("POST", f"/api/v1/{call}", json=form)

    def _sent(self, method: str, path: str, **how: Any) -> dict[str, Any]:
        try:
            return _whole(self._http.request(method, path, **how))
        except httpx.TransportError as error:
            raise ServerError(
                f"the server does not answer ({type(error).__name__})",
                where=str(self._http.base_url), remedy="is `medweave serve` running there?",
            ) from error  # fmt: skip


def _job(form: Mapping[str, Any]) -> Job:
    files = tuple(
        SentFile(each["name"], each["status"], tuple(LineError(**e) for e in each["errors"]))
        for each in form["files"]
    )
    names = ("id", "status", "done", "total", "seconds_left", "report")
    return Job(files=files, **{name: form[name] for name in names})


def _whole(sent: httpx.Response) -> dict[str, Any]:
    """The JSON of a response; `ServerError` where it tells of a problem."""
    try:
        form: dict[str, Any] = sent.json()
    except ValueError:
        form = {}
    if sent.is_error:
        raise ServerError(
            str(form.get("detail") or sent.reason_phrase), where=str(form.get("where") or ""),
            remedy=str(form.get("remedy") or ""), status=sent.status_code,
        )  # fmt: skip
    return form
