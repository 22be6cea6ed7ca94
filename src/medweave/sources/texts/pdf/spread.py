"""Lines that were spread to the width of their column: one piece, and no cells.

Who spreads a line makes all its gaps alike, and its ends stand where those of its neighbours do.
Cells of a table stand under each other instead, with gaps as wide as their words leave them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from medweave.sources.texts.pdf.pieces import Piece

_ALIKE = 0.12
"""Gaps of one line differ by no more of the size of letters, and its ends from others' by no more
than a third of it."""
_WIDEST = 5.0
_CLOSE, _SAME = 0.75, 0.6
_TOUCH = 0.45


def together(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, in their order, those of a spread line as one."""
    lines = _lines(pieces)
    whole = [len(line) == 1 and " " in line[0].text for line in lines]
    spread = [_has_like_gaps(line) for line in lines]
    changed = True
    while changed:
        changed = False
        for number, line in enumerate(lines):
            beside = (other for other in (number - 1, number + 1) if 0 <= other < len(lines))
            if spread[number] and any(whole[n] and _fills_like(line, lines[n]) for n in beside):
                whole[number], spread[number], changed = True, False, True
    return [
        piece
        for line, joined in zip(lines, whole, strict=True)
        for piece in ([_as_one(line)] if joined else line)
    ]


def _lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that follow each other from left to right at one height."""
    found = list[list[Piece]]()
    for piece in pieces:
        last = found[-1][-1] if found else None
        level = last and abs(piece.bottom - last.bottom) <= _TOUCH * min(piece.size, last.size)
        if last and level and piece.left >= last.right:
            found[-1].append(piece)
        else:
            found.append([piece])
    return found


def _has_like_gaps(line: Sequence[Piece]) -> bool:
    gaps = [right.left - left.right for left, right in pairwise(line)]
    size = line[0].size
    return bool(gaps) and max(gaps) - min(gaps) <= _ALIKE * size and max(gaps) <= _WIDEST * size


def _fills_like(line: Sequence[Piece], other: Sequence[Piece]) -> bool:
    """Whether a line stands close to another, and begins and ends where it does."""
    size = line[0].size
    if abs(size - other[0].size) > _SAME:
        return False
    distance = max(line[0].top - other[0].bottom, other[0].top - line[0].bottom)
    ends = (line[0].left - other[0].left, line[-1].right - other[-1].right)
    return distance <= _CLOSE * size and all(abs(end) <= size / 3 for end in ends)


def _as_one(line: Sequence[Piece]) -> Piece:
    if len(line) == 1:
        return line[0]
    return replace(
        line[0],
        top=min(piece.top for piece in line),
        right=line[-1].right,
        bottom=max(piece.bottom for piece in line),
        text=" ".join(piece.text for piece in line),
        bold=all(piece.bold for piece in line),
    )
