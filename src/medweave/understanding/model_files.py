"""Trained models in files of the user's: read once, and again when a file changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from medweave.errors import SourceError

Model = TypeVar("Model")
FromText = Callable[..., Model]
"""Makes a model of the text of a file, whose name is given as `where`. Raises `SourceError`."""


def model_text(head: Mapping[str, Any], features: Mapping[str, Any]) -> str:
    """A model as a file: JSON, with a line for each feature, so that two versions can be compared.

    >>> print(model_text({"format": "example 1"}, {"how": 3}), end="")
    {
     "format": "example 1",
     "features": {
    "how":3
    }}
    """
    rows = ",\n".join(
        f"{json.dumps(name, ensure_ascii=False)}:"
        f"{json.dumps(features[name], ensure_ascii=False, separators=(',', ':'))}"
        for name in sorted(features)
    )
    head_text = json.dumps(head, ensure_ascii=False, indent=1)[:-2]
    return f'{head_text},\n "features": {{\n{rows}\n}}}}\n'


@contextmanager
def refused_as(what: str, where: str, remedy: str) -> Iterator[None]:
    """What is wrong with the text of a file while it is read as a model, as a `SourceError`."""
    try:
        yield
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SourceError(f"this is no model of {what}", where=where, remedy=remedy) from error


def held_in(text: str, wanted: str) -> dict[str, Any]:
    """What a file holds, to be read within `refused_as`: raises `ValueError` where it is no JSON or
    of another format than `wanted`."""
    held: dict[str, Any] = json.loads(text)
    if held["format"] != wanted:
        raise ValueError(held["format"])
    return held


class Rows(Mapping[str, Any]):
    """The rows of the features of a model that ships, each read when it is first looked up.

    A text has some hundred of the twenty thousand features of a model: to read them all takes a
    tenth of a second of every command. It is only for files that `model_text` wrote: what is wrong
    with a row is seen when it is read.

    >>> rows = held_as_shipped(model_text({"format": "example 1"}, {"how": [3, 4]}), "example 1")
    >>> rows["features"].get("how"), rows["features"].get("why", 0)
    ([3, 4], 0)
    """

    def __init__(self, lines: Iterable[str], read: Callable[[Any], Any] | None = None) -> None:
        """`read` makes of what stands in a row what it means."""
        self._read = read
        self._rows: dict[str, Any] = {}
        self._texts: dict[str, str] = {}
        for line in lines:
            name, _, row = line.rpartition('":')  # a row is numbers, and texts without a colon
            self._texts[json.loads(f'{name}"') if "\\" in name else name[1:]] = row

    def __getitem__(self, name: str) -> Any:
        row = self._rows.get(name)
        if row is None:
            row = json.loads(self._texts[name])
            self._rows[name] = row = self._read(row) if self._read else row
        return row

    def get(self, name: str, other: Any = None) -> Any:
        """See `dict.get`; most features of a text are in no model."""
        return self[name] if name in self._texts else other

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)


_FEATURES = '"features": {\n'


def held_as_shipped(
    text: str, wanted: str, read: Callable[[Any], Any] | None = None
) -> dict[str, Any]:
    """What a file that ships holds, as `held_in` has it, but for its features: `Rows`."""
    head, _, rows = text.partition(_FEATURES)
    held = held_in(f"{head}{_FEATURES}}}}}", wanted)
    held["features"] = Rows(rows.removesuffix("\n}}\n").split(",\n"), read)
    return held


def read_model_file(path: Path, from_text: FromText[Model]) -> Model:
    """The model in a file. Raises `SourceError` where there is none."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(
            "this model cannot be read", where=str(path), remedy="check the path"
        ) from error
    return from_text(text, where=str(path))


def model_in(file: str, from_text: FromText[Model]) -> Model:
    """The same, read again only when the file has changed."""
    path = Path(file)
    found: Model = _read_once(path, path.stat().st_mtime_ns if path.is_file() else 0, from_text)
    return found


@lru_cache(maxsize=4)
def _read_once(path: Path, changed: int, from_text: FromText[Model]) -> Model:  # noqa: ARG001 - told by its time
    return read_model_file(path, from_text)
