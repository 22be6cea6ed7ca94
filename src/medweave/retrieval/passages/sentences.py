"""Sentences of passages, ranked by what speaks for them as an answer to a question.

Sentences have no vectors of their own: those of a book would take ten times the room of its
passages, and beside that of the passage a sentence's own meaning adds nothing (decision 265).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

from medweave.language.sentences import sentences
from medweave.retrieval.passages.lost_headings import heading_before
from medweave.retrieval.passages.question_kinds import content_terms
from medweave.retrieval.passages.ranking import FoundPassage, FoundPassages
from medweave.retrieval.passages.sentence_features import (
    length_in_words,
    sentence_features,
    weighed,
)

_SHORTEST, _LONGEST = 4, 60
"""Words of a sentence: fewer say nothing; more are no sentence."""
_HEADING = 8
"""Words of a line that may be a heading."""
_HEADINGS, _OF_HEADINGS = 4, 0.25
"""So many words that begin a heading, and such a share of all words, make a table of contents."""
_CLOSED = re.compile(r"[.!?。！？;；,，:：]\W*$")
_REACH = 2
"""So many sentences back stands what a sentence takes up."""
_BULLET = re.compile(
    r"(?:^|(?<=\s))(?:[•·▪◦‣●○■□➢✓*\u2022-\u2023\uf0b7–—-]|[hu](?=\s+[A-Z]))\s+(?=\w)"
)
"""What stands before an item of a list; "h" and "u" are bullets of fonts that were not kept."""
_NUMBERED = re.compile(r"^\W*\d{1,3}[.)]?\s+(?=[A-Z\u3400-\u9fff])")
_HANGING = re.compile(
    r"^\W*(?:(?:it|they|this|these|those|he|she|him|them|its|their|such|both|either|others?|some)\b"
    r"|(?:however|also|but|and|or|so|then|instead|therefore|otherwise|in addition|for example|"
    r"as such)\b|(?:when|if|in|of|for|with|after|by|to|at|from|because of|among|like) "
    r"(?:this|these|that|those|such|it|them|either|both)\b|它|他|她|这些|那些|此|其|但|因此|所以|另外|例如)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Extract:
    """A sentence of a passage; its place is in the text of the passage."""

    found: FoundPassage
    start: int
    end: int
    text: str
    terms: tuple[str, ...]
    number: int
    """The how many-th of its passage, from 0."""
    above: str = ""
    """The last heading before it that stands in its passage, in a line or before a sentence."""
    lead: tuple[Extract, ...] = ()
    """The sentences before it that tell what it takes up; `terms` are of all together."""
    score: float = 0.0
    covers: float = 0.0
    """How much of the question it holds, by how telling its words are."""

    @property
    def takes_up(self) -> bool:
        """Whether it takes up what stands before it, and says little alone."""
        return bool(_HANGING.match(self.text))

    @property
    def hanging(self) -> bool:
        """Whether nothing tells what it takes up."""
        return self.takes_up and not self.lead

    @property
    def parts(self) -> tuple[Extract, ...]:
        """All that is said with it, in order."""
        return (*self.lead, self)


@cache
def shipped_sentence_weights() -> Mapping[str, float]:
    """Weights of `FEATURES`."""
    text = (
        files("medweave")
        .joinpath("retrieval", "passages", "sentence_weights.json")
        .read_text("utf-8")
    )
    held: Mapping[str, float] = json.loads(text)
    return held


def extracts_of(found: FoundPassage) -> Iterator[Extract]:
    """The sentences of a passage that could be said: without bullets, and neither tiny nor endless.

    What asks, or has no end, is among them, and weighs less.
    """
    text = found.passage.text
    number, above = 0, ""
    for start, end, _ in sentences(text):
        for first, last in _parted(text, start, end):
            behind = first + heading_before(text[first:last], text)
            above = text[first:behind] or above
            piece = text[behind:last]
            if _is_heading(text, behind, last):
                above = piece
            elif _SHORTEST <= length_in_words(piece) <= _LONGEST and not is_contents(piece):
                terms = tuple(content_terms(piece))
                said = " ".join(piece.split())
                yield Extract(found, behind, last, said, terms, number, above.strip())
            number += 1


def _is_heading(text: str, start: int, end: int) -> bool:
    """Whether a piece is a short line of its own, with another below it and no end of its own."""
    alone = (start == 0 or text[start - 1] == "\n") and text[end : end + 1] == "\n"
    if not alone:
        return False
    piece = text[start:end]
    return length_in_words(piece) <= _HEADING and not _CLOSED.search(piece)


def is_contents(piece: str) -> bool:
    """Whether a piece is headings in a row, as tables of contents and menus become when they lose
    their lines: each begins with a capital behind a word without one.

    >>> is_contents("Care team Systemic therapy Drug trials Side effects Next steps")
    True
    >>> is_contents("The American Cancer Society has guides for patients in New York.")
    False
    """
    words = piece.split()
    begun = sum(a.islower() and b[0].isupper() and b != "I" for a, b in pairwise(words))
    return begun >= _HEADINGS and begun > _OF_HEADINGS * len(words)


def _parted(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence without what stands before an item; where several items run together, each."""
    marks = [(start, start), *(m.span() for m in _BULLET.finditer(text, start, end))]
    ends = [first for first, _ in marks[1:]] + [end]
    for (_, behind), before in zip(marks, ends, strict=True):
        piece = text[behind:before]
        numbered = _NUMBERED.match(piece)
        first = behind + (numbered.end() if numbered else len(piece) - len(piece.lstrip()))
        last = first + len(text[first:before].rstrip())
        if first < last:
            yield first, last


def ranked_extracts(found: FoundPassages) -> list[Extract]:
    """The sentences of what was found, the best first; each wording once.

    One that takes up what stands before it is ranked with that, and below all others without.
    """
    every = _once(each for one in found.passages for each in _whole(list(extracts_of(one))))
    candidates = [replace(each, terms=tuple(found.names.filled(each.terms))) for each in every]
    weights = shipped_sentence_weights()
    rows = sentence_features(found, candidates)
    scored = [
        replace(each, score=weighed(row, weights), covers=row["covers with heading"])
        for each, row in zip(candidates, rows, strict=True)
    ]
    return sorted(scored, key=lambda each: (each.hanging, -each.score))


def _whole(extracts: Sequence[Extract]) -> Iterator[Extract]:
    """Sentences of a passage, each with those that tell what it takes up."""
    held = {each.number: each for each in extracts}
    for each in extracts:
        lead = _lead(each, held) if each.takes_up else ()
        terms = tuple(term for part in (*lead, each) for term in part.terms)
        yield replace(each, lead=lead, terms=terms)


def _lead(extract: Extract, held: Mapping[int, Extract]) -> tuple[Extract, ...]:
    """What stands before a sentence, back to one that stands alone; nothing, where that is far."""
    lead: tuple[Extract, ...] = ()
    for back in range(1, _REACH + 1):
        before = held.get(extract.number - back)
        if before is None:
            break
        lead = (before, *lead)
        if not before.takes_up:
            return lead
    return ()


def _once(extracts: Iterable[Extract]) -> list[Extract]:
    seen: dict[str, Extract] = {}
    for each in extracts:
        seen.setdefault(each.text.casefold(), each)
    return list(seen.values())
