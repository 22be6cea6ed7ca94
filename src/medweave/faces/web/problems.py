"""Errors as `application/problem+json`, without a path of this machine in them."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import PurePath
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from medweave.errors import (
    EmbeddingError,
    LanguageModelError,
    MedweaveError,
    NotFoundError,
    StoreBusyError,
    StoreError,
)
from medweave.faces.protocols.chat import error as chat_error
from medweave.faces.texts.messages import message
from medweave.faces.web.replies import Json

PROBLEM = "application/problem+json"
CHAT = "/v1/"
"""How the paths begin that OpenAI's clients ask."""
_PARTS = ("type", "title", "detail", "where", "remedy")
DESCRIBED: dict[str, Any] = {
    "description": "What is wrong, where, and what to do.",
    "content": {
        PROBLEM: {
            "schema": {
                "type": "object",
                "required": [*_PARTS, "status"],
                "properties": {
                    **{name: {"type": "string"} for name in _PARTS},
                    "status": {"type": "integer"},
                },
            }
        }
    },
}
"""An error, as the description of all calls has it."""
_STATUS: tuple[tuple[type[MedweaveError], int], ...] = (
    (NotFoundError, 404),
    (StoreBusyError, 409),
    (StoreError, 503),
    (LanguageModelError, 502),
    (EmbeddingError, 502),
)
"""What any other typed error is, is 422: what was asked cannot be done so."""
_PATH = re.compile(r"(?:/[^/\s:;,'\"()]+)+/?([^/\s:;,'\"()]*)|[A-Z]:\\[^\s;,'\"()]*")


def problem(
    status: int, detail: str, *, kind: str = "", where: str = "", remedy: str = ""
) -> dict[str, Any]:
    """The form of an error."""
    return {
        "type": f"urn:medweave:{kind}" if kind else "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "where": where,
        "remedy": remedy,
    }


def problem_of(error: MedweaveError) -> dict[str, Any]:
    """A typed error in this form."""
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 422)
    what, where, remedy = map(pathless, (error.what, error.where, error.remedy))
    return problem(status, what, kind=type(error).__name__, where=where, remedy=remedy)


def pathless(text: str) -> str:
    """A text in which of every path only the last name stands.

    >>> pathless("no base, /home/jo/kb.db, build one"), pathless("3/4 of a tablet")
    ('no base, kb.db, build one', '3/4 of a tablet')
    """
    return _PATH.sub(_last, text)


def _last(found: re.Match[str]) -> str:
    path = found[0]
    before = found.string[found.start() - 1 : found.start()]
    if before and (before.isalnum() or before in ":/."):
        return path  # a fraction, or an address of the web
    return PurePath(path.replace("\\", "/")).name


class Problem(Json):
    """A problem as a response, in the language that is asked for; to a chat, in OpenAI's form."""

    def __init__(self, form: dict[str, Any], headers: Mapping[str, str] | None = None) -> None:
        super().__init__(form, form["status"], headers, PROBLEM)
        self._form, self._own = form, headers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        form = in_language(self._form, language_of(scope))
        if scope["path"].startswith(CHAT):
            told = Json(for_chat(form), status_for_chat(form["status"]), self._own)
        else:
            told = Json(form, form["status"], self._own, PROBLEM)
        await told(scope, receive, send)


def for_chat(form: dict[str, Any]) -> dict[str, Any]:
    """A problem as OpenAI's clients read it."""
    said = ", ".join(part for part in (form["detail"], form["where"], form["remedy"]) if part)
    kind = (
        "invalid_request_error"
        if form["status"] < HTTPStatus.INTERNAL_SERVER_ERROR
        else "server_error"
    )
    return chat_error(said, form["type"].removeprefix("urn:medweave:"), kind=kind)


def status_for_chat(status: int) -> int:
    """The status of a problem as these clients expect it: they know no 422."""
    return HTTPStatus.BAD_REQUEST if status == HTTPStatus.UNPROCESSABLE_ENTITY else status


def language_of(scope: Scope) -> str:
    """The language that a request asks for: Chinese where it prefers that, else English."""
    accepted = Headers(scope=scope).get("accept-language", "")
    return "zh" if accepted.lower().startswith("zh") else "en"


def _spoken(request: Request) -> str:
    return language_of(request.scope)


Spoken = Annotated[str, Depends(_spoken)]
"""The language that a request asks for."""


def in_language(form: dict[str, Any], language: str) -> dict[str, Any]:
    """A problem with what is wrong and what to do in a language; where it is, stays."""
    return form | {name: message(form[name], language) for name in ("detail", "remedy")}


def reply(form: dict[str, Any], headers: dict[str, str] | None = None) -> Problem:
    """A problem as a response."""
    return Problem(form, headers)


def tell_problems(application: FastAPI) -> None:
    """Let every error of an application be told in this form."""

    @application.exception_handler(MedweaveError)
    async def typed(_: Request, error: MedweaveError) -> Problem:
        return reply(problem_of(error))

    @application.exception_handler(RequestValidationError)
    async def wrong_form(_: Request, error: RequestValidationError) -> Problem:
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
        said = str(first.get("msg", "the request has another form"))
        return reply(problem(422, said, kind="RequestError", where=where, remedy="mend the form"))

    @application.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Problem:
        headers = {name.lower(): told for name, told in (error.headers or {}).items()}
        if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            headers["allow"] = ", ".join(_methods(request))
        return reply(problem(error.status_code, str(error.detail)), headers)

    @application.exception_handler(UnicodeEncodeError)
    async def half_a_character(_: Request, __: UnicodeEncodeError) -> Problem:
        return reply(problem(422, "a text holds half a character", kind="RequestError"))

    @application.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Problem:
        logging.getLogger("medweave").error("a request failed: %s", type(error).__name__)
        return reply(problem(500, "something failed here", remedy="see the server's log"))


def _methods(request: Request) -> list[str]:
    """All methods of a path: routes have one each, and only the first is asked when none fits."""
    return [
        method
        for method in ("DELETE", "GET", "HEAD", "PATCH", "POST", "PUT")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.routes
        )
    ]
