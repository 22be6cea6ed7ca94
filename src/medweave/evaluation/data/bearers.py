"""What bears a name, in a base or in the lexicon, whatever source calls it so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from medweave.language.folding import name_key
from medweave.vocabulary.knowledge import Knowledge


@dataclass(frozen=True, slots=True)
class Bearers:
    """Names with all things that are called so, and which of these things the base has."""

    _things: Mapping[str, frozenset[str]]
    _held: frozenset[str]

    def of(self, names: Iterable[str]) -> frozenset[str]:
        """All things that one of these is a name of, as written, in singular or plural."""
        keys = map(name_key, names)
        return frozenset().union(*(self._things.get(key, frozenset()) for key in keys))

    def held(self, names: Iterable[str]) -> bool:
        """Whether the base has one of these things."""
        return not self._held.isdisjoint(self.of(names))


def bearers_of(names: Iterable[str], knowledge: Knowledge) -> Bearers:
    """Look up all these names at once; what is one thing under several identifiers is all of them.

    A name too common to mean anything has no bearers: nothing is ever linked to it.
    """
    found = knowledge.dictionary.bearers(name_key(name) for name in names)
    alike = knowledge.alike(named.entity for some in found.values() for named in some)
    things = {
        key: frozenset(same for named in some for same in alike[named.entity])
        for key, some in found.items()
    }
    held = knowledge.holds(frozenset[str]().union(*things.values()))
    return Bearers(things, frozenset(held))
