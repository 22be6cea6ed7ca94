"""Pieces of a page as lines in the order of reading: columns one after the other, rows of tables
on one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from medweave.sources.texts.pdf.grid import Line, tabled
from medweave.sources.texts.pdf.pieces import Piece, Rules
from medweave.sources.texts.pdf.ruled import ruled_tables, unfolded, with_tables
from medweave.sources.texts.pdf.runs import runs_of
from medweave.sources.texts.pdf.spread import together

_FEWEST, _SHORTEST = 4, 14
"""A column has so many pieces, and they are so long; Chinese ones count double."""
_CROSSING = 0.3
"""The share of pieces that may stand over a gutter: headings and tables as wide as the page."""
_GUTTER, _MIDDLE = 0.7, 0.12
_OVERLAP = 0.5
_DEEPEST, _WIDEST = 4, 20_000
_NO_RULES = Rules()


def lines_of(pieces: Sequence[Piece], rules: Rules = _NO_RULES) -> list[Line]:
    """The lines of a page in the order of reading."""
    found = list[Line]()
    rest, tables = with_tables(pieces, ruled_tables(rules))
    runs = runs_of(together(rest))
    regions = (region for run in runs for region in _regions(run, 0))
    for number, region in enumerate(regions):
        found += tabled(rows_of(region), number)
    return [each for line in found for each in unfolded(line, tables)]


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
