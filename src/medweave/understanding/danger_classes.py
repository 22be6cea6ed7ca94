"""What the learned reader of danger hears: classes of words, the same ones in every language.

The words are data (`rules/danger_classes.LANGUAGE.yaml`); a class means nothing by itself.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import lower, simplified

_TOKENS = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+(?:\.\d+)?|%|[\U0001f300-\U0001faff]")
_LONG = 6
"""Words of so many letters are also heard with one letter wrong; shorter ones are too alike."""
_STEM = 2
"""A stem has at least so many letters."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A word of a class at a place of a text; `denied` where a denial stands before it."""

    name: str
    start: int
    end: int
    denied: bool = False


@dataclass(frozen=True)
class ClassWords:
    """The words of one language, made ready for looking up."""

    phrases: Mapping[tuple[str, ...], frozenset[str]]
    stems: Mapping[str, frozenset[str]]
    patterns: Mapping[str, re.Pattern[str]]
    misspelt: Mapping[str, frozenset[str]]
    """What is left of a long word without one letter: the words it may come from."""
    spelled: frozenset[str]
    """Words that only look like misspelt ones."""
    frame: frozenset[str]
    """Classes that say how something is told, and name no sign."""
    denials: re.Pattern[str]
    ends: re.Pattern[str]
    longest: int
    """Of the phrases, in words; in Chinese, in characters."""


@cache
def class_words(language: str) -> ClassWords:
    """The words that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    held = shipped_yaml("understanding", "rules", f"danger_classes.{name}.yaml")
    phrases: dict[tuple[str, ...], set[str]] = defaultdict(set)
    stems: dict[str, set[str]] = defaultdict(set)
    for one, terms in held["classes"].items():
        for term in terms:
            if term.endswith("*") and " " not in term:
                stems[term[:-1]].add(one)
            else:
                phrases[_parts(term.rstrip("*"), name)].add(one)
    phrases.pop((), None)
    frame = shipped_yaml("understanding", "rules", "danger_classes.en.yaml")["frame"]
    return ClassWords(
        {phrase: frozenset(names) for phrase, names in phrases.items()},
        {stem: frozenset(names) for stem, names in stems.items()},
        {one: re.compile(pattern) for one, pattern in held["patterns"].items()},
        _misspelt([phrase[0] for phrase in phrases if len(phrase) == 1] + list(stems)),
        frozenset(held.get("spelled", ())),
        frozenset(frame),
        re.compile(held["denials"]),
        re.compile(held["ends"]),
        max(len(phrase) for phrase in phrases),
    )


def plain(text: str, language: str) -> str:
    """A text in lower case and simplified characters, as the words are; places stay.

    >>> plain("His LIPS", "en"), plain("頭痛", "zh")
    ('his lips', '头痛')
    """
    return simplified(lower(text)) if language == "zh" else lower(text)


def heard(text: str, language: str) -> list[Heard]:
    """The classes whose words stand in a `plain` text, in the order of their places.

    >>> [(h.name, h.denied) for h in heard("no chest pain", "en")]
    [('chest', True), ('pain', True)]
    >>> [h.name for h in heard("he has a seazure", "en")]
    ['fit']
    """
    words = class_words(language)
    find = _in_chinese if language == "zh" else _in_words
    spans = {(start, end, name) for start, end, names in find(text, words) for name in names}
    for name, pattern in words.patterns.items():
        spans.update((match.start(), match.end(), name) for match in pattern.finditer(text))
    denied = _denied(text, words)
    return [
        Heard(name, start, end, any(first <= start < last for first, last in denied))
        for start, end, name in sorted(spans)
    ]


_Found = Iterator[tuple[int, int, Iterable[str]]]


def _in_words(text: str, words: ClassWords) -> _Found:
    tokens = [(match.group(), match.start(), match.end()) for match in _TOKENS.finditer(text)]
    for at, (word, start, end) in enumerate(tokens):
        known = False
        for length in range(min(words.longest, len(tokens) - at), 0, -1):
            part = tokens[at : at + length]
            names = words.phrases.get(tuple(token[0] for token in part))
            if names:
                known = True
                yield start, part[-1][2], names
        for length in range(_STEM, len(word) + 1):
            if names := words.stems.get(word[:length]):
                known = True
                yield start, end, names
        if not known and len(word) >= _LONG - 1 and word not in words.spelled:
            yield start, end, _meant(word, words)


def _in_chinese(text: str, words: ClassWords) -> _Found:
    for start in range(len(text)):
        for length in range(1, words.longest + 1):
            names = words.phrases.get(tuple(text[start : start + length]))
            if names and start + length <= len(text):
                yield start, start + length, names


def _denied(text: str, words: ClassWords) -> list[tuple[int, int]]:
    """Where what is said is denied: from a denial to where its clause ends."""
    ends = [match.start() for match in words.ends.finditer(text)]
    spans = []
    for match in words.denials.finditer(text):
        at = bisect_left(ends, match.end())
        spans.append((match.end(), ends[at] if at < len(ends) else len(text)))
    return spans


def _meant(word: str, words: ClassWords) -> set[str]:
    """The classes of the long words that differ from this one in one letter, not the first."""
    named: set[str] = set()
    for shorter in _without_a_letter(word):
        for other in words.misspelt.get(shorter, ()):
            if other[0] == word[0] and abs(len(other) - len(word)) <= 1:
                named |= words.phrases.get((other,), frozenset())
                named |= words.stems.get(other, frozenset())
    return named


def _misspelt(known: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for word in known:
        if len(word) >= _LONG and word.isascii():
            for shorter in _without_a_letter(word):
                found[shorter].add(word)
    return {shorter: frozenset(some) for shorter, some in found.items()}


def _without_a_letter(word: str) -> set[str]:
    return {word, *(word[:at] + word[at + 1 :] for at in range(1, len(word)))}


def _parts(term: str, language: str) -> tuple[str, ...]:
    """A term as the text is cut: into words, or into Chinese characters."""
    if language == "zh":
        return tuple(plain(term, language))
    return tuple(match.group() for match in _TOKENS.finditer(plain(term, language)))
