"""Errors as `application/problem+json`, without a path of this machine in them."""

from __future__ import annotations

import logging
import re
from http import HTTPStatus
from pathlib import PurePath
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from medweave.errors import (
    EmbeddingError,
    LanguageModelError,
    MedweaveError,
    NotFoundError,
    StoreBusyError,
    StoreError,
)
from medweave.faces.web.replies import Json

PROBLEM = "application/problem+json"
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


def reply(form: dict[str, Any], headers: dict[str, str] | None = None) -> Json:
    """A problem as a response."""
    return Json(form, form["status"], headers, PROBLEM)


def tell_problems(application: FastAPI) -> None:
    """Let every error of an application be told in this form."""

    @application.exception_handler(MedweaveError)
    async def typed(_: Request, error: MedweaveError) -> Json:
        return reply(problem_of(error))

    @application.exception_handler(RequestValidationError)
    async def wrong_form(_: Request, error: RequestValidationError) -> Json:
        first = error.errors()[0] if error.errors() else {}
        where = ".".join(str(part) for part in first.get("loc", ()) if part != "body")
        said = str(first.get("msg", "the request has another form"))
        return reply(problem(422, said, kind="RequestError", where=where, remedy="mend the form"))

    @application.exception_handler(HTTPException)
    async def refused(_: Request, error: HTTPException) -> Json:
        return reply(problem(error.status_code, str(error.detail)), dict(error.headers or {}))

    @application.exception_handler(UnicodeEncodeError)
    async def half_a_character(_: Request, __: UnicodeEncodeError) -> Json:
        return reply(problem(422, "a text holds half a character", kind="RequestError"))

    @application.exception_handler(Exception)
    async def failed(_: Request, error: Exception) -> Json:
        logging.getLogger("medweave").error("a request failed: %s", type(error).__name__)
        return reply(problem(500, "something failed here", remedy="see the server's log"))
