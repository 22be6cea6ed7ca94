"""A server on this machine that speaks OpenAI's chat completions, for tests."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, Any]]
"""The body of a request → a status, and the text of a reply or the bytes of another body."""


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

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    @property
    def name(self) -> str:
        """The model, as settings name it."""
        return f"openai-compatible:toy@{self.url}"


class _Handler(BaseHTTPRequestHandler):
    server: ChatServer

    def do_POST(self) -> None:
        """One request."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(body)
        self.server.headers.append({k.lower(): v for k, v in self.headers.items()})
        streamed = body.get("stream", False)
        status, answer = self._answer(body)
        if isinstance(answer, bytes):
            text, streamed = answer, False
        else:
            text = (_stream if streamed else _whole)(answer).encode()
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


def _whole(text: str) -> str:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    return json.dumps(_of("chat.completion", [choice], _USAGE))


def _stream(text: str) -> str:
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
        server.shutdown()
        thread.join()
