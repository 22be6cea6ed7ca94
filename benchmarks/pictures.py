"""Pictures of rows as SVG: dots on a logarithmic axis, in light and in dark.

A dot stands for a median and its line runs from the lowest to the highest sample. There are no
bars, since on a logarithmic axis their length would mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

_WIDTH, _LEFT, _RIGHT, _STEP, _TOP, _BOTTOM = 760, 250, 90, 26, 60, 52
_HEIGHT = 400
_STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-weight: 600 }
.axis { stroke: #8c959f; fill: none }
.grid { stroke: #d0d7de }
.ours { stroke: #0a7d4b; fill: #0a7d4b }
.peer { stroke: #8250df; fill: #8250df }
.line { fill: none; stroke-width: 2 }
.aim { stroke: #bc4c00; stroke-dasharray: 5 4 }
.aimed { fill: #bc4c00 }
.label { stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.axis { stroke: #8b949e }
.grid { stroke: #30363d }
.ours { stroke: #3fb97f; fill: #3fb97f }
.peer { stroke: #b392f0; fill: #b392f0 }
.aim { stroke: #f0883e }
.aimed { fill: #f0883e }
}
</style>"""


@dataclass(frozen=True, slots=True)
class Dot:
    """One line of a picture of dots."""

    label: str
    value: float
    low: float
    high: float
    ours: bool


@dataclass(frozen=True, slots=True)
class Curve:
    """One curve of a picture of growth: (statements, value)."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class _Axis:
    """A logarithmic axis over whole decades."""

    low: int
    high: int
    start: float
    end: float

    @classmethod
    def over(cls, values: Iterable[float], start: float, end: float) -> _Axis:
        """The decades that hold all values above zero."""
        found = [log10(value) for value in values if value > 0]
        low = floor(min(found, default=0))
        return cls(low, max(ceil(max(found, default=1)), low + 1), start, end)

    def place(self, value: float) -> float:
        """Where a value stands."""
        share = (log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    def decades(self) -> list[float]:
        """The values that are marked."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def dots(title: str, unit: str, lines: Sequence[Dot], aim: float | None, aim_text: str) -> str:
    """A picture of dots, one line each; `aim` is marked where there is one."""
    height = _TOP + _STEP * len(lines) + _BOTTOM
    values = [value for dot in lines for value in (dot.value, dot.low, dot.high)]
    axis = _Axis.over([*values, *([aim] if aim else [])], _LEFT, _WIDTH - _RIGHT)
    foot = _TOP + _STEP * len(lines)
    drawn = [_text(12, 22, title, "title")]
    for value in axis.decades():
        x = axis.place(value)
        drawn.append(_stroke(x, _TOP - 6, x, foot, "grid"))
        drawn.append(_text(x, foot + 18, _marked(value), anchor="middle"))
    drawn.append(_stroke(_LEFT, foot, _WIDTH - _RIGHT, foot, "axis"))
    drawn.append(
        _text((_LEFT + _WIDTH - _RIGHT) / 2, foot + 40, f"{unit}, logarithmic", anchor="middle")
    )
    if aim:
        x = axis.place(aim)
        drawn.append(_stroke(x, _TOP - 6, x, foot, "aim"))
        drawn.append(_text(x, _TOP - 10, f"target {aim_text}", "aimed", anchor="middle"))
    for number, dot in enumerate(lines):
        drawn += _dot(dot, axis, _TOP + _STEP * number + _STEP / 2)
    return _picture(title, height, drawn)


def growth(title: str, unit: str, curves: Sequence[Curve]) -> str:
    """A picture of how something grows with the base; both axes are logarithmic."""
    points = [point for curve in curves for point in curve.points]
    across = _Axis.over([x for x, _ in points], 70, _WIDTH - 240)
    up = _Axis.over([y for _, y in points], _HEIGHT - _BOTTOM, _TOP)
    drawn = [_text(12, 22, title, "title")]
    for value in across.decades():
        x = across.place(value)
        drawn.append(_stroke(x, _TOP, x, _HEIGHT - _BOTTOM, "grid"))
        drawn.append(_text(x, _HEIGHT - _BOTTOM + 18, _marked(value), anchor="middle"))
    for value in up.decades():
        y = up.place(value)
        drawn.append(_stroke(70, y, _WIDTH - 240, y, "grid"))
        drawn.append(_text(62, y + 4, _marked(value), anchor="end"))
    drawn.append(
        _text((70 + _WIDTH - 240) / 2, _HEIGHT - 10, "statements, logarithmic", anchor="middle")
    )
    drawn.append(_text(70, _TOP - 12, f"{unit}, logarithmic"))
    ends = _apart([up.place(curve.points[-1][1]) for curve in curves], 16)
    for curve, end in zip(curves, ends, strict=True):
        places = [(across.place(x), up.place(y)) for x, y in curve.points]
        path = " ".join(f"{x},{y}" for x, y in places)
        drawn.append(f'<polyline class="ours line" points="{path}"/>')
        drawn += [f'<circle class="ours" cx="{x}" cy="{y}" r="4"/>' for x, y in places]
        drawn.append(_text(places[-1][0] + 12, end + 4, curve.label))
    return _picture(title, _HEIGHT, drawn)


def _dot(dot: Dot, axis: _Axis, y: float) -> list[str]:
    kind = "ours" if dot.ours else "peer"
    x = axis.place(dot.value)
    drawn = [_text(_LEFT - 12, y + 4, dot.label, anchor="end")]
    if dot.low > 0:
        drawn.append(_stroke(axis.place(dot.low), y, axis.place(dot.high), y, kind))
    drawn.append(f'<circle class="{kind}" cx="{x}" cy="{y}" r="5"/>')
    beside = max(x, axis.place(dot.high)) + 10
    drawn.append(_text(beside, y + 4, _marked(dot.value)))
    return drawn


def _apart(places: Sequence[float], least: float) -> list[float]:
    """The same places, moved so that labels do not lie on each other."""
    moved: dict[int, float] = {}
    last = float("-inf")
    for number in sorted(range(len(places)), key=lambda n: places[n]):
        last = max(places[number], last + least)
        moved[number] = last
    return [moved[number] for number in range(len(places))]


def _marked(value: float) -> str:
    thousand = 1000
    return f"{value:,.0f}" if value >= thousand else f"{value:.3g}"


def _text(x: float, y: float, text: str, kind: str = "", anchor: str = "start") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>'


def _stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _picture(title: str, height: float, drawn: Sequence[str]) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'role="img" aria-label="{escape(title)}">'
    )
    return "\n".join([head, _STYLE, *drawn, "</svg>"]) + "\n"
