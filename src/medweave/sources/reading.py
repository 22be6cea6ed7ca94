"""Reading sources: files and folders in, records out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from medweave.errors import MappingError, SourceError
from medweave.model.document import Skipped
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.sources.dialogues.layout import dialogue_mapping
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.files.rows import SUFFIXES, is_data, is_unread_text, read_rows
from medweave.sources.files.tables import USUAL, Form
from medweave.sources.mapping.layouts import by_place, recognise
from medweave.sources.mapping.shaping import shaped
from medweave.sources.mapping.side_tables import Tables
from medweave.sources.monographs.reading import monographs
from medweave.sources.triples.reading import triples

_LOOK = 20
"""Rows looked at to recognise a layout."""


def source_files(sources: list[Path]) -> list[Path]:
    """The data files among files and folders, each once, in a fixed order.

    Raises `SourceError` for a path that is not there and for a folder without data files.
    """
    found: dict[Path, None] = {}
    for source in sources:
        for path in _files(source):
            found[_named(path.resolve())] = None
    return list(found)


def left_out(sources: list[Path]) -> list[Skipped]:
    """The texts in folders that are not read, as who put them there may have meant them to be."""
    folders = [source for source in sources if source.is_dir()]
    inside = (path for folder in folders for path in folder.rglob("*"))
    texts = {path.resolve() for path in inside if path.is_file() and is_unread_text(path)}
    reason = "left out: neither a transcript (nobody's turns are marked) nor a table"
    return [Skipped(str(path), 0, reason) for path in sorted(texts)]


def _named(path: Path) -> Path:
    """A path that can be written down: some file systems have names that no text can hold."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        raise SourceError(
            "a file's name is not UTF-8", where=ascii(str(path)), remedy="rename it"
        ) from error
    return path


def _files(source: Path) -> list[Path]:
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
    if not source.is_dir():
        return [source]
    inside = sorted(p for p in source.rglob("*") if p.is_file() and is_data(p))
    if not inside:
        raise SourceError(
            "no data files in this folder",
            where=str(source),
            remedy=f"put files ending in {', '.join(SUFFIXES)} there",
        )
    return inside


def read_records(
    path: Path,
    mapping: Mapping | None = None,
    *,
    limit: int | None = None,
    keep_personal_data: bool = False,
) -> Iterator[Record | Skipped | Cut]:
    """The records of one file, read by `mapping` or by the layout that is recognised.

    `limit` is the number of rows to look at, where not all of them. Personal data in dialogues is
    masked unless it is to be kept.
    Raises `SourceError` where the file cannot be read, `MappingError` where nothing says how.
    """
    chosen, all_rows = layout(path, mapping)
    rows = islice(all_rows, limit)
    if chosen is None:
        return _of_no_layout(path, list(islice(rows, _LOOK)))
    if chosen.kind == "table":
        return iter(())
    tables = Tables(path.parent, chosen)
    shape = shaped(rows, path, chosen, tables)
    if chosen.kind == "triples":
        return triples(shape, path, chosen, str(path))
    if chosen.kind == "dialogues":
        from medweave.sources.dialogues.reading import dialogues

        return dialogues(shape, path, chosen, str(path), keep_personal_data=keep_personal_data)
    return monographs(shape, path, chosen, str(path), tables)


def layout(path: Path, named: Mapping | None = None) -> tuple[Mapping | None, Rows]:
    """How a file is to be read, by the mapping named or any that ships, and its rows.

    Raises `SourceError` where the file cannot be read.
    """
    placed = by_place(path, named)
    rows = read_rows(path, _form(placed))
    if placed is not None:
        return placed, rows
    first = list(islice(rows, _LOOK))
    return _recognised(path, first, named), chain(first, rows)


def _form(mapping: Mapping | None) -> Form:
    return Form(mapping.header, mapping.quoted, mapping.used_columns) if mapping else USUAL


def _recognised(
    path: Path, first: list[Row | Skipped | Cut], named: Mapping | None
) -> Mapping | None:
    """A layout that a mapping describes, or else one of dialogues that its columns tell of."""
    columns = {name: None for row in first if isinstance(row, Row) for name in row.values}
    if named is not None and not named.by_columns:
        return recognise(path, columns, named.everything)
    found = recognise(path, columns)
    if found is not None and (named is None or found.kind == "dialogues"):
        return found
    return dialogue_mapping(columns, asked=named is not None)


def _of_no_layout(path: Path, first: list[Row | Skipped | Cut]) -> Iterator[Record | Skipped | Cut]:
    if any(isinstance(row, Row) for row in first):
        raise MappingError(
            "this layout is not known",
            where=str(path),
            remedy=f"look at `medweave build --preview {path.name}` and name a --mapping",
        )
    return (row for row in first if not isinstance(row, Row))
