"""JSON as language models write it: single quotes, bare keys, trailing commas, quotes that are not
escaped, in a fence, with words around it. Nothing is evaluated, and no text takes long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_MOST = 100_000
"""Characters that are looked at."""
_TRIED = 20
"""So many places where an object may begin."""
_DEPTH = 8
"""Of lists and objects in one another."""
_BLANK = re.compile(r"\s*")
_COMMAS = re.compile(r"[\s,]*")
_CLOSED = re.compile(
    r"\s*(?:[:}\]]|$|,\s*(?:[\"'\u201c{}\[\]]|-?\d|$|\w+\s*(?::|[,\]}]))|[\"']\w+[\"']\s*:)"
)
"""What stands behind a quotation mark that ends a text: the text goes on behind any other."""
_BARE = re.compile(r"[^\s,:{}\[\]\"'\u201c\u201d]+")
_QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_HEX = re.compile(r"u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})")
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "none": None}


class BrokenError(Exception):
    """An object or list that does not end as it should; `begun` is what was read of it."""

    def __init__(self, begun: dict[str, Any] | None = None) -> None:
        self.begun = begun


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """The objects of a text that are not part of another, in their order; broken ones are left out.

    >>> list(objects_in("Here it is: ```{'answer': [1, 2,],}``` Is it right?"))
    [{'answer': [1, 2]}]
    """
    text = unquoted(text[:_MOST])
    place = 0
    for _ in range(_TRIED):
        place = text.find("{", place)
        if place < 0:
            return
        try:
            value, place = value_at(text, place)
        except BrokenError:
            place += 1
            continue
        yield value


def unquoted(reply: str) -> str:
    """A reply that is one text of JSON, as this text."""
    text = reply.strip()
    if text[:2] in ('"{', '"[') and text.endswith('"') and '\\"' in text:
        return _text(text, 0)[0]
    return text


def value_at(text: str, place: int, depth: int = 0) -> tuple[Any, int]:
    """The value that begins at a place, and where it ends."""
    place = _skip(_BLANK, text, place)
    sign = text[place : place + 1]
    if not sign or depth > _DEPTH:
        raise BrokenError
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
        raise BrokenError
    return match[0], match.end()


def _object(text: str, place: int, depth: int) -> tuple[dict[str, Any], int]:
    held: dict[str, Any] = {}
    place = _skip(_COMMAS, text, place + 1)
    while text[place : place + 1] != "}":
        try:
            key, place = _word_or_text(text, place)
            place = _skip(_BLANK, text, place)
            if text[place : place + 1] != ":":
                raise BrokenError
            value, place = value_at(text, place + 1, depth + 1)
        except BrokenError as error:
            raise BrokenError(held) from error
        held.setdefault(_key(key), value)
        place = _skip(_COMMAS, text, place)
    return held, place + 1


def _list(text: str, place: int, depth: int) -> tuple[list[Any], int]:
    held: list[Any] = []
    place = _skip(_COMMAS, text, place + 1)
    while text[place : place + 1] != "]":
        value, place = value_at(text, place, depth + 1)
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
    raise BrokenError


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
    if _WHOLE.fullmatch(word):
        return int(word)
    try:
        return float(word)
    except ValueError:
        return word


def _key(key: str) -> str:
    return re.sub(r"[\s-]+", "_", key.strip().lower())


def _skip(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    return match.end() if match else place
