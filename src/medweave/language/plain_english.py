"""Whether a word is plain English: one of the 82,000 of SymSpell's list, whatever it means.

The list (symspellpy; words of SCOWL that Google Books counts) is cut by the first letters of its
words, and that is kept: to search all of it for a word takes half a millisecond, and a set of its
words takes longer to make than a question takes to be answered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

from medweave.language.data import shipped_yaml
from medweave.language.parsed_cache import cached
from medweave.language.spelling import other_spellings

_FILE = "frequency_dictionary_en_82_765.txt"
_BEGINNING = 2
"""By so many letters the words are cut."""


@lru_cache(maxsize=1 << 14)
def is_plain_english(word: str) -> bool:
    """Whether a word in lower case is English as it stands, British or American.

    >>> is_plain_english("threat"), is_plain_english("throaat"), is_plain_english("parlor")
    (True, False, True)
    """
    listed = _by_beginning()
    return any(f"\n{form}\n" in listed.get(form[:_BEGINNING], "") for form in _forms(word))


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
def _by_beginning() -> dict[str, str]:
    """By how words begin, all of them in one text, a line for each."""
    listed = _list()
    found: dict[str, str] = cached(listed, lambda: _cut(listed))
    return found


def _cut(listed: str) -> dict[str, str]:
    words = (line.partition(" ")[0] for line in listed.splitlines())
    found: dict[str, list[str]] = defaultdict(list)
    for word in words:
        found[word[:_BEGINNING]].append(word)
    return {beginning: "\n".join(("", *some, "")) for beginning, some in found.items()}


def _list() -> str:
    """A line for each word: the word, a space, how often it was counted."""
    package = find_spec("symspellpy")  # not imported: that takes longer than all the rest
    if package is None or package.origin is None:
        raise ModuleNotFoundError("symspellpy is not installed", name="symspellpy")
    return Path(package.origin).with_name(_FILE).read_text("utf-8")
