"""What speaks for an answer to a question: words, meaning, what both are about, and of which kind.

Each feature lies about between 0 and 1. What needs vectors is 0 where there are none; answers are
then weighed by weights of their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import TypeVar

from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.question_kinds import (
    content_terms,
    focus_terms,
    kinds_answered,
    kinds_asked,
)

BEGINNING = 300
"""Characters of an answer that tell what it is about, and of which kind it is."""
_SUBJECT = re.compile(
    r"^\W*(?:summary|key points|overview|what (?:is|are))?\W*"
    r"(?P<subject>[^.?!]{2,120}?)\s*[,:(?]*\s*"
    r"\b(?:is|are|was|refers?|happens?|occurs?|means?|affects?|causes?|can|may|has|have|include)\b",
    re.IGNORECASE,
)
_PLACES = 30
_LONG = 8.0
LEXICAL = (
    "words", "words at the beginning", "focus", "focus at the beginning", "focus in order",
    "focus in order at the beginning", "focus early", "subject", "subject of information",
    "subject and nothing else", "how often", "kind", "other kind", "kind unlike", "length",
)  # fmt: skip
DENSE = ("meaning", "meaning of the beginning", "like the best", "both rankings")
FEATURES = (*LEXICAL, *DENSE)
Term = TypeVar("Term")


@dataclass(frozen=True, slots=True)
class AnswerText:
    """An answer as features see it."""

    terms: Mapping[str, int]
    pairs: frozenset[tuple[str, str]]
    length: int
    beginning: tuple[str, ...]
    subject: frozenset[str]
    kinds: frozenset[str]


def answer_text(text: str) -> AnswerText:
    """Read an answer once, for all questions."""
    terms = content_terms(text)
    begins = beginning_of(text)
    counted: dict[str, int] = {}
    for term in terms:
        counted[term] = counted.get(term, 0) + 1
    match = _SUBJECT.match(begins)
    subject = focus_terms(match["subject"]) if match else []
    return AnswerText(
        counted,
        frozenset(pairwise(terms)),
        len(terms),
        tuple(content_terms(begins)),
        frozenset(subject),
        kinds_answered(begins),
    )


def beginning_of(text: str) -> str:
    """The first words of an answer.

    >>> len(beginning_of("fever " * 100))
    299
    """
    return text if len(text) <= BEGINNING else text[:BEGINNING].rsplit(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A question as features see it: what it is about, how telling each word of that is."""

    focus: Mapping[str, float]
    pairs: Mapping[tuple[str, str], float]
    kinds: frozenset[str]
    rarity: Callable[[str], float]
    """How telling any word is."""


def asked_for(question: str, index: LexicalIndex) -> AskedFor:
    """Read a question against the answers it is put to."""
    terms = focus_terms(question)
    weights = {term: index.rarity(term) for term in terms}
    pairs = {(a, b): weights[a] + weights[b] for a, b in pairwise(terms)}
    return AskedFor(weights, pairs, kinds_asked(question), index.rarity)


def lexical_features(asked: AskedFor, answer: AnswerText) -> list[float]:
    """All of `LEXICAL` but the first two, which need the whole index."""
    begins = set(answer.beginning)
    subject = _alike(asked, answer.subject)
    shared = asked.kinds & answer.kinds
    often = sum(answer.terms.get(term, 0) * weight for term, weight in asked.focus.items())
    whole = sum(asked.focus.values()) or 1.0
    return [
        _share(asked.focus, answer.terms),
        _share(asked.focus, begins),
        _share(asked.pairs, answer.pairs),
        _share(asked.pairs, frozenset(pairwise(answer.beginning))),
        _early(asked.focus, answer.beginning),
        subject,
        subject if "information" in asked.kinds else 0.0,
        float(bool(answer.subject) and answer.subject == asked.focus.keys()),
        min(1.0, 10 * often / whole / (answer.length + 20)),
        float(bool(shared)),
        0.0 if shared else float(bool(answer.kinds)),
        float(bool(answer.kinds - asked.kinds)),
        min(1.0, log(1 + answer.length) / _LONG),
    ]


def _share(wanted: Mapping[Term, float], held: Collection[Term]) -> float:
    """How much of what is wanted is held, by weight."""
    whole = sum(wanted.values())
    return sum(weight for term, weight in wanted.items() if term in held) / whole if whole else 0.0


def _alike(asked: AskedFor, subject: Collection[str]) -> float:
    """What focus and subject share, of all that either has."""
    shared = sum(weight for term, weight in asked.focus.items() if term in subject)
    other = sum(asked.rarity(term) for term in subject if term not in asked.focus)
    return shared / ((sum(asked.focus.values()) + other) or 1.0)


def _early(focus: Mapping[str, float], beginning: Sequence[str]) -> float:
    """How early the most telling word of the focus comes."""
    if not focus:
        return 0.0
    best = max(focus, key=lambda term: focus[term])
    place = beginning.index(best) if best in beginning else _PLACES
    return max(0.0, 1 - place / _PLACES)
