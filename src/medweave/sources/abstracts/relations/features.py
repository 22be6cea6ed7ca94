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
    for thing in (pair.first, pair.second):
        found += _of_thing(thing, read)
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
    titles = f"{_in_title(pair.first, read)} {_in_title(pair.second, read)}"
    yield f"in title={titles}"
    import os
    V = os.environ.get("V", "")
    if "conj" in V:
        together = min(len(read.together(pair)), 2)
        yield f"{pair.first.type} together={together} in title={titles}"
        yield f"{pair.first.type} together={together} ranks={ranks}"
        yield f"{pair.first.type} apart={min(apart, 3)} ranks={ranks} in title={titles}"
    if "pairid" in V:
        yield "pair=" + " ".join(sorted((pair.first.key, pair.second.key)))
    if "near" in V:
        for one, other in ((pair.first, pair.second), (pair.second, pair.first)):
            best = [min(abs(a.start - b.start) for a in one.mentions for b in x.mentions) for x in read.things if x.type == other.type]
            mine = min(abs(a.start - b.start) for a in one.mentions for b in other.mentions)
            yield f"{other.type} nearness={min(sum(b < mine for b in best), 3)} of {one.type}"


def _of_thing(thing: ThingInText, read: ReadText) -> Iterator[str]:
    """What stands beside it wherever it is named, and whether another name says more."""
    for mention in thing.mentions:
        start, end = read.sentence_spans[read.sentence(mention.start)]
        before = _words(read.text[start : mention.start])[-_BESIDE:]
        behind = _words(read.text[mention.end : end])[:_BESIDE]
        yield f"{thing.type} after={' '.join(before[-1:])}"
        yield f"{thing.type} after={' '.join(before[-2:])}"
        yield f"{thing.type} ahead of={' '.join(behind[:1])}"
        yield f"{thing.type} ahead of={' '.join(behind[:2])}"
    names = read.names(thing)
    others = [other for other in read.things if other.type == thing.type and other != thing]
    if any(f" {name} " in f" {longer} " for other in others for longer in read.names(other) for name in names):
        yield f"{thing.type} is part of another"
    last = len(read.sentence_spans) - 1
    if any(read.sentence(mention.start) == last for mention in thing.mentions):
        yield f"{thing.type} in the last sentence"


def _in_title(thing: ThingInText, read: ReadText) -> bool:
    end = read.text.find("\n")
    return any(mention.start < end for mention in thing.mentions)


def _of_sentence(first: Span, second: Span, read: ReadText) -> Iterator[str]:
    left, right = (first, second) if first.start <= second.start else (second, first)
    order = f"{left.type}<{right.type}"
    start, end = read.sentence_spans[read.sentence(left.start)]
    between = _words(read.text[left.end : right.start])
    yield f"{order} gap={min(len(between) // _BESIDE, 6)}"
    amid = [
        other.type
        for other in read.things
        for mention in other.mentions
        if left.end <= mention.start and mention.end <= right.start
    ]
    yield f"{order} amid={min(amid.count(left.type), 3)} {min(amid.count(right.type), 3)}"
    number = read.sentence(left.start)
    yield f"{order} in sentence {'first' if number == 0 else 'last' if number == len(read.sentence_spans) - 1 else 'amid'}"
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
