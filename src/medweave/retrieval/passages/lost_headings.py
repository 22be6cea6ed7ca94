"""Headings that lost their line, and stand in one with the sentence below them.

A text that was copied out of a page reads "Skin basics Your skin is your largest organ.": the first
two words are no part of what is said.
"""

from __future__ import annotations

import re

from medweave.retrieval.passages.sentence_words import sentence_rule

_LONGEST = 8
"""Words of a heading."""
_LEFT = 4
"""Words that are left, at least, of a sentence behind a heading."""
_WORD = re.compile(r"\S+")


def heading_before(sentence: str, text: str) -> int:
    """How many characters of a sentence are a heading that stands before it; mostly 0.

    `text` is what it stands in: a word with a capital that has none there is no name.

    >>> heading_before("Skin basics Your skin is your largest organ.", "")
    12
    >>> heading_before("Transformed FL FL can become more aggressive over time.", "")
    15
    >>> heading_before("Most people with Hodgkin lymphoma are cured.", "")
    0
    """
    found = list(_WORD.finditer(sentence))
    words = [match.group() for match in found]
    if not words or not words[0][:1].isupper():
        return 0
    for at in range(1, min(_LONGEST + 1, len(words) - _LEFT)):
        before = words[at - 1]
        if sentence_rule("says").fullmatch(before) or not before[-1:].isalnum():
            return 0
        if _begins(words, at, text):
            return found[at].start()
    return 0


def _begins(words: list[str], at: int, text: str) -> bool:
    """Whether a sentence begins with this word."""
    word = words[at]
    if not word[:1].isupper():
        return False
    if any(_same(words[at - n : at], words[at : at + n]) for n in range(1, at + 1)):
        return True
    if not word.isalpha() or not (word[1:].islower() or word == "A"):
        return False
    behind, low = words[at + 1], word.lower()
    if sentence_rule("begins_sentences").fullmatch(low):
        return not behind[:1].isupper() or behind.isupper()
    is_plain = all(not w[:1].isupper() for w in words[1:at])
    return is_plain and bool(re.search(rf"(?<![.!?] )\b{low}\b", text))


def _same(some: list[str], others: list[str]) -> bool:
    return [word.lower() for word in some] == [word.lower() for word in others]
