"""What endpoints of language models do wrong: each is an answer of `ChatServer` to one request."""

from __future__ import annotations

import gzip
import json
import re

from medweave.testing.chat_server import Act, Line, stream_of, whole_of

_MEGABYTE = 1_000_000


def drops(text: str) -> tuple[int, Act]:
    """Half of a reply, then the line is cut, though more was announced."""

    def act(line: Line) -> None:
        body = _body(text, line)
        line.begin(len(body))
        line.send(body[: len(body) // 2])

    return 200, act


def breaks_off(text: str) -> tuple[int, Act]:
    """A stream, or a body of no announced length, that ends early as if nothing were wrong."""

    def act(line: Line) -> None:
        body = _body(text, line)
        line.begin()
        line.send(body[: len(body) // 2])

    return 200, act


def half_json(text: str) -> tuple[int, bytes]:
    """A body that is whole for HTTP, and half for JSON."""
    body = whole_of(text).encode()
    return 200, body[: len(body) // 2]


def too_many(seconds: float | str) -> tuple[int, Act]:
    """429, with a time to wait."""

    def act(line: Line) -> None:
        body = json.dumps({"error": {"message": "slow down"}}).encode()
        line.begin(len(body), Retry_After=str(seconds))
        line.send(body)

    return 429, act


def stalls(after: str = "") -> tuple[int, Act]:
    """Nothing comes any more, and the line stays open."""

    def act(line: Line) -> None:
        if after:
            line.begin()
            line.send(stream_of(after).replace("data: [DONE]\n\n", "").encode())
        line.wait(60)

    return 200, act


def floods(megabytes: int = 600) -> tuple[int, Act]:
    """A reply that does not end for long."""

    def act(line: Line) -> None:
        line.begin()
        piece = b"x" * _MEGABYTE
        line.send(b'data: {"id": "' if line.streamed else b'{"id": "')
        for _ in range(megabytes):
            line.send(piece)
            if line.wait(0):
                return

    return 200, act


def floods_packed(megabytes: int = 100) -> tuple[int, Act]:
    """A few bytes that unpack to many, whether or not anybody asked for them packed."""

    def act(line: Line) -> None:
        packed = gzip.compress(b"x" * megabytes * _MEGABYTE, 1)
        line.begin(len(packed), Content_Encoding="gzip")
        line.send(packed)

    return 200, act


def drips(text: str, pause: float = 0.05) -> tuple[int, Act]:
    """A reply of which each byte comes after a pause, so that nothing ever seems to stand still."""

    def act(line: Line) -> None:
        line.begin()
        for byte in _body(text, line):
            line.send(bytes([byte]))
            if line.wait(pause):
                return

    return 200, act


def pings() -> tuple[int, Act]:
    """A stream that says forever that it is alive, and nothing else."""

    def act(line: Line) -> None:
        line.begin()
        while not line.wait(0.01):
            line.send(b": alive\n\n")

    return 200, act


def fails_within(text: str) -> tuple[int, Act]:
    """A stream that ends in an error."""

    def act(line: Line) -> None:
        said = re.split(r"(?<=\n\n)", stream_of(text))[:-3]
        error = 'data: {"error": {"message": "out of memory", "code": 500}}\n\n'
        line.begin()
        line.send("".join((*said, error)).encode())

    return 200, act


def thinks_apart(thought: str, text: str) -> tuple[int, Act]:
    """Thoughts in a field of their own, as some servers give them."""

    def act(line: Line) -> None:
        if line.streamed:
            first = stream_of("x").splitlines()[2].removeprefix("data: ")
            chunk = json.loads(first)
            chunk["choices"][0]["delta"] = {"reasoning_content": thought}
            body = f"data: {json.dumps(chunk)}\n\n{stream_of(text)}".encode()
        else:
            body = whole_of(text, reasoning_content=thought).encode()
        line.begin(len(body))
        line.send(body)

    return 200, act


def calls_a_tool(arguments: str) -> tuple[int, Act]:
    """A reply as the arguments of the tool that was offered."""

    def act(line: Line) -> None:
        name = line.body["tools"][0]["function"]["name"]
        call = {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}
        body = whole_of("", tool_calls=[call]).encode()
        line.begin(len(body))
        line.send(body)

    return 200, act


def _body(text: str, line: Line) -> bytes:
    return (stream_of if line.streamed else whole_of)(text).encode()
