"""A conversation so far, from a file: `ask --history FILE`."""

from __future__ import annotations

from medweave.errors import SourceError
from medweave.language.text_file import lines_of, read_record, read_text

ROLES = ("user", "assistant")
_SHAPE = '{"role": "user", "text": "…"}'


def read_history(file: str) -> tuple[str, ...]:
    """What the user said in a file of turns, oldest first; "" for none.

    Each line is `{"role": "user" | "assistant", "text": "…"}`; blank lines are passed over. Raises
    `SourceError` with the line where it is anything else.
    """
    if not file:
        return ()
    text = read_text(file, remedy="name a file of turns, one JSON object a line")
    turns = [_turn(line, f"{file} line {number}") for number, line in lines_of(text)]
    return tuple(text for role, text in turns if role == "user" and text.strip())


def _turn(line: str, where: str) -> tuple[str, str]:
    record = read_record(line, where=where, remedy=f"write {_SHAPE}")
    role, text = record.get("role"), record.get("text")
    if role not in ROLES or not isinstance(text, str):
        problem = "a turn has a role, user or assistant, and a text"
        raise SourceError(problem, where=where, remedy=f"write {_SHAPE}")
    return str(role), text
