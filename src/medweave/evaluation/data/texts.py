"""The texts that labels are of: in the record itself, or in a file of a data set beside it.

Labels may be shared where texts may not. Such a record names its text: `source` is a file in the
folder of the data sets, without its suffix, and `id` a record there (by its `id`; where records
have none, by line from 1). `sha256` holds the first digits of the sum of the text, so that a text
that was changed since is not measured against labels that are of another.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from medweave.errors import ConfigurationError, SourceError
from medweave.sources.files.rows import SUFFIXES, Row, read_rows

FIELDS = ("text", "input", "message", "question")
"""Where a record has its text: the first of these that it has."""
_SHORTEST_SUM = 8


class Texts:
    """The texts of labelled records; files of data sets are read once, when they are needed."""

    def __init__(self, labels: Path, folder: Path | None = None) -> None:
        """`labels` is the file of the labels, for errors; `folder` holds the data sets.

        Raises `ConfigurationError` where the folder is not there.
        """
        if folder is not None and not folder.is_dir():
            raise ConfigurationError(
                "there is no such folder of texts",
                where=str(folder),
                remedy="give the folder of the data sets with --texts",
            )
        self._labels, self._folder = labels, folder
        self._sources: dict[str, dict[str, str]] = {}

    def complete(self, record: Mapping[str, Any]) -> Mapping[str, Any] | str:
        """A record with its `text`, or why it has none.

        Raises `ConfigurationError` where its text is in a data set and no folder was given, and
        `SourceError` where the folder has no such data set.
        """
        if "source" not in record or "text" in record:
            return record
        source, identifier = str(record["source"]), str(record.get("id", ""))
        text = self._source(source).get(identifier)
        if text is None:
            return f"{source} has no text of this id"
        if not _is_of(text, record.get("sha256")):
            return "the text is not the one that was labelled"
        return {**record, "text": text}

    def _source(self, name: str) -> dict[str, str]:
        if name not in self._sources:
            self._sources[name] = _read(self._path(name))
        return self._sources[name]

    def _path(self, name: str) -> Path:
        if self._folder is None:
            raise ConfigurationError(
                f"the texts of these labels are not in the file, but in {name}",
                where=str(self._labels),
                remedy="give the folder of the data sets with --texts",
            )
        inside = PurePosixPath(name)
        if not inside.is_absolute() and ".." not in inside.parts:
            for suffix in SUFFIXES:
                for ending in (suffix, f"{suffix}.gz"):
                    path = self._folder / f"{inside}{ending}"
                    if path.is_file():
                        return path
        raise SourceError(
            f"there is no data set {name} in the folder of texts",
            where=str(self._folder),
            remedy=f"put {name}.jsonl or {name}.jsonl.gz there, or give another one with --texts",
        )


def _is_of(text: str, labelled: Any) -> bool:
    """Whether a sum is that of a text; without one, any text is taken."""
    if labelled is None:
        return True
    whole = hashlib.sha256(text.encode()).hexdigest()
    return len(str(labelled)) >= _SHORTEST_SUM and whole.startswith(str(labelled).lower())


def _read(path: Path) -> dict[str, str]:
    texts: dict[str, str] = {}
    for row in read_rows(path):
        if isinstance(row, Row):
            held = next((row.values[name] for name in FIELDS if name in row.values), None)
            if isinstance(held, str):
                texts[str(row.values.get("id", row.line))] = held
    return texts
