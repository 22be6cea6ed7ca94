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

from medweave.model.loose_json import BrokenError, unquoted, value_at

FIELDS = ("relation_type", "entity1_type", "entity1_name", "entity2_type", "entity2_name")
"""What a relation must have."""
_ALSO = ("quote", "polarity", "certainty")
_LIST = "relations"
_MOST = 100_000
"""Characters of a reply that are looked at."""
_THINKS, _THOUGHT = "<think>", "</think>"
_OPENED = re.compile(r"[{\[]|<think>|</think>")
_WITHIN = re.compile(r"\{|<think>|</think>")
"""What is looked for in a list or object that is broken."""
_BEGINS = re.compile(r"\{\s*[\"'\u201c]?(?:" + "|".join((*FIELDS, *_ALSO)) + r")[\"'\u201d]?\s*:")
"""Where an object begins that is meant for a relation."""
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


def replied_relations(reply: str) -> RepliedRelations:
    """The relations of a reply.

    >>> replied_relations("```json\\n[{'relation_type': 'treat',}]\\n```").found
    ({'relation_type': 'treat'},)
    >>> replied_relations("I found none.").says_nothing, replied_relations("[]").says_nothing
    (False, True)
    """
    text = unquoted(reply[:_MOST])
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
                value, place = value_at(text, place)
            except BrokenError:
                place, looked_for = place + 1, _WITHIN  # what is good in it is found by itself
                continue
            found += _relations_in(value)
            empty = empty or value == [] or (isinstance(value, dict) and value.get(_LIST) == [])
    return RepliedRelations(tuple(found), tuple(broken), empty and not found and not broken)


def _relation(text: str, place: int, found: list[dict[str, Any]], broken: list[str]) -> int:
    """Read one object that is meant for a relation; where to read on."""
    try:
        value, end = value_at(text, place)
        found += _relations_in(value)
        return end
    except BrokenError as error:
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
