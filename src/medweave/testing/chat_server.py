"""A server on this machine that speaks OpenAI's chat completions, for tests."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

Answer = Callable[[dict[str, Any]], tuple[int, Any]]
"""The body of a request → a status, and the text of a reply, the bytes of a body, or an `Act`."""
Act = Callable[["Line"], None]
"""Does what no well-behaved endpoint does, byte by byte; see `testing.endpoint_faults`."""


class ChatServer(ThreadingHTTPServer):
    """Answers as it is told to, and remembers what it was asked."""

    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer = answer
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.before: list[tuple[int, Any]] = []
        """Answers to the first requests, whatever they ask."""
        self.extra: dict[str, str] = {}
        self.streams = True
        """Whether it knows streams; otherwise it refuses to be asked for one."""
        self.sent = 0
        """Bytes that acts have sent."""
        self.stopping = threading.Event()
        """Set when whoever waits need not wait any more."""

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def name(self) -> str:
        """The model, as settings name it."""
        return f"openai-compatible:toy@{self.url}"


class Line(NamedTuple):
    """The open line to who asked."""

    handler: _Handler
    status: int
    body: dict[str, Any]

    @property
    def streamed(self) -> bool:
        """Whether a stream was asked for."""
        return bool(self.body.get("stream"))

    def begin(self, length: int | None = None, **headers: str) -> None:
        """Send the status and headers; without a length, the body ends with the line."""
        self.handler.send_response(self.status)
        kind = "text/event-stream" if self.streamed else "application/json"
        for name, value in {"Content-Type": kind, **headers}.items():
            self.handler.send_header(name.replace("_", "-"), value)
        if length is not None:
            self.handler.send_header("Content-Length", str(length))
        self.handler.end_headers()

    def send(self, data: bytes) -> None:
        """Send some bytes at once."""
        self.handler.server.sent += len(data)
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def wait(self, seconds: float) -> bool:
        """Wait, unless the server is to stop: then it is true."""
        return self.handler.server.stopping.wait(seconds)


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        """One request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
        streamed = body.get("stream", False)
        status, answer = self._answer(body)
        if callable(answer):
            with suppress(OSError):  # who asked has gone
                answer(Line(self, status, body))
            self.close_connection = True
            return
        if isinstance(answer, bytes):
            text, streamed = answer, False
        else:
            text = (stream_of if streamed else whole_of)(answer).encode()
        self.send_response(status)
        for name, value in self.server.extra.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "text/event-stream" if streamed else "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def _answer(self, body: dict[str, Any]) -> tuple[int, Any]:
        server = self.server
        if body.get("stream") and not server.streams:
            return 400, b'{"error": {"message": "no streams"}}'
        return server.before.pop(0) if server.before else server.answer(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is told."""


_USAGE = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}


def whole_of(text: str, **more: Any) -> str:
    """A reply as one body; `more` stands in its message."""
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps(_of("chat.completion", [choice], _USAGE))


def stream_of(text: str) -> str:
    """The same word by word, as server-sent events."""
    words = re.findall(r"\S+\s*|\s+", text)
    parts = [{"role": "assistant"}, *({"content": word} for word in words), {}]
    ends: list[str | None] = [*(None for _ in parts[1:]), "stop"]
    choices = [
        {"index": 0, "delta": part, "finish_reason": end}
        for part, end in zip(parts, ends, strict=True)
    ]
    chunks = [_of("chat.completion.chunk", [choice], None) for choice in choices]
    chunks.append(_of("chat.completion.chunk", [], _USAGE))
    return "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks) + "data: [DONE]\n\n"


def _of(kind: str, choices: list[Any], usage: Any) -> dict[str, Any]:
    return {"id": "1", "object": kind, "created": 1, "model": "toy", "choices": choices,
            "usage": usage}  # fmt: skip


@contextmanager
def serving(answer: Answer) -> Iterator[ChatServer]:
    """While this is open, the server answers."""
    with ChatServer(answer) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.stopping.set()
        server.shutdown()
        thread.join()
