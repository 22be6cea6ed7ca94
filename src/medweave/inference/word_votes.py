"""Votes of single words: for the diseases that show findings with these words in their names.

    vote(w, d) = idf(w) * max over findings f of d that have w in a name of
                 sqrt(share of that name found in the question) * strength(d, f)
    idf(w) = ln(1 + F / F(w)),  F findings in the base, F(w) with w in a name

A word votes once for a disease, however many of its findings have it: else diseases with many
kinds of pain would explain every pain. The square root is between a word that counts wholly
wherever it stands, and one that counts for no more than its share of a name. Measured: decision 17.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import log, sqrt

from medweave.model.edge import Edge
from medweave.model.question import FINDINGS, Word
from medweave.vocabulary.knowledge import Knowledge

MOST_NAMES = 100
"""So many names that share words are looked at, those of which the most was found; 300 led to the
same answers on all sets of decision 17."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What a word says for a disease, and the statement by which it does."""

    word: Word
    weight: float
    statement: int


@dataclass(frozen=True, slots=True)
class WordVotes:
    """By disease (its number) and stem, the best vote."""

    votes: Mapping[int, Mapping[str, Vote]]
    idf: Mapping[str, float]
    """Of each stem, in the order of the text: sums come out the same to the last digit."""

    @property
    def whole(self) -> float:
        """What all words could give."""
        return sum(self.idf.values())

    def by_at_least(self, words: int) -> set[int]:
        """The diseases for which so many words vote."""
        return {disease for disease, by_stem in self.votes.items() if len(by_stem) >= words}

    def of(self, numbers: Iterable[int]) -> dict[str, Vote]:
        """The best vote of each word for a disease by all its numbers, in the order of the text."""
        mine = [self.votes[number] for number in numbers if number in self.votes]
        best: dict[str, Vote] = {}
        for stem in self.idf if mine else ():
            votes = [by_stem[stem] for by_stem in mine if stem in by_stem]
            if votes:
                best[stem] = max(votes, key=lambda vote: (vote.weight, -vote.statement))
        return best


NO_VOTES = WordVotes({}, {})


def word_votes(
    words: Iterable[Word],
    knowledge: Knowledge,
    edges_of: Callable[[Iterable[int]], Iterable[Edge]],
) -> WordVotes:
    """What the words of a question say for each disease."""
    by_stem = {word.stem: word for word in words}
    total = sum(knowledge.mentioned_as(concept) for concept in FINDINGS)
    idf = {stem: log(1 + total / word.findings) for stem, word in by_stem.items()}
    shares = _shares(by_stem, knowledge)
    votes: dict[int, dict[str, Vote]] = {}
    for edge in edges_of(shares) if shares else ():
        for stem, share in shares.get(edge.object, {}).items():
            weight = idf[stem] * sqrt(share) * edge.weight
            mine = votes.setdefault(edge.subject, {})
            if weight > 0 and (stem not in mine or weight > mine[stem].weight):
                mine[stem] = Vote(by_stem[stem], weight, edge.statement)
    return WordVotes(votes, idf)


def _shares(by_stem: Mapping[str, Word], knowledge: Knowledge) -> dict[int, dict[str, float]]:
    """By finding and stem, how much was found of the name in which the stem stands.

    Of a recognised name all words are needed: chest pain is no muscle pain.
    """
    shares: dict[int, dict[str, float]] = {}
    for name in knowledge.store.sharing_words(by_stem, FINDINGS, limit=MOST_NAMES):
        shared = [stem for stem in name.words if by_stem[stem].name <= name.words]
        mine = shares.setdefault(name.thing, {})
        for stem in shared:
            mine[stem] = max(mine.get(stem, 0.0), len(shared) / name.of)
    return shares
