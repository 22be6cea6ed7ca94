"""What carries no content: greetings, thanks, signatures, pictograms.

Who asks politely is in no less danger, and in no more: the readers of danger see blanks there.
"""

from __future__ import annotations

import re
from functools import cache

from medweave.language.data import LANGUAGES, rules_in
from medweave.language.folding import blotted, lower
from medweave.language.passage import Span

_PICTOGRAMS = re.compile("[\U0001f000-\U0001faff☀-➿\ufe0f\u200d]+")
_JESTS = re.compile("[😂🤣🙃😅]")
"""These tell that something is a jest: a class of words holds them."""
_MARKS = "\n.,;:!?~…。，、；：！？～"
_FILE = ("understanding", "danger", "rules", "courtesies.yaml")


def without_courtesies(text: str) -> str:
    """A text with blanks where it is but polite; all else stays in its place.

    >>> without_courtesies("Hi there, is it safe? Thanks!").strip()
    'is it safe?'
    >>> without_courtesies("你好，能吃吗？谢谢医生").strip()
    '能吃吗？'
    >>> without_courtesies("Thank you for everything, goodbye")
    'Thank you for everything, goodbye'
    """
    found: list[Span] = [
        match.span() for match in _PICTOGRAMS.finditer(text) if not _JESTS.search(match.group())
    ]
    plain = lower(blotted(text, found, " "))
    found += [match.span() for rule in _courtesies() for match in rule.finditer(plain)]
    return blotted(text, found, " ") if found else text


def bare(text: str) -> str:
    """A text without courtesies, and without the marks around it.

    >>> bare("Hello doctor! Is it safe?? 🙏 Thanks in advance")
    'Is it safe'
    """
    return without_courtesies(text).strip(f"{_MARKS} ")


@cache
def _courtesies() -> tuple[re.Pattern[str], ...]:
    """The expressions of all languages, for messages mix them."""
    held = [rules_in(each, *_FILE) for each in LANGUAGES]
    opening, between, closing = (
        "|".join(rule for each in held for rule in each[place])
        for place in ("opening", "between", "closing")
    )
    return (
        re.compile(rf"(?:^|(?<=[{_MARKS}]))\s{{0,3}}(?:{between})\s{{0,3}}(?:[{_MARKS}]+|$)"),
        re.compile(rf"^\s{{0,3}}(?:{opening})"),
        re.compile(rf"(?:^|(?<=[{_MARKS}\s\u4e00-\u9fff]))(?:{closing})[{_MARKS}\s]*$"),
    )
