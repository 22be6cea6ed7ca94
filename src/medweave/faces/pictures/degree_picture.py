"""How many things have how many edges, as a picture: self-contained SVG, in light and in dark.

The line is the complementary cumulative distribution on two logarithmic axes: the share of all
things that at least so many edges touch. A straight line would be a power law; where it bends down,
hubs are rarer than that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Any

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 40, 76, 64
_LABELLED = 3
"""Every third point has its number beside it; all tell it when pointed at."""
_STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600; font-size: 15px }
.grid { stroke: #d0d7de }
.axis { stroke: #8c959f }
.line { fill: none; stroke: #0a7d4b; stroke-width: 2 }
.dot { fill: #0a7d4b }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.grid { stroke: #30363d }
.axis { stroke: #8b949e }
.line { stroke: #3fb97f }
.dot { fill: #3fb97f }
}
</style>"""


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis over whole decades, from one place in the picture to another."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def over(cls, values: Sequence[float], start: float, end: float) -> _Axis:
        low = floor(log10(min(values)))
        return cls(low, max(ceil(log10(max(values))), low + 1), start, end)

    def place(self, value: float) -> float:
        share = (log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def decades(self) -> list[int]:
        return list(range(self.low, self.high + 1))


def degree_picture(topology: dict[str, Any]) -> str:
    """The picture of a topology in its JSON form (`Topology.to_json`).

    >>> from medweave.model.topology import Topology
    >>> picture = degree_picture(Topology(edges=2, degrees={0: 1, 1: 2, 2: 1}).to_json())
    >>> picture.startswith("<svg"), "75 %" in picture
    (True, True)
    """
    nodes, edges, isolated = (topology[part] for part in ("nodes", "edges", "isolated"))
    title = "Share of things that at least so many edges touch"
    counted = f"{nodes:,} things, {edges:,} edges, {isolated:,} things that no edge touches"
    drawn = [_text(12, 24, title, "title"), _text(12, 46, counted)]
    points = _points(topology["degrees"], nodes)
    if points:
        drawn += _curve(points, highest=topology["degrees"][-1]["to"])
    else:
        drawn.append(_text(_WIDTH / 2, _HEIGHT / 2, "no edges", anchor="middle"))
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'role="img" aria-label="{escape(f"{title}: {counted}")}">'
    )
    return "\n".join([head, _STYLE, *drawn, "</svg>"]) + "\n"


def _points(bins: Sequence[dict[str, int]], nodes: int) -> list[tuple[int, float]]:
    """(degree, share of things with at least that) where each bin begins: these are exact."""
    return [
        (of["from"], at_least / nodes)
        for number, of in enumerate(bins)
        if of["from"] and (at_least := sum(later["nodes"] for later in bins[number:]))
    ]


def _curve(points: Sequence[tuple[int, float]], *, highest: int) -> list[str]:
    foot = _HEIGHT - _BOTTOM
    across = _Axis.over([1, highest], _LEFT, _WIDTH - _RIGHT)
    up = _Axis.over([share for _, share in points] + [1], foot, _TOP)
    drawn = []
    for power in across.decades():
        x = across.place(10**power)
        drawn.append(_stroke(x, _TOP, x, foot, "grid"))
        drawn.append(_text(x, foot + 20, f"{10**power:,}", anchor="middle"))
    for power in up.decades():
        y = up.place(10**power)
        drawn.append(_stroke(_LEFT, y, _WIDTH - _RIGHT, y, "grid"))
        drawn.append(_text(_LEFT - 8, y + 4, _percent(10**power), anchor="end"))
    drawn.append(_stroke(_LEFT, foot, _WIDTH - _RIGHT, foot, "axis"))
    drawn.append(_stroke(_LEFT, _TOP, _LEFT, foot, "axis"))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    axis = f"edges that touch a thing, logarithmic; the most are {highest:,}"
    drawn.append(_text(middle, foot + 44, axis, anchor="middle"))
    places = [(across.place(degree), up.place(share)) for degree, share in points]
    drawn.append(f'<polyline class="line" points="{" ".join(f"{x},{y}" for x, y in places)}"/>')
    for number, ((x, y), (degree, share)) in enumerate(zip(places, points, strict=True)):
        label = f"{degree:,} or more: {_percent(share)}"
        drawn.append(f'<circle class="dot" cx="{x}" cy="{y}" r="4"><title>{label}</title></circle>')
        if number % _LABELLED == 0:
            drawn.append(_text(x + 7, y - 7, _percent(share)))
    return drawn


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'
