"""Chat completions as OpenAI's clients know them: forms in, forms out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Any
from uuid import uuid4

from medweave.errors import QuestionError
from medweave.faces.protocols.about_the_talk import Names, about_the_talk

MODEL = "medweave"
_MOST = 200
"""Messages that are looked at, the last ones."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """What was asked, and what the person said before it, oldest first."""

    question: str
    before: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """The words of a reply, and the Answer's JSON form; None where nothing medical was asked, and
    while more words come."""

    text: str
    answer: Mapping[str, Any] | None = None


Answering = Callable[[Conversation], Iterator[Reply]]
"""The reply as far as it has come, again and again; each begins with the one before."""


def models(bases: Sequence[str]) -> dict[str, Any]:
    """The list of models: the default base, and each base by its name."""
    names = [MODEL, *(f"{MODEL}/{name}" for name in bases)]
    items = [{"id": name, "object": "model", "created": 0, "owned_by": MODEL} for name in names]
    return {"object": "list", "data": items}


def base_of(model: str) -> str:
    """The base that a model names; '' for the default one. `QuestionError` for another model.

    >>> base_of("medweave"), base_of("medweave/ward")
    ('', 'ward')
    """
    name, slash, base = model.partition("/")
    if name != MODEL or (slash and not base):
        raise QuestionError(
            f"there is no model '{model}'", where="model", remedy="see GET /v1/models"
        )
    return base


def conversation_of(messages: Sequence[Mapping[str, Any]]) -> Conversation:
    """The last message of the user, and the earlier ones. `QuestionError` where there is none."""
    said = [_words(each.get("content")) for each in messages[-_MOST:] if each.get("role") == "user"]
    said = [words for words in said if words]
    if not said:
        raise QuestionError(
            "no message of a user has words", where="messages", remedy="send one with a question"
        )
    return Conversation(said[-1], tuple(said[:-1]))


def _words(content: Any) -> str:
    """The text of a message: as it is, or of those of its parts that are text."""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return ""
    parts = (p.get("text") for p in content if isinstance(p, Mapping) and p.get("type") == "text")
    return "\n".join(part for part in parts if isinstance(part, str)).strip()


def replies_to(asked: Conversation, answering: Answering, names: Names) -> Iterator[Reply]:
    """The reply as it comes; what is asked about the conversation itself is no medical question."""
    about = about_the_talk(asked.question, asked.before)
    return iter([Reply(about.reply(names))]) if about else answering(asked)


def completion(reply: Reply, model: str) -> dict[str, Any]:
    """A whole completion."""
    message = {"role": "assistant", "content": reply.text, "refusal": None}
    form = _head("chat.completion", model) | {
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}],
        "usage": _USAGE,
    }
    return form | ({"medweave": reply.answer} if reply.answer is not None else {})


def chunks(
    replies: Iterable[Reply], model: str, *, usage: bool = False
) -> Iterator[dict[str, Any]]:
    """The same in pieces as they come, whose text joined is the whole; the last has the Answer."""
    head = _head("chat.completion.chunk", model)

    def chunk(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
        choice = {"index": 0, "delta": dict(delta), "logprobs": None, "finish_reason": finish}
        return head | {"choices": [choice]} | ({"usage": None} if usage else {})

    reply = Reply("")
    for number, so_far in enumerate(replies):
        if not number:
            yield chunk({"role": "assistant", "content": ""})
        for words in _paragraphs(_added(so_far.text, reply.text)):
            yield chunk({"content": words})
        reply = so_far
    more = {"medweave": reply.answer} if reply.answer is not None else {}
    last = chunk({}, "stop")
    if not usage:
        yield last | more
        return
    yield last
    yield head | {"choices": [], "usage": _USAGE} | more


_USAGE = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
"""No language model is asked, so no tokens are spent."""


def _head(kind: str, model: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{uuid4().hex}", "object": kind, "created": int(time()), "model": model,
    }  # fmt: skip


def _added(text: str, sent: str) -> str:
    """What a text has behind what was sent of it; all of it anew where that does not begin it:
    rather told twice than not at all."""
    return text.removeprefix(sent) if text.startswith(sent) else f"\n\n{text}"


def _paragraphs(text: str) -> list[str]:
    """A text in pieces, cut before blank lines.

    >>> _paragraphs("a\\n\\nb\\n\\nc")
    ['a', '\\n\\nb', '\\n\\nc']
    """
    return [part for part in re.split(r"(?=\n\n)", text) if part]


def error(message: str, code: str, *, kind: str = "invalid_request_error") -> dict[str, Any]:
    """An error as OpenAI's clients read it."""
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}
