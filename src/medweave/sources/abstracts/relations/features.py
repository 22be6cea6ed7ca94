"""What is told of two things of a text, for a model that says how they are related.

Of the whole text: how often and where both are named, how far apart, what stands nearer, and what
stands beside each wherever it is named, and how its last word ends. Of the sentences that name
both: the words between them, before and behind, which stands first, and what else is named between.
Words that say alike ("induced", "caused") are told as one as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from medweave.language.folding import singular
from medweave.sources.abstracts.cues import cues_in
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.relations.rules import best_rule
from medweave.sources.abstracts.relations.things import Pair, ReadText, ThingInText

_WORD = re.compile(r"[^\W\d_]+")
_MOST = 4
"""Counts above this are as good as this."""
_FEW = 3
_FAR = 12
"""Words between two things that are looked at one by one."""
_CLOSE = 6
_NEAR = 4
_BESIDE = 3
_MANY = 6
_ENDING = 4
"""Letters of a last word."""


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
    numbers = []
    ranks = []
    for place, thing in (("first", pair.first), ("second", pair.second)):
        alike = [other for other in read.things if other.type == thing.type]
        rank = min(alike.index(thing), _MOST)
        ranks.append(min(rank, 2))
        numbers.append(min(len(alike), _MANY))
        yield f"{thing.type} rank={rank}"
        yield f"{thing.type} number={min(len(alike), _MOST + 2)}"
        yield f"{thing.type} mentions={min(len(thing.mentions), _MOST + 1)}"
        yield f"{thing.type} is {thing.key}"
        yield f"{place} in title={_in_title(thing, read)}"
    yield f"{pair.first.type} {pair.second.type} ranks={ranks}"
    yield f"{pair.first.type} {pair.second.type} numbers={numbers}"
    titles = f"{_in_title(pair.first, read)} {_in_title(pair.second, read)}"
    yield f"in title={titles}"
    # What counts together is told together, since the model only adds.
    together = min(len(read.together(pair)), 2)
    yield f"{pair.first.type} together={together} in title={titles}"
    yield f"{pair.first.type} together={together} ranks={ranks}"
    yield f"{pair.first.type} apart={apart} ranks={ranks} in title={titles}"
    yield f"pair={' '.join(sorted((pair.first.key, pair.second.key)))}"
    yield from _nearness(pair.first, pair.second, read)
    yield from _nearness(pair.second, pair.first, read)


def _nearness(thing: ThingInText, other: ThingInText, read: ReadText) -> Iterator[str]:
    """How many things of its type stand nearer to a thing than another does."""
    rivals = [each for each in read.things if each.type == other.type]
    nearer = sum(_distance(thing, each) < _distance(thing, other) for each in rivals)
    yield f"{thing.type} has nearer {other.type}={min(nearer, _FEW)}"


def _distance(one: ThingInText, other: ThingInText) -> int:
    return min(abs(a.start - b.start) for a in one.mentions for b in other.mentions)


def _of_thing(thing: ThingInText, read: ReadText) -> Iterator[str]:
    """What stands beside it wherever it is named, and whether another name says more."""
    places = set()
    for mention in thing.mentions:
        number = read.sentence(mention.start)
        places.add(number)
        start, end = read.sentence_spans[number]
        before = _words(read.text[start : mention.start])
        behind = _words(read.text[mention.end : end])
        for words in (1, 2):
            yield f"{thing.type} after={' '.join(before[-words:])}"
            yield f"{thing.type} ahead of={' '.join(behind[:words])}"
        yield from (f"{thing.type} near after {cue}" for cue in cues_in(before[-_NEAR:]))
        yield from (f"{thing.type} near ahead of {cue}" for cue in cues_in(behind[:_NEAR]))
    first = thing.mentions[0]
    head = singular(read.text[first.start : first.end].lower().split()[-1])
    yield f"{thing.type} head={head}"
    yield f"{thing.type} ending={head[-_ENDING:]}"
    longer = [
        f" {name} " for other in read.things if other.type == thing.type and other != thing
        for name in read.names(other)
    ]  # fmt: skip
    if any(f" {name} " in other for name in read.names(thing) for other in longer):
        yield f"{thing.type} is part of another"
    if len(read.sentence_spans) - 1 in places:
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
    amid = [t.type for t in read.things for m in t.mentions if left.end <= m.start < right.start]
    counts = [min(amid.count(end.type), _FEW) for end in (left, right)]
    yield f"{order} amid={counts}"
    last = len(read.sentence_spans) - 1
    number = read.sentence(left.start)
    yield f"{order} in the first sentence={number == 0} last={number == last}"
    if len(between) <= _FAR:
        yield from (f"{order} between={word}" for word in between)
        pairs = pairwise(between)
        yield from (f"{order} between={one} {other}" for one, other in pairs)
    cues = cues_in(between)
    yield from (f"{order} cue={cue}" for cue in cues)
    yield from (f"{order} near cue={cue}" for cue in cues if len(between) <= _CLOSE)
    yield from (f"sentence cue={cue}" for cue in cues_in(_words(read.text[start:end])))
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
