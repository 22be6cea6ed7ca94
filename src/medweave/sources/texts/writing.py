"""A whole text put together block by block, as readers of pages and books find them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from medweave.errors import SourceError
from medweave.sources.texts.whole import MAX_TEXT, Heading, WholeText

CELL = " | "
"""Between the cells of a row."""
BULLET = "- "
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\x00-\x08\x0e-\x1f\x7f]")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_BLANKS = re.compile(r"[^\S\n]+")
_DEEPEST_LIST = 6
_POWER = re.compile(r"[-+−–]?\d")
LINE_IN_CELL = "\n"
"""Between the lines of one cell of a table, until they are made one."""


def raised(before: str, text: str) -> str:
    """A raised text as it is read behind another: a number behind a number is a power, or the mark
    of a note, and not more digits of it.

    >>> "10" + raised("10", "9") + "/L", "Na" + raised("Na", "+")
    ('10^9/L', 'Na+')
    """
    power = before[-1:].isdigit() and _POWER.match(text)
    return f"^{text}" if power else text


def clean(text: str) -> str:
    """A text without what nobody sees: marks of direction and of parting, ligatures, odd blanks.

    >>> clean("e\ufb03\u00adcacy\u00a0 of")
    'efficacy of'
    """
    text = _UNSEEN.sub("", text)
    text = _LIGATURES.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)
    return _BLANKS.sub(" ", unicodedata.normalize("NFC", text))


def glue(text: str, following: str) -> str:
    """What stands between two lines that are one: Chinese needs no blank.

    >>> glue("one", "day"), glue("每日，", "一次")
    (' ', '')
    """
    return "" if _is_wide(text[-1:]) and _is_wide(following[:1]) else " "


def _is_wide(character: str) -> bool:
    return "\u2e80" <= character <= "\u9fff" or "\uf900" <= character <= "\uffef"


class Writer:
    """Puts a text together. Blocks are parted by blank lines, rows and items by line ends.

    >>> writer = Writer("a.md")
    >>> writer.heading(1, "Doses"); start = writer.paragraph("For adults:")
    >>> writer.item("one a day"); writer.row(["age", "dose"]); writer.whole().text
    'Doses\\n\\nFor adults:\\n- one a day\\n\\nage | dose'
    """

    def __init__(self, where: str) -> None:
        self._where = where
        self._pieces: list[str] = []
        self._length = 0
        self._headings: list[Heading] = []
        self._pages: list[int] = []
        self._last = ""
        self.title = ""
        self.url = ""
        self.left_out: list[str] = []
        self.cut = ""

    def heading(self, level: int, text: str) -> None:
        """A heading; level 1 is the outermost."""
        if title := " ".join(clean(text).split()):
            self._add(title, "heading")
            start = self._length - len(title)
            self._headings.append(Heading(start, level, title.rstrip(":： ")))

    def called(self, title: str) -> None:
        """What was written has this heading over all of it, which does not stand in it itself."""
        if title := " ".join(clean(title).split()):
            self._headings.insert(0, Heading(0, 1, title))

    def paragraph(self, text: str) -> int:
        """A paragraph; line ends in it stay. Where it begins in the text."""
        lines = (line.strip() for line in clean(text).split("\n"))
        joined = "\n".join(line for line in lines if line)
        if joined:
            self._add(joined, "paragraph")
        return self._length - len(joined)

    def item(self, text: str, depth: int = 0, mark: str = BULLET) -> None:
        """An entry of a list."""
        if said := " ".join(clean(text).split()):
            self._add("  " * min(depth, _DEEPEST_LIST) + mark + said, "item")

    def row(self, cells: list[str]) -> None:
        """A row of a table, on one line."""
        squeezed = [" ".join(clean(cell).split()) for cell in cells]
        while squeezed and not squeezed[-1]:
            squeezed.pop()
        if any(squeezed):
            self._add(CELL.join(squeezed).strip(), "row")

    def page(self, at: int | None = None) -> None:
        """A page begins with what follows, or at a place of what was written."""
        self._pages.append(self._length if at is None else at)

    def add(self, part: Writer) -> None:
        """All that another one wrote, as it stands."""
        if part.is_empty:
            return
        if not self.is_empty:
            self._append("\n\n")
        shifted = (replace(h, start=h.start + self._length) for h in part._headings)
        self._headings.extend(shifted)
        self._append("".join(part._pieces))
        self._last = part._last
        self.left_out += part.left_out
        self.cut = self.cut or part.cut

    @property
    def has_headings(self) -> bool:
        """Whether any heading was written."""
        return bool(self._headings)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was written."""
        return not self._length

    def whole(self) -> WholeText:
        """All that was written."""
        return WholeText(
            "".join(self._pieces),
            tuple(self._headings),
            tuple(self._pages),
            title=" ".join(clean(self.title).split()),
            url=self.url,
            left_out=tuple(self.left_out),
            cut=self.cut,
        )

    def _add(self, text: str, what: str) -> None:
        if self._last:
            close = what == self._last != "paragraph" and what != "heading"
            close = close or (self._last == "paragraph" and what == "item")
            self._append("\n" if close else "\n\n")
        self._last = what
        self._append(text)

    def _append(self, text: str) -> None:
        self._pieces.append(text)
        self._length += len(text)
        if self._length > MAX_TEXT:
            raise SourceError(
                f"this text is longer than {MAX_TEXT // 1_000_000} million characters",
                where=self._where,
                remedy="split it",
            )
