"""A text made ready to be read: in lower case, cut into sentences and clauses, once for all.

What stands in it (names, values, people) is looked for by others; where sentences and clauses end
is decided here alone.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import blotted, lower, simplified
from medweave.language.segmentation import SENTENCE_END, language_of

CLAUSE_MARK = re.compile(r"[,，:：](?!\d)|[()（）]")
"""A mark at which a clause ends within its sentence; a point in Chinese lists (、) is none."""

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Passage:
    """One text as all readers see it; every place is a place of `text`.

    `plain` is the text in lower case and simplified characters; `hidden` is the same with the names
    in it overwritten, so that no word of a name is read as anything else ("lack of growth" denies
    nothing beside it).

    >>> passage = passage_of("No fever. He coughs, and sleeps well")
    >>> [passage.plain[slice(*span)].strip() for span in passage.sentences]
    ['no fever.', 'he coughs, and sleeps well']
    >>> passage.plain[slice(*passage.clause_at(14))].strip()
    'he coughs,'
    """

    text: str
    language: str
    names: tuple[Span, ...]
    plain: str
    hidden: str

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, one behind the other; together they are the whole text."""
        return _sentences(self.plain)

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """The clauses, one behind the other: what lies between marks, and before a new subject."""
        return _clauses(self.plain, self.language)

    def sentence_at(self, place: int) -> Span:
        """The sentence in which a place lies."""
        return _span_at(self.sentences, place)

    def clause_at(self, place: int) -> Span:
        """The clause in which a place lies."""
        return _span_at(self.clauses, place)


def passage_of(text: str, language: str = "", names: Iterable[Span] = ()) -> Passage:
    """A text as readers see it; `names` are the spans of names, which are no words of their own."""
    return _passage(text, language or language_of(text), tuple(names))


@lru_cache(maxsize=16)
def _passage(text: str, language: str, names: tuple[Span, ...]) -> Passage:
    plain = simplified(lower(text)) if language == "zh" else lower(text)
    return Passage(text, language, names, plain, blotted(plain, names, "x"))


def _span_at(spans: tuple[Span, ...], place: int) -> Span:
    if len(spans) == 1:
        return spans[0]
    return spans[max(0, bisect_right(spans, (place, sys.maxsize)) - 1)]


@lru_cache(maxsize=16)
def _sentences(plain: str) -> tuple[Span, ...]:
    ends = [match.end() for match in SENTENCE_END.finditer(plain)]
    return _parts([0, *ends, len(plain)])


def _clauses(plain: str, language: str) -> tuple[Span, ...]:
    starts = {start for start, _ in _sentences(plain)}
    starts |= {match.end() for match in CLAUSE_MARK.finditer(plain)}
    starts |= {match.start() for match in _joint(language).finditer(plain)}
    return _parts([0, *sorted(starts), len(plain)])


@cache
def _joint(language: str) -> re.Pattern[str]:
    """A word that joins a clause of its own to what stands before it."""
    rules = shipped_yaml("language", "rules", f"people.{language_with_rules(language)}.yaml")
    return re.compile("|".join(rules["joints"]))


def _parts(starts: list[int]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end in pairwise(starts) if start < end) or (
        (0, starts[-1]),
    )
