"""Texts to records: each passage a document of its own, called `WHOLE#N`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from medweave.errors import SourceError
from medweave.language.segmentation import language_of
from medweave.model.document import Document, Skipped
from medweave.model.passage import Passage
from medweave.model.record import Record
from medweave.ports import Progress, no_progress
from medweave.sources.files.row import Cut, Row
from medweave.sources.files.rows import data_stem
from medweave.sources.files.text import examined, opened
from medweave.sources.files.unpacked import EndsEarly, pieces
from medweave.sources.kinds import Opened, Records
from medweave.sources.publications import web_address
from medweave.sources.texts.passages import passages_of
from medweave.sources.texts.plain import plain_text
from medweave.sources.texts.recognised import FILE, IDS, NAME, PAGES, TEXTS, format_of
from medweave.sources.texts.whole import MAX_TEXT, WholeText

_LARGEST_PAGE = 32_000_000
"""Bytes of a web page beyond which it is none."""
_MARKDOWN = (".md", ".markdown")
_LARGEST_MARKDOWN = 16_000_000
_RICH_TEXT = "{\\rtf"


def whole_file(path: Path, progress: Progress = no_progress) -> WholeText:
    """The text of a file. What is heavy is loaded only for its own format.

    Raises `SourceError` where it cannot be read: damaged, encrypted, a scan without text, far too
    large, or of a format whose library is not installed.
    """
    ending = format_of(path)
    if ending == ".pdf":
        from medweave.sources.texts.pdf.reading import pdf

        return pdf(path, progress)
    if ending == ".docx":
        from medweave.sources.texts.word import word_document

        return word_document(path)
    if ending == ".epub":
        from medweave.sources.texts.epub import epub

        return epub(path, progress)
    if ending in PAGES:
        from medweave.sources.texts.web_page import web_page

        return web_page(_bytes(path), str(path))
    return _of_text(path, is_markdown=ending in _MARKDOWN)


def _of_text(path: Path, *, is_markdown: bool) -> WholeText:
    file = examined(path)
    most = _LARGEST_MARKDOWN if is_markdown else MAX_TEXT
    with opened(file) as stream:
        raw = stream.read(most + 1)
    if raw.startswith(_RICH_TEXT):
        raise SourceError(
            "this file is rich text, whose marks would be read as words",
            where=str(path),
            remedy="save it as DOCX, or as plain text",
        )
    if len(raw) > most:
        raise _too_large(path, f"{most // 1_000_000} million characters")
    if is_markdown:
        from medweave.sources.texts.markdown import markdown_text

        whole = markdown_text(raw, str(path))
    else:
        whole = plain_text(raw)
    return replace(whole, cut=whole.cut or file.ends)


def _bytes(path: Path) -> bytes:
    """A file that is not too large, as it is."""
    found, size = list[bytes](), 0
    try:
        for piece in pieces(path):
            size += len(piece)
            if size > _LARGEST_PAGE:
                raise _too_large(path, f"{_LARGEST_PAGE // 1_000_000} million bytes")
            found.append(piece)
    except EndsEarly as end:
        raise SourceError(str(end), where=str(path), remedy="fetch it again") from end
    if not size:
        raise SourceError("this file is empty", where=str(path), remedy="leave it out")
    return b"".join(found)


def _too_large(path: Path, most: str) -> SourceError:
    what = f"{data_stem(path)} is longer than {most}"
    return SourceError(what, where=str(path), remedy="split it")


_LETTERS = 200
"""So many characters are as much work as an entry of a monograph."""
_LONGEST_NAME = 200
_LONGEST_TITLE = 80
_WORDS = {
    "en": {"page": "p. {page}", "between": ", "},
    "zh": {"page": "第{page}页", "between": "，"},
}


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
    whole = whole_file(opened.path, opened.progress)
    if not whole.text.strip():
        raise SourceError("this text says nothing", where=opened.source, remedy="leave it out")
    titled = format_of(opened.path) in (*PAGES, ".epub") and whole.title
    named = Named(opened.path.name, titled or opened.path.name, web_address(whole.url))
    yield from _records(whole, named, opened)
    for reason in whole.left_out:
        yield Skipped(opened.source, 0, reason)
    if whole.cut:
        yield Cut(Skipped(opened.source, len(whole.lines), whole.cut))


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
    url = web_address(_text(row.values.get("url")))
    yield from _records(plain_text(text), Named(name, title or name, url, row.line), opened)


def _records(whole: WholeText, named: Named, opened: Opened) -> Iterator[Record]:
    for passage in passages_of(whole, named.name):
        language = opened.mapping.language or language_of(passage.text)
        document = Document(
            source=opened.source,
            name=passage.name,
            title=_cited(named.title, passage, language),
            fields=passage.fields(),
            language=language,
            url=named.url,
            evidence_class=opened.mapping.evidence_class,
            line=named.line or whole.line_at(passage.start),
        )
        weight = 1 + len(passage.text) // _LETTERS
        yield Record(document, NAME, opened.mapping, weight=weight)


def _cited(title: str, passage: Passage, language: str) -> str:
    """What a person reads where a passage is cited: its text, its page, what it is about."""
    words = _WORDS[language if language in _WORDS else "en"]
    page = words["page"].format(page=passage.page) if passage.page else ""
    about = passage.headings[-1] if passage.headings else ""
    parts = (_shortened(part) for part in (title, page, about) if part)
    return words["between"].join(dict.fromkeys(parts))


def _shortened(title: str) -> str:
    return title if len(title) <= _LONGEST_TITLE else title[: _LONGEST_TITLE - 1] + "…"


def _free_name(name: str, seen: set[str]) -> str:
    number, free = 2, name
    while free in seen:
        free = f"{name}~{number}"
        number += 1
    return free


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""
