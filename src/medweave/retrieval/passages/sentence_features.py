"""What speaks for a sentence of a passage as an answer to a question, in numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING

from medweave.language.segmentation import is_han, stop_names, symbol_runs, words
from medweave.model.passage import HEADING
from medweave.retrieval.passages import fitting
from medweave.retrieval.passages.question_kinds import (
    answer_kinds,
    content_terms,
    sought_kinds,
    without_asking,
)
from medweave.retrieval.passages.ranking import FoundPassages, question_stems, rarities

if TYPE_CHECKING:
    from medweave.retrieval.passages.sentences import Extract

FEATURES = (
    "words", "covers", "covers with heading", "nothing else", "in order", "word for word",
    "asking words", "kind", "list",
    "defines", "agrees", "number", "meaning of the passage", "passage covers", "asks",
    "unfinished", "about itself",
)  # fmt: skip
_K1, _B = 1.2, 0.75
_UNKNOWN = 3.0
"""How telling a word is that no candidate holds."""
_ENDS = re.compile(r"[.!。！]['”\")）]*$")
_ASKS = re.compile(r"[?？]\W*$")


def length_in_words(text: str) -> int:
    """How many words a text has; two Chinese characters are one."""
    runs = symbol_runs(text)
    return round(sum(len(run) / 2 if is_han(run) else 1 for run in runs))


def sentence_features(
    found: FoundPassages, candidates: Sequence[Extract]
) -> list[dict[str, float]]:
    """`FEATURES` of each sentence."""
    return _Rows(found, candidates).all() if candidates else []


class _Rows:
    """The sentences of a question, with what is counted over all of them."""

    def __init__(self, found: FoundPassages, candidates: Sequence[Extract]) -> None:
        self._question, self._terms = found.question, found.terms
        self._candidates = candidates
        self._counted = [Counter(each.terms) for each in candidates]
        every = {term for each in candidates for term in each.terms} | set(found.terms)
        self._rarity = rarities(every, self._counted)
        asked = frozenset(words(found.question))
        self._told = {
            term: self._rarity[term] or (0.0 if is_han(term) and term not in asked else _UNKNOWN)
            for term in found.terms
        }  # two characters that only stand side by side in the question are not missing
        self._characters = [term for term in found.terms if len(term) == 1 and is_han(term)]
        self._whole = sum(self._told.values()) or 1.0
        self._mean = sum(counts.total() for counts in self._counted) / len(candidates)
        every_word = content_terms(without_asking(found.question))
        self._every_word = tuple(dict.fromkeys(every_word))
        self._order, self._full = CommonOrder(every_word), len(every_word)
        content = [term for term in every_word if term not in stop_names()]
        self._content, self._length = CommonOrder(content), len(content) or 1
        self._asking = frozenset(content).difference(found.terms)
        self._held = {one.document.id: self._share(one.holds) for one in found.passages}
        self._headings = {
            one.document.id: frozenset(content_terms(one.document.text(HEADING)))
            for one in found.passages
        }
        self._several = fitting.asks_for_several(found.question)
        kinds = sought_kinds(found.question) - {"information"}
        self._kinds = [kind for kind in answer_kinds() if kind.label in kinds]

    def all(self) -> list[dict[str, float]]:
        """The row of each sentence."""
        scores = [
            self._bm25(counts + Counter(self._under(each, counts)))
            for each, counts in zip(self._candidates, self._counted, strict=True)
        ]
        most = max(scores) or 1.0
        return [self._row(number, score / most) for number, score in enumerate(scores)]

    def _row(self, number: int, by_words: float) -> dict[str, float]:
        each, counts = self._candidates[number], self._counted[number]
        shared = [term for term in self._terms if term in counts]
        own = {term for term in counts if term in self._told or _tells(term)}
        above = self._headings[each.found.document.id].union(content_terms(each.above))
        inside = [one for one in self._characters if one in each.text]  # "salt" in "table salt"
        terms = (*self._under(each, counts), *each.terms)
        common = self._order.with_(terms)
        return {
            "words": by_words,
            "covers": self._share({*each.terms, *inside}),
            "covers with heading": self._share({*each.terms, *above, *inside}),
            "nothing else": sum(self._rarity[t] for t in shared)
            / (sum(self._rarity[t] for t in own) or 1.0),
            "in order": self._content.with_(terms) / self._length,
            "word for word": 2 * common / ((self._full + len(terms)) or 1),
            "asking words": len(self._asking & counts.keys()) / (len(self._asking) or 1),
            "kind": float(any(kind.answered.search(each.text.lower()) for kind in self._kinds)),
            "list": float(each.is_list and self._several),
            "defines": fitting.defines(self._question, self._terms, each.text),
            "agrees": fitting.agreement(self._question, each.text),
            "number": fitting.gives_number(self._question, each.text),
            "meaning of the passage": each.found.meaning or 0.0,
            "passage covers": self._held[each.found.document.id],
            "asks": float(bool(_ASKS.search(each.text))),
            "about itself": float(not each.is_list and fitting.is_about_itself(each.text)),
            "unfinished": float(not (each.is_list or _ENDS.search(each.text))),
        }

    def _under(self, extract: Extract, counts: Mapping[str, int]) -> list[str]:
        """Words of the question in the headings of a passage: a sentence need not repeat them."""
        heading = self._headings[extract.found.document.id]
        return [t for t in self._every_word if t in heading and t not in counts]

    def _share(self, held: Collection[str]) -> float:
        """How much of the question is held, by how telling its words are."""
        return sum(self._told[term] for term in self._terms if term in held) / self._whole

    def _bm25(self, counts: Counter[str]) -> float:
        norm = _K1 * (1 - _B + _B * counts.total() / self._mean)
        return sum(
            self._rarity[t] * counts[t] * (_K1 + 1) / (counts[t] + norm)
            for t in self._terms
            if counts[t]
        )


class CommonOrder:
    """How many words of a text another has in the same order, a few steps for each word.

    Source: Hyyrö, "Bit-parallel LCS-length computation revisited" (2004).

    >>> CommonOrder("how does fair skin raise risk".split()).with_("fair red skin at risk".split())
    3
    """

    def __init__(self, words: Sequence[str]) -> None:
        self._places: dict[str, int] = {}
        for at, word in enumerate(words):
            self._places[word] = self._places.get(word, 0) | 1 << at
        self._all = (1 << len(words)) - 1

    def with_(self, words: Iterable[str]) -> int:
        """The length of the longest sequence of words that both have."""
        left = self._all
        for word in words:
            met = left & self._places.get(word, 0)
            left = ((left + met) | (left - met)) & self._all
        return (self._all & ~left).bit_count()


@cache
def _tells(term: str) -> bool:
    return question_stems(f"{term} measles") != ["measl"]


def weighed(row: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of features, each by its weight."""
    return sum(row.get(name, 0.0) * weight for name, weight in weights.items())
