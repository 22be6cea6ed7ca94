"""Lines of a PDF as paragraphs, headings, items and rows, written into a whole text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import pairwise

from medweave.sources.texts.pdf.grid import Line
from medweave.sources.texts.writing import LINE_IN_CELL, Writer, clean, glue

_ITEM = re.compile(
    r"[•●○▪◦‣∙·\uf0b7\uf0a7]\s*(?=\S)|(?:[-*+–—]|\(?\d{1,2}[.)]|[a-z][.)])\s+(?=\S)"
    r"|(?:\(?\d{1,2}[）、]|[①-⑳]|[一二三四五六七八九十]{1,3}、)\s*(?=\S)"
)
_BULLETS = "*+•·●○▪◦‣∙\uf0b7\uf0a7–—-"
_ENDS = tuple(".!?。！？:：;；")
_NO_HEADING = (".", "。", ";", "；", ",", "，", "、")
_LARGER, _SAME = 1.12, 0.6
_WIDE = 1.45
"""A distance between lines so much greater than the usual one parts paragraphs."""
_INDENT, _SHORT, _NEXT = 0.8, 0.75, 1.8
_LONGEST_HEADING, _MOST_LINES = 140, 3
_LEVELS_BELOW = 10
"""Levels by size come below those that the outline of the file tells."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]+)-$")
_NEXT_WORD = re.compile(r"[^\W\d_]+")

Outline = Mapping[int, Mapping[str, int]]
"""For each page the titles that the outline of the file has there, squeezed, with their levels."""


@dataclass(slots=True)
class _Block:
    """Lines that belong together."""

    lines: list[Line]
    page: int
    pages: list[int] = field(default_factory=list)
    """The lines with which further pages begin, by their index."""

    @property
    def first(self) -> Line:
        """The line with which it begins."""
        return self.lines[0]


def write_pages(pages: Sequence[Sequence[Line]], outline: Outline, writer: Writer) -> None:
    """All lines of all pages, as blocks, to the writer."""
    words = _words(pages)
    body = _body_size(pages)
    blocks = list(_joined(_blocks(pages, outline)))
    levels = _levels(blocks, body)
    written = 0
    for block, following in pairwise([*blocks, None]):
        if block is None:
            break
        while written <= block.page:
            writer.page()
            written += 1
        text, starts = _text(block, words)
        level = _level(block, text, outline, levels, body)
        if level and following is not None:
            writer.heading(level, text)
        elif block.first.cells:
            writer.row([_cell_text(cell, words) for cell in block.first.cells])
        elif item := _ITEM.match(text):
            mark = item[0].strip()
            writer.item(text[item.end() :], 0, "- " if mark in _BULLETS else f"{mark} ")
        else:
            at = writer.paragraph(text)
            for start in starts:
                writer.page(at=at + start)
                written += 1
    while written < len(pages):
        writer.page()
        written += 1


def _words(pages: Sequence[Sequence[Line]]) -> Counter[str]:
    """How often each word stands within a line: what a hyphen at a line end means."""
    found = Counter[str]()
    for page in pages:
        for line in page:
            found.update(_WORD.findall(line.text.casefold()))
    return found


def _body_size(pages: Sequence[Sequence[Line]]) -> float:
    """The size of most letters."""
    sizes = Counter[float]()
    for page in pages:
        for line in page:
            sizes[round(line.size * 2) / 2] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 0


def _blocks(pages: Sequence[Sequence[Line]], outline: Outline) -> Iterator[_Block]:
    for number, page in enumerate(pages):
        titles = outline.get(number, {})
        for column in sorted({line.column for line in page}):
            lines = [line for line in page if line.column == column]
            yield from _column_blocks(lines, number, titles)


