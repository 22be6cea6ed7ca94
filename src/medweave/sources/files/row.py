"""What reading a file gives: rows, rows that cannot be read, and the place where a file is cut."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.model.document import Skipped

MAX_RECORD = 16_000_000
"""No record is read beyond this many characters."""
MAX_DEPTH = 100
"""No record is read that is nested deeper than this."""
TOO_LONG = f"longer than {MAX_RECORD // 1_000_000} million characters"
TOO_DEEP = "nested too deeply"


@dataclass(frozen=True, slots=True)
class Row:
    """One record as the file has it; `line` counts from 1."""

    line: int
    values: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cut:
    """The file ends in the middle: what follows it is unknown, not absent."""

    skipped: Skipped


Rows = Iterator[Row | Skipped | Cut]
"""The rows of a file in their order; a `Cut` is the last of them."""


def plain(value: Any) -> str:
    """The text of a simple value of a row, '' for anything else."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else ""


class TwiceError(ValueError):
    """A record has two fields of one name, of which one would be lost."""

    def __init__(self, name: str) -> None:
        self.msg = f"the field '{name[:100]}' stands twice"
        super().__init__(self.msg)


def fields_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object in JSON. Raises `TwiceError` where a name stands twice.

    >>> json.loads('{"name": "flu"}', object_pairs_hook=fields_once)
    {'name': 'flu'}
    """
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise TwiceError(next(name for name in names if names.count(name) > 1))
    return fields


def object_row(value: Any, line: int, path: Path) -> Row | Skipped:
    """The row of a value as JSON or YAML has it, or why there is none."""
    if not isinstance(value, dict):
        reason = f"a record must be an object, this is {_kind(value)}"
    elif _is_deep(value):
        reason = TOO_DEEP
    else:
        return Row(line, value)
    return Skipped(str(path), line, reason)


def is_text(value: Any) -> bool:
    """Whether all texts can be written: escapes can spell halves of characters that cannot.

    >>> is_text({"name": "flu"}), is_text({"name": chr(0xD800)})
    (True, False)
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def _is_deep(value: dict[str, Any]) -> bool:
    """Whether lists and objects nest deeper than `MAX_DEPTH`, looked at level by level."""
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH):
        level = [
            part
            for outer in level
            for part in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(part, dict | list)
        ]
        if not level:
            return False
    return True


def _kind(value: Any) -> str:
    names = {list: "a list", str: "a text", bool: "a truth value", type(None): "null"}
    return names.get(type(value), "a number")
