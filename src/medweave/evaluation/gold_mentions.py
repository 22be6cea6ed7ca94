"""Labelled mentions: what a text says at which place.

    {"text": "Dry cough, and it hurts.", "mentions": [{"start": 0, "end": 9, "concept": "finding",
     "names": ["dry cough"], "wider": ["cough"]}]}

Instead of `start` and `end` a mention may give its `text`, and as `nth` which of several it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.evaluation.items import GoldMention

_NO_PLACE = "a mention has no place in its text"


def gold_mentions(record: Mapping[str, Any], text: str) -> tuple[GoldMention, ...] | str:
    """The mentions of a record in the order of its text, or why they cannot be read."""
    given = record.get("mentions")
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        return "no list of mentions"
    made = []
    for one in given:
        place = _place(one, text)
        if place is None:
            return _NO_PLACE
        names, wider = _names(one.get("names")), _names(one.get("wider"))
        made.append(GoldMention(*place, str(one.get("concept", "")), names, wider))
    return tuple(sorted(set(made), key=lambda m: (m.start, m.end)))


def place_of(text: str, written: str, nth: int = 1) -> tuple[int, int] | None:
    """Where something stands in a text for the n-th time, whole words before parts of words.

    >>> place_of("spain? no, pain, and more pain", "pain", 2)
    (26, 30)
    """
    places: list[tuple[int, int]] = []
    start = text.find(written) if written else -1
    while start >= 0:
        places.append((start, start + len(written)))
        start = text.find(written, start + 1)
    whole = [place for place in places if _is_whole(text, *place)] or places
    return whole[nth - 1] if 1 <= nth <= len(whole) else None


def _is_whole(text: str, start: int, end: int) -> bool:
    inside = text[:start][-1:].isalnum() and text[start].isalnum()
    return not inside and not (text[end - 1].isalnum() and text[end : end + 1].isalnum())


def _place(mention: Mapping[str, Any], text: str) -> tuple[int, int] | None:
    start, end, written = (mention.get(key) for key in ("start", "end", "text"))
    if isinstance(start, int) and isinstance(end, int):
        return (start, end) if 0 <= start < end <= len(text) else None
    nth = mention.get("nth", 1)
    if isinstance(written, str) and isinstance(nth, int):
        return place_of(text, written, nth)
    return None


def _names(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else []
    return tuple(dict.fromkeys(name for name in listed if isinstance(name, str) and name.strip()))
