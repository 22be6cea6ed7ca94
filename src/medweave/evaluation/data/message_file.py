"""Messages with the dialogues that are right for each: JSONL, or a folder as BEIR has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import NotFoundError, SourceError
from medweave.evaluation.data.beir import read_collection
from medweave.language.text_file import lines_of, read_record, read_text

_SEE = "see docs/how-to/tune-dialogues.md for the layout"


@dataclass(frozen=True, slots=True)
class JudgedMessage:
    """A message, and the grade of each dialogue that is right for it, by its id."""

    id: str
    text: str
    grades: Mapping[str, int]


def read_messages(path: Path) -> list[JudgedMessage]:
    """The messages of a file or a folder, in its order.

    Raises `NotFoundError` where there is none, and `SourceError` with the line that is wrong.
    """
    if path.is_dir():
        held = read_collection(path)
        judged = held.qrels["test"]
        return [
            JudgedMessage(name, text, judged[name])
            for name, text in held.questions.items()
            if name in judged
        ]
    if not path.is_file():
        raise NotFoundError("there is no such file", where=str(path), remedy=_SEE)
    return list(_lines(path))


def _lines(path: Path) -> Iterator[JudgedMessage]:
    for number, line in lines_of(read_text(path, remedy=_SEE)):
        record = read_record(line, where=f"{path} line {number}", remedy=_SEE)
        try:
            grades = _grades(record["dialogues"])
            text = record["text"].strip()
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise _wrong("not a message with its dialogues", path, number) from error
        if not text or not grades:
            raise _wrong("a message without words, or without a dialogue", path, number)
        yield JudgedMessage(str(record.get("id", number)), text, grades)


def _grades(given: Any) -> dict[str, int]:
    """Ids alone count 1; an object has a grade for each."""
    if isinstance(given, Mapping):
        return {str(name): int(grade) for name, grade in given.items()}
    if not isinstance(given, list):
        raise TypeError
    return {str(name): 1 for name in given}


def _wrong(what: str, path: Path, line: int) -> SourceError:
    return SourceError(what, where=f"{path} line {line}", remedy=_SEE)
