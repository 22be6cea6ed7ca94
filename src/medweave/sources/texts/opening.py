"""A file as a whole text, by its format."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from medweave.errors import SourceError
from medweave.ports import Progress, no_progress
from medweave.sources.files.rows import data_stem
from medweave.sources.files.text import examined, opened
from medweave.sources.files.unpacked import EndsEarly, pieces
from medweave.sources.texts.plain import plain_text
from medweave.sources.texts.recognised import PAGES, format_of
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