def _column_blocks(lines: list[Line], page: int, titles: Mapping[str, int]) -> Iterator[_Block]:
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    steps = sorted(b.top - a.top for a, b in pairwise(lines) if b.top > a.top)
    usual = steps[len(steps) // 3] if steps else 0
    open_ = _Block([lines[0]], page)
    for above, line in pairwise(lines):
        step = line.top - above.top
        wide = step > _WIDE * max(min(usual, 2 * line.size), line.size)
        is_title = titles and not titles.keys().isdisjoint(map(squeezed, (above.text, line.text)))
        if wide or is_title or _parts(above, line, left, right):
            yield open_
            open_ = _Block([line], page)
        else:
            open_.lines.append(line)
    yield open_


def _parts(above: Line, line: Line, left: float, right: float) -> bool:
    """Whether a line begins something of its own, though it stands close under another."""
    if above.cells or line.cells or line.bold != above.bold or " … " in above.text:
        return True
    if abs(line.size - above.size) > _SAME or line.marked or _ITEM.match(line.text):
        return True
    if above.text[:1] in _BULLETS and _stands_out(above, line):
        return True
    ended = above.text.endswith(_ENDS)
    is_short = above.right < left + _SHORT * (right - left)
    indented = line.left > max(left, above.left) + _INDENT * line.size
    return (ended and (is_short or indented)) or (
        indented and not above.marked and not _ITEM.match(above.text)
    )


def _stands_out(above: Line, line: Line) -> bool:
    """Whether a line stands further to the left than an item above it, and lower than its next line
    would."""
    step = line.top - above.top
    return line.left < above.left - _INDENT * line.size and step > _NEXT * line.size


def _joined(blocks: Iterator[_Block]) -> Iterator[_Block]:
    """Blocks, those that go on in the next column or on the next page as one."""
    held: _Block | None = None
    for block in blocks:
        if held and _goes_on(held, block):
            if block.page != held.page + len(held.pages):
                held.pages.append(len(held.lines))
            held.lines += block.lines
            continue
        if held:
            yield held
        held = block
    if held:
        yield held


def _goes_on(block: _Block, following: _Block) -> bool:
    last, line = block.lines[-1], following.first
    page = block.page + len(block.pages)
    elsewhere = following.page == page + 1 or (
        following.page == page and line.column != last.column
    )
    alike = abs(last.size - line.size) <= _SAME and last.bold == line.bold and not last.bold
    if not elsewhere or not alike or last.cells or line.cells or last.text.endswith(_ENDS):
        return False
    begins = line.text[:1]
    return begins.islower() or (
        not begins.isascii()
        and not begins.isupper()
        and bool(not _ITEM.match(line.text))
        and not last.text[-1:].isascii()
    )


def _text(block: _Block, words: Counter[str]) -> tuple[str, list[int]]:
    """The text of a block, and where further pages begin in it."""
    text, starts = "", list[int]()
    for index, line in enumerate(block.lines):
        said = " ".join(clean(line.text).split())
        if index in block.pages:
            starts.append(len(text))
        text = _with(text, said, words) if text else said
    return text, starts


def _cell_text(cell: str, words: Counter[str]) -> str:
    """The text of a cell, its lines as one."""
    lines = [" ".join(clean(line).split()) for line in cell.split(LINE_IN_CELL)]
    return reduce(lambda text, line: _with(text, line, words) if text else line, lines)


def _with(text: str, line: str, words: Counter[str]) -> str:
    """A text with one line more; a hyphen by which a word was parted goes."""
    broken, rest = _BROKEN.search(text[-60:]), _NEXT_WORD.match(line)
    if broken and rest and line[:1].islower():
        whole, compound = broken[1] + rest[0], f"{broken[1]}-{rest[0]}"
        keeps = words[compound.casefold()] > words[whole.casefold()]
        return text + line if keeps else text[:-1] + line
    if text.endswith("-") and line[:1].isalnum():
        return text + line
    return text + glue(text, line) + line


def _levels(blocks: Sequence[_Block], body: float) -> dict[float, int]:
    """The level of each size of letters that is greater than that of the text."""
    sizes = {round(b.first.size * 2) / 2 for b in blocks if b.first.size >= _LARGER * body}
    ranked = sorted(sizes, reverse=True)
    return {size: _LEVELS_BELOW + rank for rank, size in enumerate(ranked)}


def _level(
    block: _Block, text: str, outline: Outline, levels: Mapping[float, int], body: float
) -> int:
    """The level of a block as a heading; 0 where it is none."""
    line = block.first
    if line.cells or len(text) > _LONGEST_HEADING or len(block.lines) > _MOST_LINES:
        return 0
    if not any(map(str.isalpha, text)):
        return 0
    told = outline.get(block.page, {}).get(squeezed(text))
    if told is not None:
        return told
    if text.endswith(_NO_HEADING) or " … " in text or (_ITEM.match(text) and text[:1] in _BULLETS):
        return 0
    if line.size >= _LARGER * body:
        return levels[round(line.size * 2) / 2]
    below = _LEVELS_BELOW + len(levels)
    return below if line.bold and all(each.bold for each in block.lines) else 0


def squeezed(title: str) -> str:
    """A title by its letters and digits alone, as the outline and the page write it."""
    return "".join(character for character in title.casefold() if character.isalnum())
