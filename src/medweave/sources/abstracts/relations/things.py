"""The things of a text: mentions that are one and the same, together."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from medweave.language.sentences import sentences
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key

_SEVERAL = re.compile(r"(?<=\S)\|(?=\S)")


def keys_in(key: str) -> list[str]:
    """What one mention names: several things where it says several at once, as PubTator writes it.

    >>> keys_in("D009062|D007822"), keys_in("oral cancer")
    (['D009062', 'D007822'], ['oral cancer'])
    """
    return _SEVERAL.split(key)


@dataclass(frozen=True, slots=True)
class ThingInText:
    """One thing with all places where the text names it."""

    key: str
    """What makes it the same: its identifier, else its name."""
    type: str
    mentions: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two things that may be related; the one named first goes first."""

    first: ThingInText
    second: ThingInText


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its sentences and its things, those named most often first."""

    text: str
    sentence_spans: tuple[tuple[int, int], ...]
    things: tuple[ThingInText, ...]

    @classmethod
    def of(
        cls, text: str, spans: Sequence[Span], key: Callable[[Span], str] | None = None
    ) -> ReadText:
        """A text in which these spans were found; `key` says which of them are one thing."""
        grouped: dict[tuple[str, str], list[Span]] = defaultdict(list)
        for span in sorted(spans):
            name = key(span) if key else name_key(text[span.start : span.end])
            for one in keys_in(name):
                grouped[span.type, one].append(span)
        things = [ThingInText(name, type_, tuple(s)) for (type_, name), s in grouped.items()]
        things.sort(key=lambda thing: (-len(thing.mentions), thing.mentions[0]))
        return cls(text, tuple((start, end) for start, end, _ in sentences(text)), tuple(things))

    def sentence(self, place: int) -> int:
        """The number of the sentence in which a place stands."""
        return next(
            (at for at, (start, end) in enumerate(self.sentence_spans) if start <= place < end), -1
        )

    def names(self, thing: ThingInText) -> frozenset[str]:
        """How a thing is written, in small letters."""
        return frozenset(self.text[start:end].lower() for start, end, _ in thing.mentions)

    def pairs(self) -> list[Pair]:
        """All pairs of things."""
        return [
            Pair(first, second) if first.mentions[0] <= second.mentions[0] else Pair(second, first)
            for first, second in combinations(self.things, 2)
        ]

    def together(self, pair: Pair) -> list[tuple[Span, Span]]:
        """The mentions of a pair that stand in one sentence."""
        seconds = [(second, self.sentence(second.start)) for second in pair.second.mentions]
        return [
            (first, second)
            for first in pair.first.mentions
            for second, sentence in seconds
            if sentence == self.sentence(first.start)
        ]

    def nearest(self, pair: Pair) -> tuple[Span, Span]:
        """The mentions of a pair that stand closest, in one sentence where there are such."""
        choices = self.together(pair) or [
            (first, second) for first in pair.first.mentions for second in pair.second.mentions
        ]
        return min(choices, key=lambda both: (abs(both[0].start - both[1].start), both))
