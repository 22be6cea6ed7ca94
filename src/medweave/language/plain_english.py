"""Whether a word is plain English: one of the 82,000 of SymSpell's list, whatever it means.

The list (symspellpy; words of SCOWL that Google Books counts, the frequent ones first) is searched
as it lies there. A set of its words would take longer to make than a question takes to be answered.
"""

from __future__ import annotations

from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path

_FILE = "frequency_dictionary_en_82_765.txt"


@lru_cache(maxsize=1 << 14)
def is_plain_english(word: str) -> bool:
    """Whether a word in lower case is English as it stands.

    >>> is_plain_english("threat"), is_plain_english("throaat")
    (True, False)
    """
    return b"\n" + word.encode() + b" " in _list()


@cache
def _list() -> bytes:
    """A line for each word: the word, a space, how often it was counted."""
    package = find_spec("symspellpy")  # not imported: that takes longer than all the rest
    if package is None or package.origin is None:
        raise ModuleNotFoundError("symspellpy is not installed", name="symspellpy")
    return b"\n" + Path(package.origin).with_name(_FILE).read_bytes()
