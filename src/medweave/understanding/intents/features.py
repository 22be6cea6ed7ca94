"""A question as features: words, names as their concepts, n-grams, and families of words.

Document K represents "How to prevent a cold?" as {how, prevent, @disease}, so that what is learned
about one disease holds for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, pairwise

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_han, symbol_runs, words
from medweave.understanding.intents.word_families import word_families

PLACEHOLDERS = {
    "disease": "@disease",
    "symptom": "@symptom",
    "drug": "@drug",
    "drug_class": "@drug",
}
"""Concepts whose names stand aside; other names are words like any others."""
_LETTERS = 3
"""In a piece of a word. Longer pieces beside these tell nothing more."""
APART, FAMILY = "~", "#"
"""The first signs of features that are views of their own; no symbol begins with them."""
_FIRST, _LAST = "^", "$"
_REACH = 3
"""So many symbols away, at most, a symbol is paired with another one."""


@dataclass(frozen=True, slots=True)
class Name:
    """Where a name stands in a text, and its concept."""

    start: int
    end: int
    concept: str


@dataclass(frozen=True, slots=True)
class QuestionText:
    """A question as the classifiers of intents see it: its text and the names in it."""

    text: str
    names: tuple[Name, ...] = ()


def word_features(asked: QuestionText) -> frozenset[str]:
    """The set of words that document K's classifier counts: placeholders in, stop words out.

    >>> sorted(word_features(QuestionText("How to prevent a cold?", (Name(17, 21, "disease"),))))
    ['@disease', 'how', 'prevent']
    """
    found = {part if placeholder else word
             for part, placeholder in _parts(asked)
             for word in ([part] if placeholder else words(part))}  # fmt: skip
    return frozenset(found - stop_words())


def gram_features(asked: QuestionText) -> Counter[str]:
    """One and two symbols in a row, and pieces of words, counted.

    A symbol is a Chinese character, a word of another script, or a placeholder.

    >>> grams = gram_features(QuestionText("感冒怎么办", (Name(0, 2, "disease"),)))
    >>> sorted(grams)
    ['@disease', '@disease 怎', '么', '么 办', '办', '怎', '怎 么']
    """
    return _grams(_symbols(_runs(asked)))


def intent_features(asked: QuestionText) -> Counter[str]:
    """What the linear model of intents is given: `gram_features`, and three things more.

    How the question begins and ends (^, $); pairs of symbols with others between them (~); and the
    families of its words (#).

    >>> found = intent_features(QuestionText("how is gout cured", (Name(7, 11, "disease"),)))
    >>> sorted(feature for feature in found if feature[0] in "^$")
    ['$@disease cured', '$cured', '^how', '^how is']
    >>> sorted(feature for feature in found if feature[0] in "~#")
    ['#how', '#treat', '~how @disease', '~how cured', '~is cured']
    """
    parts = _runs(asked)
    symbols = _symbols(parts)
    features = _grams(symbols)
    for length in (1, 2):
        if length <= len(symbols):
            features[_FIRST + " ".join(symbols[:length])] = 1
            features[_LAST + " ".join(symbols[-length:])] = 1
    for reach in range(2, _REACH + 1):
        pairs = zip(symbols, symbols[reach:], strict=False)
        features.update([f"{APART}{symbol} {other}" for symbol, other in pairs])
    features.update([FAMILY + family for family in sorted(_families(parts))])
    return features


def only_names(asked: QuestionText) -> bool:
    """Whether a text says nothing beside names.

    >>> only_names(QuestionText("asthma?", (Name(0, 6, "disease"),)))
    True
    """
    outside = (
        word for part, placeholder in _parts(asked) if not placeholder for word in words(part)
    )
    return all(word in stop_words() for word in outside)


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing about what is asked."""
    return frozenset(shipped_yaml("understanding", "intents", "rules", "stop_words.yaml")["words"])


def _parts(asked: QuestionText) -> Iterable[tuple[str, bool]]:
    """The text in pieces: what stands between names, and placeholders for those."""
    end = 0
    replaced = [name for name in asked.names if name.concept in PLACEHOLDERS]
    for name in sorted(replaced, key=lambda n: (n.start, -n.end)):
        if name.start < end:
            continue  # inside a longer name
        yield asked.text[end : name.start], False
        yield PLACEHOLDERS[name.concept], True
        end = name.end
    yield asked.text[end:], False


def _runs(asked: QuestionText) -> list[tuple[list[str], bool]]:
    """The pieces of `_parts` in runs of letters."""
    return [
        ([part] if placeholder else symbol_runs(part), placeholder)
        for part, placeholder in _parts(asked)
    ]


def _symbols(parts: Iterable[tuple[list[str], bool]]) -> list[str]:
    symbols: list[str] = []
    for runs, _ in parts:
        if "".join(runs).isascii():  # mostly: then none is Chinese
            symbols += runs
        else:
            symbols += chain.from_iterable(run if is_han(run) else (run,) for run in runs)
    return symbols


def _grams(symbols: list[str]) -> Counter[str]:
    pairs = [f"{one} {next_}" for one, next_ in pairwise(symbols)]
    return Counter(chain(symbols, pairs, *map(_pieces, symbols)))


def _families(parts: Iterable[tuple[list[str], bool]]) -> frozenset[str]:
    """Of the words beside the names: an eating disorder says nothing of eating."""
    known = word_families()
    found = (known.of_runs(runs) for runs, placeholder in parts if not placeholder)
    return frozenset[str]().union(*found)


@lru_cache(maxsize=1 << 12)  # the same words are met again and again
def _pieces(word: str) -> tuple[str, ...]:
    """Of a word; a placeholder has none."""
    framed = f"_{word}_"
    if len(framed) <= _LETTERS or word[0] == "@":
        return ()
    return tuple(framed[at : at + _LETTERS] for at in range(len(framed) - _LETTERS + 1))
