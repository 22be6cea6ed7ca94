"""A thing asked about in place of one before it: "Is grapefruit ok with X? And with Y?"."""

from __future__ import annotations

import re

_ENDS = re.compile(r"[.?!;\n。？！；，]")
_NAME = "xname"
_FORMS = {
    "en": re.compile(
        r"(?:and |or |but |so |then )?(?:what about |how about |what of |what if it(?: is|'s) )?"
        r"(?:(?:with|on|for|to|if i (?:take|took)) )?(?:my |the |some )?xname"
        r"(?: instead| then| though)?"
    ),
    "zh": re.compile(
        r"(?:那么?|如果|要是|是|换成?|改成?|和|跟|与|同|对|吃|用)*xname(?:呢|行吗|可以吗|也行吗)?"
    ),
}


def asked_in_place(text: str, language: str, start: int, end: int) -> bool:
    """Whether the name at a place is all that a question holds that goes on from the one before.

    >>> text = "Is grapefruit fine with atorvastatin? And with simvastatin?"
    >>> asked_in_place(text, "en", 47, 58), asked_in_place(text, "en", 24, 36)
    (True, False)
    """
    before = [found.end() for found in _ENDS.finditer(text, 0, start)]
    behind = _ENDS.search(text, end)
    asks = behind is not None and behind.group() in "?？"
    if not before or not (asks or text[end : end + 1] == "呢"):
        return False
    sentence = text[before[-1] : start] + _NAME + text[end : behind.start() if behind else None]
    form = _FORMS["zh" if language == "zh" else "en"]
    return form.fullmatch(sentence.strip().lower()) is not None
