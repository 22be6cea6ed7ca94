"""Sentences of passages, ranked by what speaks for them as an answer to a question.

Sentences have no vectors in a base: those of a book would take ten times the room of its passages.
The few best by everything else are compared with the question when it is asked (decision 551).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import islice, pairwise
from operator import mul

from medweave.language.segmentation import language_of
from medweave.language.sentences import sentences
from medweave.retrieval.passages.fitting import is_about_itself, questions_in
from medweave.retrieval.passages.lost_headings import heading_before
from medweave.retrieval.passages.question_kinds import content_terms
from medweave.retrieval.passages.ranking import FoundPassage, FoundPassages
from medweave.retrieval.passages.sentence_features import (
    length_in_words,
    sentence_features,
    weighed,
)
from medweave.retrieval.passages.sentence_words import sentence_rule

_MARK = (
    r"(?:[-*\u2022\u00b7\u25aa\u25e6\u2023\u25cf\u25cb\u25a0\u25a1\u27a2\u2713\uf0b7–—][ \t]+"
    r"|(?:\d{1,2}|[a-z])[.)][ \t]+|\d{1,2}[.)、](?=[\u3400-\u9fff]))"
)
_ITEMS = re.compile(rf"(?:^[ \t]*{_MARK}\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_MOST_SAID = 900
"""Characters of the items that are said together."""
_BEFORE_ITEMS = re.compile(r"[:：]\W*$")
_ENDS = re.compile(r"[.!?。！？;；,，]\W*$")
_SHORTEST, _LONGEST = 4, 60
"""Words of a sentence: fewer say nothing; more are no sentence."""
_HEADING = 8
"""Words of a line that may be a heading."""
_HEADINGS, _OF_HEADINGS = 4, 0.2
"""So many words that begin a heading, and such a share of all words, make a table of contents."""
_CLOSED = re.compile(r"[.!?。！？;；,，:：]\W*$")
_ENDED, _ANNOUNCES = re.compile(r"[.!?。！？]\W*$"), re.compile(r"[:：?？]\W*$")
_DIGIT = re.compile(r"\d")
_REST_OF_SENTENCE = re.compile(r"[a-z]{2,} ")
COMPARED = 8
"""So many of the best sentences are compared with the question by their own meaning."""
_MEANING = 3.0
"""What the cosine of a sentence counts. Measured, see decision 551."""
_REACH = 2
"""So many sentences back stands what a sentence takes up."""
_BULLET = re.compile(
    r"(?:^|(?<=\s))(?:[•·▪◦‣●○■□➢✓*\u2022-\u2023\uf0b7–—-]|[hu](?=\s+[A-Z]))\s+(?=\w)"
)
"""What stands before an item of a list; "h" and "u" are bullets of fonts that were not kept."""
_NUMBERED = re.compile(r"^\W*\d{1,3}[.)]?\s+(?=[A-Z\u3400-\u9fff])")


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
    is_list: bool = False
    """Whether it announces a list, and ends with its items."""
    covers: float = 0.0
    """How much of the question it holds, by how telling its words are."""
    near: float | None = None
    """How near it is to the question by its own meaning; None where it was not compared."""
    near_rest: float | None = None
    """How near it is to what is asked behind the first question, where several are asked; None
    where it was not compared."""

    @property
    def language(self) -> str:
        """The language of its passage."""
        return self.found.document.language

    @property
    def takes_up(self) -> bool:
        """Whether it takes up what stands before it, and says little alone."""
        names_its_list = self.is_list and sentence_rule("these_things").match(self.text)
        return bool(sentence_rule("hanging").match(self.text)) and not names_its_list

    @property
    def hanging(self) -> bool:
        """Whether nothing tells what it takes up."""
        return self.takes_up and not self.lead

    @property
    def tells(self) -> bool:
        """Whether it says something by itself: no heading, question, announcement, or rest of a
        sentence."""
        if self.is_list:
            return True
        inside = self.start and self.found.passage.text[self.start - 1] == " "
        if inside and _REST_OF_SENTENCE.match(self.text):
            return False
        if _ANNOUNCES.search(self.text) or is_about_itself(self.text):
            return False
        is_line = not _ENDED.search(self.text) and not _DIGIT.search(self.text)
        return not is_line or length_in_words(self.text) > _HEADING

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

    What announces a list is said with it; an item alone, where it is a sentence. What asks, or has
    no end, is among them, and weighs less.
    """
    text = found.passage.text
    listings = Listings.of(text)
    above, listed = "", 0
    for number, (first, last) in enumerate(_pieces(text)):
        behind = first + heading_before(text[first:last], text)
        above = text[first:behind] or above
        items = listings.announced(behind, last) if behind >= listed else 0
        if items or _may_be_said(text, behind, last, is_item=behind < listed):
            end = items or last
            said = " ".join(text[behind:end].split())
            terms = tuple(content_terms(said))
            yield Extract(
                found, behind, end, said, terms, number, above.strip(), is_list=bool(items)
            )
        if _is_heading(text, behind, last):
            above = text[behind:last]
        listed = max(listed, items)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    for start, end, _ in sentences(text):
        yield from _parted(text, start, end)


