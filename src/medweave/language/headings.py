"""Headings of notes: what stands under "Past medical history" is past, line after line.

A heading reaches to the next one, and no further than an empty line behind what stands under it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal as OneOf

from medweave.language.data import rules_in

Heading = OneOf["", "past", "family", "present"]
_REACH = 1500
"""How many characters before a place its heading is looked for."""
_LIST_MARK = re.compile(r"[\s\d.):*•·-]*")
_PARTED = re.compile(r"\n\s*\n")


def heading_of(text: str, place: int, language: str) -> Heading:
    """Under which kind of heading a place of a text in lower case stands; '' for none.

    >>> text = "pmh: asthma. gout\\nhpi: cough"
    >>> [heading_of(text, text.index(name), "en") for name in ("gout", "cough")]
    ['past', 'present']
    """
    seen = text[max(0, place - _REACH) : place]
    if "\n" not in seen and ":" not in seen and "：" not in seen:
        return ""
    last = None
    for found in _pattern(language).finditer(seen):
        last = found
    if last is None:
        return ""
    under = seen[last.end() :]
    parted = _PARTED.search(under, _start_of_content(under))
    return "" if parted else _kind(last)


def _start_of_content(under: str) -> int:
    mark = _LIST_MARK.match(under)
    return mark.end() if mark else 0


def _kind(found: re.Match[str]) -> Heading:
    if found["past"]:
        return "past"
    return "family" if found["family"] else "present"


@cache
def _pattern(language: str) -> re.Pattern[str]:
    """A known heading before a colon or alone in its line; any other before a colon."""
    rules = rules_in(language, "language", "rules", "headings.*.yaml")
    kinds = "|".join(f"(?P<{k}>{'|'.join(rules[k])})" for k in ("past", "family", "present"))
    end = r"[^\S\n]*(?:[:：]|(?=\n))"
    known = rf"(?:{kinds}){end}"
    return re.compile(rf"(?:^|(?<=[\n.;。；]))[^\S\n]*(?:{known}|{rules['any']}[^\S\n]*[:：])")
