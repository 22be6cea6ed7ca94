"""A way to a server that can be cut, closed, or made to hang."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Proxy:
    """Hands on what comes in at `port` to a server, until it is told otherwise."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> None:
        self._to = (host, port)
        self._tls = tls
        """How it speaks to who comes in, where the server itself speaks no TLS."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._open: list[socket.socket] = []
        self._flows = threading.Event()
        self._flows.set()
        self.after = -1
        """So many more pieces come in before the way is closed; below 0 for any number."""
        self.delay = 0.0
        """Seconds that each piece which the server sends is on its way."""
        self.turns = 0
        """So often did something come in after the server had spoken."""
        self.told = 0
        """Bytes that the server sent."""
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Cut all connections; new ones can be made."""
        for one in self._open:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open = []

    def close(self) -> None:
        """As if the server were killed: nothing is accepted any more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def hang(self) -> None:
        """Connections stay, and nothing comes through."""
        self._flows.clear()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                if self._tls:
                    try:
                        client = self._tls.wrap_socket(client, server_side=True)
                    except OSError:  # one that does not trust us
                        continue
                server = socket.create_connection(self._to)
                self._open += [client, server]
                spoke = threading.Event()
                spoke.set()
                for one, other, asks in ((client, server, True), (server, client, False)):
                    threading.Thread(
                        target=self._hand_on, args=(one, other, asks, spoke), daemon=True
                    ).start()

    def _hand_on(
        self, one: socket.socket, other: socket.socket, asks: bool, spoke: threading.Event
    ) -> None:
        """What comes from one side, which `asks` or answers; `spoke` is whether the last piece was
        the server's."""
        with suppress(OSError):
            while data := one.recv(1 << 16):
                self._flows.wait()
                if asks:
                    self._asked(spoke)
                else:
                    time.sleep(self.delay)
                    self.told += len(data)
                    spoke.set()
                other.sendall(data)
        for each in (one, other):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _asked(self, spoke: threading.Event) -> None:
        """Count a piece that comes in, and close the way where enough of them came."""
        self.turns += spoke.is_set()
        spoke.clear()
        if self.after >= 0:
            self.after -= 1
            if self.after < 0:
                self.close()


@contextmanager
def proxy_to(host: str, port: int, tls: ssl.SSLContext | None = None) -> Iterator[Proxy]:
    """A proxy that is gone in the end."""
    made = Proxy(host, port, tls)
    try:
        yield made
    finally:
        made.close()
