"""Questions, messages and children: what the library says, whole or as it comes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from medweave.answering.compose import CANDIDATES
from medweave.errors import FindingsError
from medweave.faces.web.house import Base, House, HouseHere, Served
from medweave.faces.web.replies import Json, told, without_paths
from medweave.faces.web.streaming import STREAM, Events
from medweave.generation.generate import Piece, events_of
from medweave.guideline.findings_json import read_record, whole_record

router = APIRouter(prefix="/api/v1", tags=["asking"])
_HISTORY = 200
Words = Annotated[str, Field(json_schema_extra={"pattern": r"\S"})]
"""Some words: none are refused by the library, in its own way, which the description tells."""


class AskBody(BaseModel):
    """A question, and what was said before it."""

    model_config = ConfigDict(extra="forbid")
    question: Words
    k: int = Field(CANDIDATES, ge=1, le=100)
    guideline: str = ""
    history: list[str] = Field(default=[], max_length=_HISTORY)


class Text(BaseModel):
    """A text."""

    model_config = ConfigDict(extra="forbid")
    text: Words


class Message(Text):
    """A message, and how many past dialogues like it are wanted."""

    k: int = Field(3, ge=1, le=1000)


@router.post("/ask", responses={200: {"description": "An Answer.", "content": {STREAM: {}}}})
def ask(
    asked: AskBody, served: Base, house: HouseHere, accept: Annotated[str, Header()] = ""
) -> Response:
    """Answer a question; with `Accept: text/event-stream` by events, danger first."""
    if STREAM in accept:
        return Events(lambda: _events(asked, served, house))
    found = served.base.ask(asked.question, **_how(asked, served, house))
    return Json(house.give("answer", served, asked.model_dump(), found.to_json()))


def pieces(asked: AskBody, served: Served, house: House) -> Iterator[Piece]:
    """The answer as it comes; whole, it is to be given by the house."""
    return served.base.ask_piecewise(asked.question, **_how(asked, served, house))


def _how(asked: AskBody, served: Served, house: House) -> dict[str, Any]:
    return {
        "candidates": asked.k,
        "guideline": house.guideline(asked.guideline, served),
        "history": asked.history,
    }


def _events(asked: AskBody, served: Served, house: House) -> Iterator[tuple[str, Any]]:
    for piece in pieces(asked, served, house):
        for name, value in events_of(piece):
            if name == "answer":
                yield name, house.give(name, served, asked.model_dump(), value)
            elif name != "step":
                yield name, without_paths(value or [])


@router.post("/understand")
def understand(text: Text, served: Base) -> Json:
    """How a text is understood."""
    return told(served.base.understand(text.text).to_json())


@router.post("/similar")
def similar(message: Message, served: Base) -> Json:
    """Past dialogues like a message."""
    return told(served.base.similar(message.text, message.k).to_json())


@router.post(
    "/classify",
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"type": "object"}}},
            "description": "As a line of `classify --findings`, with `order` beside it.",
        }
    },
)
async def classify(request: Request, served: Base, house: HouseHere) -> Json:
    """What a guideline says of a child."""
    body = (await request.body()).decode("utf-8", "replace")
    return await run_in_threadpool(_classified, body, served, house)


def _classified(body: str, served: Served, house: House) -> Json:
    record = read_record(body, where="findings")
    order = record.pop("order", "best")
    if order not in ("best", "form"):
        raise FindingsError("there is no such order", where="order", remedy="best, or form")
    guideline = record.get("guideline") or "sample"
    if not isinstance(guideline, str):
        raise FindingsError("a guideline is named by a text", where="guideline", remedy="sample")
    found = served.base.classify(
        whole_record(record), guideline=house.guideline(guideline, served), order=order
    )
    form = found.to_json()
    house.give("assessment", served, record, form)
    return told(form)
