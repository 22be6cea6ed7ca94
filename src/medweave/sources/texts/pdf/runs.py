"""Pieces in the order in which the file has them: what was written in one go is read in one go.

Most programs write a page column by column. Where the order leaps, or steps out of a column to its
left, a run ends; runs that lie over each other were no columns (the cells of a table, lines of two
columns by turns) and become one.
"""

from __future__ import annotations

from collections.abc import Sequence

from medweave.sources.texts.pdf.pieces import Box, Piece

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
