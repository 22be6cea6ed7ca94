"""A letter that asks for several persons, as what it tells and asks of each.

What is told of persons for whom nothing is asked stays where it stands, and is known to be theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from medweave.language.passage import About, Span, passage_of
from medweave.language.people import people_of
from medweave.language.told_of_whom import Telling

_SHORTEST = {"en": 40, "zh": 15}
"""Shorter texts tell of nobody but the one for whom they ask."""
_LETTER = {"en": 60, "zh": 20}
"""Shorter texts are no letters."""
_COMMAS = " ,;,；"
_STOPS = ".。"


@dataclass(frozen=True, slots=True)
class Part:
    """What a text says of one person for whom something is asked."""

    text: str
    about: About | None = None
    """Of whom it is, where the text tells of several."""
    unnamed: bool = False
    """Whether a pronoun alone says of whom."""

    @property
    def who(self) -> str:
        """How the person is called in it; '' for whoever writes, or where nobody else is told
        of."""
        return self.about.who if self.about else ""


@lru_cache(maxsize=4)  # a text is asked about as a whole, and as what one person asks
def parts_of(text: str, language: str) -> tuple[Part, ...]:
    """What is told and asked of each person; empty where it is asked for one alone.

    >>> letter = "My father is on warfarin, can he take ibuprofen? I have asthma. Can I take it?"
    >>> for part in parts_of(letter, "en"):
    ...     print(part.who or "you", "-", part.text)
    father - My father is on warfarin, can he take ibuprofen?
    you - I have asthma. Can I take it?
    """
    if len(text) < _LETTER.get(language, 0):
        return ()
    telling = people_of(passage_of(text, language)).telling
    if len(telling.asking) <= 1:
        return ()
    return tuple(_part_of(who, telling) for who in telling.asking if telling.of_one(who))


def _part_of(who: str, telling: Telling) -> Part:
    """What is told and asked of somebody. Where they are asked for as another is ("can she have
    mine?"), what is told of others stands in it, too, and is known to be theirs."""
    own, passage = telling.of_one(who), telling.passage
    others = telling.of_others(who) if telling.wants_the_same(who) else ()
    clauses = sorted({*own, *others})
    text, begins = _joined(passage.text, clauses, passage.language)
    places = [(at, at + end - start) for at, (start, end) in zip(begins, clauses, strict=True)]
    at = dict(zip(clauses, places, strict=True))
    of_all = tuple(at[span] for span in telling.of_all() if span in at)
    about = About(telling.word(who), text, tuple(at[span] for span in others), of_all)
    return Part(text, about, unnamed=telling.is_unnamed(who))


@lru_cache(maxsize=4)
def whole_of(text: str, language: str) -> Part:
    """A text that asks for one alone, with what it tells of others where that is plain.

    >>> text = "Mum has COPD, on theophylline. I had an ear infection: may I swim?"
    >>> [text[slice(*span)].strip() for span in whole_of(text, "en").about.elsewhere]
    ['Mum has COPD,', 'on theophylline.']
    """
    if len(text) < _SHORTEST.get(language, 0):
        return Part(text)
    telling = people_of(passage_of(text, language)).telling
    who = telling.asked_alone
    if who is None:
        return Part(text)
    return Part(text, About(telling.word(who), text, telling.of_others(who), telling.of_all()))


def _joined(text: str, clauses: Sequence[Span], language: str) -> tuple[str, list[int]]:
    """Clauses of a text as one text, and where each begins in it: what is left out between two of
    them ends a sentence."""
    joined, last = "", 0
    begins: list[int] = []
    for start, end in clauses:
        if joined and text[last:start].strip():
            stop = "。" if language == "zh" else ". "
            joined = joined.rstrip(_COMMAS + _STOPS) + stop
            begins.append(len(joined) - (len(text[start:end]) - len(text[start:end].lstrip())))
            joined += text[start:end].lstrip()
        else:
            joined += text[last:start] if joined else ""
            begins.append(len(joined))
            joined += text[start:end]
        last = end
    blanks = len(joined) - len(joined.lstrip())
    return joined.strip(), [max(0, at - blanks) for at in begins]
