"""From how likely each token of a text is of each label to what the text names.

How sure one must be, whether what is named once is named everywhere, and which types every text
names: all three are chosen on texts that nothing was learned from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import log
from typing import NamedTuple

from medweave.sources.abstracts.entities.coherence import coherent
from medweave.sources.abstracts.entities.spans import Labelled, Span
from medweave.sources.abstracts.entities.tokens import Token

OUTSIDE = "O"
_NEVER = 1e-6
"""Probabilities below this are none."""
_FEW = 30
"""Entities that tell nothing about settings, and texts that tell nothing about all others."""
_THRESHOLDS = tuple(n / 20 for n in range(2, 13))
_LOWER = (0.3, 0.2, 0.1, 0.05, 0.02)
"""How sure one must be, one after the other, where a type is missing that every text names."""
_NEARLY_ALL = 0.99


class Marked(NamedTuple):
    """A sentence with how likely each of its tokens is of each label."""

    tokens: Sequence[Token]
    likely: Sequence[Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Way:
    """How probabilities become entities."""

    threshold: float = 0.5
    """From which probability on something is told."""
    whole: bool = True
    """Whether what is named in one sentence is named in all others."""
    always: frozenset[str] = frozenset()
    """Types that every text names, so that less will do where one is missing."""


USUAL = Way()


def decoded(marked: Sequence[Marked], text: str, way: Way) -> tuple[Span, ...]:
    """What a text names, in its order, without overlaps."""
    spans = _surely(marked, text, way.threshold, way.whole)
    for type_ in sorted(way.always.difference(span.type for span in spans)):
        spans += _next_likely(marked, text, way, type_, spans)
    return tuple(sorted(spans))


def best_way(scored: Sequence[tuple[Sequence[Marked], Labelled]], always: frozenset[str]) -> Way:
    """The way with the best F1 on labelled texts, of all thresholds, with and without the rest."""
    if sum(len(text.spans) for _, text in scored) < _FEW:
        return USUAL

    def f1(way: Way) -> float:
        right = found = labelled = 0
        for marked, text in scored:
            spans = set(decoded(marked, text.text, way))
            right += len(spans & set(text.spans))
            found += len(spans)
            labelled += len(text.spans)
        return 2 * right / max(found + labelled, 1)

    best = (-1.0, USUAL)
    for whole, types in product((True, False), dict.fromkeys((frozenset(), always))):
        ways = [Way(threshold, whole, types) for threshold in _THRESHOLDS]
        scores = [f1(way) for way in ways]
        for at, way in enumerate(ways):
            # What is about as good next to it is no accident of few texts.
            near = scores[max(at - 1, 0) : at + 2]
            best = max(best, (sum(near) / len(near), way), key=lambda each: each[0])
    return best[1]


def in_every_text(texts: Sequence[Labelled]) -> frozenset[str]:
    """The types that nearly all texts name; none where the texts are few.

    >>> in_every_text([Labelled("Zinc", [Span(0, 4, "drug")])] * 30)
    frozenset({'drug'})
    """
    if len(texts) < _FEW:
        return frozenset()
    named = [{span.type for span in text.spans} for text in texts]
    types: set[str] = set().union(*named)
    return frozenset(
        type_ for type_ in types if sum(type_ in some for some in named) >= _NEARLY_ALL * len(texts)
    )


def _surely(marked: Iterable[Marked], text: str, threshold: float, whole: bool) -> tuple[Span, ...]:
    spans = [
        span for tokens, likely in marked for span in _spans(tokens, _likeliest(likely, threshold))
    ]
    return coherent(text, spans) if whole else tuple(sorted(spans))


def _next_likely(
    marked: Sequence[Marked], text: str, way: Way, type_: str, taken: Sequence[Span]
) -> tuple[Span, ...]:
    """What is likeliest of a type, where nothing else stands; () where nothing is likely at all."""
    for threshold in _LOWER:
        spans = _surely(marked, text, threshold, way.whole)
        found = tuple(
            span
            for span in spans
            if span.type == type_ and not any(each.overlaps(*span[:2]) for each in taken)
        )
        if found:
            return found
    return ()


class _Path(NamedTuple):
    """How a sentence may be labelled up to a token: how likely, the last label, what is before."""

    weight: float
    label: str
    before: _Path | None

    def labels(self) -> list[str]:
        """All its labels; the first path has none."""
        found: list[str] = []
        path = self
        while path.before is not None:
            found.append(path.label)
            path = path.before
        return found[::-1]


def _likeliest(likely: Sequence[Mapping[str, float]], threshold: float) -> list[str]:
    """The likeliest labels of a sentence, of which none goes on with what has not begun.

    What is outside counts as much more or less as the threshold is above or below a half.
    """
    odds = threshold / (1 - threshold)
    best = _Path(0.0, OUTSIDE, None)
    going: dict[str, _Path] = {}
    for row in likely:
        paths: dict[str, _Path] = {}
        for label, probability in row.items():
            mark, _, type_ = label.partition(" ")
            before = going.get(type_) if mark == "I" else best
            if before and probability > _NEVER:
                weight = before.weight + log(probability * (odds if mark == OUTSIDE else 1))
                if type_ not in paths or weight > paths[type_].weight:
                    paths[type_] = _Path(weight, label, before)
        unlikely = _Path(best.weight, OUTSIDE, best)
        best = max(paths.values(), key=lambda path: path.weight, default=unlikely)
        going = {type_: path for type_, path in paths.items() if type_}
    return best.labels()


def _spans(tokens: Sequence[Token], labels: Sequence[str]) -> Iterator[Span]:
    start, end, type_ = 0, 0, ""
    for token, label in zip(tokens, labels, strict=True):
        mark, _, its_type = label.partition(" ")
        if type_ and (mark != "I" or its_type != type_):
            yield Span(start, end, type_)
            type_ = ""
        if mark != OUTSIDE:
            start = start if type_ else token.start
            end, type_ = token.end, its_type
    if type_:
        yield Span(start, end, type_)
