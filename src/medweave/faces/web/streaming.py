"""What is made piece by piece in one thread, sent as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import anyio
import anyio.from_thread
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from medweave.errors import MedweaveError
from medweave.faces.web.problems import problem_of
from medweave.faces.web.replies import written

STREAM = "text/event-stream"


def event(name: str, value: Any) -> bytes:
    """One event of a stream.

    >>> event("danger", [])
    b'event: danger\\ndata: []\\n\\n'
    """
    return b"event: " + name.encode() + b"\ndata: " + written(value) + b"\n\n"


class Stream(Response):
    """Bytes as they are made. All of them are made in one thread: a base is read by a connection
    of the thread, at one revision from the first piece to the last.

    Whoever turns away ends it: nothing is made that nobody waits for. An error is the last piece;
    where it comes before any other it may be a response of its own.
    """

    media_type = STREAM

    def __init__(
        self,
        made: Callable[[], Iterable[bytes]],
        wrong: Callable[[MedweaveError], bytes],
        refused: Callable[[MedweaveError], Response] | None = None,
    ) -> None:
        super().__init__()
        self._made = made
        self._wrong = wrong
        self._refused = refused
        del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send them."""
        pieces, waiting = anyio.create_memory_object_stream[bytes | Response](float("inf"))
        async with anyio.create_task_group() as group:
            group.start_soon(_gone, receive, group.cancel_scope)
            group.start_soon(self._make, pieces)
            await self._send(waiting, scope, receive, send)
            group.cancel_scope.cancel()

    async def _send(
        self, waiting: MemoryObjectReceiveStream[bytes | Response], scope: Scope, receive: Receive,
        send: Send,
    ) -> None:  # fmt: skip
        head = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        begun = False
        async with waiting:
            async for piece in waiting:
                if isinstance(piece, Response):
                    await piece(scope, receive, send)
                    return
                if not begun:
                    await send(head)
                    begun = True
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _make(self, pieces: MemoryObjectSendStream[bytes | Response]) -> None:
        def work() -> None:
            for piece in self._chunks():
                anyio.from_thread.run_sync(pieces.send_nowait, piece)

        with pieces:
            await anyio.to_thread.run_sync(work, abandon_on_cancel=True)

    def _chunks(self) -> Iterator[bytes | Response]:
        refused = self._refused
        try:
            for piece in self._made():
                yield piece
                refused = None
        except MedweaveError as error:
            yield refused(error) if refused else self._wrong(error)


class Events(Stream):
    """Events, each a name and a value; an error is the last one."""

    def __init__(self, made: Callable[[], Iterable[tuple[str, Any]]]) -> None:
        super().__init__(
            lambda: (event(name, value) for name, value in made()),
            lambda error: event("error", problem_of(error)),
        )


async def _gone(receive: Receive, scope: anyio.CancelScope) -> None:
    try:
        while (await receive())["type"] != "http.disconnect":
            pass
    except ClientDisconnect:
        pass
    scope.cancel()
