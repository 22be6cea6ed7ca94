"""Whether a word is plain English: one of the 82,000 of SymSpell's list, whatever it means.

The list is symspellpy's (words of SCOWL that Google Books counts).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from medweave.language.data import shipped_yaml
from medweave.language.spelling import other_spellings

_FILE = "frequency_dictionary_en_82_765.txt"


def is_plain_english(word: str) -> bool:
    """Whether a word in lower case is English as it stands, British or American.

    >>> is_plain_english("threat"), is_plain_english("throaat"), is_plain_english("parlor")
    (True, False, True)
    """
    return any(form in _listed() for form in _forms(word))


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
def _listed() -> frozenset[str]:
    """The words of the list; a line of it is a word, a space, and how often it was counted."""
    package = find_spec("symspellpy")  # not imported: that takes longer than all the rest
    if package is None or package.origin is None:
        raise ModuleNotFoundError("symspellpy is not installed", name="symspellpy")
    return frozenset(Path(package.origin).with_name(_FILE).read_text("utf-8").split()[::2])
