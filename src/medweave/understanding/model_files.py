"""Trained models in files of the user's: read once, and again when a file changes."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from medweave.errors import SourceError

Model = TypeVar("Model")
FromText = Callable[..., Model]
"""Makes a model of the text of a file, whose name is given as `where`. Raises `SourceError`."""


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
