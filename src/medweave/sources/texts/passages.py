"""Passages of a whole text: cut at headings and sentences, each a stretch of it as it stands.

Together they are the text: every character that is not white space stands in exactly one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from medweave.language.segmentation import is_han, symbol_runs
from medweave.language.sentences import in_parts, sentences
from medweave.model.passage import Passage
from medweave.sources.texts.whole import Heading, WholeText

PASSAGE_WORDS = 190
"""How long a passage is to be, in words."""
_HAN_IN_WORD = 1.7
"""Chinese characters that count as a word."""
_NEARLY = 0.6
"""From this share of its length on, a passage ends where a paragraph does."""
_WITH_REST = 1.5
"""What is left of a section stays together up to this length."""
_LONGEST = 2
"""A sentence longer than so many passages is cut where a part of it ends."""
_LONG_WORD = 30
_WINDOW = 20_000
"""Characters in which the ends of sentences are looked for at a time."""


@dataclass(frozen=True, slots=True)
class _Unit:
    """What is never parted: a sentence, or a line of a table or list."""

    start: int
    end: int
    words: float
    ends_paragraph: bool = False


def passages_of(whole: WholeText, name: str, words: int = PASSAGE_WORDS) -> Iterator[Passage]:
    """The passages of a text that is called `name`, in their order; about `words` long.

    >>> whole = WholeText("Use\\nOne a day. With water.\\nStorage\\nKeep dry.",
    ...                   (Heading(0, 1, "Use"), Heading(27, 1, "Storage")))
    >>> [(p.name, p.headings, p.text) for p in passages_of(whole, "a.txt")][1]
    ('a.txt#2', ('Storage',), 'Storage\\nKeep dry.')
    """
    number = 0
    for start, end, path in _sections(whole):
        for first, last in _packed(_units(whole.text, start, end, words), words):
            number += 1
            text, page = whole.text[first:last], whole.page_at(first)
            yield Passage(name, number, first, last, text, page, path)


def _sections(whole: WholeText) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """What stands under each heading, with it; a bare heading goes with the next."""
    text, open_ = whole.text, list[Heading]()
    marks = [*whole.headings, Heading(len(text), 0, "")]
    start = 0
    if text[: marks[0].start].strip():
        yield 0, marks[0].start, ()
        start = marks[0].start
    for heading, following in pairwise(marks):
        while open_ and open_[-1].level >= heading.level:
            open_.pop()
        open_.append(heading)
        end = following.start
        bare = _squeezed(text[heading.start : end]) == _squeezed(heading.title)
        if bare and end < len(text):
            continue
        yield start, end, whole.path(open_)
        start = end


def _squeezed(text: str) -> str:
    return "".join(text.split()).strip("#=-*_")


def _packed(units: Iterator[_Unit], words: int) -> Iterator[tuple[int, int]]:
    """The units of a section, put together to passages; the rest is parted evenly."""
    waiting = list[_Unit]()
    total = 0.0
    for unit in units:
        waiting.append(unit)
        total += unit.words
        while total > (_WITH_REST + 1) * words and len(waiting) > 1:
            count = _cut(waiting, words)
            yield waiting[0].start, waiting[count - 1].end
            total -= sum(part.words for part in waiting[:count])
            del waiting[:count]
    while total > _WITH_REST * words and len(waiting) > 1:
        count = _cut(waiting, total / max(2, round(total / words)))
        yield waiting[0].start, waiting[count - 1].end
        total -= sum(part.words for part in waiting[:count])
        del waiting[:count]
    if waiting:
        yield waiting[0].start, waiting[-1].end


def _cut(units: list[_Unit], words: float) -> int:
    """How many of the units are the next passage: up to the end of a paragraph where one is near,
    else up to the sentence that comes nearest to the length."""
    count, length = 0, 0.0
    paragraph = 0
    for unit in units[:-1]:
        if count and abs(length + unit.words - words) > abs(length - words):
            break
        count, length = count + 1, length + unit.words
        if unit.ends_paragraph and length >= _NEARLY * words:
            paragraph = count
    return paragraph or max(1, count)


def _units(text: str, start: int, end: int, words: int) -> Iterator[_Unit]:
    """The sentences of a section, each with its length and whether a paragraph ends with it."""
    before: _Unit | None = None
    for first, last in _sentences(text, start, end):
        for unit in _bounded(text, first, last, words):
            if before:
                yield replace(before, ends_paragraph="\n" in text[before.end : unit.start])
            before = unit
    if before:
        yield replace(before, ends_paragraph=True)


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Places of the sentences between two places, looked for in windows: what has no ends for
    pages must not be searched over and over."""
    while start < end:
        reach = min(end, start + _WINDOW)
        found = [(start + a, start + b) for a, b, _ in sentences(text[start:reach])]
        if reach < end and len(found) > 1:
            reach = found.pop()[0]
        yield from found
        start = reach


def _bounded(text: str, start: int, end: int, words: int) -> Iterator[_Unit]:
    """A sentence, or its parts where it is monstrous."""
    length = _words(text[start:end])
    if length <= _LONGEST * words:
        yield _Unit(start, end, length)
        return
    letters = max(1, int((end - start) / length * words))
    for first, last, part in in_parts(text, start, end, letters):
        yield _Unit(first, last, _words(part))


def _words(text: str) -> float:
    """Words, as many Chinese characters as make one, and at least so many as its letters would be
    in long words: what has no blanks is long, too."""
    runs = symbol_runs(text)
    words = sum(len(run) / _HAN_IN_WORD if is_han(run) else 1 for run in runs)
    return max(1.0, words, len(text) / _LONG_WORD)
