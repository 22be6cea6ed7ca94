"""A text as somebody typed or pasted it, made even before anything reads it.

Rules are written for one blank between words, for digits as they stand on a keyboard, and for
sentences that end where they end. What is copied from a letter or a page has runs of blanks, blanks
that do not break, wide digits, and lines that break in the middle of a sentence: read as it stands,
"my dad  is on\\nwarfarin" lost the warfarin.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from medweave.language.data import shipped_yaml
from medweave.language.folding import Folded

_UNEVEN = re.compile(
    r"^\s+|\s+\Z|\s{2,}|[^\S \n]|(?<!\b[a-z]\s)(?<=\s)&(?=\s)|(?<![^\s(])w/o?(?=\s)", re.IGNORECASE
)
_WIDE = {
    0xFF00 + code: chr(0x20 + code)
    for code in (*range(0x10, 0x1A), *range(0x21, 0x3B), *range(0x41, 0x5B), 0x05, 0x0B, 0x0F)
}
"""Wide digits and letters, and the signs that stand between digits: ％ ＋ ／. Marks stay wide."""
_ENDS = re.compile(r"[.!?:;。！？：；…)]\s*$")
_ITEM = re.compile(r"\s*(?:[-*•·–]|\(?\w{1,2}[.)]|\d+、)\s*")
_LATIN = re.compile(r"[a-z0-9,'’\"/&+-]\Z", re.IGNORECASE)
_WORD = re.compile(r"[a-z'’]+\Z", re.IGNORECASE)
_NARROWEST = 30
"""Nobody's page is narrower: shorter lines were broken on purpose."""
_FULL = 0.6
"""A line that was broken for want of room fills so much of the widest one."""


def evened(text: str) -> Folded:
    """A text with one blank between words, digits as they are typed, and sentences in one piece.

    Paragraphs stay apart, and so do lines that somebody broke on purpose.

    >>> evened("my dad  is on\\u00a0warfarin \\n\\n\\n and  is ８１").text
    'my dad is on warfarin\\n\\nand is 81'
    >>> evened("I take warfarin and my\\nknee hurts").text
    'I take warfarin and my knee hurts'
    >>> evened("warfarin\\nbisoprolol").text
    'warfarin\\nbisoprolol'
    """
    even = _with_even_blanks(text.translate(_WIDE))
    breaks = list(_soft_breaks(even.text))
    if not breaks:
        return even
    characters = list(even.text)
    for at in breaks:
        characters[at] = " "
    return Folded("".join(characters), even.places)


def _with_even_blanks(text: str) -> Folded:
    """A text with single blanks, and with words for the signs that stand for them."""
    runs = list(_UNEVEN.finditer(text))
    if not runs:
        return Folded(text, range(len(text) + 1))
    signs = _rules()["signs"]
    even: list[str] = []
    places: list[int] = []
    end = 0
    for run in runs:
        inside = run.start() > 0 and run.end() < len(text)
        instead = signs.get(run[0].lower()) or _blank(run[0], inside=inside)
        even += text[end : run.start()], instead
        places.extend(range(end, run.start()))
        places.extend(min(run.start() + at, run.end() - 1) for at in range(len(instead)))
        end = run.end()
    even.append(text[end:])
    places.extend(range(end, len(text) + 1))
    return Folded("".join(even), tuple(places))


def _blank(run: str, *, inside: bool) -> str:
    return ("\n" * min(run.count("\n"), 2) or " ") if inside else ""


def _soft_breaks(text: str) -> Iterator[int]:
    """Where a line ends in the middle of a sentence: behind a word at which none ends, or for want
    of room in a paragraph whose lines all end so."""
    start = 0
    for paragraph in text.split("\n\n"):
        lines = paragraph.split("\n")
        wrapped = _is_wrapped(lines)
        end = start
        for line, following in itertools.pairwise(lines):
            end += len(line)
            if _goes_on(line, following) and (wrapped or _is_open(line)):
                yield end
            end += 1
        start += len(paragraph) + 2


def _goes_on(line: str, following: str) -> bool:
    """Whether a sentence may go on in the next line."""
    return bool(_LATIN.search(line)) and not (_ENDS.search(line) or _ITEM.match(following))


def _is_open(line: str) -> bool:
    """Whether a line ends with a word, or a comma, at which no sentence ends."""
    word = _WORD.search(line)
    return line.endswith((",", "/", "&", "+")) or bool(word and word[0].lower() in _open_words())


def _is_wrapped(lines: list[str]) -> bool:
    """Whether at least two lines end because the next word had no room."""
    widest = max(map(len, lines))
    if widest < _NARROWEST:
        return False
    pairs = list(itertools.pairwise(lines))
    full = [
        len(line) >= _FULL * widest and len(line) + 1 + len(_first_word(following)) > widest
        for line, following in pairs
    ]
    return len(full) > 1 and all(full)


def _first_word(line: str) -> str:
    return line.split(" ", 1)[0]


@cache
def _open_words() -> frozenset[str]:
    return frozenset(_rules()["open_words"].split())


@cache
def _rules() -> dict[str, Any]:
    return shipped_yaml("language", "rules", "typed.yaml")


def as_read(text: str, language: str) -> str:
    """A text as its vector is made: all blanks are one, in Chinese none.

    >>> as_read("a sore   throat", "en"), as_read("喉咙 痛", "zh")
    ('a sore throat', '喉咙痛')
    """
    return ("" if language == "zh" else " ").join(text.split())
