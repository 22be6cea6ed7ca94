"""The things of a base, to be looked through."""

from __future__ import annotations

from dataclasses import dataclass

from medweave.vocabulary.entities import ranked_concepts
from medweave.vocabulary.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing by its identifier; `rank` says how well a name fits what was looked for, best 0."""

    id: str
    rank: int = 0
    name: str = ""
    """The name by which it was found."""


def things_of(knowledge: Knowledge, text: str = "", concept: str = "") -> list[Thing]:
    """All things, or those a name of which holds a text: as a whole, at its beginning, at the
    beginning of a word, or anywhere."""
    if not text:
        found = [Thing(name) for name, _ in knowledge.store.concept_votes()]
    else:
        found = _named(knowledge, text.casefold().strip())
    if not concept:
        return found
    of = {
        name
        for name, votes in knowledge.store.concept_votes()
        if next(iter(ranked_concepts(votes, knowledge.vocabulary)), "") == concept
    }
    return [each for each in found if each.id in of]


def _named(knowledge: Knowledge, text: str) -> list[Thing]:
    best: dict[str, Thing] = {}
    for count in knowledge.store.all_names():
        name, identifier = count.mention.name, count.mention.entity
        rank = 0 if identifier.casefold() == text else _rank(name.casefold(), text)
        if rank is not None and (identifier not in best or (rank, name) < _key(best[identifier])):
            best[identifier] = Thing(identifier, rank, name)
    return list(best.values())


def _key(thing: Thing) -> tuple[int, str]:
    return thing.rank, thing.name


def _rank(name: str, text: str) -> int | None:
    if text not in name:
        return None
    if name.startswith(text):
        return 0 if name == text else 1
    return 2 if f" {text}" in name else 3
