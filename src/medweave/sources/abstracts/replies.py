"""Relations in the reply of a language model, whatever form it has.

Objects and lists, one a line, in a fence, behind thoughts, with single quotes, bare keys, trailing
commas, quotes that are not escaped, cut off at the end: each object that has the fields of a
relation is one, whatever stands beside it. Nothing is evaluated, and no reply takes long.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

FIELDS = ("relation_type", "entity1_type", "entity1_name", "entity2_type", "entity2_name")
"""What a relation must have."""
_ALSO = ("quote", "polarity", "certainty")
_LIST = "relations"
_MOST = 100_000
"""Characters of a reply that are looked at."""
_DEPTH = 8
"""Of lists and objects in one another."""
_THINKS, _THOUGHT = "<think>", "</think>"
_BLANK = re.compile(r"\s*")
_COMMAS = re.compile(r"[\s,]*")
_CLOSED = re.compile(
    r"\s*(?:[:}\]]|$|,\s*(?:[\"'\u201c{}\[\]]|-?\d|$|\w+\s*(?::|[,\]}]))|[\"']\w+[\"']\s*:)"
)
"""What stands behind a quotation mark that ends a text: the text goes on behind any other."""
_BARE = re.compile(r"[^\s,:{}\[\]\"'\u201c\u201d]+")
_OPENED = re.compile(r"[{\[]|<think>|</think>")
_WITHIN = re.compile(r"\{|<think>|</think>")
"""What is looked for in a list or object that is broken."""
_BEGINS = re.compile(r"\{\s*[\"'\u201c]?(?:" + "|".join((*FIELDS, *_ALSO)) + r")[\"'\u201d]?\s*:")
"""Where an object begins that is meant for a relation."""
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HEX = re.compile(r"u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class RepliedRelations:
    """What a reply lists."""

    found: tuple[dict[str, Any], ...]
    """Objects with at least one field of a relation, in their order."""
    broken: tuple[str, ...]
    """What was meant for one and cannot be read."""
    says_nothing: bool
    """Whether it is an empty list, in so many words."""


class _BrokenError(Exception):
    """An object or list that does not end as it should; `begun` is what was read of it."""

    def __init__(self, begun: dict[str, Any] | None = None) -> None:
        self.begun = begun


def replied_relations(reply: str) -> RepliedRelations:
    """The relations of a reply.

    >>> replied_relations("```json\\n[{'relation_type': 'treat',}]\\n```").found
    ({'relation_type': 'treat'},)
    >>> replied_relations("I found none.").says_nothing, replied_relations("[]").says_nothing
    (False, True)
    """
    text = _unquoted(reply[:_MOST])
    found: list[dict[str, Any]] = []
    broken: list[str] = []
    empty, place, looked_for = False, 0, _OPENED
    while match := looked_for.search(text, place):
        place, looked_for = match.start(), _OPENED
        if match[0] == _THINKS:
            end = text.find(_THOUGHT, place)
            place = len(text) if end < 0 else end + len(_THOUGHT)
        elif match[0] == _THOUGHT:  # all before it was thought
            found, broken, empty, place = [], [], False, match.end()
        elif text[place] == "{" and _BEGINS.match(text, place):
            place = _relation(text, place, found, broken)
        else:
            try:
                value, place = _value(text, place, 0)
            except _BrokenError:
                place, looked_for = place + 1, _WITHIN  # what is good in it is found by itself
                continue
            found += _relations_in(value)
            empty = empty or value == [] or (isinstance(value, dict) and value.get(_LIST) == [])
    return RepliedRelations(tuple(found), tuple(broken), empty and not found and not broken)


def _relation(text: str, place: int, found: list[dict[str, Any]], broken: list[str]) -> int:
    """Read one object that is meant for a relation; where to read on."""
    try:
        value, end = _value(text, place, 0)
        found += _relations_in(value)
        return end
    except _BrokenError as error:
        follows = _BEGINS.search(text, place + 1)
        end = follows.start() if follows else len(text)
        if error.begun and all(field in error.begun for field in FIELDS):
            found.append(error.begun)  # all that it needs was there
        else:
            broken.append(" ".join(text[place:end][:_SHOWN].split()))
        return end


def _relations_in(value: Any) -> Iterator[dict[str, Any]]:
    """All relations of a value; one that lacks an end has the next ones within it."""
    if isinstance(value, dict):
        if any(field in value for field in FIELDS):
            yield value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _relations_in(each)


def _unquoted(reply: str) -> str:
    """A reply that is one text of JSON, as this text."""
    text = reply.strip()
    if text[:2] in ('"{', '"[') and text.endswith('"') and '\\"' in text:
        return _text(text, 0)[0]
    return text


def _value(text: str, place: int, depth: int) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends."""
    place = _skip(_BLANK, text, place)
    sign = text[place : place + 1]
    if not sign or depth > _DEPTH:
        raise _BrokenError
    if sign == "{":
        return _object(text, place, depth)
    if sign == "[":
        return _list(text, place, depth)
    if sign in _QUOTES:
        return _text(text, place)
    word, place = _word_or_text(text, place)
    return _meaning(word), place


def _word_or_text(text: str, place: int) -> tuple[str, int]:
    if text[place : place + 1] in _QUOTES:
        return _text(text, place)
    match = _BARE.match(text, place)
    if not match:
        raise _BrokenError
    return match[0], match.end()


def _object(text: str, place: int, depth: int) -> tuple[dict[str, Any], int]:
    held: dict[str, Any] = {}
    place = _skip(_COMMAS, text, place + 1)
    while text[place : place + 1] != "}":
        try:
            key, place = _word_or_text(text, place)
            place = _skip(_BLANK, text, place)
            if text[place : place + 1] != ":":
                raise _BrokenError
            value, place = _value(text, place + 1, depth + 1)
        except _BrokenError as error:
            raise _BrokenError(held) from error
        held.setdefault(_key(key), value)
        place = _skip(_COMMAS, text, place)
    return held, place + 1


def _list(text: str, place: int, depth: int) -> tuple[list[Any], int]:
    held: list[Any] = []
    place = _skip(_COMMAS, text, place + 1)
    while text[place : place + 1] != "]":
        value, place = _value(text, place, depth + 1)
        held.append(value)
        place = _skip(_COMMAS, text, place)
    return held, place + 1


def _text(text: str, place: int) -> tuple[str, int]:
    """A quoted text. A mark within it need not be escaped, if nothing behind it looks like an end;
    nor need the end of a line."""
    closing = _QUOTES[text[place]]
    pieces: list[str] = []
    start = place = place + 1
    while place < len(text):
        sign = text[place]
        if sign == "\\":
            pieces.append(text[start:place])
            escaped, place = _escaped(text, place + 1)
            pieces.append(escaped)
            start = place
        elif sign == closing and _CLOSED.match(text, place + 1):
            pieces.append(text[start:place])
            return "".join(pieces), place + 1
        else:
            place += 1
    raise _BrokenError


def _escaped(text: str, place: int) -> tuple[str, int]:
    """What stands behind a backslash, and where it ends; a pair of halves is one character."""
    if match := _HEX.match(text, place):
        whole = b"".join(bytes.fromhex(digits) for digits in match.groups("")).decode(
            "utf-16-be", "replace"
        )
        return whole, match.end()
    sign = text[place : place + 1]
    return _ESCAPES.get(sign, sign), place + 1


def _meaning(word: str) -> Any:
    """A number, a word that JSON or Python knows, or else the word itself."""
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    try:
        return float(word)
    except ValueError:
        return word


def _key(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip().lower())


def _skip(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
