"""Who may ask, where a server has keys: behind the guard, before everything else.

A key comes as `Authorization: Bearer KEY`; a browser is asked for it once, in a form, and keeps it
in a cookie that no script can read and no other site can send.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from medweave.access import Key, Keys
from medweave.access import Scope as KeyScope
from medweave.faces.web.problems import problem, reply

COOKIE = "medweave_key"
ENTRY = "/key"
_OPEN = ("/healthz", "/readyz")
_ASKING = ("/api/v1/ask", "/api/v1/understand", "/api/v1/similar", "/api/v1/classify",
    "/api/v1/decisions", "/page/", "/v1/", "/mcp", "/cds-services")  # fmt: skip
"""What is posted here asks, and changes nothing."""
_A_MINUTE, _BURST = 600, 120
"""Requests of one key: so many a minute in the long run, so many at once."""
_WRONG_A_MINUTE, _WRONG_AT_ONCE = 20, 10
"""Wrong keys from one address."""
_MOST = 10_000
"""Addresses and keys that are counted; the oldest are forgotten."""
_FORM = """<!doctype html><html lang="en"><meta charset="utf-8"><title>medweave</title>
<meta name="viewport" content="width=device-width"><main><h1>medweave</h1>
<form method="post" action="/key"><label>Key 密钥 <input type="password" name="key"
 data-testid="key" autocomplete="current-password" required autofocus></label>
<button>Open</button></form><p role="alert">{told}</p></main></html>"""


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class Rate:
    """How often one may, by whom: so many at once, and so many a minute in the long run."""

    def __init__(self, a_minute: float, at_once: int) -> None:
        self._a_second, self._most = a_minute / 60, at_once
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def wait(self, who: str, *, take: bool = True) -> int:
        """The seconds until one more may be; 0 where it may be now, which then counts.

        >>> rate = Rate(60, 1)
        >>> rate.wait("a"), rate.wait("a"), rate.wait("b")
        (0, 1, 0)
        """
        now = monotonic()
        bucket = self._buckets.setdefault(who, _Bucket(self._most, now))
        self._buckets.move_to_end(who)
        while len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)
        bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._a_second)
        bucket.at = now
        if bucket.left < 1:
            return max(1, round((1 - bucket.left) / self._a_second))
        bucket.left -= take
        return 0


class KeyGuard:
    """Lets through what a key allows."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self._app, self._keys = app, keys
        self._used, self._wrong = Rate(_A_MINUTE, _BURST), Rate(_WRONG_A_MINUTE, _WRONG_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request or socket."""
        if scope["type"] != "http" or scope["path"] in _OPEN:
            await self._app(scope, receive, send)
            return
        if scope["path"] == ENTRY:
            await (await self._entered(Request(scope, receive)))(scope, receive, send)
            return
        refused = self._refusal(scope)
        await (refused or self._app)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """Why a request is not let through; None where it is."""
        headers = Headers(scope=scope)
        secret = _secret(headers)
        key = self._keys.find(secret) if secret else None
        if key is None:
            return self._unknown(scope, headers, wrong=bool(secret))
        if seconds := self._used.wait(key.name):
            return _too_often(seconds)
        return None if key.allows(needed(scope["method"], scope["path"])) else _too_small(key)

    def _unknown(self, scope: Scope, headers: Headers, *, wrong: bool) -> Response:
        if wrong and (seconds := self._wrong.wait(_address(scope))):
            return _too_often(seconds)
        if scope["method"] == "GET" and "text/html" in headers.get("accept", ""):
            return _form("", 401)
        told = (
            "this key opens nothing: it is wrong, expired or removed"
            if wrong
            else "a key is needed"
        )
        form = problem(401, told, kind="KeyError", where="Authorization",
                       remedy="send Authorization: Bearer KEY")  # fmt: skip
        return reply(form, {"www-authenticate": 'Bearer realm="medweave"'})

    async def _entered(self, request: Request) -> Response:
        if request.method != "POST":
            return _form("", 200)
        if seconds := self._wrong.wait(_address(request.scope), take=False):
            return _too_often(seconds)
        sent = parse_qs((await request.body()).decode("utf-8", "replace"))
        secret = sent.get("key", [""])[0].strip()
        if self._keys.find(secret) is None:
            self._wrong.wait(_address(request.scope))
            return _form("This key opens nothing. 此密钥无效。", 401)
        found = RedirectResponse("/", 303)
        found.set_cookie(
            COOKIE, secret, httponly=True, samesite="strict", path="/",
            secure=request.url.scheme == "https",
        )  # fmt: skip
        return found


def needed(method: str, path: str) -> KeyScope:
    """The scope that a request needs.

    >>> needed("GET", "/"), needed("POST", "/api/v1/ask"), needed("DELETE", "/api/v1/documents")
    ('read', 'read', 'write')
    >>> needed("POST", "/api/v1/bases")
    'admin'
    """
    if method in ("GET", "HEAD", "OPTIONS") or path.startswith(_ASKING):
        return "read"
    return "admin" if path.rstrip("/") == "/api/v1/bases" else "write"


def _secret(headers: Headers) -> str:
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return secret.strip()
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _too_often(seconds: int) -> Response:
    form = problem(429, "too many requests", kind="RateError", remedy=f"wait {seconds} s")
    return reply(form, {"retry-after": str(seconds)})


def _too_small(key: Key) -> Response:
    told = f"this key may only {key.scope}"
    return reply(problem(403, told, kind="ScopeError", remedy="use a key of a wider scope"))


def _form(told: str, status: int) -> Response:
    return HTMLResponse(_FORM.format(told=told), status)
