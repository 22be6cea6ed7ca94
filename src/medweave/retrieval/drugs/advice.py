"""What was advised for and what against, in the words of a piece of advice; and where two disagree.

Rules, not understanding: a clause with a word such as "avoid" speaks against what it names, other
clauses of advice speak for it, and what stands behind "if" says nothing. Two pieces of advice
disagree where one speaks for what the other speaks against.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.segmentation import language_of, words
from medweave.language.stems import stem_of

_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_SHORTEST = 3
"""Letters of an English word that may be what is advised."""
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Advised:
    """What a sentence of advice says of one thing: for it or against it."""

    word: str
    """As it is written."""
    sentence: str
    against: bool


@dataclass(frozen=True, slots=True)
class Opposed:
    """What two pieces of advice disagree about, and the sentence of each that shows it."""

    words: tuple[str, ...]
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class _Rules:
    clause: re.Pattern[str]
    condition: re.Pattern[str]
    against: re.Pattern[str]
    ended: re.Pattern[str]
    none: frozenset[str]


def advised(sentences: Iterable[str]) -> dict[str, Advised]:
    """What some sentences of advice speak for or against, by stem; the first word of each counts.

    >>> found = advised(["Rest, but avoid alcohol.", "If it bleeds, drink water."])
    >>> {stem: one.against for stem, one in found.items()}
    {'rest': False, 'alcohol': True}
    """
    found: dict[str, Advised] = {}
    for sentence in sentences:
        for stem, word, against in _stated(sentence):
            found.setdefault(stem, Advised(word, sentence, against))
    return found


def opposed(first: Mapping[str, Advised], second: Mapping[str, Advised]) -> Opposed | None:
    """What two pieces of advice disagree about, None where nothing is seen.

    >>> old = advised(["You should stay in bed and avoid walking."])
    >>> new = advised(["Walk a little every hour."])
    >>> opposed(old, new)
    Opposed(words=('walking',), first='You should stay in bed and avoid walking.', second='Walk a little every hour.')
    """  # noqa: E501 - what an example shows is one line
    both = [
        (one, second[stem])
        for stem, one in first.items()
        if stem in second and second[stem].against != one.against
    ]
    if not both:
        return None
    shown = [pair for pair in both if pair[0].sentence == both[0][0].sentence]
    shown = [pair for pair in shown if pair[1].sentence == both[0][1].sentence]
    named = tuple(one.word for one, _ in shown)[:_MOST_WORDS]
    return Opposed(named, both[0][0].sentence, both[0][1].sentence)


def _stated(sentence: str) -> Iterator[tuple[str, str, bool]]:
    """(stem, word, whether it is advised against) of a sentence, in order."""
    language = language_with_rules(language_of(sentence))
    rules = _rules(language)
    text = rules.condition.split(sentence.lower().replace("’", "'"), maxsplit=1)[0]
    for clause in filter(None, rules.clause.split(text)):
        cue = rules.against.search(clause)
        if cue is None or language == "zh":
            yield from _named(clause, rules, language, against=cue is not None)
            continue
        yield from _named(clause[: cue.start()], rules, language, against=False)
        behind = clause[cue.end() :]
        end = rules.ended.search(behind)
        yield from _named(behind[: end.start()] if end else behind, rules, language, against=True)


def _named(
    clause: str, rules: _Rules, language: str, *, against: bool
) -> Iterator[tuple[str, str, bool]]:
    if language == "zh":
        found = words(clause)
        pairs = ("".join(pair) for pair in pairwise(clause.strip()))
        for word in dict.fromkeys((*found, *pairs)):
            if word not in rules.none and _is_han(word) and not rules.against.search(word):
                yield word, word, against
        return
    for match in _WORD.finditer(clause):
        word = match.group()
        stem = stem_of(word)
        if len(word) >= _SHORTEST and stem and stem not in rules.none and word not in rules.none:
            yield stem, word, against


def _is_han(word: str) -> bool:
    return all("\u4e00" <= letter <= "\u9fff" for letter in word)


@cache
def _rules(language: str) -> _Rules:
    entry = shipped_yaml("retrieval", "drugs", "advice_polarity.yaml")[language]
    none = frozenset(entry["none"]) | {stem_of(word) for word in entry["none"]}
    clause, condition, against, ended = (
        re.compile(entry[name]) for name in ("clause", "condition", "against", "ended")
    )
    return _Rules(clause, condition, against, ended, none)
