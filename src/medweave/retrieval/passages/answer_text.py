"""An answer as features see it: its words in order, what it calls its subject, how it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

from medweave.retrieval.passages.question_kinds import (
    content_terms,
    focus_terms,
    kinds_answered,
)
from medweave.retrieval.passages.sentence_words import sentence_rule

BEGINNING = 300
"""Characters of an answer that tell what it is about, and of which kind it is."""
_NAMING = 600
"""Characters in which an answer says what else its subject is called."""
_CHIEF = 6
"""So many of its most telling words say what an answer is about."""


@dataclass(frozen=True, slots=True)
class Name:
    """Words that stand for something, and how telling they are together."""

    terms: frozenset[str]
    weight: float

    @classmethod
    def of(cls, terms: Iterable[str], rarity: Callable[[str], float]) -> Name:
        """These words, each once."""
        different = frozenset(terms)
        return cls(different, sum(map(rarity, sorted(different))))


@dataclass(frozen=True, slots=True)
class AnswerText:
    """An answer that was read; `begins` is how many of its terms lie in its beginning."""

    terms: tuple[str, ...]
    begins: int
    subject: Name
    names: tuple[Name, ...]
    """What else it says its subject is called."""
    kinds: frozenset[str]
    size: float
    """The length of the vector of its words by how telling they are."""
    chief: Name
    """Its most telling words that come more than once."""

    def places(self, term: str) -> Iterator[int]:
        """Where a term stands."""
        found = -1
        try:
            while True:
                found = self.terms.index(term, found + 1)
                yield found
        except ValueError:
            return


def beginning_of(text: str) -> str:
    """The first words of an answer.

    >>> len(beginning_of("fever " * 100))
    299
    """
    return text if len(text) <= BEGINNING else text[:BEGINNING].rsplit(" ", 1)[0]


def read_answer_text(
    text: str, terms: Sequence[str], begins: int, rarity: Callable[[str], float]
) -> AnswerText:
    """Read an answer once, for all questions; `rarity` says how telling a word is."""
    match = sentence_rule("subject").match(beginning_of(text))
    subject = focus_terms(match["subject"]) if match else []
    counts = Counter(terms)
    weights = {term: (1 + log(count)) * rarity(term) for term, count in counts.items()}
    often = [term for term, count in counts.items() if count > 1]
    return AnswerText(
        tuple(terms),
        begins,
        Name.of(subject, rarity),
        tuple(Name.of(terms, rarity) for terms in _names(text[:_NAMING])),
        kinds_answered(beginning_of(text)),
        sqrt(sum(weight * weight for weight in weights.values())) or 1.0,
        Name.of(sorted(often, key=lambda term: (-weights[term], term))[:_CHIEF], rarity),
    )


def _names(text: str) -> Iterator[list[str]]:
    for match in sentence_rule("also_called").finditer(text):
        if terms := content_terms(match["name"] or match["inside"]):
            yield terms
