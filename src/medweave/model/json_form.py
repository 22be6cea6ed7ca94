"""Values as JSON: a form names the attributes that are shown, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Any


def json_of(value: object, form: str) -> dict[str, Any]:
    """The attributes that a form names. In it `key=attribute` is called otherwise than the
    attribute, which may lead on to another (`base.id`); `key?` is null where there is nothing, and
    `[key]` is left out there.

    >>> from medweave.model.document import Document
    >>> document = Document("a.jsonl", "flu", "", (("symptoms", "fever"),))
    >>> json_of(document, "name title? [url] from=source")
    {'name': 'flu', 'title': None, 'from': 'a.jsonl'}
    """
    found: dict[str, Any] = {}
    for key, attribute, empty in _keys(form):
        held = attribute(value)
        if held or not empty:
            found[key] = plain(held)
        elif empty == "?":
            found[key] = None
    return found


def plain(value: Any) -> Any:
    """A value as JSON has it: what has a form of its own in that, also in lists and by name.

    >>> plain({"spans": ((1, 2), (3, 4))})
    {'spans': [[1, 2], [3, 4]]}
    """
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, Mapping):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value


@cache
def _keys(form: str) -> tuple[tuple[str, attrgetter[Any], str], ...]:
    """Each key with the attribute that it shows, and what is done where there is nothing."""
    found = []
    for word in form.split():
        empty = "[" if word[0] == "[" else "?" if word[-1] == "?" else ""
        key, _, attribute = word.strip("[]?").partition("=")
        found.append((key, attrgetter(attribute or key), empty))
    return tuple(found)
