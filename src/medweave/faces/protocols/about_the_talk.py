"""What a chat program asks about a conversation itself: a title, tags, what to ask next.

Such a request carries the conversation in its text and names the form of the reply. It is no
medical question: it is answered from the conversation alone, in the form asked for, and cites
nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from medweave.language.segmentation import language_of

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
