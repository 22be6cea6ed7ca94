"""Short names of medicines that are words besides: read only where something beside them tells.

"Dig" is digoxin on a ward and a verb everywhere else. Which of the two is meant is told by the
word before it or behind it, or by another medicine in one list with it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from medweave.language.data import shipped_yaml

IsDrug = Callable[[str], bool]
"""Whether a word names a medicine."""
_FAR = 40
"""Characters on either side that are looked at."""


def is_shorthand(name: str) -> bool:
    """Whether a name is read only beside what tells of a medicine.

    >>> is_shorthand("dig"), is_shorthand("digoxin")
    (True, False)
    """
    return name.lower() in _cues().names


def tells_medicine(text: str, start: int, end: int, is_drug: IsDrug) -> bool:
    """Whether what stands around a shorthand in a folded text tells of a medicine.

    >>> def told(text, word, is_drug=lambda word: word == "warfarin"):
    ...     start = text.index(word)
    ...     return tells_medicine(text, start, start + len(word), is_drug)
    >>> told("she is on dig", "dig"), told("gent 80 mg", "gent"), told("warfarin and dig?", "dig")
    (True, True, True)
    >>> told("i dig in the garden", "dig"), told("took warfarin and dig holes", "dig")
    (False, False)
    """
    before, behind = text[max(0, start - _FAR) : start], text[end : end + _FAR]
    cues = _cues()
    if cues.before.search(before) or cues.behind.search(behind):
        return True
    listed = cues.listed_before.search(before)
    if listed and cues.ended.search(behind) and _names_drug(listed.group(1), is_drug):
        return True
    follows = cues.listed_behind.search(behind)
    return follows is not None and _names_drug(follows.group(1), is_drug)


def _names_drug(word: str, is_drug: IsDrug) -> bool:
    return is_drug(word) or is_shorthand(word)


class _Cues(NamedTuple):
    names: frozenset[str]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    listed_before: re.Pattern[str]
    listed_behind: re.Pattern[str]
    ended: re.Pattern[str]


@cache
def _cues() -> _Cues:
    content = shipped_yaml("vocabulary", "shorthand_names.yaml")
    joining = content["joining"].replace("(", "(?:")
    return _Cues(
        frozenset(content["names"]),
        re.compile("|".join(content["before"])),
        re.compile("|".join(content["behind"])),
        re.compile(rf"([\w-]+){joining}$"),
        re.compile(rf"^{joining}([\w-]+)"),
        re.compile(content["ended"]),
    )
