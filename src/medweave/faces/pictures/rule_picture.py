"""The logic of a guideline as a picture: self-contained SVG, in light and in dark.

Each tree goes from its classification on the left to what it rests on. A box that rests on others
stands at the middle of them; boxes of one depth share a column, as wide as the widest of them.
Colours are never alone: words and the form of the boxes say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from textwrap import wrap
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from medweave.faces.texts.visible import visible
from medweave.guideline.drawing import boxes_of
from medweave.model.reached import reached

if TYPE_CHECKING:
    from medweave.guideline.drawing import Box, Drawing

_MARGIN, _HEAD = 20, 64
_GAP_X, _GAP_Y, _BETWEEN = 56, 10, 40
_LINE, _PADDING = 17, 9
_LETTER = 7.2
"""The width of a letter at 13 px, on the broad side; that of a Chinese one is twice as much."""
_BOLD = 1.15
"""Bold letters are broader."""
_MOST = 38
"""So many letters a line."""
_STYLE = """<style>
.page { fill: #ffffff }
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600; font-size: 16px }
.main { font-weight: 600 }
.note { font-size: 12px; fill: #424a53 }
.edge { fill: none; stroke: #6e7781; stroke-width: 1.3 }
rect, polygon { stroke-width: 1.3; fill: #ffffff; stroke: #57606a }
.pink { fill: #ffd9e6; stroke: #a8325e; stroke-width: 2.4 }
.yellow { fill: #fff1b8; stroke: #8a6d00; stroke-width: 2.4 }
.green { fill: #d4f4dc; stroke: #1a7f37; stroke-width: 2.4 }
.plain { fill: #eaeef2; stroke-width: 2.4 }
.joint { fill: #dbeafe; stroke: #2f5fa8 }
.not { fill: #f3e8ff; stroke: #7c3aed }
.derived { stroke-dasharray: 5 3 }
.holds { fill: #f6f8fa }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117 }
text { fill: #e6edf3 }
.note { fill: #b1bac4 }
.edge { stroke: #8b949e }
rect, polygon { fill: #161b22; stroke: #8b949e }
.pink { fill: #5a1e38; stroke: #ff8fb3 }
.yellow { fill: #4a3b00; stroke: #e3b341 }
.green { fill: #12401f; stroke: #56d364 }
.plain { fill: #30363d }
.joint { fill: #14305c; stroke: #79a8f0 }
.not { fill: #38205e; stroke: #c49bff }
.holds { fill: #21262d }
}
</style>"""
_STRONG = ("pink", "yellow", "green", "plain")


@dataclass(slots=True)
class _Placed:
    """A box with its lines and its place; `y` is the middle."""

    box: Box
    above: int | None
    depth: int
    lines: tuple[str, ...]
    width: float
    x: float = 0
    y: float = 0

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + 2 * _PADDING


def rule_picture(drawing: Drawing) -> str:
    """The picture of the logic of a guideline, or of one classification.

    >>> from medweave.guideline.drawing import Box, Drawing
    >>> picture = rule_picture(Drawing("T", "W", (Box("green", "Cold", ("mild, green",)),)))
    >>> picture.startswith("<svg"), "mild, green" in picture
    (True, True)
    """
    drawn: list[str] = []
    width = 2 * _MARGIN + _width(drawing.title) * 1.3
    bottom: float = _HEAD
    for tree in drawing.trees:
        placed = _placed(tree, bottom)
        drawn += _tree(placed)
        width = max(width, *(each.x + each.width + _MARGIN for each in placed))
        bottom = max(each.y + each.height / 2 for each in placed) + _BETWEEN
    height = bottom - _BETWEEN + _MARGIN
    title, words = _safe(drawing.title), _safe(drawing.words)
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-labelledby="title words">',
        f'<title id="title">{title}</title>',
        f'<desc id="words">{words}</desc>',
        _STYLE,
        f'<rect class="page" stroke="none" width="{width:.0f}" height="{height:.0f}" '
        'style="stroke: none"/>',
        f'<text class="title" x="{_MARGIN}" y="{_MARGIN + 18}">{title}</text>',
        *drawn,
        "</svg>",
    ]) + "\n"  # fmt: skip


def _safe(words: str) -> str:
    return escape(visible(" ".join(words.split())))


def _width(line: str) -> float:
    return sum(_LETTER * (2 if east_asian_width(sign) in "WF" else 1) for sign in line)


def _placed(tree: Box, top: float) -> list[_Placed]:
    placed: list[_Placed] = []
    for box, above in boxes_of(tree):
        depth = 0 if above is None else placed[above].depth + 1
        lines = tuple(
            line for words in (box.words, *box.notes) for line in _wrapped(" ".join(words.split()))
        )
        broader = _BOLD if box.shape in _STRONG else 1
        width = broader * max(map(_width, lines), default=0) + 2 * _PADDING + 10
        placed.append(_Placed(box, above, depth, lines, width))
    columns: dict[int, float] = {}
    for each in placed:
        columns[each.depth] = max(columns.get(each.depth, 0), each.width)
    for each in placed:
        before = sum(columns[depth] + _GAP_X for depth in range(each.depth))
        each.x = _MARGIN + before
    _stack(placed, top)
    return placed


def _wrapped(words: str) -> list[str]:
    broad = _width(words) > 1.5 * _LETTER * len(words)
    return wrap(words, _MOST // 2 if broad else _MOST) or [""]


def _stack(placed: list[_Placed], top: float) -> None:
    """Leaves one below the other; all others at the middle of their parts, or lower where the
    box itself is higher than they are together."""
    parts: dict[int, list[int]] = {}
    for at, each in enumerate(placed):
        if each.above is not None:
            parts.setdefault(each.above, []).append(at)
    bottom: dict[int, float] = {}  # by depth: boxes of one column never overlap
    lowest = top
    for at in _parts_first(parts):
        each = placed[at]
        if at in parts:
            first, last = placed[parts[at][0]], placed[parts[at][-1]]
            each.y = (first.y + last.y) / 2
            least = bottom.get(each.depth, top) + each.height / 2
            if each.y < least:
                _lower(placed, parts, at, least - each.y)
                each.y = least
        else:
            each.y = max(lowest, bottom.get(each.depth, top)) + each.height / 2
        bottom[each.depth] = each.y + each.height / 2 + _GAP_Y
        lowest = max(lowest, *(p.y + p.height / 2 + _GAP_Y for p in _under(placed, parts, at)))


def _under(placed: list[_Placed], parts: dict[int, list[int]], at: int) -> list[_Placed]:
    return [placed[at], *(placed[part] for part in parts.get(at, ()))]


def _lower(placed: list[_Placed], parts: dict[int, list[int]], at: int, by: float) -> None:
    for part in reached(parts.get(at, ()), lambda each: parts.get(each, ())):
        placed[part].y += by


def _parts_first(parts: dict[int, list[int]]) -> Iterator[int]:
    waiting = [(0, False)]
    while waiting:
        at, ready = waiting.pop()
        if ready or at not in parts:
            yield at
        else:
            waiting.append((at, True))
            waiting += [(part, False) for part in reversed(parts[at])]


def _tree(placed: list[_Placed]) -> Iterator[str]:
    for each in placed:
        if each.above is not None:
            yield from _edge(placed[each.above], each)
    for each in placed:
        yield from _box(each)


def _edge(above: _Placed, each: _Placed) -> Iterator[str]:
    start, end = above.x + above.width, each.x
    middle = (start + end) / 2
    yield (
        f'<path class="edge" d="M{start:.1f} {above.y:.1f} C{middle:.1f} {above.y:.1f} '
        f'{middle:.1f} {each.y:.1f} {end:.1f} {each.y:.1f}"/>'
    )
    if each.box.edge:
        yield (
            f'<text class="note" x="{end - 6:.1f}" y="{each.y - 4:.1f}" text-anchor="end">'
            f"{_safe(each.box.edge)}</text>"
        )


def _box(each: _Placed) -> Iterator[str]:
    shape, left, top = each.box.shape, each.x, each.y - each.height / 2
    if shape == "not":
        points = [
            (left + 8, top), (left + each.width, top),
            (left + each.width - 8, top + each.height), (left, top + each.height),
        ]  # fmt: skip
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polygon class="{shape}" points="{corners}"/>'
    else:
        corner = each.height / 2 if shape == "joint" else 3
        yield (
            f'<rect class="{shape}" x="{left:.1f}" y="{top:.1f}" width="{each.width:.1f}" '
            f'height="{each.height:.1f}" rx="{corner:.1f}"/>'
        )
    heading = len(_wrapped(" ".join(each.box.words.split())))
    for at, line in enumerate(each.lines):
        kind = "note" if at >= heading else "main" if shape in _STRONG else "words"
        yield (
            f'<text class="{kind}" x="{left + _PADDING + 5:.1f}" '
            f'y="{top + _PADDING + 13 + at * _LINE:.1f}">{_safe(line)}</text>'
        )
