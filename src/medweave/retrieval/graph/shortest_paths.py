"""How two things hang together: the shortest chains of statements between them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from medweave.errors import NotFoundError
from medweave.model.dialogue_tree import HAS_SECTION
from medweave.model.entity import Entity
from medweave.model.statement import SupportedStatement
from medweave.model.support_json import SupportForm, named_form
from medweave.retrieval.card import closure, things_called
from medweave.vocabulary.knowledge import Knowledge

MOST = 5
"""So many paths are given."""
STEPS = 4
"""A longer chain says nothing of its ends any more."""
_CAP = 300
"""Statements of one thing that are followed, in each direction."""
_MOST_THINGS = 20_000


@dataclass(frozen=True, slots=True)
class Paths:
    """Chains of statements, the shortest first, and all that they rest on."""

    paths: tuple[tuple[SupportedStatement, ...], ...]
    form: SupportForm
    entities: dict[str, Entity]

    def to_json(self, language: str = "en") -> dict[str, Any]:
        """Paths of statements with their evidence, and the things by identifier."""
        return {
            "paths": [[self.form.whole(each) for each in path] for path in self.paths],
            "entities": {
                name: named_form(entity, language) for name, entity in self.entities.items()
            },
        }


def paths_between(
    start: str, end: str, knowledge: Knowledge, language: str = "en", *, most: int = MOST
) -> Paths:
    """The shortest paths between two things, by name or identifier; `NotFoundError`."""
    first, last = (_things(name, knowledge) for name in (start, end))
    chains = _chains(first, last, knowledge, most)
    statements = {s.statement.id: s for chain in chains for s in chain}
    entities, documents, beliefs = closure(statements.values(), knowledge)
    form = SupportForm(statements, entities, documents, beliefs, language)
    return Paths(chains, form, entities)


def _things(name: str, knowledge: Knowledge) -> list[str]:
    found = things_called(name, knowledge)
    if not found:
        raise NotFoundError(
            "the base knows nothing of this name", where=name, remedy="try another spelling"
        )
    return sorted({same for each in found[:1] for same in knowledge.same(each)})


def _chains(
    first: Collection[str], last: Collection[str], knowledge: Knowledge, most: int
) -> tuple[tuple[SupportedStatement, ...], ...]:
    """Chains by the fewest steps: what was reached in a step is kept with how it was reached."""
    if set(first) & set(last):
        return ()
    ways: dict[str, list[tuple[str, SupportedStatement]]] = {each: [] for each in first}
    edge, predicates = set(first), _followed(knowledge)
    for _ in range(STEPS):
        reached: dict[str, list[tuple[str, SupportedStatement]]] = {}
        for near, far, supported in _steps(edge, predicates, knowledge):
            if far not in ways:
                reached.setdefault(far, []).append((near, supported))
        ways |= reached
        edge = set(reached)
        met = sorted(edge & set(last))
        if met or not edge or len(ways) > _MOST_THINGS:
            found = (chain for each in met for chain in _back(each, ways))
            return tuple(chain for chain, _ in zip(found, range(most), strict=False))
    return ()


def _followed(knowledge: Knowledge) -> list[str]:
    """The relations of the base between things; not the parts and links of dialogues."""
    return [
        name
        for name in knowledge.store.tally().predicates
        if name != HAS_SECTION and knowledge.vocabulary.predicate(name).importance is None
    ]


def _steps(
    edge: Iterable[str], predicates: list[str], knowledge: Knowledge
) -> Iterator[tuple[str, str, SupportedStatement]]:
    """(where from, where to, by what), in a fixed order."""
    near = set(edge)
    found = knowledge.store.neighbours(sorted(near), predicates, cap=_CAP)
    for supported in sorted(found, key=lambda one: one.statement.id):
        subject, target = supported.statement.subject, supported.statement.object_entity
        if target is None:
            continue
        if subject in near:
            yield subject, target, supported
        if target in near:
            yield target, subject, supported


def _back(
    thing: str, ways: dict[str, list[tuple[str, SupportedStatement]]]
) -> Iterator[tuple[SupportedStatement, ...]]:
    """All chains that lead to a thing, from where they begin."""
    if not ways[thing]:
        yield ()
    for before, supported in ways[thing]:
        for chain in _back(before, ways):
            yield (*chain, supported)
