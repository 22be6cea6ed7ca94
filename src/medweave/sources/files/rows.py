"""Rows of a file: JSON, JSONL, CSV, TSV, YAML and Markdown, compressed or not, each with its line.

A broken row becomes a `Skipped` in the stream; only a file that cannot be read at all raises.
What may be large is read as a stream: memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.json_rows import json_rows, jsonl_rows
from medweave.sources.files.markdown_rows import has_front_matter, markdown_rows
from medweave.sources.files.row import Cut, Row, Rows
from medweave.sources.files.tables import NO_HEADER, USUAL, Form, table_rows
from medweave.sources.files.text import TextFile, examined, opened
from medweave.sources.files.unpacked import MAX_BYTES, EndsEarly, pieces
from medweave.sources.files.yaml_rows import names_a_record, yaml_rows

__all__ = [
    "MAX_BYTES",
    "NO_HEADER",
    "SUFFIXES",
    "Cut",
    "Row",
    "Rows",
    "data_stem",
    "data_suffix",
    "is_data",
    "line_count",
    "read_rows",
]

_READERS: dict[str, Callable[[TextFile, Form], Rows]] = {
    ".jsonl": lambda file, _: jsonl_rows(file),
    ".ndjson": lambda file, _: jsonl_rows(file),
    ".json": lambda file, _: json_rows(file),
    ".csv": lambda file, form: table_rows(file, ",", form),
    ".tsv": lambda file, form: table_rows(file, "\t", form),
    ".sif": lambda file, form: table_rows(file, "\t", form),
    ".yaml": lambda file, _: yaml_rows(file),
    ".yml": lambda file, _: yaml_rows(file),
    ".md": lambda file, _: markdown_rows(file),
    ".markdown": lambda file, _: markdown_rows(file),
    ".txt": lambda file, form: table_rows(file, "\t", form),
}
SUFFIXES = tuple(_READERS)
_ABOUT = ("readme", "license", "licence", "copying", "notice", "changelog", "contributing")
"""Files of these names tell about a folder."""
_LOOK = 1 << 18
"""Characters looked at to know whether a file holds data."""
_LOOK_LINES = 100
_FEWEST_COLUMNS = 3


def read_rows(path: Path, form: Form = USUAL) -> Rows:
    """The rows of a file in their order; `form` says how a table differs from what is usual.

    Raises `SourceError` where the file is missing, empty, a folder, of an unknown format or
    not text; from within the rows, where nothing can be read of a damaged file.
    """
    suffix = data_suffix(path)
    file = examined(path)
    if suffix == ".txt" and not _is_table(_beginning(file)):
        raise SourceError(
            "neither a transcript (nobody's turns are marked) nor a table (three columns or more)",
            where=str(path),
            remedy="begin each turn with 'Patient:' or 'Doctor:' ('患者：', '医生：'), or part the "
            "columns with tabs",
        )
    if suffix not in _READERS:
        raise SourceError(
            "a file of an unknown format",
            where=str(path),
            remedy=f"give one of {', '.join(SUFFIXES)}",
        )
    rows = _READERS[suffix](file, form)
    return _until_the_end(rows, file) if file.ends else rows


def _until_the_end(rows: Rows, file: TextFile) -> Rows:
    """The rows of a file that ends early, and a `Cut` behind them that says why."""
    line, some = 1, False
    for row in rows:
        if isinstance(row, Cut):
            line = row.skipped.line
            break
        line, some = row.line, some or isinstance(row, Row)
        yield row
    if not some:
        raise SourceError(file.ends, where=str(file.path), remedy="fetch it again, or split it")
    yield Cut(Skipped(str(file.path), line, file.ends))


def line_count(path: Path) -> int:
    """How many lines a file has, unpacked: what progress is measured against."""
    count = 1
    try:
        for piece in pieces(path):
            count += piece.count(b"\n")
    except EndsEarly:
        pass  # `read_rows` tells of it
    return count


def is_data(path: Path) -> bool:
    """Whether a file found in a folder holds rows: a page needs front matter, a `.txt` file columns
    between tabs, a YAML file records with a name.

    Never raises `SourceError`.
    """
    suffix = data_suffix(path)
    if suffix not in _CONTENT_TESTS:
        return suffix in SUFFIXES
    if tells_of_folder(path):
        return False
    try:
        return _CONTENT_TESTS[suffix](beginning_of(path))
    except SourceError:
        return False


def tells_of_folder(path: Path) -> bool:
    """Whether a file is called like those that tell about the folder they are in."""
    return data_stem(path).lower() in _ABOUT


def beginning_of(path: Path) -> str:
    """The first characters of a file. Raises `SourceError`."""
    return _beginning(examined(path))


def _beginning(file: TextFile) -> str:
    with opened(file) as stream:
        return stream.read(_LOOK)


def _is_table(beginning: str) -> bool:
    """Whether a text has the same number of tabs in every line, at least two."""
    lines = beginning.split("\n")
    whole = lines[:-1] or lines  # the last may be cut
    widths = {line.count("\t") + 1 for line in whole[:_LOOK_LINES] if line.strip()}
    return len(widths) == 1 and min(widths) >= _FEWEST_COLUMNS


def data_suffix(path: Path) -> str:
    """The suffix that tells the format, whatever compression comes after it.

    >>> data_suffix(Path("a/triples.jsonl.gz"))
    '.jsonl'
    """
    name = path.name.lower().removesuffix(".gz")
    return Path(name).suffix


def data_stem(path: Path) -> str:
    """The name of a data file without its suffixes."""
    name = path.name
    if name.lower().endswith(".gz"):
        name = name[:-3]
    return Path(name).stem


_CONTENT_TESTS: dict[str, Callable[[str], bool]] = {
    ".txt": _is_table,
    ".md": has_front_matter,
    ".markdown": has_front_matter,
    ".yaml": names_a_record,
    ".yml": names_a_record,
}
"""What the beginning of a file found in a folder must be like, where its ending says too little."""
