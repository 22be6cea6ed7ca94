"""The statements around what a step is about, and what is taken out of them again, with reasons.

Around the things of a question lie more statements than anybody reads. They are taken up to two
steps away, few of a hub; then they are pruned by distance (a step away at most), by personalised
PageRank from the things of the question (Page et al. 1999, with restart), and at last to a budget
by maximal marginal relevance (Carbonell and Goldstein 1998), as KG-Rank does over triples. What an
answer rests on stays, and so does one statement of each thing that is named. Document 001, 3.3.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from medweave.language.segmentation import index_terms
from medweave.model.statement import SupportedStatement
from medweave.model.steps import Removed, RemovedBy
from medweave.vocabulary.knowledge import Knowledge

HOPS = 2
"""So far statements are taken from what a question names."""
PRUNED_HOPS = max(1, HOPS // 2)
"""So far they may lie from it to stay."""
_CAPS = (60, 4)
"""Statements of one thing and direction, by hop: more of a hub are left where they are."""
_FRONTIER = 24
"""Things from which a further hop is made."""
_MOST = 100
"""Statements that stay beside those that the answer rests on."""
_HALF = 0.5
_RESTART = 0.15
_ROUNDS = 12
_FLOOR = 0.25
"""Of the mean rank: what lies below is of no weight here."""
_WORDS, _DIVERSITY = 0.7, 0.3
"""What relevance counts in the choice, and what likeness to those chosen counts against it."""

Found = Mapping[str, SupportedStatement]


@dataclass(frozen=True, slots=True)
class Subgraph:
    """What is left of the statements around some things, and what was taken out."""

    before: int
    statements: tuple[str, ...]
    removed: tuple[Removed, ...]
    things: frozenset[str] = frozenset()
    """What the statements that are left are about."""


def subgraph_of(
    text: str,
    core: Collection[str],
    evidence: Found,
    knowledge: Knowledge,
) -> Subgraph:
    """The statements around the things of a step, pruned; `evidence` are those of its answer."""
    around = _expanded(core, knowledge)
    every = {**around, **evidence}
    distances = _distances(core, every.values())
    remaining = dict(every)
    removed: list[Removed] = []
    for by, reason, out in (
        ("distance", f"more than {PRUNED_HOPS} from what is named", _far(remaining, distances)),
        ("pagerank", "of little weight around what is named", _light(every, core)),
    ):
        removed += _taken(remaining, out, evidence, by, reason)  # type: ignore[arg-type]
    room = max(0, min(_MOST, int(len(every) * _HALF) - len(evidence)))
    others = {key: found for key, found in remaining.items() if key not in evidence}
    chosen = _relevant(text, others, room, knowledge)
    out = [key for key in others if key not in chosen]
    removed += _taken(remaining, out, evidence, "budget", "less to the question than what stays")
    if every and not remaining:
        first = min(every)
        remaining[first] = every[first]
        removed = [each for each in removed if each.statement != first]
    things = {end for found in remaining.values() for end in found.statement.entities}
    return Subgraph(len(every), tuple(remaining), tuple(removed), frozenset({*things, *core}))


def _taken(
    remaining: dict[str, SupportedStatement],
    out: Iterable[str],
    evidence: Found,
    by: RemovedBy,
    reason: str,
) -> Iterator[Removed]:
    """Take statements out, but for those that an answer rests on."""
    for key in list(out):
        if key in remaining and key not in evidence:
            del remaining[key]
            yield Removed(key, by, reason)


def _expanded(core: Collection[str], knowledge: Knowledge) -> dict[str, SupportedStatement]:
    """Statements up to two hops from some things."""
    predicates = [p.name for p in knowledge.vocabulary.predicates.values() if not p.takes_text]
    found: dict[str, SupportedStatement] = {}
    seen: set[str] = set()
    frontier = sorted(core)
    for cap in _CAPS[:HOPS]:
        some = knowledge.store.neighbours(frontier, predicates, cap=cap)
        seen.update(frontier)
        new = {each.statement.id: each for each in some if each.affirmed}
        found |= {key: each for key, each in new.items() if key not in found}
        ends = {end for each in new.values() for end in each.statement.entities}
        frontier = sorted(ends - seen)[:_FRONTIER]
    return found


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


def _far(found: Found, distances: Mapping[str, int]) -> list[str]:
    return [
        key
        for key, each in found.items()
        if min(distances.get(end, HOPS + 1) for end in each.statement.entities) >= PRUNED_HOPS
    ]


def _light(found: Found, core: Collection[str]) -> list[str]:
    """Statements neither end of which has weight in a walk that starts anew at the core."""
    beside: dict[str, list[str]] = defaultdict(list)
    for each in found.values():
        ends = each.statement.entities
        if len(ends) > 1:
            beside[ends[0]].append(ends[1])
            beside[ends[1]].append(ends[0])
    start = {thing: 1.0 / len(core) for thing in core}
    rank = dict(start)
    for _ in range(_ROUNDS):
        new = {thing: _RESTART * weight for thing, weight in start.items()}
        for thing, weight in rank.items():
            share = (1 - _RESTART) * weight / max(1, len(beside[thing]))
            for other in beside[thing]:
                new[other] = new.get(other, 0.0) + share
        rank = new
    mean = sum(rank.values()) / max(1, len(rank))
    weights = {
        key: max(rank.get(end, 0.0) for end in each.statement.entities if end not in core)
        for key, each in found.items()
        if not set(each.statement.entities) <= set(core)
    }
    return [key for key, weight in weights.items() if weight < _FLOOR * mean]


def _relevant(text: str, found: Found, room: int, knowledge: Knowledge) -> set[str]:
    """The statements that have most words of a question, no relation of one thing over and over."""
    words = set(index_terms(text))
    names = knowledge.entities.all({e for each in found.values() for e in each.statement.entities})
    scores: dict[str, float] = {}
    for key, each in found.items():
        said = " ".join(
            [each.statement.predicate.replace("_", " "),
             *(names[end].name() for end in each.statement.entities)]
        )  # fmt: skip
        own = set(index_terms(said))
        scores[key] = len(own & words) / max(1, len(own))
    return set(_diverse(found, scores, room))


def _diverse(found: Found, scores: Mapping[str, float], room: int) -> Sequence[str]:
    """Maximal marginal relevance, where statements of one thing in one relation are alike."""
    waiting: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key in sorted(found, key=lambda k: (-scores[k], k)):
        statement = found[key].statement
        waiting[statement.subject, statement.predicate].append(key)
    chosen: list[str] = []
    counts: dict[tuple[str, str], int] = dict.fromkeys(waiting, 0)
    while waiting and len(chosen) < room:
        best = max(
            waiting,
            key=lambda group: (
                _WORDS * scores[waiting[group][0]] - _DIVERSITY * (1 - 1 / (1 + counts[group])),
                group,
            ),
        )
        chosen.append(waiting[best].pop(0))
        counts[best] += 1
        if not waiting[best]:
            del waiting[best]
    return chosen
