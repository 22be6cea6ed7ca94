"""Reading sources: files and folders in, records out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from medweave.errors import MappingError, SourceError
from medweave.model.document import Skipped
from medweave.model.mapping import Mapping
from medweave.ports import Progress, no_progress
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.files.rows import SUFFIXES, is_data, read_rows, tells_of_folder
from medweave.sources.files.tables import USUAL, Form
from medweave.sources.kinds import (
    Opened,
    Records,
    kind_called,
    layout_of,
    used_columns,
    whole_file,
)
from medweave.sources.mapping.layouts import by_place, own_layout, recognise
from medweave.sources.mapping.shaping import shaped
from medweave.sources.mapping.side_tables import Tables

_LOOK = 20
"""Rows looked at to recognise a layout."""


def source_files(sources: list[Path], mapping: Mapping | None = None) -> list[Path]:
    """The data files among files and folders, each once, in a fixed order. A folder that a kind
    reads as a whole is one of them; `mapping` may say that it is of this kind.

    Raises `SourceError` for a path that is not there and for a folder without data files.
    """
    found: dict[Path, None] = {}
    for source in sources:
        for path in _files(source, mapping.kind if mapping and mapping.names_kind else ""):
            found[_named(path.resolve())] = None
    return list(found)


def _named(path: Path) -> Path:
    """A path that can be written down: some file systems have names that no text can hold."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise SourceError(
            "a file's name is not UTF-8", where=ascii(str(path)), remedy="rename it"
        ) from error
    return path


def _files(source: Path, named: str) -> list[Path]:
    try:
        there = source.exists()
    except OSError as error:  # a name that is too long, a folder one may not enter
        raise SourceError(
            f"this path cannot be looked at ({error.strerror})",
            where=str(source)[:200],
            remedy="check the path",
        ) from error
    if not there:
        raise SourceError("no such file or folder", where=str(source), remedy="check the path")
    if not source.is_dir() or (named and whole_file(source, named)):
        return [source]
    inside = list(_inside(source))
    if not inside:
        raise SourceError(
            "no data files in this folder",
            where=str(source),
            remedy=f"put files ending in {', '.join(SUFFIXES)} there",
        )
    return inside


def _inside(folder: Path) -> Iterator[Path]:
    """What is to be read in a folder, or the folder itself where some kind reads it as a whole."""
    if whole_file(folder):
        yield folder
        return
    for path in _entries(folder):
        if path.is_dir() and not path.is_symlink():
            yield from _inside(path)
        elif path.is_file() and not tells_of_folder(path) and (is_data(path) or whole_file(path)):
            yield path


def _entries(folder: Path) -> list[Path]:
    """What stands in a folder; nothing, where one may not look."""
    try:
        return sorted(folder.iterdir())
    except PermissionError:
        return []


def read_records(
    path: Path,
    mapping: Mapping | None = None,
    *,
    limit: int | None = None,
    keep_personal_data: bool = False,
    progress: Progress = no_progress,
) -> Records:
    """The records of one file, read by `mapping` or by the layout that is recognised.

    `limit` is the number of rows to look at, where not all of them. Personal data is masked, where
    a kind holds any, unless it is to be kept.
    Raises `SourceError` where the file cannot be read, `MappingError` where nothing says how.
    """
    chosen, all_rows = layout(path, mapping)
    rows = islice(all_rows, limit)
    if chosen is None:
        return _of_no_layout(path, list(islice(rows, _LOOK)))
    tables = Tables(path.parent, chosen)
    shape = shaped(rows, path, chosen, tables)
    opened = Opened(path, chosen, shape, tables, keep_personal_data, progress)
    return kind_called(chosen.kind).read(opened)


def layout(path: Path, named: Mapping | None = None) -> tuple[Mapping | None, Rows]:
    """How a file is to be read, by the mapping named or any that ships, and its rows.

    Raises `SourceError` where the file cannot be read.
    """
    whole = None if named and named.parts else whole_file(path, named.kind if named else "")
    if whole is not None:
        return _of_class(whole, named), iter(())
    placed = by_place(path, named)
    rows = read_rows(path, _form(placed))
    if placed is not None:
        return placed, rows
    first = list(islice(rows, _LOOK))
    return _recognised(path, first, named), chain(first, rows)


def _form(mapping: Mapping | None) -> Form:
    return Form(mapping.header, mapping.quoted, used_columns(mapping)) if mapping else USUAL


def _recognised(
    path: Path, first: list[Row | Skipped | Cut], named: Mapping | None
) -> Mapping | None:
    """A layout that a mapping describes, or else one that a kind knows by its columns."""
    columns = {name: None for row in first if isinstance(row, Row) for name in row.values}
    if named is not None and not named.names_kind:
        return recognise(path, columns, named.everything)
    found = recognise(path, columns)
    if found is not None and (named is None or found.kind == named.kind):
        return found
    found = layout_of(columns, named.kind if named else "")
    found = found or (own_layout(named.kind) if named else None)
    return _of_class(found, named) if found else None


def _of_class(found: Mapping, named: Mapping | None) -> Mapping:
    """A layout that was found, with the class of evidence that a mapping which only names its kind
    may tell: who publishes a text is not told by the text."""
    usual = named is None or named.evidence_class == Mapping("", "", "").evidence_class
    return found if usual or named is None else replace(found, evidence_class=named.evidence_class)


def _of_no_layout(path: Path, first: list[Row | Skipped | Cut]) -> Records:
    if any(isinstance(row, Row) for row in first):
        raise MappingError(
            "this layout is not known",
            where=str(path),
            remedy=f"look at `medweave build --preview {path.name}` and name a --mapping",
        )
    return (row for row in first if not isinstance(row, Row))
