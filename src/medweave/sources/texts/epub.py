"""Books in EPUB: their chapters in the order of reading, each a web page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.ports import Progress, no_progress
from medweave.sources.texts.packed import Parts, part_beside, parts_of
from medweave.sources.texts.web_page import web_page
from medweave.sources.texts.whole import WholeText
from medweave.sources.texts.writing import Writer

_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_PAGES = ("application/xhtml+xml", "text/html")


def epub(path: Path, progress: Progress = no_progress) -> WholeText:
    """A whole text from a book. Raises `SourceError` where it cannot be read, or is protected."""
    writer = Writer(str(path))
    with parts_of(path) as parts:
        package = _package(parts, str(path))
        book = parts.xml(package)
        title = book.find(".//{*}metadata/{*}title")
        writer.title = (title.text or "") if title is not None else ""
        chapters = list(_chapters(book, package))
        _refuse_protected(parts, chapters, str(path))
        titles = _titles(parts, book, package)
        for number, chapter in enumerate(chapters, start=1):
            progress(number, len(chapters), path.name)
            _write(parts, chapter, titles.get(chapter, ""), writer)
    return writer.whole()


def _package(parts: Parts, where: str) -> str:
    """The part that says what the book is made of."""
    found = parts.xml(_CONTAINER).find(".//{*}rootfile")
    name = found.get("full-path") if found is not None else None
    if not name:
        raise SourceError(
            "this book does not say what it is made of", where=where, remedy="fetch it again"
        )
    return str(name)


def _chapters(book: Any, package: str) -> Iterator[str]:
    """The pages of a book in the order of reading, without its index."""
    items = {item.get("id"): item for item in book.iterfind(".//{*}item")}
    for reference in book.iterfind(".//{*}itemref"):
        item = items.get(reference.get("idref"))
        if item is None or item.get("media-type") not in _PAGES or reference.get("linear") == "no":
            continue
        if "nav" not in (item.get("properties") or "").split():
            yield part_beside(package, item.get("href") or "")


def _refuse_protected(parts: Parts, chapters: list[str], where: str) -> None:
    if _ENCRYPTION not in parts:
        return
    locked = {each.get("URI") for each in parts.xml(_ENCRYPTION).iterfind(".//{*}CipherReference")}
    if locked & set(chapters):
        raise SourceError(
            "this book is protected: its chapters are encrypted",
            where=where,
            remedy="get it without protection",
        )


def _titles(parts: Parts, book: Any, package: str) -> dict[str, str]:
    """What the index of the book calls each page."""
    found = dict[str, str]()
    for item in book.iterfind(".//{*}item"):
        name = part_beside(package, item.get("href") or "")
        index = item.get("media-type") == "application/x-dtbncx+xml"
        if not (index or "nav" in (item.get("properties") or "").split()) or name not in parts:
            continue
        try:
            tree = parts.xml(name)
        except SourceError:
            continue  # the chapters say what they are themselves
        for link, title in _index(tree) if index else _navigation(tree):
            found.setdefault(part_beside(name, link), title)
    return found


def _index(tree: Any) -> Iterator[tuple[str, str]]:
    for point in tree.iterfind(".//{*}navPoint"):
        label, content = point.find("{*}navLabel/{*}text"), point.find("{*}content")
        if label is not None and content is not None:
            yield content.get("src") or "", label.text or ""


def _navigation(tree: Any) -> Iterator[tuple[str, str]]:
    for link in tree.iterfind(".//{*}a"):
        yield link.get("href") or "", "".join(link.itertext())


def _write(parts: Parts, chapter: str, title: str, writer: Writer) -> None:
    """One chapter; one that cannot be read is told of, and the book goes on."""
    part = Writer(chapter)
    try:
        web_page(parts.read(chapter), chapter, part)
    except SourceError as error:
        writer.left_out.append(f"the chapter {chapter[:100]} cannot be read: {error.what}")
        return
    if title and not part.has_headings and not part.is_empty:
        part.called(title)
    writer.add(part)
