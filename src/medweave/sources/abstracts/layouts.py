"""Which layout of abstracts a file has."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import NamedTuple

from medweave.errors import SourceError
from medweave.model.mapping import Mapping
from medweave.sources.abstracts.formats import plain, pubtator, tagged, xml
from medweave.sources.files.row import Rows
from medweave.sources.files.rows import beginning_of, data_suffix

NAME = "abstracts"
VERSION = "1"
_IDS = frozenset({"id", "pmid", "nct_id", "doi", "pub_id"})
_REGISTERED = frozenset({"pmid", "nct_id"})
"""A table with a column of this name is one of abstracts; `id` and `doi` may be anything's."""
_TEXTS = frozenset({"text", "abstract"})
COLUMNS = (*sorted(_IDS), *sorted(_TEXTS), "title", "date", "url", "documents", "passages")
"""What a table or JSON of abstracts may say; the rest of a row is passed over."""
_PAGES = (".txt",)


class Layout(NamedTuple):
    """A layout that is known by how a file begins."""

    begins: Callable[[str], bool]
    rows: Callable[[Path], Rows]


WHOLE: dict[str, Layout] = {
    "pubmed_xml": Layout(xml.is_pubmed_xml, xml.pubmed_rows),
    "bioc_xml": Layout(xml.is_bioc_xml, xml.bioc_rows),
    "medline": Layout(tagged.is_medline, tagged.medline_rows),
    "ris": Layout(tagged.is_ris, tagged.ris_rows),
    "pubtator": Layout(pubtator.is_pubtator, pubtator.pubtator_rows),
}
PAGE = "abstract_page"


def abstract_mapping(name: str = NAME) -> Mapping:
    """How abstracts are read, in one of these layouts, or by the columns of a table."""
    return Mapping(name, NAME, VERSION, evidence_class="publication", language="")


def file_mapping(path: Path, asked: bool) -> Mapping | None:
    """How to read a file as a whole, if it begins as one of these layouts does.

    A page of text is an abstract where it names a publication, or somebody says so.
    """
    if not path.is_file():
        return None
    try:
        beginning = beginning_of(path)
    except SourceError:
        return None
    for name, layout in WHOLE.items():
        if layout.begins(beginning):
            return abstract_mapping(name)
    page = data_suffix(path) in _PAGES
    if page and (asked or plain.is_plain_abstract(path, beginning)):
        return abstract_mapping(PAGE)
    return None


def table_mapping(columns: Collection[str], asked: bool) -> Mapping | None:
    """How to read a table or JSON with these columns, if it is one of abstracts.

    >>> table_mapping(["pmid", "title", "abstract"], asked=False).name
    'abstracts'
    >>> table_mapping(["id", "text"], asked=False) is None
    True
    """
    have = set(columns)
    if not have & _TEXTS or not have & _IDS:
        return None
    sure = have & _REGISTERED or {"id", "title", "abstract"} <= have or {"doi", "abstract"} <= have
    return abstract_mapping() if asked or sure else None


def rows_of(path: Path, mapping: Mapping, rows: Rows) -> Rows:
    """The rows of a file in its layout; those of a table are given."""
    if mapping.name == PAGE:
        return plain.plain_rows(path)
    found = WHOLE.get(mapping.name)
    return found.rows(path) if found else rows
