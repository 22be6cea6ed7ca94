"""What the learned reader of danger hears: classes of words, the same ones in every language.

The words are data (`rules/word_classes.LANGUAGE.yaml`); a class means nothing by itself.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial

from medweave.language.cues import denied_of
from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.passage import Passage
from medweave.language.prefilter import Expression, Prefilter, required_words

_TOKENS = re.compile(r"[a-z]+(?:'[a-z]+)*|\d+(?:\.\d+)?|%|[\U0001f300-\U0001faff]")
_NUMBER = re.compile(r"\d")
_LONG = 6
"""Words of so many letters are also heard with one letter wrong; shorter ones are too alike."""
_END = 3
"""So many letters are an end of a word."""
_STEM = 2
"""A stem has at least so many letters."""
WORDS = "word_classes"
"""The file with the classes of danger."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A word of a class at a place of a text; `denied` where a denial stands before it."""

    name: str
    start: int
    end: int
    denied: bool = False


@dataclass(frozen=True, eq=False)
class ClassWords:
    """The words of one language, made ready for looking up."""

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], Sequence[str]]]]
    """By its first word or Chinese character: the rest of each phrase, and its classes."""
    stems: Mapping[str, Sequence[str]]
    patterns: Prefilter[tuple[str, bool, Expression]]
    """A class, whether it is told in numbers alone, and how it is told."""
    spelled: frozenset[str]
    """Words that only look like misspelt ones."""

    @cached_property
    def long_words(self) -> Mapping[str, Sequence[str]]:
        """Words and stems that are also heard with one letter wrong, by both of their ends.

        One wrong letter leaves one end or the other as it is.
        """
        alone = (first for first, some in self.phrases.items() if any(not rest for rest, _ in some))
        found: dict[str, list[str]] = defaultdict(list)
        for word in {*alone, *self.stems}:
            if len(word) >= _LONG and word.isascii():
                found[f"{word[:_END]}-"].append(word)
                found[f"{word[0]}-{word[-_END:]}"].append(word)
        return found


@cache
def class_words(language: str, of: str = WORDS) -> ClassWords:
    """The words that ship for a language; English where there are none for it."""
    name = language_with_rules(language)
    held = shipped_yaml("understanding", "danger", "rules", f"{of}.{name}.yaml")
    phrases: dict[str, dict[tuple[str, ...], list[str]]] = defaultdict(dict)
    stems: dict[str, list[str]] = defaultdict(list)
    for one, terms in held["classes"].items():
        for term in terms:
            if term[-1] == "*" and " " not in term:
                stems[term[:-1]].append(one)
            elif parts := _parts(term, name):
                phrases[parts[0]].setdefault(parts[1:], []).append(one)
    return ClassWords(
        {first: tuple(some.items()) for first, some in phrases.items()},
        stems,
        Prefilter(
            ((one, r"\d" in pattern, Expression(pattern)), required_words(pattern))
            for one, pattern in held["patterns"].items()
        ),
        frozenset(held.get("spelled", ())),
    )


@cache
def frame() -> frozenset[str]:
    """Classes that say how something is told, and name no sign."""
    return frozenset(
        shipped_yaml("understanding", "danger", "rules", "word_classes.en.yaml")["frame"]
    )


@cache
def setting() -> frozenset[str]:
    """Classes that say of whom, where, when and how much, and not what is wrong; the frame, too."""
    held = shipped_yaml("understanding", "danger", "rules", "word_classes.en.yaml")["setting"]
    return frame() | frozenset(held)


def heard(passage: Passage, of: str = WORDS) -> list[Heard]:
    """The classes whose words stand in a passage, in the order of their places.

    `of` is the file that holds them.

    >>> from medweave.language.passage import passage_of
    >>> [(h.name, h.denied) for h in heard(passage_of("no chest pain"))]
    [('chest', True), ('pain', True)]
    >>> [h.name for h in heard(passage_of("he has a seazure"))]
    ['fit', 'shaky']
    """
    key = heard, of
    if key not in passage.readings:
        passage.readings[key] = _heard(passage, of)
    found: list[Heard] = passage.readings[key]
    return found


