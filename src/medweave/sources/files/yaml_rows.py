"""Rows of YAML: one record, a list of records, or several documents, each with its line.

The events of the parser are followed and nothing else: no object is made but texts, numbers,
lists and objects, and an alias costs nothing, as a record that uses one is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.json_array import HALF_A_CHARACTER
from medweave.sources.files.row import MAX_DEPTH, TOO_DEEP, Cut, Rows, is_text, object_row
from medweave.sources.files.text import TextFile, opened

MAX_WHOLE = 16_000_000
"""A file that is read whole is not read beyond this many characters."""
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,300})(\.[0-9]{1,300})?([eE][-+]?[0-9]{1,3})?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_RECORD = ([True], [False, True])
"""A record is an object at the top, or in a list at the top."""
_CORE = "tag:yaml.org,2002:"


class _Refused(Exception):  # noqa: N818 - becomes a row that is skipped
    """A record that may not be read, with the reason."""


def yaml_rows(file: TextFile) -> Rows:
    """The rows of a YAML file. Raises `SourceError` where nothing of it can be read."""
    return yaml_text_rows(whole(file), file.path)


def whole(file: TextFile) -> str:
    """The text of a file that is not too large. Raises `SourceError` where it is."""
    with opened(file) as stream:
        text = stream.read(MAX_WHOLE + 1)
    if len(text) > MAX_WHOLE:
        raise SourceError(
            "this file is too large for its format",
            where=str(file.path),
            remedy="split it, or write one record a line in a .jsonl file",
        )
    return text


def yaml_text_rows(text: str, path: Path) -> Rows:
    """The rows of a text in YAML; an error after the first row is a `Cut`."""
    some = False
    line = 1
    try:
        escapes = "\\" in text
        for line, value in yaml_values(text):
            if isinstance(value, _Refused):
                yield Skipped(str(path), line, str(value))
            elif escapes and not is_text(value):
                yield Skipped(str(path), line, HALF_A_CHARACTER)
            else:
                yield object_row(value, line, path)
            some = True
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else line
        reason = (
            f"not YAML: {getattr(error, 'problem', '') or 'it holds characters that may not be'}"
        )
        if not some:
            raise SourceError(
                reason, where=f"{path} line {line}", remedy="mend the file"
            ) from error
        yield Cut(Skipped(str(path), line, reason))


def yaml_values(text: str) -> Iterator[tuple[int, Any]]:
    """The records of a text with their lines; what may not be read is a refusal.

    Raises `yaml.YAMLError` where the text goes on in no way that YAML has.
    """
    events: Iterator[Any] = iter(yaml.parse(text, Loader=_Loader))
    listed = False
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.SequenceStartEvent) and not listed and not event.anchor:
            listed = True
        elif isinstance(event, yaml.SequenceEndEvent):
            listed = False
        elif isinstance(event, yaml.NodeEvent):
            value = _record(event, events)
            if value is not None or listed:
                yield line, value


def _record(first: Any, events: Iterator[Any]) -> Any:
    """The value that an event opens, or the reason why it is refused; its events are used up."""
    builder = _Builder()
    refused: _Refused | None = None
    depth = 0
    event = first
    while True:
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if refused is None:
            try:
                builder.take(event, depth)
            except _Refused as reason:
                refused = reason
        if not depth:
            return refused or builder.value
        event = next(events)


class _Builder:
    """Builds a value from events, without recursion."""

    def __init__(self) -> None:
        self.value: Any = None
        self.open: list[Any] = []
        self.keys: list[str | None] = []

    def take(self, event: Any, depth: int) -> None:
        """One event more. Raises `_Refused`."""
        if isinstance(event, yaml.CollectionEndEvent):
            self.open.pop()
            self.keys.pop()
            return
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise _Refused("it uses anchors and aliases (& and *): write the values out")
        if depth > MAX_DEPTH:
            raise _Refused(TOO_DEEP)
        if isinstance(event, yaml.ScalarEvent):
            self._add(_scalar(event, is_key=self._wants_key()))
            return
        if event.tag and event.tag not in (f"{_CORE}map", f"{_CORE}seq"):
            raise _Refused(f"it uses the tag {event.tag[:100]}: write plain values")
        value: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._add(value)
        self.open.append(value)
        self.keys.append(None)

    def _wants_key(self) -> bool:
        return bool(self.open) and isinstance(self.open[-1], dict) and self.keys[-1] is None

    def _add(self, value: Any) -> None:
        if not self.open:
            self.value = value
        elif isinstance(self.open[-1], list):
            self.open[-1].append(value)
        elif (key := self.keys[-1]) is not None:
            self.open[-1][key] = value
            self.keys[-1] = None
        elif isinstance(value, str):
            if value in self.open[-1]:
                raise _Refused(f"the field '{value[:100]}' stands twice")
            self.keys[-1] = value
        else:
            raise _Refused("a key must be a text")


def _scalar(event: Any, *, is_key: bool) -> Any:
    """A value as JSON would have it: dates, times and words like "no" stay texts."""
    if event.tag and event.tag not in (f"{_CORE}str", "!"):
        raise _Refused(f"it uses the tag {event.tag[:100]}: write plain values")
    text: str = event.value
    if is_key or event.tag or not event.implicit[0]:
        return text
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _NUMBER.fullmatch(text):
        return float(text) if set(text) & set(".eE") else int(text)
    return text


def names_a_record(text: str) -> bool:
    """Whether the beginning of a YAML text is a record, or a list of records, with a name.

    >>> names_a_record("- name: flu\\n- name: co"), names_a_record("version: 2\\n")
    (True, False)
    """
    inside: list[bool] = []  # what is open, from the outside in: whether it is an object
    is_key = True
    try:
        for event in yaml.parse(text, Loader=_Loader):
            in_record = inside in _RECORD
            if isinstance(event, yaml.CollectionStartEvent):
                inside.append(isinstance(event, yaml.MappingStartEvent))
                is_key = inside in _RECORD
            elif isinstance(event, yaml.CollectionEndEvent):
                if in_record or len(inside) == 1:
                    return False  # the first record is over
                inside.pop()
                is_key = inside in _RECORD
            elif isinstance(event, yaml.NodeEvent):
                if not in_record and len(inside) <= 1:
                    return False  # a text stands where the first record should
                if is_key and getattr(event, "value", "") == "name":
                    return True
                is_key = in_record and not is_key
    except yaml.YAMLError:
        return False
    return False
