"""Texts to records: each passage a document of its own, called `WHOLE#N`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from medweave.errors import SourceError
from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.passage import Passage
from medweave.model.record import Record
from medweave.sources.files.row import Cut, Row
from medweave.sources.files.rows import data_stem
from medweave.sources.files.text import examined
from medweave.sources.files.text import opened as opened_text
from medweave.sources.kinds import Opened, Records
from medweave.sources.texts.passages import passages_of
from medweave.sources.texts.plain import plain_text
from medweave.sources.texts.recognised import FILE, IDS, NAME, TEXTS
from medweave.sources.texts.whole import MAX_TEXT, WholeText

_LETTERS = 200
"""So many characters are as much work as an entry of a monograph."""
_LONGEST_NAME = 200
_LONGEST_TITLE = 120


class Named(NamedTuple):
    """What a text is called, and where it is found."""

    name: str
    title: str
    url: str = ""
    line: int = 0
    """The line of its row, where it is one of several in a file."""


def texts(opened: Opened) -> Records:
    """One record for each passage of a file, or of each row that holds a text."""
    if opened.mapping.name == FILE:
        yield from _of_file(opened)
        return
    seen = set[str]()
    for row in opened.rows:
        if isinstance(row, Row):
            yield from _of_row(row, opened, seen)
        else:
            yield row


def _of_file(opened: Opened) -> Records:
    file = examined(opened.path)
    with opened_text(file) as stream:
        raw = stream.read(MAX_TEXT + 1)
    if len(raw) > MAX_TEXT:
        raise SourceError(
            f"this text is longer than {MAX_TEXT // 1_000_000} million characters",
            where=opened.source,
            remedy="split it",
        )
    whole = plain_text(raw)
    title = whole.title or data_stem(opened.path)
    yield from _records(whole, Named(opened.path.name, title), opened)
    if file.ends:
        yield Cut(Skipped(opened.source, len(whole.lines), file.ends))


def _of_row(row: Row, opened: Opened, seen: set[str]) -> Records:
    text = next((value for name in TEXTS if (value := _text(row.values.get(name))).strip()), "")
    if not text:
        yield Skipped(opened.source, row.line, "no text")
        return
    called = (_text(row.values.get(column)).strip() for column in IDS)
    name = next((name for name in called if name), f"{data_stem(opened.path)}-{row.line}")
    if len(name) > _LONGEST_NAME:
        reason = f"an id of more than {_LONGEST_NAME} characters"
        yield Skipped(opened.source, row.line, reason)
        return
    if name in seen:
        reason = f"another text under the id '{name}' stands above: kept as well"
        yield Skipped(opened.source, row.line, reason)
    name = _free_name(name, seen)
    seen.add(name)
    title = " ".join(_text(row.values.get("title")).split())
    url = _web(_text(row.values.get("url")))
    yield from _records(plain_text(text), Named(name, title or name, url, row.line), opened)


def _records(whole: WholeText, named: Named, opened: Opened) -> Iterator[Record]:
    title = named.title
    for passage in passages_of(whole, named.name):
        document = Document(
            source=opened.source,
            name=passage.name,
            title=title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…",
            fields=passage.fields(),
            language=opened.mapping.language or _language(passage, whole),
            url=named.url,
            evidence_class=opened.mapping.evidence_class,
            line=named.line or whole.line_at(passage.start),
        )
        weight = 1 + len(passage.text) // _LETTERS
        yield Record(document, NAME, opened.mapping, weight=weight)


def _language(passage: Passage, whole: WholeText) -> str:
    """That of the passage; where it has hardly a word, that of the text."""
    return whole.language or language_of(passage.text)


def _free_name(name: str, seen: set[str]) -> str:
    number, free = 2, name
    while free in seen:
        free = f"{name}~{number}"
        number += 1
    return free


def _web(url: str) -> str:
    """An address that may be opened; anything else is a text like others."""
    return url if url.startswith(("https://", "http://")) and not set(url) & set(' <>"\n') else ""


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
