"""A thing asked about in place of one before it: "Is grapefruit ok with X? And with Y?"."""

from __future__ import annotations

import re

from medweave.language.data import rule_in, rule_in_any

_ENDS = re.compile(r"[.?!;\n。？！；，]")
_NAME = "xname"
_RULES = ("language", "rules", "asked_in_place.yaml")


def asked_in_place(text: str, language: str, start: int, end: int) -> bool:
    """Whether the name at a place is all that a question holds that goes on from the one before.

    >>> text = "Is grapefruit fine with atorvastatin? And with simvastatin?"
    >>> asked_in_place(text, "en", 47, 58), asked_in_place(text, "en", 24, 36)
    (True, False)
    """
    before = [found.end() for found in _ENDS.finditer(text, 0, start)]
    behind = _ENDS.search(text, end)
    asks = behind is not None and behind.group() in "?？"
    if not before or not (asks or rule_in_any("asking_behind", *_RULES).match(text, end)):
        return False
    sentence = text[before[-1] : start] + _NAME + text[end : behind.start() if behind else None]
    return rule_in(language, "form", *_RULES).fullmatch(sentence.strip().lower()) is not None
