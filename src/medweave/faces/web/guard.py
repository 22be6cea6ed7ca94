"""Who may ask, how much may be sent, and what a browser may do with what it gets.

A server on loopback is not safe by itself: any page that a browser shows can send requests to it.
So a request is refused whose `Host` is not this machine (a name of another site may lead here), and
so is one whose `Origin` is not our own; sockets too.
"""

from __future__ import annotations

from ipaddress import ip_address
from time import perf_counter

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from medweave.faces.web.counts import Counts
from medweave.faces.web.problems import problem, reply
from medweave.faces.web.serving import MAX_BODY, Serving

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
UPLOADS = "/api/v1/documents"
_ALWAYS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without one a form has no origin
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
_CORS = {
    "access-control-allow-methods": "GET, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type, accept, idempotency-key",
    "access-control-max-age": "600",
}


class Guard:
    """Stands before the application."""

    def __init__(self, app: ASGIApp, serving: Serving, counts: Counts) -> None:
        self._app, self._serving, self._counts = app, serving, counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        wrong = self._refused(headers)
        if wrong and scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        allowed = self._allowed(headers)
        body = _Body(headers, receive)
        answer = _adding(send, allowed, body)
        if wrong:
            await reply(problem(403, wrong))(scope, body.receive, answer)
        elif allowed and scope.get("method") == "OPTIONS":
            await answer({"type": "http.response.start", "status": 204, "headers": []})
            await answer({"type": "http.response.body", "body": b""})
        elif scope["type"] == "http":
            await self._within_limits(scope, headers, body.receive, answer)
        else:
            await self._app(scope, receive, send)

    def _refused(self, headers: Headers) -> str:
        host = headers.get("host", "")
        if self._serving.local and not is_loopback(host):
            return "this server is for this machine alone"
        origin = headers.get("origin")
        own = (f"http://{host}", f"https://{host}")
        if origin is not None and origin not in (*own, *self._serving.origins):
            return "pages of other sites may not ask here"
        return ""

    def _allowed(self, headers: Headers) -> str:
        """The other site that asks, where it may."""
        origin = headers.get("origin", "")
        return origin if origin in self._serving.origins else ""

    async def _within_limits(
        self, scope: Scope, headers: Headers, receive: Receive, send: Send
    ) -> None:
        upload = scope["path"] == UPLOADS and scope["method"] == "POST"
        most = max(self._serving.max_upload, MAX_BODY) if upload else MAX_BODY
        told = f"more than {most:,} bytes are not taken"
        length = headers.get("content-length", "")
        if length.isdigit() and int(length) > most:
            form = problem(413, told, remedy="send less at once")
            await reply(form)(scope, receive, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise HTTPException(413, told)
            return message

        started, status = perf_counter(), 500

        async def seen_out(message: Message) -> None:
            nonlocal status
            status = message.get("status", status)
            await send(message)

        try:
            await self._app(scope, counted, seen_out)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self._counts.add(scope["method"], route, status, perf_counter() - started)


class _Body:
    """What is sent with a request, and whether some of it has not been taken yet."""

    def __init__(self, headers: Headers, receive: Receive) -> None:
        self._receive = receive
        self.left = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers

    async def receive(self) -> Message:
        """The next part."""
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body"):
            self.left = False
        return message


def _adding(send: Send, origin: str, body: _Body) -> Send:
    """Adds to each response what a browser may do with it. What is answered before all was taken
    ends the connection: the rest, however much, would be read to no end."""

    async def adding(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
            headers.setdefault("content-security-policy", POLICY)
            headers.setdefault("cache-control", "no-store")
            if body.left:
                headers["connection"] = "close"
            if origin:
                headers.update({"access-control-allow-origin": origin, "vary": "origin", **_CORS})
        await send(message)

    return adding


def is_loopback(host: str) -> bool:
    """Whether the host of a request, with or without a port, is this machine.

    >>> [is_loopback(one) for one in ("localhost:8080", "127.0.0.1", "[::1]:1", "evil.test")]
    [True, True, True, False]
    """
    name = host.rpartition(":")[0] if ":" in host.rpartition("]")[2] else host
    if name.lower() == "localhost":
        return True
    try:
        return ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False
