"""The part of a base that a question can reach: the sub-graph that is ranked."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

EXPAND_HOPS = 2
"""Steps from the question's entities; two reach a finding's diseases and all they are known by."""


def neighbourhood(
    entities: Iterable[str],
    predicates: Iterable[str],
    knowledge: Knowledge,
    *,
    hops: int = EXPAND_HOPS,
) -> list[SupportedStatement]:
    """All statements by these predicates within `hops` of the entities, in a fixed order."""
    wanted = tuple(predicates)
    reached = set(entities)
    frontier = sorted(reached)
    found: dict[str, SupportedStatement] = {}
    for _ in range(hops):
        if not frontier:
            break
        for supported in knowledge.store.neighbours(frontier, wanted):
            found[supported.statement.id] = supported
        ends = {
            end
            for supported in found.values()
            for end in (supported.statement.subject, supported.statement.object_entity)
            if end is not None
        }
        frontier = sorted(ends - reached)
        reached |= ends
    return [found[identifier] for identifier in sorted(found)]
