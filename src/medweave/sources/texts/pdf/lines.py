"""Pieces of a page as lines in the order of reading: columns one after the other, rows of tables
on one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from medweave.sources.texts.pdf.pieces import Piece

_MARK = re.compile(
    r"[-*+•·●○▪◦–—‣∙]|\(?[0-9a-zA-Z]{1,3}[.)）、]|[①-⑳]|[0-9]{1,2}(\.[0-9]{1,2})+\.?|[一二三四五六七八九十]{1,3}、"
)
_LEADERS = re.compile(r"\s*(?:\.\s?){5,}\s*|\s*…{2,}\s*|\s*·{4,}\s*")
"""The dots between an entry of a contents list and its page."""
_FEWEST, _SHORTEST = 4, 14
"""A column has so many pieces, and they are so long; Chinese ones count double."""
_CROSSING = 0.3
"""The share of pieces that may stand over a gutter: headings and tables as wide as the page."""
_GUTTER, _MIDDLE = 0.7, 0.12
_OVERLAP = 0.5
_ALIGNED = 8.0
"""Points by which cells of a column may stand beside each other."""
_CLOSE = 0.75
_DEEPEST, _WIDEST = 4, 20_000
_PAIR = 2


@dataclass(slots=True)
class Line:
    """A line of text, or a row of a table with its cells."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    bold: bool
    column: int
    """Lines of one column of a page have one number."""
    cells: tuple[str, ...] = ()


def lines_of(pieces: Sequence[Piece]) -> list[Line]:
    """The lines of a page in the order of reading."""
    found = list[Line]()
    for number, region in enumerate(_regions(list(pieces), 0)):
        found += _tabled(rows_of(region), number)
    return found


