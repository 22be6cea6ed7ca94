"""A text made ready to be read: in lower case, cut into sentences and clauses, once for all.

What stands in it (names, values, people) is looked for by others; where sentences and clauses end
is decided here alone.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, wraps
from itertools import pairwise
from typing import Any, TypeVar

from medweave.language.data import language_with_rules, shipped_yaml
from medweave.language.folding import blotted, lower, simplified, with_commas_for_blanks
from medweave.language.segmentation import SENTENCE_END, language_of

Span = tuple[int, int]
CLAUSE_MARK = re.compile(r"[,，:：](?!\d)|[()（）]")
"""A mark at which a clause ends within its sentence; a point in Chinese lists (、) is none."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class About:
    """Of whom a text tells and asks, where it tells of several.

    >>> about = About("mum", "Mum has gout, dad has asthma", ((13, 28),))
    >>> about.elsewhere_in("dad has asthma")
    ((0, 14),)
    """

    who: str
    """The word for them in it; "" for whoever writes."""
    text: str = ""
    elsewhere: tuple[Span, ...] = ()
    """The clauses of `text` that are told of others,"""
    of_all: tuple[Span, ...] = ()
    """and those that are told of all."""

    def knows(self, text: str) -> bool:
        """Whether it is known of each clause of a text of whom it is told."""
        return bool(self.text) and text in self.text

    def elsewhere_in(self, text: str) -> tuple[Span, ...]:
        """What is told of others in the text, or in a stretch of it that is read alone."""
        return self._within(text, self.elsewhere)

    def of_all_in(self, text: str) -> tuple[Span, ...]:
        """What is told of all in it."""
        return self._within(text, self.of_all)

    def _within(self, text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
        at = self.text.find(text) if spans else -1
        if at < 0:
            return ()
        shifted = ((max(0, start - at), end - at) for start, end in spans)
        return tuple((start, end) for start, end in shifted if start < min(end, len(text)))


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
    nameless: Passage | None = None
    """The same text without names, with which all is shared that names do not touch."""
    about: About | None = None
    """Of whom it tells, where that is known."""
    readings: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What was read in it, by who read it: see `read_once`."""

    @cached_property
    def sentences(self) -> tuple[Span, ...]:
        """The sentences, one behind the other; together they are the whole text."""
        return self.nameless.sentences if self.nameless else _sentences(self.plain)

    @cached_property
    def clauses(self) -> tuple[Span, ...]:
        """The clauses, one behind the other: what lies between marks, and before a new subject."""
        if self.nameless:
            return self.nameless.clauses
        return _clauses(self.plain, self.sentences, self.language)

    def sentence_at(self, place: int) -> Span:
        """The sentence in which a place lies."""
        return _span_at(self.sentences, place)

    def clause_at(self, place: int) -> Span:
        """The clause in which a place lies."""
        return _span_at(self.clauses, place)


def stretch_around(text: str, start: int, end: int, parting: re.Pattern[str]) -> Span:
    """The stretch of a text with a place in it, between what parts it from the rest.

    >>> text = "My knee hurts, I take aspirin, and gout"
    >>> text[slice(*stretch_around(text, 17, 20, re.compile(",")))]
    ' I take aspirin'
    """
    before = max((mark.end() for mark in parting.finditer(text, 0, start)), default=0)
    behind = parting.search(text, end)
    return before, behind.start() if behind else len(text)


def passage_of(
    text: str, language: str = "", names: Iterable[Span] = (), *, about: About | None = None
) -> Passage:
    """A text as readers see it; `names` are the spans of names, which are no words of their own,
    and `about` says of whom it tells, where that is known."""
    return _passage(text, language or language_of(text), tuple(names), about)


@lru_cache(maxsize=16)
def _passage(text: str, language: str, names: tuple[Span, ...], about: About | None) -> Passage:
    if names:
        nameless = _passage(text, language, (), about)
        plain = nameless.plain
        hidden = blotted(plain, names, "x")
        return Passage(text, language, names, plain, hidden, nameless, about)
    plain = lower(text)
    if language == "zh":
        plain = with_commas_for_blanks(simplified(plain))
    return Passage(text, language, names, plain, plain, about=about)


def read_once(read: Callable[[Passage], T]) -> Callable[[Passage], T]:
    """A reading of passages that is made once for each, and kept with it.

    >>> count = read_once(lambda passage: print("counts") or len(passage.plain.split()))
    >>> passage = passage_of("no fever")
    >>> count(passage) + count(passage)
    counts
    4
    """

    @wraps(read)
    def once(passage: Passage) -> T:
        made = passage.readings.get(read)
        if made is None:
            made = passage.readings[read] = read(passage)
        found: T = made
        return found

    return once


def read_once_of_a_text(read: Callable[[Passage], T]) -> Callable[[Passage], T]:
    """A reading of passages in which names change nothing: one for all passages of a text."""
    once = read_once(read)
    return lambda passage: once(passage.nameless or passage)


def _span_at(spans: tuple[Span, ...], place: int) -> Span:
    if len(spans) == 1:
        return spans[0]
    return spans[max(0, bisect_right(spans, (place, sys.maxsize)) - 1)]


def _sentences(plain: str) -> tuple[Span, ...]:
    ends = [match.end() for match in SENTENCE_END.finditer(plain)]
    return _parts([0, *ends, len(plain)])


def _clauses(plain: str, sentences: tuple[Span, ...], language: str) -> tuple[Span, ...]:
    starts = {start for start, _ in sentences}
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
