"""Pages of text that are a transcript: a file is one dialogue, whose id is the file's name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.model.mapping import Mapping
from medweave.sources.dialogues.layout import TURNS, dialogue_mapping
from medweave.sources.dialogues.transcripts import is_transcript
from medweave.sources.files.markdown_rows import has_front_matter
from medweave.sources.files.row import MAX_RECORD, TOO_LONG, Cut, Row, Rows
from medweave.sources.files.rows import beginning_of, data_stem, data_suffix
from medweave.sources.files.text import examined, opened

TRANSCRIPT = "transcript"
"""The mapping of a page."""
_PAGES = (".txt", ".md", ".markdown")
_ID = "id"


def page_mapping(path: Path, _asked: bool) -> Mapping | None:
    """How to read a page of text, if it is a transcript."""
    if data_suffix(path) not in _PAGES or not path.is_file():
        return None
    try:
        beginning = beginning_of(path)
    except SourceError:
        return None
    if has_front_matter(beginning) or not is_transcript(beginning):
        return None
    found = dialogue_mapping([_ID, TURNS])
    return replace(found, name=TRANSCRIPT) if found else None


def page_rows(path: Path) -> Rows:
    """The one row of a transcript. Raises `SourceError` where it is too long."""
    file = examined(path)
    with opened(file) as stream:
        text = stream.read(MAX_RECORD + 1)
    if len(text) > MAX_RECORD:
        raise SourceError(f"this transcript is {TOO_LONG}", where=str(path), remedy="split it")
    yield Row(1, {_ID: data_stem(path), TURNS: text})
    if file.ends:
        yield Cut(Skipped(str(path), 1, file.ends))
