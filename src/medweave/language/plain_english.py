"""Whether a word is plain English: one of the 82,000 of SymSpell's list, whatever it means; or a
slip of the pen in a common one.

The list is symspellpy's (words of SCOWL that Google Books counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from string import ascii_lowercase

from medweave.language.data import shipped_yaml
from medweave.language.spelling import other_spellings

_COMMON = 20_000
"""So many words, the most frequent first, are written often enough to be misspelt as a rule."""
_SHORTEST = 6
"""In shorter words a letter more or less makes another word."""
_FILE = "frequency_dictionary_en_82_765.txt"


def is_plain_english(word: str) -> bool:
    """Whether a word in lower case is English as it stands, British or American.

    >>> is_plain_english("threat"), is_plain_english("throaat"), is_plain_english("parlor")
    (True, False, True)
    """
    return any(form in _ranks() for form in _forms(word))


@lru_cache(maxsize=1 << 12)  # the same words are met again and again
def is_common_word_misspelt(word: str) -> bool:
    """Whether a word in lower case is a common one in which a letter was left out, put in twice, or
    exchanged with the next: no other slip, or the names of medicines would be taken for words.

    >>> [is_common_word_misspelt(each) for each in ("tomorow", "recuring", "husban", "zantac")]
    [True, True, True, False]
    """
    if len(word) < _SHORTEST or not word.isascii():
        return False
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    left_out = (f"{a}{letter}{b}" for a, b in cuts for letter in ascii_lowercase)
    twice = (a + b[1:] for a, b in cuts if a and b and a[-1] == b[0])
    exchanged = (a + b[1] + b[0] + b[2:] for a, b in cuts if len(b) > 1)
    ranks = (_ranks().get(each, _COMMON) for each in (*left_out, *twice, *exchanged))
    return min(ranks) < _COMMON


def _forms(word: str) -> Iterator[str]:
    """A word, and as the British would write it: the list has more of theirs."""
    yield word
    yield from other_spellings(word)
    for british, american in _pairs():
        if american in word:
            yield british.join(word.rsplit(american, 1))


@cache
def _pairs() -> tuple[tuple[str, str], ...]:
    return tuple(map(tuple, shipped_yaml("language", "rules", "spellings.yaml")["of_any_word"]))


@cache
def _ranks() -> dict[str, int]:
    """The words of the list, the most frequent first, each with its place; a line of it is a word,
    a space, and how often it was counted."""
    package = find_spec("symspellpy")  # not imported: that takes longer than all the rest
    if package is None or package.origin is None:
        raise ModuleNotFoundError("symspellpy is not installed", name="symspellpy")
    words = Path(package.origin).with_name(_FILE).read_text("utf-8").split()[::2]
    return {word: place for place, word in enumerate(words)}
