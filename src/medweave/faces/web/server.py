"""The server itself: an address, a port, and an end that loses nothing."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from medweave.errors import ConfigurationError
from medweave.faces.web.house import House

_LAST_SECONDS = 5
"""So long what is under way may take to end."""
_IDLE_SECONDS = 30


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 takes a free one. Raises `ConfigurationError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.create_server(found[4][:2], family=found[0])
        # what is taken from it sends at once: a client that keeps its connection would wait 40 ms
        # between the head of an answer and its body
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"this address cannot be used ({reason})",
            where=f"--host {host} --port {port}",
            remedy="choose another one; --port 0 takes a free one",
        ) from error
    return opened


def address(opened: socket.socket, host: str) -> str:
    """The address of the page."""
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{opened.getsockname()[1]}/"


def serve(made: FastAPI, opened: socket.socket, ready: Callable[[], None]) -> None:
    """Answer until SIGINT or SIGTERM; `ready` is called once it answers."""
    config = uvicorn.Config(
        made,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=_LAST_SECONDS,
        timeout_keep_alive=_IDLE_SECONDS,
        ws="none",
        loop="asyncio",
        http=_Patient,
    )
    house: House = made.state.house

    def begin() -> None:
        ready()
        house.get_ready()

    _Server(config, begin, house.end_soon).run(sockets=[opened])


class _Patient(H11Protocol):
    """A connection that is let go where no request comes: the head of one, whole, within the time
    that a connection may be idle. Whoever sends a letter a minute would hold it for ever."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._wait_no_more()

    def on_response_complete(self) -> None:
        self._wait()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait_no_more()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._wait_no_more()
        self._waiting = self.loop.call_later(_IDLE_SECONDS, self.transport.close)

    def _wait_no_more(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None


class _Server(uvicorn.Server):
    def __init__(
        self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._ready, self._ending = ready, ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._ending()
        super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does it, but without sending itself the signal again."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self.handle_exit)
        yield
