"""The little language in which templates are written, compiled to regular expressions.

    {name}   a slot        (a|b)   one of these        [a|b]   one of these, or nothing

Everything else is meant literally, in upper or lower case.
"""

from __future__ import annotations

import re
from functools import lru_cache

from medweave.errors import VocabularyError

_TOKEN = re.compile(
    r"\{(?P<slot>\w+)\}|(?P<mark>[()\[\]|])|(?P<space>\s+)|(?P<text>[^{}()\[\]|\s]+)"
)
_NUMBER = r"(?P<{name}>\d{{1,6}}(?:\.\d{{1,6}})?)"
_GAP = r"\s*+"


@lru_cache(maxsize=1024)
def compile_pattern(pattern: str) -> re.Pattern[str]:
    """The expression a template stands for; it must match a whole text.

    >>> found = compile_pattern("symptoms [of {subject}] (are|include) {list}").fullmatch(
    ...     "Symptoms of flu include fever and cough")
    >>> found["list"]
    'fever and cough'
    """
    parts = [_part(match) for match in _TOKEN.finditer(pattern)]
    try:
        return re.compile(_number_slots("".join(parts)), re.IGNORECASE)
    except re.error as error:
        raise VocabularyError(
            f"the template '{pattern}' cannot be read: {error}",
            remedy="check its brackets and slots",
        ) from error


def _part(match: re.Match[str]) -> str:
    if match["slot"]:
        if match["slot"] == "n":
            return _NUMBER.format(name="n") + _GAP
        return rf"(?P<{match['slot']}>.+?)" + _GAP
    if match["space"]:
        return _GAP
    if match["text"]:
        boundary = r"(?<![a-z])" if match["text"][:1].isascii() else ""
        end = r"(?![a-z])" if match["text"][-1:].isalpha() and match["text"].isascii() else ""
        return boundary + re.escape(match["text"]) + end
    return {"(": "(?:", ")": ")" + _GAP, "[": "(?:", "]": ")?" + _GAP, "|": "|"}[match["mark"]]


def _number_slots(expression: str) -> str:
    """A slot may stand in several alternatives; groups must differ in name, so count them."""
    seen: dict[str, int] = {}

    def renamed(match: re.Match[str]) -> str:
        name = match[1]
        seen[name] = seen.get(name, 0) + 1
        return f"(?P<{name}>" if seen[name] == 1 else f"(?P<{name}_{seen[name]}>"

    return re.sub(r"\(\?P<(\w+)>", renamed, expression)


def slot(match: re.Match[str], name: str) -> str:
    """What filled a slot, '' where it was not used."""
    for group, value in match.groupdict().items():
        if value is not None and re.fullmatch(rf"{name}(_\d+)?", group):
            return value.strip()
    return ""
