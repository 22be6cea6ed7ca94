"""Sentences of passages, ranked by what speaks for them as an answer to a question.

The best by words are compared by meaning as well, where there is an embedder: to embed all
sentences of a book would take ten times the room of its passages.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from operator import mul

from medweave.language.segmentation import is_han, symbol_runs
from medweave.language.sentences import sentences
from medweave.retrieval.passages import EmbedTexts, FoundPassage, FoundPassages, rarities
from medweave.retrieval.question_kinds import content_terms

FEATURES = (
    "words", "meaning", "covers", "nothing else", "in order", "long", "hanging", "asks",
    "unfinished", "meaning of the passage", "whole",
)  # fmt: skip
_COMPARED = 8
"""So many of the best by words are compared by meaning."""
_SHORTEST, _LONG, _LONGEST = 4, 30, 60
"""Words of a sentence: fewer say nothing; more are much; more still are no sentence."""
_FULL = 15
_K1, _B = 1.2, 0.75
_UNKNOWN = 3.0
"""How telling a word is that no candidate holds."""
_BULLET = re.compile(
    r"(?:^|(?<=\s))(?:[•·▪◦‣●○■□➢✓*\u2022-\u2023\uf0b7–—-]|[hu](?=\s+[A-Z]))\s+(?=\w)"
)
"""What stands before an item of a list; "h" and "u" are bullets of fonts that were not kept."""
_NUMBERED = re.compile(r"^\W*\d{1,3}[.)]?\s+(?=[A-Z\u3400-\u9fff])")
_HANGING = re.compile(
    r"^\W*(?:(?:it|they|this|these|those|he|she|him|them|its|their|such|both|either|others?|some)\b"
    r"|(?:however|also|but|and|or|so|then|instead|therefore|otherwise|in addition|for example|"
    r"as such|in this case|in these cases)\b|它|他|她|这些|那些|此|其|但|因此|所以|另外|例如)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"[.!。！]['”\")）]*$")
_ASKS = re.compile(r"[?？]\W*$")


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
    score: float = 0.0
    covers: float = 0.0
    """How much of the question it holds, by how telling its words are."""
    meaning: float | None = None
    """Its cosine with the question; None where it was not compared."""

    @property
    def hanging(self) -> bool:
        """Whether it takes up what stands before it, and says little alone."""
        return bool(_HANGING.match(self.text))


@cache
def shipped_sentence_weights() -> Mapping[str, Mapping[str, float]]:
    """Weights of `FEATURES`, with meaning and without."""
    text = files("medweave").joinpath("retrieval", "sentence_weights.json").read_text("utf-8")
    held: Mapping[str, Mapping[str, float]] = json.loads(text)
    return held


def extracts_of(found: FoundPassage) -> Iterator[Extract]:
    """The sentences of a passage that could be said: without bullets, and neither tiny nor endless.

    What asks, or has no end, is among them, and weighs less.
    """
    text = found.passage.text
    number = 0
    for start, end, _ in sentences(text):
        for first, last in _parted(text, start, end):
            piece = text[first:last]
            if _SHORTEST <= _length(piece) <= _LONGEST:
                terms = tuple(content_terms(piece))
                yield Extract(found, first, last, " ".join(piece.split()), terms, number)
            number += 1


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


def _length(text: str) -> int:
    """In words; two Chinese characters are one."""
    runs = symbol_runs(text)
    return round(sum(len(run) / 2 if is_han(run) else 1 for run in runs))


def ranked_extracts(found: FoundPassages, embed: EmbedTexts | None) -> list[Extract]:
    """The sentences of what was found, the best first; each wording once."""
    candidates = _once(each for one in found.passages for each in extracts_of(one))
    rows = sentence_features(found, candidates)
    if not rows:
        return []
    lexical = shipped_sentence_weights()["lexical"]
    order = sorted(range(len(rows)), key=lambda n: -_weighed(rows[n], lexical))
    candidates = [
        replace(each, score=_weighed(row, lexical), covers=row["covers"])
        for each, row in zip(candidates, rows, strict=True)
    ]
    if embed is None or found.asked is None:
        return [candidates[number] for number in order]
    first = order[:_COMPARED]
    vectors = embed([candidates[number].text for number in first])
    dense, asked = shipped_sentence_weights()["dense"], found.asked[0]
    compared = []
    for number, vector in zip(first, vectors, strict=True):
        cosine = sum(map(mul, asked, vector))
        score = _weighed({**rows[number], "meaning": cosine}, dense)
        compared.append(replace(candidates[number], score=score, meaning=cosine))
    compared.sort(key=lambda each: -each.score)
    return [*compared, *(candidates[number] for number in order[_COMPARED:])]


def _weighed(row: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(row.get(name, 0.0) * weight for name, weight in weights.items())


def _once(extracts: Iterable[Extract]) -> list[Extract]:
    seen: dict[str, Extract] = {}
    for each in extracts:
        seen.setdefault(each.text.casefold(), each)
    return list(seen.values())


def sentence_features(
    found: FoundPassages, candidates: Sequence[Extract]
) -> list[dict[str, float]]:
    """`FEATURES` of each sentence, but for its meaning."""
    if not candidates:
        return []
    terms = found.terms
    counted = [Counter(each.terms) for each in candidates]
    every = {term for each in candidates for term in each.terms} | set(terms)
    rarity = rarities(every, counted)
    told = {term: rarity[term] or _UNKNOWN for term in terms}
    whole = sum(told.values()) or 1.0
    mean = sum(counts.total() for counts in counted) / len(counted)
    scores = [_bm25(terms, counts, rarity, mean) for counts in counted]
    most = max(scores) or 1.0
    pairs = set(pairwise(terms))
    rows = []
    for each, counts, score in zip(candidates, counted, scores, strict=True):
        shared = [term for term in terms if term in counts]
        own = [term for term in each.terms if term in told or _tells(term)]
        held = set(pairwise(own))
        length = _length(each.text)
        rows.append(
            {
                "words": score / most,
                "covers": sum(told[term] for term in shared) / whole,
                "nothing else": sum(rarity[t] for t in shared)
                / (sum(rarity[t] for t in set(own)) or 1.0),
                "in order": len(pairs & held) / (len(pairs) or 1),
                "long": float(length > _LONG),
                "hanging": float(each.hanging),
                "asks": float(bool(_ASKS.search(each.text))),
                "unfinished": float(not _ENDS.search(each.text)),
                "meaning of the passage": each.found.meaning or 0.0,
                "whole": min(1.0, length / _FULL),
            }
        )
    return rows


@cache
def _tells(term: str) -> bool:
    from medweave.retrieval.passages import asked_stems

    return asked_stems(f"{term} measles") != ["measl"]


def _bm25(
    terms: Iterable[str], counts: Counter[str], rarity: Mapping[str, float], mean: float
) -> float:
    norm = _K1 * (1 - _B + _B * counts.total() / mean)
    return sum(rarity[t] * counts[t] * (_K1 + 1) / (counts[t] + norm) for t in terms if counts[t])