def rows_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that stand beside each other, from the top; each row from the left."""
    rows = list[list[Piece]]()
    for piece in sorted(pieces, key=lambda piece: (piece.top + piece.bottom) / 2):
        if rows and _is_beside(rows[-1], piece):
            rows[-1].append(piece)
        else:
            rows.append([piece])
    return [sorted(row, key=lambda piece: piece.left) for row in rows]


def _is_beside(row: list[Piece], piece: Piece) -> bool:
    top, bottom = min(p.top for p in row), max(p.bottom for p in row)
    shared = min(bottom, piece.bottom) - max(top, piece.top)
    return shared > _OVERLAP * min(bottom - top, piece.bottom - piece.top)


def _regions(pieces: list[Piece], depth: int) -> Iterator[list[Piece]]:
    """Parts of a page, one behind the other: what goes over all columns parts these."""
    gutter = _gutter(pieces) if depth < _DEEPEST else None
    if gutter is None:
        if pieces:
            yield pieces
        return
    across = sorted((p for p in pieces if p.left < gutter < p.right), key=lambda p: p.top)
    others = [p for p in pieces if not p.left < gutter < p.right]
    for piece in [*across, None]:
        above = [p for p in others if piece is None or (p.top + p.bottom) / 2 < piece.top]
        others = [p for p in others if piece is not None and (p.top + p.bottom) / 2 >= piece.top]
        left = [p for p in above if p.right <= gutter]
        right = [p for p in above if p.left >= gutter]
        if _are_columns(left, right):
            yield from _regions(left, depth + 1)
            yield from _regions(right, depth + 1)
        elif above:
            yield above
        if piece is not None:
            beside = [p for p in others if _is_beside([piece], p)]
            others = [p for p in others if p not in beside]
            yield [piece, *beside]


def _are_columns(left: list[Piece], right: list[Piece]) -> bool:
    """Whether what stands on two sides of a gutter is read one side after the other."""
    if not left or not right:
        return True
    rows = rows_of([*left, *right])
    beside = sum(len(row) > 1 for row in rows)
    return beside == 0 or min(_length(left), _length(right)) >= _SHORTEST


def _gutter(pieces: list[Piece]) -> float | None:
    """The middle of the blank strip between two columns; None where there are no columns."""
    if len(pieces) < 2 * _FEWEST:
        return None
    left, right = min(p.left for p in pieces), max(p.right for p in pieces)
    if right - left > _WIDEST:
        return None
    size = median(p.size for p in pieces)
    covered = [0] * (int(right - left) + 2)
    for piece in pieces:
        for x in range(int(piece.left - left), int(piece.right - left) + 1):
            covered[x] += 1
    margin = int(_MIDDLE * len(covered))
    best: tuple[int, float, float] | None = None
    start = None
    most = int(_CROSSING * len(pieces) / 2)
    for x in range(margin, len(covered) - margin):
        if covered[x] <= most:
            start = x if start is None else start
            continue
        best, start = _better(best, start, x, covered, size), None
    best = _better(best, start, len(covered) - margin, covered, size)
    if best is None:
        return None
    gutter = left + best[2]
    sides = [p for p in pieces if p.right <= gutter], [p for p in pieces if p.left >= gutter]
    for side in sides:
        if len(side) < _FEWEST or _length(side) < _SHORTEST:
            return None
    return gutter


def _better(
    best: tuple[int, float, float] | None,
    start: int | None,
    end: int,
    covered: list[int],
    size: float,
) -> tuple[int, float, float] | None:
    """The better of two blank strips: the one over which least stands, then the wider one."""
    if start is None:
        return best
    least = min(covered[start:end])
    bare = [x for x in range(start, end) if covered[x] == least]
    if len(bare) < _GUTTER * size:
        return best
    found = (least, -float(len(bare)), (bare[0] + bare[-1]) / 2)
    return found if best is None or found < best else best


def _length(pieces: list[Piece]) -> float:
    return median(len(p.text) * (1 if p.text.isascii() else 1.5) for p in pieces)


def _tabled(rows: list[list[Piece]], column: int) -> Iterator[Line]:
    """The rows of a region as lines; those that are aligned in columns as rows of tables."""
    at = 0
    while at < len(rows):
        end = _end_of_table(rows, at)
        if end > at:
            yield from _table(rows[at:end], column)
            at = end
        else:
            yield _line(rows[at], column)
            at += 1


def _parted(row: list[Piece]) -> int:
    """How many cells a row has; the mark of an item is none, and an entry of contents has one."""
    if any(_LEADERS.search(piece.text) for piece in row):
        return 1
    marked = len(row) > 1 and _MARK.fullmatch(row[0].text) is not None
    return 1 if marked and len(row) == _PAIR else len(row)


def _end_of_table(rows: list[list[Piece]], at: int) -> int:
    """Where the table ends that begins with a row; `at` itself where none does."""
    if _parted(rows[at]) < _PAIR:
        return at
    end, several = at, 0
    while end < len(rows):
        row, above = rows[end], rows[end - 1] if end > at else None
        near = above is None or _distance(above, row) <= _CLOSE * 3 * row[0].size
        aligned = above is None or _is_aligned(rows[at:end], row)
        if not near or not aligned or (_parted(row) < _PAIR and not _continues(rows[at:end], row)):
            break
        several += _parted(row) > 1
        end += 1
    return end if several > 1 else at


def _distance(above: list[Piece], row: list[Piece]) -> float:
    return min(p.top for p in row) - max(p.bottom for p in above)


def _is_aligned(rows: list[list[Piece]], row: list[Piece]) -> bool:
    """Whether most pieces of a row stand under pieces of the table, by an edge or the middle."""
    edges = [(p.left, p.right, (p.left + p.right) / 2) for above in rows for p in above]
    under = sum(
        any(
            abs(p.left - e[0]) < _ALIGNED
            or abs(p.right - e[1]) < _ALIGNED
            or abs((p.left + p.right) / 2 - e[2]) < _ALIGNED
            for e in edges
        )
        for p in row
    )
    return under * 2 >= len(row)


def _continues(rows: list[list[Piece]], row: list[Piece]) -> bool:
    """Whether a row of one piece is more of a cell above: it is close, and not in the first."""
    first = min(p.left for above in rows for p in above)
    is_close = _distance(rows[-1], row) <= _CLOSE * row[0].size
    return is_close and row[0].left > first + _ALIGNED


def _table(rows: list[list[Piece]], column: int) -> Iterator[Line]:
    starts = _starts(rows)
    held: tuple[list[Piece], list[list[str]]] | None = None
    for row in rows:
        cells = [list[str]() for _ in starts]
        for piece in row:
            cells[_cell(piece, starts)].append(piece.text)
        if held and not cells[0] and _distance(held[0], row) <= _CLOSE * row[0].size:
            for cell, more in zip(held[1], cells, strict=True):
                cell.extend(more)
            held[0].extend(row)
            continue
        if held:
            yield _row(*held, column)
        held = list(row), cells
    if held:
        yield _row(*held, column)


def _starts(rows: list[list[Piece]]) -> list[float]:
    """Where the columns of a table begin, by the rows that have most cells."""
    most = max(len(row) for row in rows)
    full = [row for row in rows if len(row) == most]
    return [min(row[index].left for row in full) for index in range(most)]


def _cell(piece: Piece, starts: list[float]) -> int:
    middle = (piece.left + piece.right) / 2
    before = [index for index, start in enumerate(starts) if start - _ALIGNED <= piece.left]
    by_middle = [index for index, start in enumerate(starts) if start <= middle]
    return max(before[-1] if before else 0, 0 if before else (by_middle or [0])[-1])


def _row(pieces: list[Piece], cells: list[list[str]], column: int) -> Line:
    line = _line(pieces, column)
    line.cells = tuple(" ".join(cell) for cell in cells)
    return line


def _line(pieces: list[Piece], column: int) -> Line:
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
    )
