"""A question as features: words, with names replaced by their concepts, and short n-grams.

Document K represents "How to prevent a cold?" as {how, prevent, @disease}, so that what is learned
about one disease holds for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from medweave.language.data import shipped_yaml
from medweave.language.segmentation import is_han, symbol_runs, words

PLACEHOLDERS = {
    "disease": "@disease",
    "symptom": "@symptom",
    "drug": "@drug",
    "drug_class": "@drug",
}
"""Concepts whose names stand aside; other names are words like any others."""
_LETTERS = (3, 4, 5)


@dataclass(frozen=True, slots=True)
class Name:
    """Where a name stands in a text, and its concept."""

    start: int
    end: int
    concept: str


@dataclass(frozen=True, slots=True)
class AskedText:
    """A question as the classifiers of intents see it: its text and the names in it."""

    text: str
    names: tuple[Name, ...] = ()


def word_features(asked: AskedText) -> frozenset[str]:
    """The set of words that document K's classifier counts: placeholders in, stop words out.

    >>> sorted(word_features(AskedText("How to prevent a cold?", (Name(17, 21, "disease"),))))
    ['@disease', 'how', 'prevent']
    """
    found = {part if placeholder else word
             for part, placeholder in _parts(asked)
             for word in ([part] if placeholder else words(part))}  # fmt: skip
    return frozenset(found - stop_words())


def gram_features(asked: AskedText) -> Counter[str]:
    """One and two symbols in a row, and pieces of words, counted.

    A symbol is a Chinese character, a word of another script, or a placeholder.

    >>> grams = gram_features(AskedText("感冒怎么办", (Name(0, 2, "disease"),)))
    >>> sorted(grams)
    ['@disease', '@disease 怎', '么', '么 办', '办', '怎', '怎 么']
    """
    symbols = list(_symbols(asked))
    grams = Counter(symbols)
    grams.update(f"{one} {next_}" for one, next_ in pairwise(symbols))
    for symbol in symbols:
        if symbol[0] != "@" and not is_han(symbol):
            grams.update(_pieces(symbol))
    return grams


def only_names(asked: AskedText) -> bool:
    """Whether a text says nothing beside names.

    >>> only_names(AskedText("asthma?", (Name(0, 6, "disease"),)))
    True
    """
    said = (word for part, placeholder in _parts(asked) if not placeholder for word in words(part))
    return all(word in stop_words() for word in said)


@cache
def stop_words() -> frozenset[str]:
    """Words that say nothing about what is asked."""
    return frozenset(shipped_yaml("understanding", "rules", "stop_words.yaml")["words"])


def _parts(asked: AskedText) -> Iterable[tuple[str, bool]]:
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


def _symbols(asked: AskedText) -> Iterable[str]:
    for part, placeholder in _parts(asked):
        if placeholder:
            yield part
            continue
        for run in symbol_runs(part):
            yield from (run if is_han(run) else (run,))


def _pieces(word: str) -> Iterable[str]:
    framed = f"_{word}_"
    for length in _LETTERS:
        if length < len(framed):
            yield from (framed[at : at + length] for at in range(len(framed) - length + 1))
