"""The server itself: an address, a port, and an end that loses nothing."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from medweave.errors import ConfigurationError

_LAST_SECONDS = 8
"""So long what is under way may take to end."""
_IDLE_SECONDS = 30


def listening(host: str, port: int) -> socket.socket:
    """A socket at an address; port 0 takes a free one. Raises `ConfigurationError`."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        opened = socket.socket(found[0], socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(found[4])
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
    )
    _Server(config, ready).run(sockets=[opened])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready

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
