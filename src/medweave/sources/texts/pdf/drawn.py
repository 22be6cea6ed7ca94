"""What is drawn on a page of a PDF beside its letters: paths, and the straight lines among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PATH = 2
"""What PDFium calls a path."""
_THIN, _DRAWING, _FOUR = 3.0, 4000, 4
"""Points that a line is thick at most; more paths on a page are a drawing; the sides of a box."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, order=True)
class Rule:
    """A straight line that is drawn across or down a page: where, and from where to where."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Rules:
    """The straight lines of a page, measured from the top."""

    across: tuple[Rule, ...] = ()
    down: tuple[Rule, ...] = ()


@dataclass(frozen=True, slots=True)
class Drawn:
    """A path that is drawn on a page, measured from the top."""

    box: Box
    segments: int


def drawn_on(page: Any, box: Box) -> list[Drawn]:
    """The paths of a page; none where they are so many that they are a drawing."""
    import pypdfium2.raw as pdfium

    drawn = [thing for thing in page.get_objects(max_depth=1) if thing.type == PATH]
    found = list[Drawn]()
    for thing in drawn if len(drawn) <= _DRAWING else ():
        x0, y0, x1, y1 = thing.get_bounds()
        place = (x0 - box[0], box[3] - y1, x1 - box[0], box[3] - y0)
        found.append(Drawn(place, pdfium.FPDFPath_CountSegments(thing.raw)))
    return found


def rules_of(drawn: list[Drawn]) -> Rules:
    """The straight lines that are drawn on a page, the sides of boxes among them."""
    across, down = list[Rule](), list[Rule]()
    for path in drawn:
        left, top, right, bottom = path.box
        wide, high = right - left, bottom - top
        if wide <= _THIN and high > _THIN:
            down.append(Rule((left + right) / 2, top, bottom))
        elif high <= _THIN and wide > _THIN:
            across.append(Rule((top + bottom) / 2, left, right))
        elif _FOUR <= path.segments <= _FOUR + 1:
            down += [Rule(left, top, bottom), Rule(right, top, bottom)]
            across += [Rule(top, left, right), Rule(bottom, left, right)]
    return Rules(tuple(across), tuple(down))
