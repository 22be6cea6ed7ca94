"""`/v1`: the chat of OpenAI's clients, answered by a base and not by a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from medweave.errors import MedweaveError
from medweave.faces.protocols.chat import (
    Conversation,
    Reply,
    base_of,
    chunks,
    completion,
    conversation_of,
    error,
    models,
    reply_to,
)
from medweave.faces.texts.markdown import answer_markdown
from medweave.faces.web.house import House, HouseHere, Served
from medweave.faces.web.problems import problem_of
from medweave.faces.web.replies import Json, written

router = APIRouter(prefix="/v1", tags=["chat"])


class StreamOptions(BaseModel):
    """How a stream ends."""

    include_usage: bool = False


class Completion(BaseModel):
    """A request for a completion; parameters of models are accepted and change nothing."""

    model_config = ConfigDict(extra="allow")
    model: str = "medweave"
    messages: list[dict[str, Any]] = Field(min_length=1, max_length=2000)
    stream: bool | None = False
    stream_options: StreamOptions | None = None


@router.get("/models")
def list_models(house: HouseHere) -> Json:
    """The default base as `medweave`, and each as `medweave/NAME`."""
    return Json(models([served.name for served in house.all]))


@router.get("/models/{name:path}")
def one_model(name: str, house: HouseHere) -> Json:
    """One of them."""
    listed = models([served.name for served in house.all])["data"]
    found = next((each for each in listed if each["id"] == name), None)
    if found is None:
        return Json(error(f"there is no model '{name}'", "model_not_found"), 404)
    return Json(found)


@router.post("/chat/completions")
def complete(asked: Completion, house: HouseHere) -> Response:
    """Answer the last message of the user, with the earlier ones as what was said before."""
    try:
        served = house.named(base_of(asked.model))
    except MedweaveError as wrong:
        return Json(error(str(wrong), "model_not_found"), 404)
    try:
        reply = _reply(conversation_of(asked.messages), served, house)
    except MedweaveError as wrong:
        form = problem_of(wrong)
        said = ", ".join(p for p in (form["detail"], form["where"], form["remedy"]) if p)
        kind = "invalid_request_error" if form["status"] < 500 else "server_error"  # noqa: PLR2004
        status = 400 if form["status"] == 422 else form["status"]  # noqa: PLR2004
        return Json(error(said, type(wrong).__name__, kind=kind), status)
    if not asked.stream:
        return Json(completion(reply, asked.model))
    usage = bool(asked.stream_options and asked.stream_options.include_usage)
    return StreamingResponse(_events(reply, asked.model, usage), media_type="text/event-stream")


def _reply(asked: Conversation, served: Served, house: House) -> Reply:
    def answer(conversation: Conversation) -> Reply:
        found = served.base.ask(conversation.question, history=conversation.before)
        told = {"question": conversation.question, "history": list(conversation.before)}
        form = house.give("answer", served, told, found.to_json())
        return Reply(answer_markdown(found, "numbers"), form)

    def names(text: str) -> Sequence[tuple[str, str]]:
        mentions = served.base.understand(text).mentions
        return [(each.name, each.concept) for each in mentions]

    return reply_to(asked, answer, names)


def _events(reply: Reply, model: str, usage: bool) -> Iterator[bytes]:
    for chunk in chunks(reply, model, usage=usage):
        yield b"data: " + written(chunk) + b"\n\n"
    yield b"data: [DONE]\n\n"
