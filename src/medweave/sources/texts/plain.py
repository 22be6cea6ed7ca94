"""Plain text as people keep it: lines that a program broke are joined, headings are recognised.

Only white space is changed. A line that is a heading says so by how it stands: numbered, in
capitals, between 【】, underlined, ending in a colon, or short and alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from medweave.language.segmentation import is_han
from medweave.sources.texts.whole import Heading, WholeText
from medweave.sources.texts.writing import glue

_NARROWEST, _WIDEST = 40, 130
"""Lines that a program broke are so long; Chinese ones half of it."""
_SHARE = 0.7
"""So full are the lines that it broke; and so many of them are."""
_FEWEST = 2
_ITEM = re.compile(r"\s*(?:[-*+•·●○▪◦–—]|\(?[0-9a-zA-Z]{1,2}[.)）、]|[①-⑳])\s*\S")
_TABLE = re.compile(r"\t|\s\|\s|^\||\S {3,}\S")
_ENDS = tuple(".!?;,。！？；，、")
_UNDERLINES = {"=": 1, "-": 2}
_UNDERLINE = re.compile(r"(=|-)\1{2,}\s*")
_LONGEST, _MOST_WORDS = 80, 10
_HAN_LONGEST = 24
_NUMBERED = re.compile(r"(\d{1,2}(?:\.\d{1,2}){0,5})[.、]?\s+(?=[^\W\d_])")
_CALLED = re.compile(
    r"(?:part|book|(chapter|appendix|annex)|section)\s+(?:\d{1,3}|[ivxlc]{1,6}|[a-z])\b", re.I
)
_NUMERAL = "[一二三四五六七八九十百零〇\\d]{1,4}"
_HAN_CALLED = re.compile(rf"第{_NUMERAL}([编篇部卷]|章|节)")
_HAN_NUMBERED = re.compile(r"[一二三四五六七八九十]{1,3}、|([（(][一二三四五六七八九十]{1,3}[）)])")
_BRACKETED = re.compile(r"\s*【[^】\n]{1,30}】")
_TOP, _CHAPTER, _SECTION, _SHORT, _BRACKET, _COLON = 1, 2, 3, 30, 35, 40
"""Levels; what is numbered lies between."""


@dataclass(slots=True)
class _Line:
    """A line as it is kept: where it begins, and whether a blank line stands around it."""

    start: int
    text: str
    first: bool
    last: bool


def plain_text(raw: str) -> WholeText:
    """A whole text from what a file of plain text holds; a form feed begins a page.

    >>> lines = "STORAGE\\n\\nKeep the tablets in a cupboard that is dry\\nand cool.\\n\\n"
    >>> whole = plain_text(lines * 2)
    >>> whole.headings[0].title, whole.text[9:61]
    ('STORAGE', 'Keep the tablets in a cupboard that is dry and cool.')
    """
    lines = raw.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ").split("\n")
    joined = _joined(lines, _broken_at(lines))
    text, starts, pages = _put_together(lines, joined)
    return WholeText(text, tuple(_headings(text)), pages, starts)


def _broken_at(lines: Sequence[str]) -> int:
    """The width at which a program broke the lines; 0 where nobody did."""
    lengths = sorted(
        len(line.rstrip()) for line, below in pairwise(lines) if _may_go_on(line, below)
    )
    if len(lengths) < _FEWEST:
        return 0
    width = lengths[int(len(lengths) * 0.9)]
    full = sum(length >= _SHARE * width for length in lengths)
    narrow = _NARROWEST // 2 if any(map(is_han, lines[0])) else _NARROWEST
    return width if narrow <= width <= _WIDEST and full >= _SHARE * len(lengths) else 0


def _joined(lines: Sequence[str], width: int) -> list[bool]:
    """For each line whether it goes on in the next."""
    return [
        bool(width)
        and _may_go_on(line, below)
        and (len(line.rstrip()) >= _SHARE * width or below.lstrip()[:1].islower())
        for line, below in pairwise([*lines, ""])
    ]


def _may_go_on(line: str, below: str) -> bool:
    """Whether two lines can be of one sentence: neither is blank, nor begins what is its own."""
    if (
        not line.strip()
        or not below.strip()
        or "\f" in below
        or line.rstrip().endswith((":", "："))
    ):
        return False
    own = _ITEM.match(below) or _BRACKETED.match(below) or _UNDERLINE.fullmatch(below)
    return not (own or _TABLE.search(line) or _TABLE.search(below))


def _put_together(
    lines: Sequence[str], joined: Sequence[bool]
) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    """The text with where each line of the file and each page begins in it."""
    pieces, starts, pages = list[str](), list[int](), list[int]()
    at = 0
    goes_on = False
    for line, more in zip(lines, joined, strict=True):
        starts.append(at)
        if "\f" in line:
            pages.append(at)
        piece = line.replace("\f", " ").rstrip()
        piece = piece.lstrip() if goes_on else piece
        piece += glue(piece, lines[len(starts)].lstrip()) if more else "\n"
        pieces.append(piece)
        at += len(piece)
        goes_on = more
    return "".join(pieces)[:-1], tuple(starts), (0, *pages) if pages else ()


def _headings(text: str) -> Iterator[Heading]:
    lines = list(_lines(text))
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        below = following.text if following and not line.last else ""
        level = _level(line, below, has_more=following is not None)
        if level:
            bracketed = _BRACKETED.match(line.text)
            title = bracketed[0].strip(" 【】\t") if bracketed else line.text.strip().rstrip(":：")
            yield Heading(line.start, level, title)


def _lines(text: str) -> Iterator[_Line]:
    at, blank = 0, True
    held: _Line | None = None
    for line in text.split("\n"):
        if line.strip():
            if held:
                yield held
            held = _Line(at, line, first=blank, last=False)
        elif held:
            held.last = True
        blank = not line.strip()
        at += len(line) + 1
    if held:
        held.last = True
        yield held


def _level(line: _Line, below: str, *, has_more: bool) -> int:
    """The level of a line as a heading; 0 where it is none."""
    text = line.text.strip()
    if _BRACKETED.match(line.text):
        return _BRACKET
    if not has_more or not _is_short(text) or _TABLE.search(text):
        return 0
    if underline := _UNDERLINE.fullmatch(below):
        return _UNDERLINES[underline[1]]
    if text.endswith((":", "：")) and line.first and not line.last and not _ITEM.match(line.text):
        return _COLON
    if text.endswith(_ENDS) or text.endswith((":", "：")):
        return 0
    return _called(text) or (_alone(text) if line.first and line.last else 0)


def _is_short(text: str) -> bool:
    han = sum(map(is_han, text))
    if han * 2 > len(text):
        return len(text) <= _HAN_LONGEST
    return len(text) <= _LONGEST and text.count(" ") < _MOST_WORDS and any(map(str.isalpha, text))


def _called(text: str) -> int:
    """The level that a line says itself: "Chapter 3 Fever", "第二节 治疗"."""
    if called := _CALLED.match(text):
        return _CHAPTER if called[1] else _SECTION if text[:1] in "sS" else _TOP
    if called := _HAN_CALLED.match(text):
        return {"章": _CHAPTER, "节": _SECTION}.get(called[1], _TOP)
    if called := _HAN_NUMBERED.match(text):
        return _SECTION + (3 if called[1] else 2)
    return 0


def _alone(text: str) -> int:
    """The level of a short line between blank ones."""
    if numbered := _NUMBERED.match(text):
        return _CHAPTER + numbered[1].count(".")
    if _ITEM.match(text):
        return 0
    letters = [character for character in text if character.isalpha()]
    if text.isupper() and len(letters) > _FEWEST:
        return _CHAPTER
    return _SHORT if text[:1].isupper() or is_han(text[:1]) else 0
