"""Rows of a list in JSON, read record by record: the list may be larger than the memory."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TextIO

from medweave.model.document import Skipped
from medweave.sources.files.row import (
    MAX_RECORD,
    TOO_DEEP,
    TOO_LONG,
    Cut,
    Rows,
    fields_once,
    is_text,
    object_row,
)

HALF_A_CHARACTER = "it holds half a character (a lone surrogate)"
_READ = 1 << 18
"""Characters read at once; twice as many each time a record needs more."""
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_AFTER = " \t\r\n,]"
"""What may follow a number; anything else may be the rest of it."""
_MARGIN = 20
"""An error so near to the end of what was read may come from reading no further."""
_BRACKET = re.compile(r"[\[\]{}]")


def reason_of(error: Exception) -> str:
    """What is wrong with JSON, in a few words."""
    if isinstance(error, RecursionError):
        return TOO_DEEP
    return getattr(error, "msg", "") or "a number has too many digits"


class _Broken(Exception):  # noqa: N818 - becomes a row that is skipped, or a cut
    """A record that cannot be read."""

    def __init__(self, reason: str, *, to_skip: bool) -> None:
        self.to_skip = to_skip
        super().__init__(reason)


class _Buffer:
    """A part of the file that moves over it. `text[position:]` is still to be read."""

    def __init__(self, stream: TextIO, text: str, line: int) -> None:
        self.stream, self.text, self.line = stream, text, line
        self.position = 0
        self.ended = False
        self.decoder = json.JSONDecoder(object_pairs_hook=fields_once)

    def more(self, count: int = _READ) -> bool:
        """Read on, dropping what is done; False at the end of the file."""
        piece = "" if self.ended else self.stream.read(count)
        self.ended = not piece
        self.text = self.text[self.position :] + piece
        self.position = 0
        return not self.ended

    def done(self, position: int) -> str:
        """Move on to a position, counting lines; what was passed."""
        self.line += self.text.count("\n", self.position, position)
        start, self.position = self.position, position
        return self.text[start:position]

    def begin(self) -> str:
        """Move to the next record and give its first character, '' at the end of the file."""
        while True:
            match = _BETWEEN.match(self.text, self.position)
            self.done(match.end() if match else self.position)
            if self.position < len(self.text) or not self.more():
                return self.text[self.position : self.position + 1]

    def value(self) -> tuple[Any, int]:
        """The record that begins here, and where it ends. Raises `_Broken`."""
        while True:
            try:
                value, end = self.decoder.raw_decode(self.text, self.position)
                if isinstance(value, dict | list | str) or self.text[end : end + 1] in tuple(
                    _AFTER
                ):
                    return value, end
                reason = "it is followed by something else"
                early = end + 1 < len(self.text) - _MARGIN
            except RecursionError:
                raise _Broken(TOO_DEEP, to_skip=True) from None
            except ValueError as error:
                reason = reason_of(error)
                early = _is_wrong(error, len(self.text))
                if not isinstance(error, json.JSONDecodeError):
                    raise _Broken(reason, to_skip=True) from None
            if early or self.ended:
                raise _Broken(reason, to_skip=False)
            if len(self.text) - self.position > MAX_RECORD:
                raise _Broken(f"this record is {TOO_LONG}", to_skip=True)
            self.more(max(_READ, len(self.text) - self.position))

    def skip(self) -> bool:
        """Move behind the record that begins here; False where the file ends within it."""
        depth, within = 0, False
        while True:
            text = self._without_escapes()
            start = self.position  # the text is as long as what it stands for
            for number, part in enumerate(text.split('"')):
                if number:
                    within = not within
                    start += 1
                if not within:
                    depth, end = _depth_after(part, depth)
                    if end:
                        self.done(start + end)
                        return True
                start += len(part)
            self.done(self.position + len(text))
            if not self.more():
                return False

    def _without_escapes(self) -> str:
        """What is to be read, with nothing behind a backslash that could end a text."""
        while self.text.endswith("\\") and self.more():
            pass
        return self.text[self.position :].replace("\\\\", "__").replace('\\"', "__")


def array_rows(stream: TextIO, start: str, line: int, path: Path, *, alone: bool = True) -> Rows:
    """The entries of a list whose bracket is open; `start` is what was read of it already.

    Where the list is `alone`, whatever follows it is a `Cut`.
    """
    buffer = _Buffer(stream, start, line)
    while (first := buffer.begin()) != "]":
        line = buffer.line
        try:
            value, end = buffer.value()
        except _Broken as broken:
            if broken.to_skip and first in "{[" and buffer.skip():
                yield Skipped(str(path), line, str(broken))
                continue
            yield Cut(Skipped(str(path), line, f"not JSON from here on: {broken}"))
            return
        if "\\u" in buffer.done(end) and not is_text(value):
            yield Skipped(str(path), line, HALF_A_CHARACTER)
        else:
            yield object_row(value, line, path)
    buffer.done(buffer.position + 1)
    if alone and buffer.begin():
        yield Cut(Skipped(str(path), buffer.line, "something follows the list of records"))


def _is_wrong(error: ValueError, length: int) -> bool:
    """Whether an error stays one however much is read on."""
    message, position = getattr(error, "msg", ""), getattr(error, "pos", 0)
    return not message.startswith("Unterminated") and position < length - _MARGIN


def _depth_after(part: str, depth: int) -> tuple[int, int]:
    """The depth of brackets after a part outside of quotes, and where in it the last one closes."""
    closing = part.count("]") + part.count("}")
    if depth > closing:
        return depth + part.count("[") + part.count("{") - closing, 0
    for bracket in _BRACKET.finditer(part):
        depth += 1 if bracket.group() in "[{" else -1
        if depth == 0:
            return 0, bracket.end()
    return depth, 0
