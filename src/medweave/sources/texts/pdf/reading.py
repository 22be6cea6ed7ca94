"""A PDF as a whole text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.ports import Progress, no_progress
from medweave.sources.files.unpacked import readable
from medweave.sources.texts.pdf.blocks import Outline, squeezed, write_pages
from medweave.sources.texts.pdf.lines import lines_of, rows_of
from medweave.sources.texts.pdf.pieces import PagePieces, Piece, page_pieces
from medweave.sources.texts.whole import WholeText
from medweave.sources.texts.writing import Writer

_MOST_PAGES = 20_000
_LARGEST = 1_000_000_000
_MOST_TITLES, _DEEPEST = 10_000, 8
_SHOWN = 8
_NO_TITLE = re.compile(r"\(|untitled|microsoft |.*\.\w{2,4}$", re.I)
"""What programs write where nobody gave a title."""
_PASSWORD, _SECURITY = 4, 5


def pdf(path: Path, progress: Progress = no_progress) -> WholeText:
    """A whole text from a PDF. Needs the extra `pdf`.

    Raises `SourceError` where it is damaged, encrypted, far too large, or a scan without text.
    """
    document = _opened(path)
    try:
        return _read(document, path, progress)
    finally:
        document.close()


def _opened(path: Path) -> Any:
    try:
        import pypdfium2
    except ImportError as error:
        raise SourceError(
            "PDF files need the extra 'pdf'",
            where=str(path),
            remedy='pip install "medweave[pdf]"',
        ) from error
    with readable(path):
        if path.stat().st_size > _LARGEST:
            raise _refused(path, "this PDF is larger than 1 GB", "split it")
        try:
            document = pypdfium2.PdfDocument(path)
        except pypdfium2.PdfiumError as error:
            raise _unopened(path, error) from error
    if not 0 < len(document) <= _MOST_PAGES:
        document.close()
        raise _refused(path, f"this PDF has no page, or more than {_MOST_PAGES:,}", "split it")
    return document


def _unopened(path: Path, error: Exception) -> SourceError:
    if getattr(error, "err_code", 0) in (_PASSWORD, _SECURITY) or "assword" in str(error):
        remedy = "save it without a password, and build that"
        return _refused(path, "this PDF is encrypted and wants a password", remedy)
    return _refused(path, "this PDF is damaged and cannot be opened", "save or fetch it again")


def _refused(path: Path, what: str, remedy: str) -> SourceError:
    return SourceError(what, where=str(path), remedy=remedy)


def _read(document: Any, path: Path, progress: Progress) -> WholeText:
    writer = Writer(str(path))
    pages, broken = list[PagePieces](), list[int]()
    for number in range(len(document)):
        pages.append(_page(document, number, broken))
        progress(number + 1, len(document), path.name)
    kept = without_running(pages)
    _refuse_scan(pages, kept, broken, path)
    title = (document.get_metadata_dict() or {}).get("Title", "")
    writer.title = "" if _NO_TITLE.match(title) else title
    lines = [lines_of(rest, page.rules) for rest, page in zip(kept, pages, strict=True)]
    write_pages(lines, _outline(document), writer)
    writer.left_out += _left_out(pages, broken)
    return writer.whole()


def _page(document: Any, number: int, broken: list[int]) -> PagePieces:
    import pypdfium2

    try:
        page = document[number]
        try:
            return page_pieces(page)
        finally:
            page.close()
    except pypdfium2.PdfiumError:
        broken.append(number + 1)
        return PagePieces(1, 1)


def _refuse_scan(
    pages: list[PagePieces], kept: list[list[Piece]], broken: list[int], path: Path
) -> None:
    if any(kept):
        return
    if any(page.is_picture for page in pages):
        raise _refused(
            path,
            f"this PDF is a scan: its pages ({len(pages)}) are pictures without text",
            "have a program read the pictures (OCR), and build what it makes",
        )
    if len(broken) == len(pages):
        raise _refused(path, "this PDF is damaged: no page can be read", "save or fetch it again")
    raise _refused(path, "this PDF says nothing that can be seen", "leave it out")


def _left_out(pages: list[PagePieces], broken: list[int]) -> Iterator[str]:
    unseen = [number for number, page in enumerate(pages, start=1) if page.unseen]
    if unseen:
        count = sum(page.unseen for page in pages)
        yield (
            f"{count} characters that nobody sees (white, tiny, invisible, or beyond the page) "
            f"are left out, on {_numbers(unseen)}"
        )
    if broken:
        yield f"cannot be read: {_numbers(broken)}"
    pictures = [number for number, page in enumerate(pages, start=1) if page.is_picture]
    if pictures:
        yield f"pictures with hardly any text beside them: {_numbers(pictures)}"
    turned = [number for number, page in enumerate(pages, start=1) if page.turned]
    if turned:
        yield f"text that stands askew is left out, on {_numbers(turned)}"


def _numbers(pages: list[int]) -> str:
    """
    >>> _numbers([3]), _numbers([1, 2, 9])
    ('page 3', 'pages 1, 2, 9')
    """
    more = f" and {len(pages) - _SHOWN} more" if len(pages) > _SHOWN else ""
    shown = ", ".join(map(str, pages[:_SHOWN]))
    return f"page{'' if len(pages) == 1 else 's'} {shown}{more}"


def _outline(document: Any) -> Outline:
    """The titles of the outline by their pages."""
    import pypdfium2

    found = dict[int, dict[str, int]]()
    try:
        for count, mark in enumerate(document.get_toc(max_depth=_DEEPEST)):
            target = mark.get_dest()
            page = target.get_index() if target else None
            if page is not None:
                found.setdefault(page, {})[squeezed(mark.get_title())] = mark.level + 1
            if count > _MOST_TITLES:
                break
    except (pypdfium2.PdfiumError, RecursionError):
        return found
    return found


_EDGE = 0.13
"""The part of a page, above and below, in which they stand."""
_ROWS = 3
_OFTEN = 3
"""On so many pages the same text at the same height is no text of the page."""
_ALONE = 0.6
"""Between it and the text is more than so much of its height, or the sizes of letters differ."""
_OTHER_SIZE = 1.2
_STEP = 6
_DIGITS = 4
_NUMBERS = re.compile(r"\d+|\b[ivxlc]{1,6}\b")
_PAGE_NUMBER = re.compile(
    r"(?:page|p\.?|seite|第)\s*#\s*(?:页|(?:of|/|，?共)\s*#\s*页?)?|[-–—]\s*#\s*[-–—]|#\s*(?:/|of)\s*#",
    re.I,
)

_Key = tuple[bool, int, str]


def without_running(pages: Sequence[PagePieces]) -> list[list[Piece]]:
    """The pieces of each page without its running heads and its number."""
    edges = [_edges(page) for page in pages]
    counts = Counter(key for page in edges for key in {key for key, _ in page})
    numbered = Counter(
        key
        for number, page in enumerate(edges, start=1)
        for key in {key for about, row in page for key in _numbered(about, row, number)}
    )
    found = list[list[Piece]]()
    for number, (page, rows) in enumerate(zip(pages, edges, strict=True), start=1):
        running = [
            row
            for key, row in rows
            if _is_running(key, row, counts, number)
            or any(numbered[each] >= _OFTEN for each in _numbered(key, row, number))
        ]
        gone = {id(piece) for row in running for piece in row}
        found.append([piece for piece in page.pieces if id(piece) not in gone])
    return found


def _edges(page: PagePieces) -> list[tuple[_Key, list[Piece]]]:
    """The rows at the edges of a page that stand apart from its text, with what they are like."""
    rows = rows_of(page.pieces)
    above = _apart(rows[:_ROWS], rows[1 : _ROWS + 1], page, is_top=True)
    below = _apart(rows[::-1][:_ROWS], rows[::-1][1 : _ROWS + 1], page, is_top=False)
    return [(_key(row, is_top=True), row) for row in above] + [
        (_key(row, is_top=False), row) for row in below
    ]


def _apart(
    rows: list[list[Piece]], following: list[list[Piece]], page: PagePieces, *, is_top: bool
) -> list[list[Piece]]:
    """The rows from the edge on, as far as a gap or another size parts them from what follows."""
    found, waiting = list[list[Piece]](), list[list[Piece]]()
    for row, next_row in zip(rows, [*following, None], strict=False):
        top, bottom = min(p.top for p in row), max(p.bottom for p in row)
        inside = bottom > _EDGE * page.height if is_top else top < (1 - _EDGE) * page.height
        if inside:
            break
        waiting.append(row)
        if next_row is None:
            gap = bottom - top
        elif is_top:
            gap = min(p.top for p in next_row) - bottom
        else:
            gap = top - max(p.bottom for p in next_row)
        other = next_row is not None and _differ(row, next_row)
        if other or gap >= _ALONE * min(bottom - top, page.height):
            found += waiting
            waiting = []
    return found


def _differ(row: list[Piece], other: list[Piece]) -> bool:
    sizes = max(piece.size for piece in row), max(piece.size for piece in other)
    return max(sizes) > _OTHER_SIZE * min(sizes)


def _key(row: list[Piece], *, is_top: bool) -> _Key:
    text = " ".join(piece.text for piece in row).casefold()
    height = min(piece.top for piece in row)
    return is_top, round(height / _STEP), _NUMBERS.sub("#", " ".join(text.split()))


def _is_running(key: _Key, row: list[Piece], counts: Counter[_Key], number: int) -> bool:
    is_top, height, text = key
    often = sum(counts[is_top, near, text] for near in (height - 1, height, height + 1))
    said = " ".join(piece.text for piece in row).strip()
    return often >= _OFTEN or said == str(number) or _PAGE_NUMBER.fullmatch(text) is not None


def _numbered(key: _Key, row: list[Piece], number: int) -> list[tuple[bool, int, int]]:
    """A row that begins or ends with the number of its page: by how much it differs from ours."""
    words = " ".join(piece.text for piece in row).split()
    ends = {word for word in (words[0], words[-1]) if word.isdecimal() and len(word) <= _DIGITS}
    return [(key[0], key[1], int(word) - number) for word in ends]
