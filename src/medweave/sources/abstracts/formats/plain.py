"""A page of text that is one abstract: its id in the first line, or the name of its file."""

from __future__ import annotations

from pathlib import Path

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.sources.files.row import MAX_RECORD, TOO_LONG, Cut, Row, Rows
from medweave.sources.files.rows import data_stem
from medweave.sources.files.text import examined, opened
from medweave.sources.publications import publication_id

_LONGEST_ID = 60


def is_plain_abstract(path: Path, beginning: str) -> bool:
    """Whether a page names a publication, in its first line or by its file's name."""
    return bool(_first_line_id(beginning) or publication_id(data_stem(path)).url)


def plain_rows(path: Path) -> Rows:
    """The one row of a page. Raises `SourceError` where it is too long."""
    file = examined(path)
    with opened(file) as stream:
        text = stream.read(MAX_RECORD + 1)
    if len(text) > MAX_RECORD:
        raise SourceError(f"this page is {TOO_LONG}", where=str(path), remedy="split it")
    identifier = _first_line_id(text)
    body = text.split("\n", 1)[1] if identifier and "\n" in text else text
    yield Row(1, {"id": identifier or data_stem(path), "text": body.strip()})
    if file.ends:
        yield Cut(Skipped(str(path), 1, file.ends))


def _first_line_id(text: str) -> str:
    first = text.lstrip("\ufeff").split("\n", 1)[0].strip()
    named = publication_id(first, plain="PMID:") if len(first) <= _LONGEST_ID else None
    return first if named and named.url else ""
