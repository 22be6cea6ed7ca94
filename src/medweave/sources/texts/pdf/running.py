"""Running heads and page numbers: what stands at the edge of page after page, and alone there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from medweave.sources.texts.pdf.lines import rows_of
from medweave.sources.texts.pdf.pieces import PagePieces, Piece

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
