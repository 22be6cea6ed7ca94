"""Which files are texts: those that no other kind takes for its own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from medweave.errors import SourceError
from medweave.model.mapping import Mapping
from medweave.sources.files.markdown_rows import has_front_matter
from medweave.sources.files.row import Row
from medweave.sources.files.rows import SUFFIXES, beginning_of, data_suffix, is_data, read_rows
from medweave.sources.kinds import layout_of
from medweave.sources.mapping.layouts import recognise

NAME = "texts"
FILE = "text_file"
"""The mapping of a file that is one text."""
VERSION = "1"
PAGES = (".html", ".htm", ".xhtml")
BOOKS = (".pdf", ".docx", ".epub")
_MARKDOWN = (".md", ".markdown")
IDS = ("_id", "id", "corpus_name")
TEXTS = ("text", "context")
COLUMNS = (*IDS, *TEXTS, "title", "url", "metadata")
"""What a row may say. One that says more may be anything's, a label for a text among others: it is
a text where somebody says so, and the rest of it is passed over."""


def text_mapping(name: str = NAME) -> Mapping:
    """How texts are read: rows, or a file that is one."""
    return Mapping(name, NAME, VERSION, evidence_class="publication")


def file_mapping(path: Path, asked: bool) -> Mapping | None:
    """How to read a file as one text, if it is one: a page or book, or whatever has no rows where
    somebody says so.

    What cannot be read is a text as well, so that it is told why.
    """
    return text_mapping(FILE) if path.is_file() and _is_text(path, asked) else None


def format_of(path: Path) -> str:
    """The ending that tells how a text is read; books are never compressed a second time."""
    book = path.suffix.lower()
    return book if book in BOOKS else data_suffix(path)


def _is_text(path: Path, asked: bool) -> bool:
    ending = format_of(path)
    if ending in _MARKDOWN:
        return asked or not has_front_matter(_beginning(path)) or _is_unknown_page(path)
    if ending == ".txt":
        return asked or not is_data(path)
    return ending in (*PAGES, *BOOKS) or (asked and ending not in SUFFIXES)


def _beginning(path: Path) -> str:
    try:
        return beginning_of(path)
    except SourceError:
        return ""


def _is_unknown_page(path: Path) -> bool:
    """Whether the front matter of a page says nothing that makes it a record."""
    try:
        row = next(read_rows(path), None)
    except SourceError:
        return False
    columns = set(row.values) if isinstance(row, Row) else {"name"}
    said = _beginning(path).split("\n---", 1)[0]
    named = any(line.startswith(("name:", "concept:")) for line in said.splitlines())
    return not (named or recognise(path, columns) or layout_of(columns))


def table_mapping(columns: Collection[str], asked: bool) -> Mapping | None:
    """How to read a table or JSON with these columns, if its rows are texts with an id.

    >>> table_mapping(["_id", "title", "text"], asked=False).kind
    'texts'
    >>> table_mapping(["id", "text", "label"], asked=False) is None
    True
    """
    have = set(columns)
    known = have & set(IDS) and have <= set(COLUMNS)
    return text_mapping() if have & set(TEXTS) and (asked or known) else None
