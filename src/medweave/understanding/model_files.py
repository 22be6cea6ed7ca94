"""Trained models in files of the user's: read once, and again when a file changes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
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
