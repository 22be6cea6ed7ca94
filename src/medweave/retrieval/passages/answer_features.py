"""What speaks for an answer to a question: words, meaning, what both are about, and of which kind.

Each feature lies about between 0 and 1. What needs vectors is 0 where there are none; answers are
then weighed by weights of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log

from medweave.retrieval.lexical import LexicalIndex
from medweave.retrieval.passages.answer_text import AnswerText, Name
from medweave.retrieval.passages.question_kinds import focus_terms, frame_stems, sought_kinds

_PLACES = 30
_LONG = 8.0
_RARE = 10.0
LEXICAL = (
    "words", "words at the beginning", "focus", "focus at the beginning", "focus in order",
    "focus in order at the beginning", "focus early", "subject", "subject of information",
    "subject and nothing else", "how often", "kind", "other kind", "kind unlike", "length",
    "phrase", "phrase often", "phrase early", "longer to the left", "longer to the right",
    "first is longer", "another name", "about", "chief words", "chief words beside",
    "rarest missing",
)  # fmt: skip
DENSE = (
    "meaning", "meaning of the beginning", "like the best", "both rankings",
    "focus to the whole", "focus to the beginning", "beginning like the best",
)  # fmt: skip
FEATURES = (*LEXICAL, *DENSE)


@dataclass(frozen=True, slots=True)
class QuestionFeatures:
    """A question as features see it: what it is about, how telling each word of that is."""

    terms: tuple[str, ...]
    focus: Mapping[str, float]
    whole: float
    size: float
    """The length of the vector of its words."""
    rarest: str
    pairs: Mapping[tuple[str, str], float]
    kinds: frozenset[str]
    counts: Mapping[str, Mapping[int, int]]
    """How often each answer holds each word of the focus."""
    rarity: Callable[[str], float]
    """How telling any word is."""


def question_features(question: str, index: LexicalIndex) -> QuestionFeatures:
    """Read a question against the answers it is put to."""
    terms = focus_terms(question)
    weights = {term: index.rarity(term) for term in terms}
    pairs = {(a, b): weights[a] + weights[b] for a, b in pairwise(terms)}
    counts = {term: index.counts(term) for term in weights}
    whole = sum(weights.values()) or 1.0
    size = sum(weight * weight for weight in weights.values()) ** 0.5 or 1.0
    rarest = max(weights, key=lambda term: weights[term], default="")
    return QuestionFeatures(
        tuple(terms),
        weights,
        whole,
        size,
        rarest,
        pairs,
        sought_kinds(question),
        counts,
        index.rarity,
    )


def lexical_features(asked: QuestionFeatures, number: int, answer: AnswerText) -> list[float]:
    """All of `LEXICAL` but the first two, which need the whole index."""
    counts = {term: count for term, held in asked.counts.items() if (count := held.get(number))}
    begins = answer.terms[: answer.begins]
    early = {term for term in counts if term in begins}
    subject = _alike(asked, answer.subject)
    shared = asked.kinds & answer.kinds
    often = sum(count * asked.focus[term] for term, count in counts.items())
    return [
        sum(map(asked.focus.__getitem__, counts)) / asked.whole,
        sum(map(asked.focus.__getitem__, early)) / asked.whole,
        *_in_order(asked, counts, answer),
        _early(asked, counts, begins),
        subject,
        subject if "information" in asked.kinds else 0.0,
        float(bool(answer.subject.terms) and answer.subject.terms == asked.focus.keys()),
        min(1.0, 10 * often / asked.whole / (len(answer.terms) + 20)),
        float(bool(shared)),
        0.0 if shared else float(bool(answer.kinds)),
        float(bool(answer.kinds - asked.kinds)),
        min(1.0, log(1 + len(answer.terms)) / _LONG),
        *_phrase(asked, counts, answer),
        max((_alike(asked, name) for name in answer.names), default=0.0),
        *_about(asked, counts, answer),
    ]


def _in_order(
    asked: QuestionFeatures, counts: Mapping[str, int], answer: AnswerText
) -> tuple[float, float]:
    """How much of the focus's pairs of words the answer holds, and its beginning."""
    whole = sum(asked.pairs.values())
    if not whole:
        return 0.0, 0.0
    held = first = 0.0
    terms, last = answer.terms, len(answer.terms) - 1
    for (one, other), weight in asked.pairs.items():
        if one not in counts or other not in counts:
            continue
        places = [at for at in answer.places(one) if at < last and terms[at + 1] == other]
        if places:
            held += weight
            first += weight * (places[0] + 1 < answer.begins)
    return held / whole, first / whole


def _phrase(asked: QuestionFeatures, counts: Mapping[str, int], answer: AnswerText) -> list[float]:
    """The whole focus in one piece: is it there, how often, how early, and is it but a part of
    the name of something narrower."""
    size = len(asked.terms)
    if not asked.terms or any(term not in counts for term in asked.terms):
        return [0.0] * 6
    terms = answer.terms
    places = [at for at in answer.places(asked.terms[0]) if terms[at : at + size] == asked.terms]
    if not places:
        return [0.0] * 6
    left = [terms[at - 1] for at in places if at]
    right = [terms[at + size] for at in places if at + size < len(terms)]
    before = _telling(asked, left[:1]) if places[0] else 0.0
    return [
        1.0,
        min(1.0, log(1 + len(places)) / 3),
        max(0.0, 1 - places[0] / _PLACES),
        _telling(asked, left) / (len(places) + 1),
        _telling(asked, right) / (len(places) + 1),
        before,
    ]


def _telling(asked: QuestionFeatures, beside: Iterable[str]) -> float:
    """The most telling word beside a name, by how often it stands there."""
    found = Counter(
        term for term in beside if term not in asked.focus and term not in frame_stems()
    )
    return max((count * asked.rarity(term) / _RARE for term, count in found.items()), default=0.0)


def _about(asked: QuestionFeatures, counts: Mapping[str, int], answer: AnswerText) -> list[float]:
    """How much of what the answer is about is the focus, and how much is not."""
    focus = asked.focus
    product = sum((1 + log(count)) * focus[term] ** 2 for term, count in counts.items())
    chief = sum(focus[term] for term in counts if term in answer.chief.terms)
    return [
        product / asked.size / answer.size,
        chief / asked.whole,
        max(0.0, answer.chief.weight - chief) / _RARE / _RARE,
        float(asked.rarest not in counts),
    ]


def _alike(asked: QuestionFeatures, name: Name) -> float:
    """What focus and name share, of all that either has."""
    shared = sum(weight for term, weight in asked.focus.items() if term in name.terms)
    if not shared:
        return 0.0
    return shared / ((asked.whole + max(0.0, name.weight - shared)) or 1.0)


def _early(asked: QuestionFeatures, counts: Mapping[str, int], beginning: Sequence[str]) -> float:
    """How early the most telling word of the focus comes."""
    if asked.rarest not in counts or asked.rarest not in beginning:
        return 0.0
    return max(0.0, 1 - beginning.index(asked.rarest) / _PLACES)
