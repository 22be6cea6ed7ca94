"""How somebody gets on with a medicine: "he coughs on perindopril", "amlodipine gave me a rash"."""

from __future__ import annotations

import re

from medweave.language.data import rule_in

_ENDS = re.compile(r"[.?!;\n。？！；]")
_SEEN = 60
"""Characters before and behind a name in which that is told."""


def not_suited(text: str, language: str, start: int, end: int) -> bool:
    """Whether it is told that the medicine named at a place does not suit somebody.

    >>> not_suited("Something for a man who coughs on perindopril?", "en", 34, 45)
    True
    >>> not_suited("A man with a cough, on perindopril", "en", 23, 34)
    False
    """
    lowered = text.lower()
    before = _ENDS.split(lowered[max(0, start - _SEEN) : start])[-1]
    after = lowered[end : end + _SEEN]
    behind = _ENDS.search(after)
    after = after[: behind.end() if behind else None]
    told = _rule("before", language).search(before) or _rule("after", language).search(after)
    return told is not None


def _rule(name: str, language: str) -> re.Pattern[str]:
    return rule_in(language, name, "language", "rules", "not_suited.yaml")
