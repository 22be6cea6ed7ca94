"""What is sent while the rest is still made; and that nothing is made that nobody waits for."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from threading import Event
from typing import Any

import anyio

from medweave.faces.web.server import listening
from medweave.faces.web.streaming import Events

SECONDS = 10


def test_what_stands_is_sent_before_the_rest_is_made() -> None:
    seen, ended = Event(), Event()

    def made() -> Iterator[tuple[str, Any]]:
        yield "danger", []
        assert seen.wait(SECONDS), "danger waits for the answer"
        yield "answer", {}
        ended.set()

    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))
        if b"danger" in sent[-1]:
            seen.set()

    async def talk() -> None:
        async def receive() -> Any:
            await anyio.sleep_forever()

        await Events(made)({"type": "http", "headers": []}, receive, send)

    anyio.run(talk)
    assert ended.is_set()
    assert b"".join(sent) == b"event: danger\ndata: []\n\nevent: answer\ndata: {}\n\n"


def test_nothing_is_made_for_whoever_turned_away() -> None:
    gone, closed = Event(), Event()

    def made() -> Iterator[tuple[str, Any]]:
        try:
            yield "danger", []
            assert gone.wait(SECONDS)
            yield "sentence", {}
            raise AssertionError("more is made")
        finally:
            closed.set()

    async def talk() -> None:
        shown = anyio.Event()

        async def send(message: Any) -> None:
            if message.get("body"):
                shown.set()

        async def receive() -> Any:
            await shown.wait()
            return {"type": "http.disconnect"}

        await Events(made)({"type": "http", "headers": []}, receive, send)
        gone.set()
        await anyio.to_thread.run_sync(closed.wait, SECONDS)

    anyio.run(talk)
    assert closed.is_set()


def test_what_is_accepted_sends_at_once() -> None:
    with (
        listening("127.0.0.1", 0) as opened,
        closing(socket.create_connection(opened.getsockname())),
        opened.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
