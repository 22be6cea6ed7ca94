"""Tables whose cells are drawn: what stands between the same rules is one cell.

A dose that goes on in a second line stands lower than the name of its drug, and by its place alone
it could belong to the next one; where rules are drawn, they say what it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median

from medweave.sources.texts.pdf.drawn import Box, Rule, Rules
from medweave.sources.texts.pdf.grid import Line, line_of
from medweave.sources.texts.pdf.pieces import Piece
from medweave.sources.texts.writing import LINE_IN_CELL

_TOUCH = 3.0
"""Points by which rules may miss each other and still meet."""
_SAME = 4.0
"""Rules so close are one, as the two of a double line."""
_MOST = 400
"""More rules one way are a drawing."""
_LINES = 3
"""Cells beside each other with so many lines, all level, are rows that no rule parts."""
_LONGEST = 1200
"""Characters of a cell; more are the text of a page with a frame."""
_PAIR = 2
_FEWEST = 6
"""Rules of the smallest table: two rows of two cells, or one of three, as at the end of a page."""
_MARK = "\ue000"
_STANDS_FOR = re.compile(rf"{_MARK}(\d+){_MARK}+")
_WIDTH = 40
"""So long is what stands for a table among the lines of a page: no shorter than these."""


@dataclass(frozen=True, slots=True)
class RuledTable:
    """A grid of rules: where they stand across and down the page, and the rules themselves."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    rules: Rules

    @property
    def box(self) -> Box:
        """What it covers of the page, from the top."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def holds(self, piece: Piece) -> bool:
        """Whether a piece stands in it."""
        x, y = (piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2
        left, top, right, bottom = self.box
        return left < x < right and top < y < bottom

    def rows(self, pieces: Iterable[Piece], column: int) -> list[Line]:
        """Its rows, each with its cells; none where it is rather a frame or a drawing."""
        held: dict[tuple[int, int], list[Piece]] = {}
        for piece in pieces:
            held.setdefault(self._cell(piece), []).append(piece)
        rows: list[Line] = []
        for number in sorted({row for row, _ in held}):
            cells = {place: held[number, place] for row, place in held if row == number}
            lines = {place: _lines(cell) for place, cell in cells.items()}
            if _are_several_rows(list(lines.values())):
                return []
            line = line_of([piece for cell in cells.values() for piece in cell], column)
            texts = (
                LINE_IN_CELL.join(" ".join(p.text for p in row) for row in lines.get(place, ()))
                for place in range(len(self.xs) - 1)
            )
            line.cells = tuple(texts)
            rows.append(line)
        full = sum(any(row.cells[1:]) for row in rows)
        longest = max((len(cell) for row in rows for cell in row.cells), default=0)
        return rows if full and full * _PAIR >= len(rows) and longest <= _LONGEST else []

    def _cell(self, piece: Piece) -> tuple[int, int]:
        """The row and column in which a piece stands; of what no rule parts, the first."""
        x, y = (piece.left + piece.right) / 2, (piece.top + piece.bottom) / 2
        column, row = _between(self.xs, x), _between(self.ys, y)
        while column and not _covered(self.rules.down, self.xs[column], y):
            column -= 1
        while row and not _covered(self.rules.across, self.ys[row], x):
            row -= 1
        return row, column


def ruled_tables(rules: Rules) -> list[RuledTable]:
    """The grids among the rules of a page that part cells, beside each other and mostly below."""
    across, down = list(_merged(rules.across)), list(_merged(rules.down))
    if max(len(across), len(down)) > _MOST:
        return []
    found = []
    while across:
        grid = _Grid([across.pop()])
        grid.grow(across, down)
        xs, ys = _places(grid.down, grid.across), _places(grid.across, grid.down)
        if grid.down and len(xs) > _PAIR and len(xs) + len(ys) >= _FEWEST:
            held = Rules(tuple(grid.across), tuple(grid.down))
            found.append(RuledTable(tuple(xs), tuple(ys), held))
    return found


@dataclass(slots=True)
class _Grid:
    """Rules that meet each other."""

    across: list[Rule]
    down: list[Rule] = field(default_factory=list)

    def grow(self, across: list[Rule], down: list[Rule]) -> None:
        """Take out of both lists whatever meets it, until nothing does."""
        grown = True
        while grown:
            lower = [rule for rule in down if any(_meet(other, rule) for other in self.across)]
            self.down += lower
            down[:] = [rule for rule in down if rule not in lower]
            wider = [rule for rule in across if any(_meet(rule, other) for other in lower)]
            self.across += wider
            across[:] = [rule for rule in across if rule not in wider]
            grown = bool(wider)


def with_tables(
    pieces: Sequence[Piece], tables: Sequence[RuledTable]
) -> tuple[list[Piece], list[list[Line]]]:
    """The pieces of a page, what stands in a table as one; and the rows of each table."""
    rows = list[list[Line]]()
    left = list(pieces)
    for table in tables:
        inside = [piece for piece in left if table.holds(piece)]
        made = table.rows(inside, 0) if inside else []
        if not made:
            continue
        taken = {id(piece) for piece in inside}
        at = next(n for n, piece in enumerate(left) if id(piece) in taken)
        size = median(piece.size for piece in inside)
        text = f"{_MARK}{len(rows)}{_MARK * _WIDTH}"
        left[at] = Piece(*table.box, text, size, bold=False)
        left = [piece for piece in left if id(piece) not in taken]
        rows.append(made)
    return left, rows


def unfolded(line: Line, tables: Sequence[Sequence[Line]]) -> Iterator[Line]:
    """A line; or the rows of the tables that it stands for, behind what stands beside these."""
    numbers = [int(number) for number in _STANDS_FOR.findall(line.text)]
    if not numbers:
        yield line
        return
    line.text = _STANDS_FOR.sub("", line.text).strip()
    line.cells = ()
    if line.text:
        yield line
    for number in numbers:
        for row in tables[number]:
            row.column = line.column
            yield row


def _merged(rules: Iterable[Rule]) -> Iterator[Rule]:
    """Rules, those that go on from each other as one."""
    held = list[Rule]()
    for rule in sorted(rules):
        open_ = [one for one in held if rule.at - one.at <= _SAME / _PAIR]
        yield from (one for one in held if one not in open_)
        near = [one for one in open_ if rule.start <= one.end + _TOUCH]
        near = [one for one in near if rule.end >= one.start - _TOUCH]
        held = [one for one in open_ if one not in near]
        every = [rule, *near]
        start, end = min(one.start for one in every), max(one.end for one in every)
        held.append(Rule(min(one.at for one in every), start, end))
    yield from held


def _meet(across: Rule, down: Rule) -> bool:
    over = across.start - _TOUCH <= down.at <= across.end + _TOUCH
    return over and down.start - _TOUCH <= across.at <= down.end + _TOUCH


def _places(rules: Sequence[Rule], others: Sequence[Rule]) -> list[float]:
    """Where rules stand, those that are one line once; and where those across them begin and end,
    for a table may be open at its sides, or at the end of a page."""
    ends = [end for rule in others for end in (rule.start, rule.end)]
    found = list[float]()
    for place in sorted([*(rule.at for rule in rules), min(ends, default=0), max(ends, default=0)]):
        if not found or place - found[-1] > _SAME:
            found.append(place)
    return found


def _between(places: Sequence[float], value: float) -> int:
    inside = sum(place <= value for place in places) - 1
    return min(max(inside, 0), len(places) - 2)


def _covered(rules: Iterable[Rule], at: float, value: float) -> bool:
    """Whether a rule is drawn at a place of its direction, as far along as a value."""
    return any(abs(rule.at - at) <= _SAME and rule.start <= value <= rule.end for rule in rules)


def _lines(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """The lines of a cell, each from the left."""
    lines = list[list[Piece]]()
    for piece in sorted(pieces, key=lambda one: one.top + one.bottom):
        middle = (piece.top + piece.bottom) / 2
        if lines and middle < max(other.bottom for other in lines[-1]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [sorted(line, key=lambda one: one.left) for line in lines]


def _are_several_rows(cells: Sequence[Sequence[Sequence[Piece]]]) -> bool:
    """Whether cells beside each other have their lines at one height: no rule parts these rows."""
    many = [cell for cell in cells if len(cell) >= _LINES]
    if len(many) < _PAIR or len(many) < len(cells):
        return False
    heights = [[line[0].top for line in cell] for cell in many]
    return all(
        len(other) == len(heights[0])
        and all(abs(a - b) < _TOUCH for a, b in zip(heights[0], other, strict=True))
        for other in heights[1:]
    )
