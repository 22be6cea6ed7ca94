"""A conversation so far, from a file: `ask --history FILE`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from medweave.errors import SourceError

ROLES = ("user", "assistant")
_SHAPE = '{"role": "user", "text": "…"}'


def read_history(file: str) -> tuple[str, ...]:
    """What the user said in a file of turns, oldest first; "" for none.

    Each line is `{"role": "user" | "assistant", "text": "…"}`; blank lines are passed over. Raises
    `SourceError` with the line where it is anything else.
    """
    if not file:
        return ()
    try:
        lines = Path(file).read_text("utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        remedy = "name a UTF-8 file of turns, one JSON object a line"
        raise SourceError("this history cannot be read", where=file, remedy=remedy) from error
    turns = [_turn(line, f"{file} line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    return tuple(text for role, text in turns if role == "user" and text.strip())


def _turn(line: str, where: str) -> tuple[str, str]:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SourceError("this turn is not JSON", where=where, remedy=f"write {_SHAPE}") from error
    fields = record if isinstance(record, dict) else {}
    role, text = fields.get("role"), fields.get("text")
    if role not in ROLES or not isinstance(text, str):
        problem = "a turn has a role, user or assistant, and a text"
        raise SourceError(problem, where=where, remedy=f"write {_SHAPE}")
    return str(role), text
