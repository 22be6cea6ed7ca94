"""What papers say that is near to a question in meaning, though none of its words is known (A6).

The question is compared with things, with relations in words, and with publications. Relations are
found in two ways, by their own words and by the things at their ends that are near, which are then
ranked together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import mul

from medweave.model.statement import SupportedStatement
from medweave.model.vectors import Near, Vectors
from medweave.ports import StoreView, VectorView

_ENTITIES = 5
"""Things that are near, whose relations are looked at."""
_POOL = 100
"""Relations that are looked at by their own words."""
_MOST = 2000
"""Relations of a near thing that are compared one by one."""


@dataclass(frozen=True, slots=True)
class NearRelation:
    """A relation of papers, how near it is, and the documents that state it."""

    supported: SupportedStatement
    score: float
    """The cosine of the relation in words with the question."""
    by: tuple[str, ...]
    """Those of the near things that stand at its ends."""

    @property
    def publications(self) -> tuple[str, ...]:
        """The documents of its evidence: quote and place in each are in the evidence."""
        return tuple(dict.fromkeys(item.document for item in self.supported.evidence))


@dataclass(frozen=True, slots=True)
class SemanticContext:
    """What is near to a question, each class best first."""

    entities: tuple[Near, ...] = ()
    relations: tuple[NearRelation, ...] = ()
    papers: tuple[Near, ...] = ()


NOTHING_NEAR = SemanticContext()


def semantic_context(
    asked: Vectors, index: VectorView, store: StoreView, *, k: int = 5, by_things: float = 0.1
) -> SemanticContext:
    """What is near to a question, given as one vector.

    A relation is ranked by its cosine, and by `by_things` of the cosine of the nearest thing at one
    of its ends.
    """
    [things] = index.search("entity", asked, _ENTITIES)
    [said] = index.search("relation", asked, _POOL)
    [papers] = index.search("paper", asked, k)
    scores = {each.key: each.score for each in said}
    scores |= _of_things(things, set(scores), asked, index, store)
    near = {each.key: each.score for each in things}
    found = {each.statement.id: each for each in store.statements(scores)}

    def ends(key: str) -> tuple[str, ...]:
        return tuple(end for end in found[key].statement.entities if end in near)

    def rank(key: str) -> tuple[float, str]:
        of_things = max((near[end] for end in ends(key)), default=0.0)
        return -(scores[key] + by_things * of_things), key

    best = sorted(found, key=rank)[:k]
    relations = tuple(NearRelation(found[key], scores[key], ends(key)) for key in best)
    return SemanticContext(tuple(things), relations, tuple(papers))


def _of_things(
    things: Sequence[Near], known: set[str], asked: Vectors, index: VectorView, store: StoreView
) -> dict[str, float]:
    """The relations that have a near thing as their subject or object, with their cosines."""
    keys: dict[str, None] = {}
    for thing in things:
        around = chain(store.match(subject=thing.key), store.match(object=thing.key))
        for each in islice(around, _MOST):
            keys.setdefault(each.statement.id)
    row = asked[0]
    return {
        key: round(sum(map(mul, row, table.vectors[at])), 6)
        for table in index.fetch("relation", [key for key in keys if key not in known])
        for key, at in zip(table.keys, table.rows, strict=True)
    }
