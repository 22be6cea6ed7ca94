"""A server on this machine that speaks OpenAI's chat completions, for tests."""

from __future__ import annotations

import json
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
        before = self.server.before
        status, answer = before.pop(0) if before else self.server.answer(body)
        text = answer if isinstance(answer, bytes) else json.dumps(_completion(answer)).encode()
        self.send_response(status)
        for name, value in self.server.extra.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is told."""


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "toy",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25},
    }


@contextmanager
def serving(answer: Answer) -> Iterator[ChatServer]:
    """While this is open, the server answers."""
    with ChatServer(answer) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()
