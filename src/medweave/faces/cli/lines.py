"""Many texts, one a line: what comes of each comes out in order, and none stops the others."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeVar, cast

from medweave.errors import MedweaveError, QuestionError, SourceError
from medweave.faces.cli.common import print_json
from medweave.language.text_file import PACKED, read_record

Answered = TypeVar("Answered")
_LONGEST = 10_000_000
"""Bytes of a line; of a longer one, no more is held."""
_FIELDS = ("text", "question")
_MOST_NAMED = 20
"""So many refused lines are named at the end."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file: its text, or why it has none."""

    number: int
    text: str = ""
    error: MedweaveError | None = None


def each_line(
    file: str,
    answer: Callable[[str], Answered],
    show: Callable[[int, Answered], None] | None = None,
) -> None:
    """Answer every line of a file, or of stdin (`-`); a refused line gives an error in its place.

    A name that ends in `.jsonl` (or `.jsonl.gz`) means records with a `text` or a `question`. Lines
    end at a line feed only. `show` prints an answer; without it, each is printed as JSON.
    """
    refused: list[int] = []
    count = 0
    for line in read_lines(file):
        count = line.number
        try:
            if line.error:
                raise line.error
            answered = answer(line.text)
        except MedweaveError as error:
            refused.append(line.number)
            _refuse(error, line.number, as_json=show is None)
            continue
        if show:
            show(line.number, answered)
        else:
            print_json(answered)
    if refused:
        named = ", ".join(map(str, refused[:_MOST_NAMED]))
        more = ", …" if len(refused) > _MOST_NAMED else ""
        sys.stderr.write(f"{len(refused)} of {count} lines were refused: {named}{more}\n")


def _refuse(error: MedweaveError, number: int, *, as_json: bool) -> None:
    """Say in the place of a line why it has no answer."""
    located = type(error)(error.what, where=f"line {number}", remedy=error.remedy)
    if as_json:
        print_json({"error": located.to_json(), "line": number})
    else:
        from medweave.faces.texts.visible import visible

        sys.stdout.write(visible(f"line {number} refused: {error.what}; {error.remedy}") + "\n\n")


def read_lines(file: str) -> Iterator[Line]:
    """The lines of a file, or of stdin (`-`), as they come; `SourceError` where it breaks off."""
    records = file.removesuffix(".gz").endswith(".jsonl")
    try:
        with _opened(file) as stream:
            number = 0
            while raw := stream.readline(_LONGEST):
                number += 1
                yield _line(number, raw, stream, records=records)
    except (OSError, EOFError) as error:
        raise SourceError("this file cannot be read", where=file, remedy="check it") from error


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    with Path(file).open("rb") as stream:
        zipped = stream.read(2) == PACKED
        stream.seek(0)
        if not zipped:
            yield stream
            return
        with gzip.open(stream) as unzipped:
            yield cast(BinaryIO, unzipped)


def _line(number: int, raw: bytes, stream: BinaryIO, *, records: bool) -> Line:
    if len(raw) == _LONGEST and not raw.endswith(b"\n"):
        while not raw.endswith(b"\n") and (raw := stream.readline(_LONGEST)):
            pass
        problem = f"this line has more than {_LONGEST:,} bytes"
        return Line(number, error=QuestionError(problem, remedy="shorten it"))
    try:
        text = raw.removesuffix(b"\n").decode("utf-8-sig" if number == 1 else "utf-8")
        return Line(number, _text(text) if records else text)
    except UnicodeDecodeError as error:
        problem = f"this line is not UTF-8 (byte {error.start + 1})"
        return Line(number, error=QuestionError(problem, remedy="save the file as UTF-8"))
    except QuestionError as error:
        return Line(number, error=error)


def _text(line: str) -> str:
    record = read_record(line, where="", remedy="mend it", error=QuestionError)
    for name in _FIELDS:
        if isinstance(record.get(name), str):
            return str(record[name])
    raise QuestionError("this record has no 'text' and no 'question'", remedy="give it one")
