"""British and American spellings of one word: "diarrhoea" and "diarrhea"."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from medweave.language.data import shipped_yaml
from medweave.language.folding import singular

BRITISH, AMERICAN = 0, 1
_Speller = tuple[re.Pattern[str], dict[str, str]]


def other_spellings(key: str) -> tuple[str, ...]:
    """A folded name as it may be spelled elsewhere, all British and all American; not as it is.

    >>> other_spellings("anaemia of the fetus")
    ('anaemia of the foetus', 'anemia of the fetus')
    >>> other_spellings("cough")
    ()
    """
    if not key.isascii():
        return ()
    words = [_spellings(word) for word in key.split(" ")]
    spelled = (" ".join(word[way] for word in words) for way in (BRITISH, AMERICAN))
    return tuple(other for other in dict.fromkeys(spelled) if other != key)


@lru_cache(maxsize=1 << 15)
def is_spelled_two_ways(word: str) -> bool:
    """Whether a folded word, in the singular, has another spelling."""
    return bool(other_spellings(singular(word)))


@lru_cache(maxsize=1 << 15)
def _spellings(word: str) -> tuple[str, str]:
    """A word as the British and as the Americans write it."""
    if not _speller(BRITISH)[0].search(word):  # as most
        return word, word
    return _spelled(word, BRITISH), _spelled(word, AMERICAN)


def _spelled(text: str, way: int) -> str:
    pattern, others = _speller(way)
    return pattern.sub(lambda found: others[found.group()], text)


@cache
def _speller(way: int) -> _Speller:
    """What finds every part, in either spelling, and what to write for it.

    A part that is right already is found, too: "edem" in "oedema" is not to be written anew.
    """
    parts = shipped_yaml("language", "rules", "spellings.yaml")["parts"]
    others: dict[str, str] = {}
    patterns: dict[str, str] = {}
    for pair in parts:
        begins = r"\b" if pair[BRITISH].startswith("^") else ""
        for part in (spelling.lstrip("^") for spelling in pair):
            others[part] = pair[way].lstrip("^")
            patterns[part] = begins + part
    longest_first = sorted(patterns, key=len, reverse=True)
    return re.compile("|".join(patterns[part] for part in longest_first)), others
