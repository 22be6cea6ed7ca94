"""A whole text as it was read: what stands in it, and where its parts begin."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

MAX_TEXT = 64_000_000
"""No text is read beyond this many characters."""
_LONGEST_HEADING = 120
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and where it stands in the text; what follows it is under it."""

    start: int
    level: int
    """1 for what is outermost; the numbers need not follow each other."""
    title: str


@dataclass(frozen=True, slots=True)
class WholeText:
    """A text, normalised once, with its outline.

    >>> whole = WholeText("Storage\\nKeep dry.", (Heading(0, 1, "Storage"),), pages=(0,))
    >>> whole.page_at(9), whole.path(whole.headings)
    (1, ('Storage',))
    """

    text: str
    headings: tuple[Heading, ...] = ()
    """In their order."""
    pages: tuple[int, ...] = ()
    """Where each page begins; empty where the text has none."""
    lines: tuple[int, ...] = ()
    """Where each line of the file begins, where it is made of lines that mean something."""
    title: str = ""
    """What the text calls itself."""
    url: str = ""
    """Where the text says that it is found."""
    left_out: tuple[str, ...] = ()
    """What was not taken into it, and why."""
    cut: str = ""
    """Why it ends before its end; '' where it does not."""

    def page_at(self, place: int) -> int | None:
        """The page of a place, counted from 1."""
        return max(1, bisect_right(self.pages, place)) if self.pages else None

    def line_at(self, place: int) -> int:
        """The line of the file at a place, counted from 1; 0 where lines mean nothing."""
        return max(1, bisect_right(self.lines, place)) if self.lines else 0

    @staticmethod
    def path(headings: Iterable[Heading]) -> tuple[str, ...]:
        """The headings that reach to behind the last of these, outermost first."""
        open_: list[Heading] = []
        for heading in headings:
            while open_ and open_[-1].level >= heading.level:
                open_.pop()
            open_.append(heading)
        titles = (" ".join(heading.title.split()) for heading in open_[-_DEEPEST:])
        return tuple(_shortened(title) for title in titles if title)


def _shortened(title: str) -> str:
    return title if len(title) <= _LONGEST_HEADING else title[: _LONGEST_HEADING - 1] + "…"
