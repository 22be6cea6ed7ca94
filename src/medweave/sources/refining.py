"""Names refined: trailing words that only repeat what an abbreviation stands for."""

from __future__ import annotations

import re

_LEAST = 2
"""Letters of an abbreviation."""


def without_repeat(name: str) -> str:
    """A name that is an abbreviation and its own expansion, as the expansion alone.

    >>> without_repeat("AMD age-related macular degeneration")
    'age-related macular degeneration'
    >>> without_repeat("age-related macular degeneration (AMD)")
    'age-related macular degeneration'
    >>> without_repeat("AMD patients")
    'AMD patients'
    """
    words = name.split()
    for short, rest in ((words[:1], words[1:]), (words[-1:], words[:-1])):
        if short and _stands_for(short[0].strip("(),:"), rest):
            return " ".join(rest).strip("() ")
    return name


def _stands_for(short: str, words: list[str]) -> bool:
    """Whether capitals are the first letters of words, hyphened ones as one word or as several."""
    if len(short) < _LEAST or not short.isalpha() or not short.isupper():
        return False
    split = re.findall(r"\w+", " ".join(words))
    whole = [word.strip("()") for word in words]
    return any("".join(word[:1] for word in parts).upper() == short for parts in (split, whole))