def _heard(passage: Passage, of: str) -> list[Heard]:
    text, language = passage.hidden, language_with_rules(passage.language)
    words = class_words(language, of)
    find = _in_chinese if language == "zh" else _in_words
    spans = {(start, end, name) for start, end, names in find(text, words) for name in names}
    numbers = _NUMBER.search(text) is not None
    for name, in_numbers, pattern in words.patterns.of(text):
        if numbers or not in_numbers:
            spans.update(
                (match.start(), match.end(), name) for match in pattern.compiled.finditer(text)
            )
    found = sorted(spans)
    denied = denied_of(passage, dict.fromkeys((start, end) for start, end, _ in found))
    return [Heard(name, start, end, (start, end) in denied) for start, end, name in found]


_Found = Iterator[tuple[int, int, Iterable[str]]]


def _in_words(text: str, words: ClassWords) -> _Found:
    matches = list(_TOKENS.finditer(text))
    tokens = [match.group() for match in matches]
    for at, meaning in enumerate(map(partial(_meaning_of, words), tokens)):
        if meaning is None:
            continue
        known = False
        for rest, names in meaning.phrases:
            if not rest or tuple(tokens[at + 1 : at + 1 + len(rest)]) == rest:
                known = True
                yield matches[at].start(), matches[at + len(rest)].end(), names
        if meaning.stems or (meaning.meant and not known):
            yield *matches[at].span(), meaning.stems or meaning.meant


@dataclass(frozen=True, slots=True)
class _WordMeaning:
    """What one word may tell."""

    phrases: Sequence[tuple[tuple[str, ...], Sequence[str]]]
    """The rest of each phrase that it begins, and its classes."""
    stems: frozenset[str]
    """The classes of the stems that it begins with."""
    meant: frozenset[str]
    """Where it is misspelt, the classes of what it means."""


@lru_cache(maxsize=1 << 14)  # the same words are met again and again
def _meaning_of(words: ClassWords, word: str) -> _WordMeaning | None:
    """What a word may tell; None for most."""
    phrases = words.phrases.get(word, ())
    stems = {n for end in range(_STEM, len(word) + 1) for n in words.stems.get(word[:end], ())}
    misspelt = not stems and len(word) >= _LONG - 1 and word not in words.spelled
    classes = _classes_if_misspelt(word, words) if misspelt else ()
    if not (phrases or stems or classes):
        return None
    return _WordMeaning(phrases, frozenset(stems), frozenset(classes))


def _in_chinese(text: str, words: ClassWords) -> _Found:
    for start, character in enumerate(text):
        for rest, names in words.phrases.get(character, ()):
            end = start + 1 + len(rest)
            if not rest or tuple(text[start + 1 : end]) == rest:
                yield start, end, names


def _classes_if_misspelt(word: str, words: ClassWords) -> set[str]:
    """The classes of the long words that differ from this one in one letter, not the first."""
    named: set[str] = set()
    ends = (f"{word[:_END]}-", f"{word[0]}-{word[-_END:]}")
    for other in {other for end in ends for other in words.long_words.get(end, ())}:
        if abs(len(other) - len(word)) <= 1 and _one_letter_apart(word, other):
            named.update(*(names for rest, names in words.phrases.get(other, ()) if not rest))
            named.update(words.stems.get(other, ()))
    return named


def _one_letter_apart(one: str, other: str) -> bool:
    """Whether one letter more, less, in place of another, or out of its place is all.

    >>> [_one_letter_apart("seazure", o) for o in ("seizure", "seazures", "measure")]
    [True, True, False]
    >>> _one_letter_apart("breahting", "breathing")
    True
    """
    same = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        same += 1
    mine, theirs = one[same:], other[same:]
    if mine[1:] == theirs[1:] or mine[1:] == theirs or mine == theirs[1:]:
        return True
    return mine[1:2] + mine[:1] + mine[2:] == theirs


def _parts(term: str, language: str) -> tuple[str, ...]:
    """A term as the text is cut: into words, or into Chinese characters."""
    if language == "zh":
        return tuple(term)
    parts = tuple(term.split())
    plainly = term.isascii() and all(map(str.isalpha, parts))  # most are, and it is faster
    return parts if plainly else tuple(_TOKENS.findall(term))
