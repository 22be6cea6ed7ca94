"""Pieces of a page as lines in the order of reading: columns one after the other, rows of tables
on one line.

Pieces come in the order in which the file has them, in runs: what was written in one go is read in
one go.

Most programs write a page column by column. Where the order leaps, or steps out of a column to its
left, a run ends; runs that lie over each other were no columns (the cells of a table, lines of two
columns by turns) and become one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from medweave.sources.texts.pdf.drawn import Box, Rules
from medweave.sources.texts.pdf.grid import Line, tabled
from medweave.sources.texts.pdf.pieces import Piece
from medweave.sources.texts.pdf.ruled import ruled_tables, unfolded, with_tables
from medweave.sources.texts.pdf.spread import together

_LEAP = 4.0
"""Sizes of letters up or down that are a leap."""
_EDGE = 1.0


def runs_of(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The runs of a page, each before those that stand under it."""
    runs = _merged(_leaps(pieces))
    ordered = list[tuple[Box, list[Piece]]]()
    for box, run in runs:
        at = next((n for n, (other, _) in enumerate(ordered) if _is_above(box, other)), None)
        ordered.insert(len(ordered) if at is None else at, (box, run))
    ordered.sort(key=lambda one: _place(one[0], [box for box, _ in runs]))
    return [run for _, run in ordered]


def _place(box: Box, boxes: Sequence[Box]) -> int:
    """-1 for what stands above all else on the page, 1 for what stands below."""
    others = [other for other in boxes if other is not box]
    if others and all(box[3] <= other[1] for other in others):
        return -1
    return int(bool(others) and all(box[1] >= other[3] for other in others))


def _leaps(pieces: Sequence[Piece]) -> list[list[Piece]]:
    found = list[list[Piece]]()
    left = 0.0
    for piece in pieces:
        last = found[-1][-1] if found else None
        size = max(piece.size, last.size) if last else 0
        is_near = last and last.top - _LEAP * size <= piece.top <= _last_top(last) + _LEAP * size
        if is_near and piece.right > left - _EDGE:
            found[-1].append(piece)
            left = min(left, piece.left)
        else:
            found.append([piece])
            left = piece.left
    return found


def _last_top(piece: Piece) -> float:
    """Where the last line of a piece begins: what stands for a table is higher than a line."""
    return max(piece.top, piece.bottom - 2 * piece.size)


def _merged(runs: Sequence[list[Piece]]) -> list[tuple[Box, list[Piece]]]:
    """Runs, those whose boxes lie over each other as one; their pieces stay in their order."""
    found = list[tuple[Box, list[Piece]]]()
    for run in runs:
        box, together = _box(run), list(run)
        at = len(found)
        while (
            place := next((n for n, (b, _) in enumerate(found) if _meet(b, box)), None)
        ) is not None:
            together = found[place][1] + together
            box = _box(together)
            del found[place]
            at = min(at, place)
        found.insert(min(at, len(found)), (box, together))
    return found


def _box(pieces: Sequence[Piece]) -> Box:
    return (
        min(p.left for p in pieces),
        min(p.top for p in pieces),
        max(p.right for p in pieces),
        max(p.bottom for p in pieces),
    )


def _meet(one: Box, other: Box) -> bool:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > _EDGE and down > _EDGE


def _is_above(one: Box, other: Box) -> bool:
    """Whether it stands above another, and over it."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    return across > _EDGE and one[3] <= other[1] + 2 * _EDGE


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
