"""A clause as the reader of descriptions sees it: words, classes of words, and pairs of these.

Pairs have no order: "a spray for my heart" and "my heart has a spray" are one. The classes mean
nothing by themselves; what they weigh is learned (`training`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, pairwise
from math import sqrt

from medweave.language.data import shipped_yaml
from medweave.language.folding import lower

CLASS, PAIR, START = "@", "&", "^"
"""Before the name of a class, of a pair of them, and before how a word begins."""
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+")
_NO_HAN = re.compile(r"[^\u4e00-\u9fffa-z0-9]+")
_NUMBER = "#"
_ENDINGS = ("ing", "ies", "ed", "es", "s")
_SHORTEST = 3
"""A stem has so many letters at least."""
_BEGINNING = 4
_LONGEST_GRAM = 3


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a clause and its place; of Chinese, each run of one to three characters."""

    start: int
    end: int
    features: tuple[str, ...]
    """What it is by itself: its stem, its beginning, and its classes."""


def tokens(text: str, language: str) -> list[Token]:
    """The words of a text that may tell something, with what each is by itself.

    >>> [token.features for token in tokens("My puffers", "en")]
    [('puffer', '^puff', '@inhaler')]
    """
    return list(_in_chinese(text) if language == "zh" else _in_words(text))


def described_by(text: str, language: str) -> dict[str, float]:
    """The features of a text, each block of them brought to the length 1.

    >>> sorted(described_by("my kidney clots", "en"))  # doctest: +NORMALIZE_WHITESPACE
    ['&clot+kidney', '@clot', '@kidney', '^kidn', 'clot', 'kidney', 'kidney clot', 'my kidney']
    """
    found = tokens(text, language)
    single = {feature for token in found for feature in token.features}
    classes = sorted(feature for feature in single if feature[0] == CLASS)
    words = {*(single - set(classes)), *(() if language == "zh" else _together(text))}
    pairs = [f"{PAIR}{a[1:]}+{b[1:]}" for a, b in combinations(classes, 2)]
    return {f: 1 / sqrt(len(block)) for block in (words, classes, pairs) for f in block}


def _in_words(text: str) -> Iterator[Token]:
    classes, stops = _classes("en"), _stop_words()
    for match in _WORD.finditer(lower(text).replace("’", "'")):
        word = match.group()
        if word in stops:
            continue
        stem = _stem(word)
        parts = [stem]
        if len(stem) > _BEGINNING:
            parts.append(START + stem[:_BEGINNING])
        yield Token(*match.span(), (*parts, *(CLASS + c for c in classes.get(word, ()))))


def _together(text: str) -> Iterator[str]:
    """Two words in a row, and two that tell something with one between them."""
    stops = _stop_words()
    words = _WORD.findall(lower(text).replace("’", "'"))
    yield from map(" ".join, pairwise(w if w in stops else _stem(w) for w in words))
    telling = [_stem(word) for word in words if word not in stops]
    yield from map("_".join, zip(telling, telling[2:], strict=False))


def _in_chinese(text: str) -> Iterator[Token]:
    classes, written = _classes("zh"), lower(text)
    for size in range(1, _LONGEST_GRAM + 1):
        for start in range(len(written) - size + 1):
            gram = written[start : start + size]
            if not _NO_HAN.search(gram):
                yield Token(start, start + size, (gram,))
    for word, names in classes.items():
        at = written.find(word)
        if at >= 0:
            yield Token(at, at + len(word), tuple(CLASS + name for name in names))


@lru_cache(maxsize=1 << 14)  # the same words are met again and again
def _stem(word: str) -> str:
    if word.isdigit():
        return _NUMBER
    bare = word.replace("'s", "").replace("'", "")
    for ending in _ENDINGS:
        if bare.endswith(ending) and len(bare) - len(ending) >= _SHORTEST:
            return bare[: -len(ending)]
    return bare


@cache
def _stop_words() -> frozenset[str]:
    return frozenset(_rules()["stop_words"])


@cache
def _classes(language: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, words in _rules()["classes"][language].items():
        for word in words:
            found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


def _rules() -> Mapping[str, Mapping[str, Mapping[str, Iterable[str]]]]:
    held: Mapping[str, Mapping[str, Mapping[str, Iterable[str]]]] = shipped_yaml(
        "understanding", "descriptions", "rules", "word_classes.yaml"
    )
    return held