def _may_be_said(text: str, start: int, end: int, *, is_item: bool) -> bool:
    piece = text[start:end]
    if is_item and not _CLOSED.search(piece):
        return False
    if _is_heading(text, start, end) or is_contents(piece):
        return False
    return _SHORTEST <= length_in_words(piece) <= _LONGEST


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

    One that takes up what stands before it is ranked with that, and below all others without; so
    are headings, questions and announcements, which tell nothing.
    """
    every = _once(each for one in found.passages for each in _whole(list(extracts_of(one))))
    candidates = [replace(each, terms=tuple(found.names.filled(each.terms))) for each in every]
    weights = shipped_sentence_weights()
    rows = sentence_features(found, candidates)
    scored = [
        replace(each, score=weighed(row, weights), covers=row["covers with heading"])
        for each, row in zip(candidates, rows, strict=True)
    ]
    return in_order(_with_meaning(found, in_order(scored)))


def in_order(extracts: Iterable[Extract]) -> list[Extract]:
    """Sentences, the best first; behind them what tells nothing by itself."""
    return sorted(extracts, key=lambda each: (each.hanging, not each.tells, -each.score))


def _with_meaning(found: FoundPassages, ranked: Sequence[Extract]) -> list[Extract]:
    """Sentences with their own nearness to the question in their scores: of the first few in its
    language, which are compared with it; all others count as the farthest of these."""
    language = language_of(found.question)
    able = (e for e in ranked if e.tells and not e.hanging and e.language == language)
    few = list(islice(able, COMPARED))
    if found.compared is None or not few:
        return list(ranked)
    rest = questions_in(found.question)[1:]
    said = (" ".join(part.text for part in each.parts) for each in few)
    vectors = found.compared([found.question, *rest, *said], language)
    if vectors is None:
        return list(ranked)
    whole, *parts = (vectors[at] for at in range(1 + len(rest)))
    rows = [vectors[at] for at in range(1 + len(rest), len(vectors))]
    near = [_cosine(whole, row) for row in rows]
    farthest = min(near)
    compared = {
        id(each): replace(
            each,
            score=each.score + _MEANING * (near[at] - farthest),
            near=near[at],
            near_rest=max((_cosine(part, rows[at]) for part in parts), default=None),
        )
        for at, each in enumerate(few)
    }
    return [compared.get(id(each), each) for each in ranked]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    product: float = sum(map(mul, one, other))
    return product


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


@dataclass(frozen=True, slots=True)
class Listings:
    """The lists of a text, by where their items begin and end."""

    text: str
    begins: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    @classmethod
    def of(cls, text: str) -> Listings:
        """The lists of a text: lines one after another that each begin with a mark or a number."""
        found = [match.span() for match in _ITEMS.finditer(text)]
        return cls(text, tuple(a for a, _ in found), tuple(b for _, b in found))

    def announced(self, start: int, end: int) -> int:
        """Where the list ends that a piece announces: by a colon, or as a heading does; else 0.

        Of a long list as many items belong to it as can be said.

        >>> text = "It is treated by:\\n- rest\\n- ibuprofen\\nIt hurts."
        >>> text[: Listings.of(text).announced(0, 17)]
        'It is treated by:\\n- rest\\n- ibuprofen'
        """
        at = bisect_left(self.begins, end)
        if at == len(self.begins) or self.text[end : self.begins[at]].strip():
            return 0
        piece = self.text[start:end]
        if not _BEFORE_ITEMS.search(piece) and _ENDS.search(piece):
            return 0
        last = self.ends[at]
        if last - end > _MOST_SAID:
            last = self.text.rfind("\n", self.begins[at], end + _MOST_SAID)
        return end + len(self.text[end : max(last, end)].rstrip())
