"""Rows of pieces as lines; those with a blank strip between their pieces as rows of a table.

What parts cells is a strip that stays blank over several rows. A wide gap in a line that was spread
to the full width is under or over words of its neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from medweave.sources.texts.pdf.pieces import Piece
from medweave.sources.texts.writing import LINE_IN_CELL

_MARK = re.compile(
    r"[-*+•·●○▪◦–—‣∙\uf0b7\uf0a7]|\(?[0-9a-zA-Z]{1,3}[.)）、]|[①-⑳]|\d{1,2}"
    r"|\d{1,2}(\.\d{1,2})+\.?|[一二三四五六七八九十]{1,3}、"
)
"""What stands before an entry of a list, or a heading."""
_LEADERS = re.compile(r"\s*(?:\.\s?){5,}\s*|\s*…{2,}\s*|\s*·{4,}\s*")
"""The dots between an entry of a contents list and its page."""
_STRIP = 0.4
"""A strip is so many sizes of letters wide."""
_NEAR, _CLOSE = 2.5, 0.3
_PAIR = 2
Span = tuple[float, float]


@dataclass(slots=True)
class Line(Piece):
    """A line of text, or a row of a table with its cells."""

    column: int
    """Lines of one column of a page have one number."""
    marked: bool = False
    """Whether it begins with the mark of an item that stands apart."""
    cells: tuple[str, ...] = ()


def tabled(rows: list[list[Piece]], column: int) -> Iterator[Line]:
    """The rows of a region as lines, from the top."""
    at = 0
    while at < len(rows):
        end, strips = _table_at(rows, at)
        if strips:
            yield from _table(rows[at:end], strips, column)
            at = end
        else:
            yield line_of(rows[at], column)
            at += 1


def _gaps(row: list[Piece]) -> list[Span]:
    """The blanks between the pieces of a row; a mark of an item has none behind it, and an entry
    of contents has none at all."""
    marked = len(row) == _PAIR and _MARK.fullmatch(row[0].text) is not None
    if marked or any(_LEADERS.search(piece.text) for piece in row):
        return []
    found, right = list[Span](), row[0].right
    for piece in row[1:]:
        if piece.left - right >= _STRIP * piece.size:
            found.append((right, piece.left))
        right = max(right, piece.right)
    return found


def _table_at(rows: list[list[Piece]], start: int) -> tuple[int, list[Span]]:
    """Where the table ends that begins with a row, and its strips; none where no table begins."""
    strips = _gaps(rows[start])
    if not strips and not _begins_above(rows, start):
        return start, []
    end, several = start + 1, int(bool(strips))
    last = end
    while end < len(rows):
        row = rows[end]
        gaps, distance = _gaps(row), _distance(rows[end - 1], row)
        is_close = distance <= _CLOSE * row[0].size
        if not strips:
            strips = _shared(gaps, [], rows[start])
            kept = strips
        else:
            kept = _shared(strips, gaps, row)
        fits = len(kept) * _PAIR >= len(strips) if gaps else _fits(row, strips, kept, is_close)
        if distance > _NEAR * row[0].size or not kept or not fits:
            break
        strips, several, end = kept, several + bool(gaps), end + 1
        if gaps or is_close:
            last = end
    return (last, strips) if several >= _PAIR else (start, [])


def _begins_above(rows: list[list[Piece]], start: int) -> bool:
    """Whether a row of one piece is the first line of a cell whose neighbours stand lower."""
    below = rows[start + 1] if start + 1 < len(rows) else []
    gaps = _gaps(below) if below else []
    row = rows[start]
    return bool(gaps) and row[0].left >= gaps[0][1] - 1 and _distance(row, below) < 0


def _shared(strips: list[Span], gaps: list[Span], row: list[Piece]) -> list[Span]:
    """What of the strips is blank in a row as well."""
    first, last = row[0].left, row[-1].right
    sides = [(float("-inf"), first), *gaps, (last, float("inf"))]
    found = list[Span]()
    for left, right in strips:
        common = [(max(left, a), min(right, b)) for a, b in sides]
        wide = [span for span in common if span[1] - span[0] >= _STRIP * row[0].size / _PAIR]
        if wide:
            found.append(max(wide, key=lambda span: span[1] - span[0]))
    return found


def _fits(row: list[Piece], strips: list[Span], kept: list[Span], is_close: bool) -> bool:
    """Whether a row of one piece is more of a cell: it leaves all strips blank, and stands in the
    first column only where it is close."""
    return len(kept) == len(strips) and (is_close or row[0].left > strips[0][0])


def _distance(above: list[Piece], row: list[Piece]) -> float:
    return min(p.top for p in row) - max(p.bottom for p in above)


def _table(rows: list[list[Piece]], strips: list[Span], column: int) -> Iterator[Line]:
    for band in _bands(rows, strips):
        cells = [list[str]() for _ in range(len(strips) + 1)]
        for row in band:
            for piece in row:
                cells[_cell(piece, strips)].append(piece.text)
        line = line_of([piece for row in band for piece in row], column)
        line.cells = tuple(LINE_IN_CELL.join(cell) for cell in cells)
        yield line


def _cell(piece: Piece, strips: list[Span]) -> int:
    middle = (piece.left + piece.right) / 2
    return sum(middle > (left + right) / 2 for left, right in strips)


def _bands(rows: list[list[Piece]], strips: list[Span]) -> Iterator[list[list[Piece]]]:
    """Lines that are one row of the table: no blank lies between them, and not each of them fills
    the first column."""
    band = list[list[Piece]]()
    bottom = 0.0
    for row in rows:
        top = min(piece.top for piece in row)
        starts = any(_cell(piece, strips) == 0 for piece in row)
        full = band and starts and any(_cell(p, strips) == 0 for each in band for p in each)
        if band and (top - bottom > _CLOSE * row[0].size or full):
            yield band
            band = []
        band.append(row)
        bottom = max(piece.bottom for each in band for piece in each)
    if band:
        yield band


def line_of(pieces: Sequence[Piece], column: int) -> Line:
    """The line of pieces that stand beside each other."""
    letters = sum(len(p.text) for p in pieces)
    bold = sum(len(p.text) for p in pieces if p.bold)
    return Line(
        left=min(p.left for p in pieces),
        top=min(p.top for p in pieces),
        right=max(p.right for p in pieces),
        bottom=max(p.bottom for p in pieces),
        text=_LEADERS.sub(" … ", " ".join(p.text for p in pieces)),
        size=max(pieces, key=lambda p: len(p.text)).size,
        bold=bold * 10 >= letters * 9,
        column=column,
        marked=len(pieces) == _PAIR and _MARK.fullmatch(pieces[0].text) is not None,
    )
