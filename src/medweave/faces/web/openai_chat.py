"""`/v1`: the chat of OpenAI's clients, answered by a base and not by a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

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
    replies_to,
)
from medweave.faces.texts.markdown import answer_markdown, markdown_so_far
from medweave.faces.web.house import House, HouseHere, Served
from medweave.faces.web.problems import Problem, for_chat, in_language, problem_of
from medweave.faces.web.replies import Json, written
from medweave.faces.web.streaming import Stream
from medweave.model.answer import Sentence

_REFUSED: dict[str, Any] = {
    "description": "An error of OpenAI's form.",
    "content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}},
}
router = APIRouter(
    prefix="/v1", tags=["chat"], responses={422: _REFUSED, "4XX": _REFUSED, "5XX": _REFUSED}
)


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
    except MedweaveError as unknown:
        return Json(error(str(unknown), "model_not_found"), 404)
    conversation = conversation_of(asked.messages)
    if not asked.stream:
        *_, reply = _replies(conversation, served, house)
        return Json(completion(reply, asked.model))
    usage = bool(asked.stream_options and asked.stream_options.include_usage)

    def streamed() -> Iterator[bytes]:
        for chunk in chunks(_replies(conversation, served, house), asked.model, usage=usage):
            yield _event(chunk)
        yield b"data: [DONE]\n\n"

    def wrong(error: MedweaveError, language: str) -> bytes:
        return _event(for_chat(in_language(problem_of(error), language)))

    return Stream(streamed, wrong, lambda error: Problem(problem_of(error)))


def _event(value: Any) -> bytes:
    return b"data: " + written(value) + b"\n\n"


def _replies(asked: Conversation, served: Served, house: House) -> Iterator[Reply]:
    def answering(conversation: Conversation) -> Iterator[Reply]:
        said: list[Sentence] = []
        asking = served.base.ask_piecewise(conversation.question, history=conversation.before)
        for piece in asking:
            if piece.whole:
                told = {"question": conversation.question, "history": list(conversation.before)}
                form = house.give("answer", served, told, piece.answer.to_json())
                yield Reply(answer_markdown(piece.answer, "numbers"), form)
                return
            said += [piece.sentence] if piece.sentence else []
            yield Reply(markdown_so_far(piece.answer, said))

    def names(text: str) -> Sequence[tuple[str, str]]:
        mentions = served.base.understand(text).mentions
        return [(each.name, each.concept) for each in mentions]

    return replies_to(asked, answering, names)
