"""Labelled mentions: what a text says at which place.

    {"text": "Dry cough, and it hurts.", "mentions": [{"start": 0, "end": 9, "concept": "finding",
     "names": ["dry cough"], "wider": ["cough"]}]}

Instead of `start` and `end` a mention may give its `text`, and as `nth` which of several it is.
`spans` with a `type` or `label` each are read as mentions with a concept.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from medweave.evaluation.items import GoldMention, Item

_NO_PLACE = "a mention has no place in its text"


def mention_item(record: Mapping[str, Any], identifier: str) -> Item | str:
    """A text with its labelled mentions; without any, whatever is found in it is wrong.

    >>> cough = {"start": 2, "end": 7, "concept": "finding", "names": ["cough"]}
    >>> mention_item({"text": "I cough", "mentions": [cough]}, "1").mentions[0].names
    ('cough',)
    """
    text = record.get("text")
    if not isinstance(text, str) or not text.strip():
        return "no text"
    mentions = gold_mentions(record, text)
    return mentions if isinstance(mentions, str) else Item(identifier, (), text, mentions=mentions)


def gold_mentions(record: Mapping[str, Any], text: str) -> tuple[GoldMention, ...] | str:
    """The mentions of a record in the order of its text, or why they cannot be read."""
    given = record.get("mentions", record.get("spans"))
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        return "no list of mentions"
    made = []
    for one in given:
        place = _place(one, text)
        if place is None:
            return _NO_PLACE
        names, wider = _names(one.get("names")), _names(one.get("wider"))
        concept = next((one[key] for key in ("concept", "type", "label") if key in one), "")
        made.append(GoldMention(*place, str(concept), names, wider))
    return tuple(sorted(set(made), key=lambda m: (m.start, m.end)))


def place_of(text: str, written: str, nth: int = 1) -> tuple[int, int] | None:
    """Where something stands in a text for the n-th time, within words too.

    >>> place_of("painful? no, but pain", "pain", 2)
    (17, 21)
    """
    start = -1
    for _ in range(nth):
        start = text.find(written, start + 1)
        if start < 0:
            return None
    return (start, start + len(written)) if written and nth > 0 else None


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
