"""What goes over the wire: a reply of no more than so many bytes, and no wait that another sets."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from httpx2 import AsyncBaseTransport, AsyncByteStream, AsyncHTTPTransport, Request, Response

_PLAIN = ("", "identity")


class OverlongReplyError(Exception):
    """A reply is longer than it may be, or packed, so that nobody knows how long it is."""


class CappedTransport(AsyncBaseTransport):
    """Counts requests before they leave, and bytes as they come.

    Replies are asked for unpacked: a few packed bytes can be many. `count` may refuse a request by
    an error; `never_left` is called for one of which nothing was sent after all.
    """

    def __init__(
        self, most: int, count: Callable[[], None], never_left: Callable[[], None]
    ) -> None:
        self._inner = AsyncHTTPTransport()
        self._most = most
        self._count = count
        self._never_left = never_left

    async def handle_async_request(self, request: Request) -> Response:
        """Send one request."""
        self._count()
        request.headers["accept-encoding"] = "identity"
        steps: list[str] = []

        async def note(step: str, _: object) -> None:
            steps.append(step)

        request.extensions = {**request.extensions, "trace": note}
        try:
            response = await self._inner.handle_async_request(request)
        except BaseException:
            if not any("send_request_headers" in step for step in steps):
                self._never_left()
            raise
        if response.headers.get("content-encoding", "").lower() not in _PLAIN:
            await response.aclose()
            raise OverlongReplyError("its reply is packed, and was asked for as it is")
        stream: Any = response.stream
        response.stream = _Capped(stream, self._most)
        return response

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._inner.aclose()


class _Capped(AsyncByteStream):
    def __init__(self, stream: Any, most: int) -> None:
        self._stream = stream
        self._left = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._stream:
            self._left -= len(piece)
            if self._left < 0:
                raise OverlongReplyError("its reply is too long")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()


def retry_after(headers: Any) -> float | None:
    """The seconds that `Retry-After` asks for, as a number or a date; None where it has none."""
    said = str(headers.get("retry-after", "")).strip()
    if not said:
        return None
    try:
        return max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time())
    except (ValueError, OverflowError):
        return None
