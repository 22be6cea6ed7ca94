"""What of a sub-graph has least to do with a question, by five measures. Document 001, 3.3.

Distance from what is named, personalised PageRank from there (Page et al. 1999, with restart),
relations that have nothing to do with the question, the cosine of a relation in words to the
question, and, for what room there is, maximal marginal relevance (Carbonell and Goldstein 1998), as
KG-Rank uses it over triples. Each only says what would go; what must stay is decided elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from heapq import heapify, heappop, heappush

from medweave.language.segmentation import index_terms
from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

Found = Mapping[str, SupportedStatement]
Cosines = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of some others; nothing where there is no saying."""

_RESTART = 0.15
_ROUNDS = 12
_FLOOR = 0.25
"""Of the mean rank: what lies below is of no weight here."""
_WORDS, _DIVERSITY = 0.7, 0.3
"""What relevance counts in the choice, and what likeness to those chosen counts against it."""
_COSINE = 0.2
"""Relations that are less near to a question than this have nothing to do with it."""
TOKENS = 1500
"""Of the words of all statements that are chosen."""
_LETTERS = 4
"""Of a token, about."""


def far(found: Found, core: Collection[str], hops: int) -> list[str]:
    """Statements neither end of which is less than so many steps from what is named."""
    distances = _distances(core, found.values())
    return [
        key
        for key, each in found.items()
        if min(distances.get(end, hops) for end in each.statement.entities) >= hops
    ]


def light(found: Found, core: Collection[str]) -> list[str]:
    """Statements neither end of which has weight in a walk that starts anew at the core."""
    rank = ranks(found, core)
    mean = sum(rank.values()) / max(1, len(rank))
    own = set(core)
    ends = {key: set(each.statement.entities) - own for key, each in found.items()}
    return [
        key
        for key, others in ends.items()
        if others and max(rank.get(end, 0.0) for end in others) < _FLOOR * mean
    ]


def of_relations(found: Found, relations: Collection[str]) -> list[str]:
    """The statements of some relations."""
    return [key for key, each in found.items() if each.statement.predicate in relations]


def unlike(text: str, relations: Collection[str], wanted: Collection[str], knowledge: Knowledge,
           cosines: Cosines) -> list[str]:  # fmt: skip
    """The relations that are not near to a question in meaning; none where nobody can say."""
    others = sorted(set(relations) - set(wanted))
    scores = cosines(text, [_in_words(name, knowledge) for name in others]) if others else ()
    return [name for name, score in zip(others, scores, strict=bool(scores)) if score < _COSINE]


def unasked(text: str, relations: Collection[str], wanted: Collection[str], knowledge: Knowledge
            ) -> list[str]:  # fmt: skip
    """The relations that share no word with a question which asks for others."""
    words = set(index_terms(text))
    if not wanted:
        return []
    return [
        name
        for name in relations
        if name not in wanted and not words.intersection(index_terms(_in_words(name, knowledge)))
    ]


def best(
    text: str,
    found: Found,
    wanted: Mapping[str, float],
    knowledge: Knowledge,
    *,
    room: int,
    tokens: int = TOKENS,
    known: Collection[str] | None = None,
) -> list[str]:
    """The statements to keep, best first: so many, as long as their words are few enough.

    `wanted` is what it adds to relevance that the question asks for a relation. With `known`, what
    names something that is not known yet goes before what says more of what was named already:
    where any thing may be the answer, no thing is lost for a second statement of another.
    """
    words = set(index_terms(text))
    scores: dict[str, float] = {}
    lengths: dict[str, int] = {}
    told = names_and_relations(found.values(), knowledge)
    for (key, each), said in zip(found.items(), told, strict=True):
        own = set(index_terms(said))
        asked = wanted.get(each.statement.predicate, 0.0)
        scores[key] = asked + len(own & words) / max(1, len(own))
        lengths[key] = len(said) // _LETTERS + 1
    order = _diverse(found, scores, room if known is None else len(found))
    chosen: list[str] = []
    for key in order if known is None else _new_first(order, found, known)[:room]:
        tokens -= lengths[key]
        if tokens < 0:
            break
        chosen.append(key)
    return chosen


def names_and_relations(
    some: Collection[SupportedStatement], knowledge: Knowledge, language: str = "en"
) -> Iterator[str]:
    """Statements as their names and relations say them, to be compared word by word."""
    things = knowledge.entities.all({e for each in some for e in each.statement.entities})
    names = {identifier: thing.name(language) for identifier, thing in things.items()}
    for each in some:
        ends = map(names.__getitem__, each.statement.entities)
        yield " ".join([*ends, each.statement.predicate.replace("_", " ")])


def _in_words(predicate: str, knowledge: Knowledge) -> str:
    return knowledge.vocabulary.predicate(predicate).words("en")


def ranks(found: Found, core: Collection[str]) -> dict[str, float]:
    """How much each thing weighs in a walk that starts anew at the core (Page et al. 1999)."""
    beside: dict[str, list[str]] = defaultdict(list)
    for each in found.values():
        ends = each.statement.entities
        if len(ends) > 1:
            beside[ends[0]].append(ends[1])
            beside[ends[1]].append(ends[0])
    start = {thing: 1.0 / len(core) for thing in core}
    rank = dict(start)
    for _ in range(_ROUNDS):
        new = defaultdict(float, {thing: _RESTART * weight for thing, weight in start.items()})
        for thing, weight in rank.items():
            others = beside[thing]
            share = (1 - _RESTART) * weight / max(1, len(others))
            for other in others:
                new[other] += share
        rank = new
    return rank


def _distances(core: Collection[str], found: Iterable[SupportedStatement]) -> dict[str, int]:
    """How many statements lie between each thing and the nearest of some."""
    beside: dict[str, set[str]] = defaultdict(set)
    for each in found:
        ends = each.statement.entities
        for end in ends:
            beside[end].update(ends)
    distances = dict.fromkeys(core, 0)
    frontier = list(core)
    while frontier:
        reached = {end for one in frontier for end in beside[one]} - distances.keys()
        distance = distances[frontier[0]] + 1
        distances.update(dict.fromkeys(reached, distance))
        frontier = sorted(reached)
    return distances


def _diverse(found: Found, scores: Mapping[str, float], room: int) -> Sequence[str]:
    """Maximal marginal relevance, where statements of one thing in one relation are alike."""
    waiting: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key in sorted(found, key=lambda k: (-scores[k], k)):
        statement = found[key].statement
        waiting[statement.subject, statement.predicate].append(key)

    def loss(group: tuple[str, str], taken: int) -> float:
        score = scores[waiting[group][taken]]
        return _DIVERSITY * (1 - 1 / (1 + taken)) - _WORDS * score

    heap = [(loss(group, 0), group, 0) for group in waiting]
    heapify(heap)
    chosen: list[str] = []
    while heap and len(chosen) < room:
        _, group, taken = heappop(heap)
        chosen.append(waiting[group][taken])
        if taken + 1 < len(waiting[group]):
            heappush(heap, (loss(group, taken + 1), group, taken + 1))
    return chosen


def _new_first(order: Sequence[str], found: Found, known: Collection[str]) -> list[str]:
    """Statements that name what none before them does, and then all others."""
    seen = set(known)
    new: list[str] = []
    others: list[str] = []
    for key in order:
        ends = found[key].statement.entities
        (others if seen.issuperset(ends) else new).append(key)
        seen.update(ends)
    return [*new, *others]
