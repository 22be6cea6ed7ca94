"""The words of a case that nothing took: neither an observation, nor the person, nor danger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.folding import lower
from medweave.language.passage import passage_of
from medweave.language.segmentation import language_of
from medweave.language.values import read_values
from medweave.model.question import Unread
from medweave.understanding.case.person import read_person
from medweave.understanding.case.words import CaseWord, case_words, word_set

Span = tuple[int, int]
_CHINESE_CLAUSE = re.compile(r"[^，。；、！？,.;!?\s]+")
_RULES = ("fillers", "between", "connectors", "negations", "mother", "child", "degrees", "vague")


def not_understood(
    text: str, taken: Iterable[Span], names: Iterable[str], phrases: Sequence[str]
) -> tuple[Unread, ...]:
    """Runs of words that say something, outside the places that were `taken`.

    `names` are those of the findings that were understood: their words say nothing more. `phrases`
    were understood as something else (danger), wherever they stand.

    >>> [each.text for each in not_understood("cough with purple spots", [(0, 5)], (), ())]
    ['purple spots']
    """
    lowered = lower(text)
    spans = [*taken, *_values(text), *_found(lowered, phrases)]
    spans += read_person(passage_of(text), ()).places
    if language_of(text) == "zh":
        clauses = (match.span() for match in _CHINESE_CLAUSE.finditer(text))
        return tuple(
            Unread(start, end, text[start:end])
            for start, end in clauses
            if not _within(start, end, spans) and not _is_idle(text[start:end])
        )
    words = case_words(text)
    stems = {word.stem for name in names for word in case_words(name)}
    spans += [(word.start, word.end) for word in words if word.stem in stems]
    return tuple(_runs(text, words, spans))


def _values(text: str) -> list[Span]:
    return [(each.start, each.end) for each in read_values(text, language_of(text), ())]


def _found(lowered: str, phrases: Sequence[str]) -> list[Span]:
    places = ((lowered.find(lower(words)), words) for words in phrases)
    return [(at, at + len(words)) for at, words in places if at >= 0]


def _within(start: int, end: int, spans: Sequence[Span]) -> bool:
    return any(first < end and start < last for first, last in spans)


def _runs(text: str, words: Sequence[CaseWord], spans: Sequence[Span]) -> Iterable[Unread]:
    """Words that follow each other in one clause; idle ones between them belong to the run."""
    start = end = 0
    clause: tuple[int, int] | None = None
    for word in words:
        here = (word.sentence, word.clause)
        taken = _within(word.start, word.end, spans)
        if clause is not None and (taken or here != clause):
            yield Unread(start, end, text[start:end])
            clause = None
        if taken or _is_idle(word.written):
            continue
        if clause is None:
            start, clause = word.start, here
        end = word.end
    if clause is not None:
        yield Unread(start, end, text[start:end])


def _is_idle(written: str) -> bool:
    return written in _idle() or written.replace(".", "").replace(",", "").isdigit()


@cache
def _idle() -> frozenset[str]:
    own = shipped_yaml("guideline", "not_understood.yaml")["idle"]
    return frozenset(own).union(*(word_set(rule) for rule in _RULES))
