"""Reading sources: files and folders in, records out."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from medweave.documents.mappings import recognise
from medweave.documents.monographs import monographs
from medweave.documents.rows import SUFFIXES, Cut, Row, data_suffix, read_rows
from medweave.documents.triples import triples
from medweave.errors import MappingError, SourceError
from medweave.model.document import Skipped
from medweave.model.mapping import Mapping
from medweave.model.record import Record

_LOOK = 20
"""Rows looked at to recognise a layout."""
_READERS = {"monographs": monographs, "triples": triples}


def source_files(sources: list[Path]) -> list[Path]:
    """The data files among files and folders, each once, in a fixed order.

    Raises `SourceError` for a path that is not there and for a folder without data files.
    """
    found: dict[Path, None] = {}
    for source in sources:
        for path in _files(source):
            found[path.resolve()] = None
    return list(found)


def _files(source: Path) -> list[Path]:
    if not source.exists():
        raise SourceError("no such file or folder", where=str(source), remedy="check the path")
    if not source.is_dir():
        return [source]
    inside = sorted(p for p in source.rglob("*") if p.is_file() and data_suffix(p) in SUFFIXES)
    if not inside:
        raise SourceError(
            "no data files in this folder",
            where=str(source),
            remedy=f"put files ending in {', '.join(SUFFIXES)} there",
        )
    return inside


def read_records(
    path: Path, mapping: Mapping | None = None, *, limit: int | None = None
) -> Iterator[Record | Skipped | Cut]:
    """The records of one file, read by `mapping` or by the layout that is recognised.

    `limit` is the number of rows to look at, where not all of them.
    Raises `SourceError` where the file cannot be read, `MappingError` where nothing says how.
    """
    rows = islice(read_rows(path), limit)
    first = list(islice(rows, _LOOK))
    chosen = mapping or _recognised(path, first)
    if chosen is None:
        if not any(isinstance(row, Row) for row in first):
            return (row for row in first if not isinstance(row, Row))
        raise MappingError(
            "this layout is not known",
            where=str(path),
            remedy=f"look at `medweave build --preview {path.name}` and name a --mapping",
        )
    return _READERS[chosen.kind](chain(first, rows), path, chosen, str(path))


def _recognised(path: Path, first: list[Row | Skipped | Cut]) -> Mapping | None:
    columns = {name for row in first if isinstance(row, Row) for name in row.values}
    return recognise(path, columns)
