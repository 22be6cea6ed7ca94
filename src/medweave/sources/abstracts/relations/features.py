"""What is told of two things of a text, for a model that says how they are related.

Of the whole text: how often and where both are named, and how far apart. Of the sentences that name
both: the words between them, before and behind, and which stands first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.relations.rules import best_rule
from medweave.sources.abstracts.relations.things import Pair, ReadText, ThingInText

_WORD = re.compile(r"[^\W\d_]+")
_MOST = 4
"""Counts above this are as good as this."""
_FAR = 12
"""Words between two things that are looked at one by one."""
_NEAR = 4
_BESIDE = 3


def pair_features(pair: Pair, read: ReadText) -> list[str]:
    """The features of two things of a text, each once."""
    found = [f"types={pair.first.type} {pair.second.type}", *_of_text(pair, read)]
    for first, second in read.together(pair):
        found += _of_sentence(first, second, read)
    return sorted(set(found))


def _of_text(pair: Pair, read: ReadText) -> Iterator[str]:
    apart = min(
        abs(read.sentence(first.start) - read.sentence(second.start))
        for first in pair.first.mentions
        for second in pair.second.mentions
    )
    yield f"apart={min(apart, _MOST)}"
    yield f"together={min(len(read.together(pair)), _MOST)}"
    ranks = []
    for place, thing in (("first", pair.first), ("second", pair.second)):
        alike = [other for other in read.things if other.type == thing.type]
        rank = min(alike.index(thing), _MOST)
        ranks.append(min(rank, 2))
        yield f"{thing.type} rank={rank}"
        yield f"{thing.type} number={min(len(alike), _MOST + 2)}"
        yield f"{thing.type} mentions={min(len(thing.mentions), _MOST + 1)}"
        yield f"{thing.type} is {thing.key}"
        yield f"{place} in title={_in_title(thing, read)}"
    yield f"{pair.first.type} {pair.second.type} ranks={ranks}"
    yield f"in title={_in_title(pair.first, read)} {_in_title(pair.second, read)}"


def _in_title(thing: ThingInText, read: ReadText) -> bool:
    end = read.text.find("\n")
    return any(mention.start < end for mention in thing.mentions)


def _of_sentence(first: Span, second: Span, read: ReadText) -> Iterator[str]:
    left, right = (first, second) if first.start <= second.start else (second, first)
    order = f"{left.type}<{right.type}"
    start, end = read.sentence_spans[read.sentence(left.start)]
    between = _words(read.text[left.end : right.start])
    yield f"{order} gap={min(len(between) // _BESIDE, 6)}"
    if len(between) <= _FAR:
        yield from (f"{order} between={word}" for word in between)
        pairs = pairwise(between)
        yield from (f"{order} between={one} {other}" for one, other in pairs)
    if len(between) <= _NEAR:
        yield f"{order} whole={' '.join(between)}"
    rule = best_rule(
        read.text[start : left.start].lower(),
        read.text[left.end : right.start].lower(),
        left,
        right,
    )
    yield f"rule={'<' if rule.backward else '>'}{rule.predicate}" if rule else "rule=none"
    before = _words(read.text[start : left.start])[-_BESIDE:]
    behind = _words(read.text[right.end : end])[:_BESIDE]
    yield from (f"{order} before={word}" for word in before)
    yield from (f"{order} behind={word}" for word in behind)


def _words(text: str) -> list[str]:
    return [match[0].lower() for match in _WORD.finditer(text)]
