"""Which files are texts: those that no other kind takes for its own."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from medweave.model.mapping import Mapping
from medweave.sources.files.rows import SUFFIXES, data_suffix, is_data

NAME = "texts"
FILE = "text_file"
"""The mapping of a file that is one text."""
VERSION = "1"
_PAGES = (".txt",)
IDS = ("_id", "id", "corpus_name")
TEXTS = ("text", "context")
COLUMNS = (*IDS, *TEXTS, "title", "url", "metadata")
"""What a row may say. One that says more may be anything's, a label for a text among others: it is
a text where somebody says so, and the rest of it is passed over."""


def text_mapping(name: str = NAME) -> Mapping:
    """How texts are read: rows, or a file that is one."""
    return Mapping(name, NAME, VERSION, evidence_class="publication")


def file_mapping(path: Path, asked: bool) -> Mapping | None:
    """How to read a file as one text, if it is one: a page of text that is no table, or whatever
    has no rows where somebody says so.

    What cannot be read is a text as well, so that it is told why.
    """
    if not path.is_file():
        return None
    suffix = data_suffix(path)
    if suffix in _PAGES:
        return None if is_data(path) and not asked else text_mapping(FILE)
    return text_mapping(FILE) if asked and suffix not in SUFFIXES else None


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
