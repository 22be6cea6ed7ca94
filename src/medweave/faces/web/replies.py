"""JSON as it is sent: no path of this machine in it, lists in pages."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Query
from starlette.responses import Response

from medweave.errors import QuestionError

T = TypeVar("T")
Key = tuple[Any, ...]
_STORE = "store"
_PLACES = ("source", "file", "sources", "failed")
"""Keys under which the commands tell where something was read from."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of a list is wanted."""

    limit: int = 50
    cursor: str = ""


def _wanted(
    limit: Annotated[int, Query(ge=1, le=500, description="So many of the list.")] = 50,
    cursor: Annotated[
        str,
        Query(
            description="`next` of the part of the list before.",
            json_schema_extra={"pattern": "^[A-Za-z0-9_-]*$"},
        ),
    ] = "",
) -> Wanted:
    return Wanted(limit, cursor)


Part = Annotated[Wanted, Depends(_wanted)]
"""The part of a list that a request wants."""


class Json(Response):
    """A value as JSON; half a character that a program sent is not sent on."""

    media_type = "application/json"

    def __init__(
        self,
        value: Any,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(written(value), status, headers, media_type)


def written(value: Any) -> bytes:
    """A value as the bytes of JSON."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def told(value: Any) -> Json:
    """What a command prints, as an answer."""
    return Json(without_paths(value))


def without_paths(value: Any) -> Any:
    """The value with the file's name in place of each path.

    >>> without_paths({"source": "/home/jo/flu.jsonl", "evidence": [{"source": "WHO/UNICEF"}]})
    {'source': 'flu.jsonl', 'evidence': [{'source': 'WHO/UNICEF'}]}
    """
    if isinstance(value, Mapping):
        return {
            key: _named(each) if key in _PLACES else without_paths(each)
            for key, each in value.items()
            if not (key == _STORE and isinstance(each, Mapping))  # it tells where the base lies
        }
    if isinstance(value, list | tuple):
        return [without_paths(each) for each in value]
    return value


def _named(value: Any) -> Any:
    if isinstance(value, str):
        return name_of(value)
    if isinstance(value, list | tuple):
        return [_named(each) for each in value]
    return without_paths(value)


def name_of(source: str) -> str:
    """The name of a file by its path; anything else stays as it is."""
    return PurePath(source).name or source if PurePath(source).is_absolute() else source


def page(
    items: Iterable[T],
    key: Callable[[T], Key],
    wanted: Wanted,
    form: Callable[[T], Any] = lambda item: item,
) -> dict[str, Any]:
    """One part of a list, in the order of its keys, which tell its items apart.

    A cursor holds the last key that was given: whatever comes or goes meanwhile, no item comes
    twice. Raises `QuestionError` for what is no cursor.
    """
    ordered = sorted(items, key=key)
    after = key_in(wanted.cursor) if wanted.cursor else None
    rest = ordered if after is None else [each for each in ordered if _after(key(each), after)]
    shown = rest[: wanted.limit]
    more = len(rest) > wanted.limit
    return {
        "items": [form(each) for each in shown],
        "next": cursor_of(key(shown[-1])) if more else None,
        "total": len(ordered),
    }


def cursor_of(key: Key) -> str:
    """The cursor that goes on behind what has this key."""
    return urlsafe_b64encode(json.dumps(key).encode()).decode().rstrip("=")


def key_in(cursor: str) -> Sequence[Any]:
    """The key in a cursor. Raises `QuestionError` where it is none."""
    try:
        found = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        found = None
    if not isinstance(found, list):
        raise QuestionError("this is no cursor", where="cursor", remedy="give `next` of a list")
    return found


def _after(key: Key, last: Sequence[Any]) -> bool:
    try:
        return list(key) > list(last)
    except TypeError as error:
        raise another_list() from error


def another_list() -> QuestionError:
    """What is wrong with a cursor whose key is not of this list."""
    return QuestionError(
        "this cursor is of another list", where="cursor", remedy="give `next` of this list"
    )
