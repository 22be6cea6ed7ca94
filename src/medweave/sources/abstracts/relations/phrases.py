"""Patterns of words as the rules have them: `(a|b)`, `(a)?`, `word*`.

A pattern is compiled to a regular expression over text in small letters, between whole words.
"""

from __future__ import annotations

import re
from functools import cache

_PARTS = re.compile(r"(?:\((?:[^()]|\([^()]*\))*\)\??|[^\s()])+")
_WHOLE_GROUP = re.compile(r"\((?:[^()]|\([^()]*\))*\)\?")


@cache
def phrase(pattern: str) -> re.Pattern[str]:
    """A pattern that may stand anywhere.

    >>> found = phrase("(is|are)? treat(s|ed)? with")
    >>> [bool(found.search(text)) for text in ("was treated with", "treats", "treat with")]
    [True, False, True]
    """
    return re.compile(rf"(?<!\w){_expression(pattern)}(?!\w)")


@cache
def ending_phrase(pattern: str) -> re.Pattern[str]:
    """A pattern that must stand at the end of a text.

    >>> bool(ending_phrase("treatment of (the)?").search("after treatment of the "))
    True
    """
    return re.compile(rf"(?<!\w){_expression(pattern)}\s*$")


def _expression(pattern: str) -> str:
    """Parts with space between; a part that may be missing takes its space with it."""
    found = ""
    parts = _PARTS.findall(pattern)
    for number, part in enumerate(parts):
        body = part.replace("(", "(?:").replace("*", r"\w*").replace(" ", r"\s+")
        last = number == len(parts) - 1
        if _WHOLE_GROUP.fullmatch(part):
            found = f"{found}{body}" if last else rf"{found}(?:{body[:-1]}\s+)?"
        else:
            found = f"{found}{body}" if last else rf"{found}{body}\s+"
    # What may be missing at the end must not ask for the space before it.
    if parts and _WHOLE_GROUP.fullmatch(parts[-1]) and len(parts) > 1:
        lead = _expression(" ".join(parts[:-1]))
        return rf"{lead}(?:\s+{_expression(parts[-1][:-1])})?"
    return found
