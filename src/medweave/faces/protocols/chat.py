"""Chat completions as OpenAI's clients know them: forms in, forms out.

A chat program also asks about a conversation itself: for a title, tags, what to ask next. Such a
request carries the conversation in its text and names the form of the reply. It is no medical
question: it is answered from the conversation alone, in the form asked for, and cites nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import time
from typing import Any
from uuid import uuid4

from medweave.errors import QuestionError
from medweave.language.segmentation import language_of

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


_INSIDE = re.compile(r"<chat_history>\s*(.*?)\s*</chat_history>", re.DOTALL | re.IGNORECASE)
_TURN = re.compile(
    r"^\s*(?:#+ *|\*\*)?(user|assistant|human|ai|model|system)(?:\*\*)?\s*[:：]\s*(?:\*\*)?",
    re.IGNORECASE | re.MULTILINE,
)
_REQUESTS = (
    ("follow_ups", re.compile(r"follow[- _]?ups?\b|suggest\w* .{0,40}questions?", re.IGNORECASE)),
    ("tags", re.compile(r"\btags?\b", re.IGNORECASE)),
    ("queries", re.compile(r"\b(?:search|retrieval) quer(?:y|ies)\b", re.IGNORECASE)),
    ("title", re.compile(r"\b(?:title|summar\w+|标题)\b|标题", re.IGNORECASE)),
)
"""What may be asked for, by the name that Open WebUI gives it in the reply."""
_KEY = re.compile(r'"(follow_ups|tags|queries|title)"\s*:')
_ORDER = re.compile(
    r"\b(?:generate|write|provide|create|suggest|give|analy[sz]e|summari[sz]e|name)\b|生成|总结",
    re.IGNORECASE,
)
_TITLE_WORDS = 6
_TITLE_SIGNS = 14
_CLOSING = ",;:.?!"
_TAGS = 3
_QUESTIONS = {
    "en": ("What are the side effects of {}?", "Who should not take {}?", "What is {} used for?"),
    "zh": ("{}有哪些副作用？", "哪些人不能用{}？", "{}用于什么？"),
}
_OF_DISEASES = {
    "en": ("What are the symptoms of {}?", "How is {} treated?", "What tests are done for {}?"),
    "zh": ("{}有哪些症状？", "{}怎么治疗？", "{}要做哪些检查？"),
}

Names = Callable[[str], Sequence[tuple[str, str]]]
"""The things that a text names, each with its concept."""


@dataclass(frozen=True, slots=True)
class AboutTheTalk:
    """A request about a conversation: what is wanted, as which key of JSON ('' for plain words)."""

    wanted: str
    key: str
    said: tuple[str, ...]
    """What the person said, oldest first."""

    def reply(self, names: Names) -> str:
        """The reply, in the form asked for."""
        value = self._value(names)
        if self.key:
            return json.dumps({self.key: value}, ensure_ascii=False)
        return value if isinstance(value, str) else "\n".join(value)

    def _value(self, names: Names) -> Any:
        if self.wanted == "title":
            return _title(self.said[0] if self.said else "")
        if self.wanted == "queries":
            return []
        things = list(dict.fromkeys(thing for text in self.said for thing in names(text)))
        if self.wanted == "tags":
            return [name for name, _ in things[:_TAGS]] or ["General"]
        return list(_next(things, self.said))


def about_the_talk(text: str, before: Sequence[str] = ()) -> AboutTheTalk | None:
    """The request that a message is; None where it is a question of its own.

    `before` are earlier messages of the person, for clients that send the conversation itself
    and then only ask for its title.

    >>> about_the_talk("### Task:\\nGenerate a title as JSON: { \\"title\\": \\"...\\" }\\n"
    ...     "<chat_history>\\nUSER: I have gout\\n</chat_history>").reply(lambda text: [])
    '{"title": "I have gout"}'
    >>> about_the_talk("Can you suggest a painkiller? My title is Mr.") is None
    True
    """
    inside = _INSIDE.search(text)
    talk = inside[1] if inside else text
    order = _INSIDE.sub(" ", text) if inside else text[: first.start()] if (
        first := _TURN.search(text)
    ) else ""  # fmt: skip
    if not order or not _ORDER.search(order):
        return None
    key = _KEY.search(order)
    wanted = key[1] if key else next((name for name, asked in _REQUESTS if asked.search(order)), "")
    if not wanted:
        return None
    return AboutTheTalk(wanted, key[1] if key else "", tuple(_user_turns(talk)) or tuple(before))


def _user_turns(talk: str) -> Iterator[str]:
    """What the person said, in the order of the conversation."""
    turns = list(_TURN.finditer(talk))
    for turn, after in zip(turns, [*turns[1:], None], strict=True):
        if turn[1].lower() in ("user", "human"):
            words = talk[turn.end() : after.start() if after else None].strip()
            if words:
                yield words


def _title(text: str) -> str:
    """The first words of a text, of whichever language.

    >>> _title("Can I take ibuprofen with warfarin? I am 70.")
    'Can I take ibuprofen with warfarin…'
    """
    line = " ".join(text.split())
    if not line:
        return "New chat"
    if language_of(line) == "zh":
        return line if len(line) <= _TITLE_SIGNS else line[:_TITLE_SIGNS] + "…"
    words = line.split()
    shown = " ".join(words[:_TITLE_WORDS])
    return f"{shown.rstrip(_CLOSING)}…" if len(words) > _TITLE_WORDS else shown


def _next(things: Sequence[tuple[str, str]], said: Sequence[str]) -> Iterator[str]:
    """Up to three further questions, about what was named last."""
    if not things:
        return
    name, concept = things[-1]
    language = language_of(said[-1])
    forms = (_QUESTIONS if concept in ("drug", "drug_class") else _OF_DISEASES)[language]
    asked = {" ".join(text.lower().split()) for text in said}
    for form in forms:
        if (question := form.format(name)).lower() not in asked:
            yield question
