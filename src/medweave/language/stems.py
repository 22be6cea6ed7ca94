"""The words of a text by their stems, so that who itches meets a name with "itching" in it.

English words are stemmed by Snowball's English stemmer (Porter's second algorithm). Chinese is
taken in pairs of characters, so that no word is missed for being cut elsewhere.
Words that say nothing of what is meant are left out.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any, NamedTuple

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_han, stop_names

_HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_HAN}]+|[^\W\d_{_HAN}]+")
MOST_STEMS = 24
_LONGEST = 40
"""Longer runs of letters are no words."""


class Stem(NamedTuple):
    """A stem, and where its word stands in the text."""

    start: int
    end: int
    text: str


def stems(text: str) -> Iterator[Stem]:
    """The stems of a text in order, with repeats.

    >>> [stem.text for stem in stems("My skin is itchy and itches")]
    ['skin', 'itchi', 'itch']
    >>> [stem.text for stem in stems("喉咙肿痛")]
    ['喉咙', '咙肿', '肿痛']
    """
    for run in _RUN.finditer(text):
        start, end = run.span()
        if is_han(run.group()):
            for place in range(start, end - 1):
                pair = unicodedata.normalize("NFKC", text[place : place + 2])
                if pair not in _plain():
                    yield Stem(place, place + 2, pair)
        elif 1 < end - start <= _LONGEST and (found := stem_of(run.group())):
            yield Stem(start, end, found)


def stem_texts(text: str) -> frozenset[str]:
    """The stems of a text, each once, wherever they stand.

    >>> sorted(stem_texts("Itching skin itches"))
    ['itch', 'skin']
    """
    return frozenset(stem.text for stem in stems(text))


@lru_cache(maxsize=1 << 12)  # a text names the same things again and again
def name_stems(name: str) -> frozenset[str]:
    """The stems of a name, each once; a name of more than `MOST_STEMS` is a text and has none.

    >>> sorted(name_stems("Itching of the skin"))
    ['itch', 'skin']
    """
    found = stem_texts(name)
    return found if len(found) <= MOST_STEMS else frozenset()


@lru_cache(maxsize=1 << 14)  # a message is held against dialogues of thousands of words
def stem_of(word: str) -> str:
    """The stem of one word that is not Chinese; nothing for one that tells nothing."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    stem: str = _stemmer().stemWord(folded)
    return "" if folded in _plain() or stem in _plain() else stem


def bare_stem(word: str) -> str:
    """The stem of one word that is not Chinese, whether it tells anything or not.

    >>> bare_stem("Downs"), bare_stem("what")
    ('down', 'what')
    """
    stem: str = _stemmer().stemWord(unicodedata.normalize("NFKC", word).casefold())
    return stem


@cache
def _plain() -> frozenset[str]:
    words = shipped_yaml("language", "rules", "plain_words.yaml")
    return frozenset({*words["en"], *words["zh"], *stop_names()})


@cache
def _stemmer() -> Any:
    import Stemmer  # when a name is first compared

    return Stemmer.Stemmer("english")
