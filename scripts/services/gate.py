"""A way to a server that speaks HTTP, over TLS and for those who log in: as RDF servers stand
behind another that does this for them."""

from __future__ import annotations

import ssl
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from scripts.services.servers import certified

_HANDED_ON = ("Content-Type", "Accept")
_PATIENCE = 60


class Gate(ThreadingHTTPServer):
    """Hands on what comes in at `port` with the right login."""

    daemon_threads = True

    def __init__(self, to: tuple[str, int], login: tuple[str, str], folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Request)
        self.to = to
        self.login = "Basic " + b64encode(":".join(login).encode()).decode()
        self.port = int(self.server_address[1])
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certified(folder)
        context.load_cert_chain(folder / "server.pem", folder / "server.key")
        self.authority = folder / "authority.pem"
        # Whoever comes in shakes hands in a thread of its own.
        self.socket = context.wrap_socket(
            self.socket, server_side=True, do_handshake_on_connect=False
        )

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that does not trust us goes away; that is no error of ours."""


class _Request(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Gate

    def _hand_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Authorization") != self.server.login:
            self._tell(HTTPStatus.UNAUTHORIZED, "text/plain", b"")
            return
        given = {name: self.headers[name] for name in _HANDED_ON if name in self.headers}
        way = HTTPConnection(*self.server.to, timeout=_PATIENCE)
        way.request(self.command, self.path, body, given)
        answer = way.getresponse()
        self._tell(answer.status, answer.headers.get("Content-Type", ""), answer.read())
        way.close()

    def do_GET(self) -> None:
        self._hand_on()

    def do_POST(self) -> None:
        self._hand_on()

    def _tell(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""


@contextmanager
def gate_to(host: str, port: int, *, login: tuple[str, str], folder: Path) -> Iterator[Gate]:
    """A gate that is gone in the end; its certificate is made in a folder."""
    made = Gate((host, port), login, folder)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
