"""What a drug is and contains, and what a condition is a kind of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from medweave.model.edge import thing_number
from medweave.model.statement import SupportedStatement
from medweave.ports import Pattern
from medweave.vocabulary.knowledge import Knowledge

UPWARD = ("in_class", "has_ingredient")
AGAINST = ("contraindicated_in", "caution_in", "interacts_with")
"""The predicates of negative valence that stop a drug, or call for care."""


_MOST = 1000
"""Of so many drugs and classes it is remembered what is said against them."""


@dataclass(frozen=True, slots=True, eq=False)
class Lineages:
    """Lineages of drugs and conditions of one revision of a base, each read once.

    A list of drugs shares its classes, and what is said of a class is read once for all of them,
    and for the questions behind it.
    """

    knowledge: Knowledge
    _drugs: dict[tuple[str, ...], dict[str, tuple[str, ...]]] = field(
        default_factory=dict, repr=False
    )
    _conditions: dict[str, set[str]] = field(default_factory=dict, repr=False)
    _against: dict[str, list[SupportedStatement]] = field(default_factory=dict, repr=False)
    _spoken_of: dict[str, bool] = field(default_factory=dict, repr=False)

    def spoken_of(self, names: set[str]) -> set[str]:
        """Those of which the base has a class, an ingredient, or anything against them."""
        new = {name: thing_number(name) for name in names - self._spoken_of.keys()}
        edges = self.knowledge.store.edges(new.values(), (*AGAINST, *UPWARD)) if new else ()
        touched = {end for edge in edges for end in (edge.subject, edge.object)}
        self._spoken_of.update((name, number in touched) for name, number in new.items())
        return {name for name in names if self._spoken_of[name]}

    def of_drug(self, *names: str) -> dict[str, tuple[str, ...]]:
        """A drug with its ingredients and classes, each with the statements that lead to it."""
        if names not in self._drugs:
            self._drugs[names] = lineage_of(names, self.knowledge)
        return self._drugs[names]

    def expect(self, drugs: Iterable[tuple[str, ...]], *, taken: bool) -> None:
        """These drugs will be held against a person one by one: what they are, and what is against
        them, is read together; where anything is `taken`, what they interact with, too."""
        knowledge = self.knowledge
        new = {name for drug in drugs if drug not in self._drugs for name in drug}
        reached = _climb(new, UPWARD, knowledge)
        knowledge.store.expect([one for name in sorted(reached) for one in _against(name)])
        against = [s.statement for name in reached for s in self.against(name)]
        self.expect_conditions(
            s.object_entity for s in against if s.predicate != "interacts_with" and s.object_entity
        )
        if taken:
            others = {s.entities for s in against if s.predicate == "interacts_with"}
            _climb({end for pair in others for end in pair} - reached, UPWARD, knowledge)

    def expect_conditions(self, names: Iterable[str]) -> None:
        """What these conditions are kinds of will be asked for one by one."""
        _climb({*names} - self._conditions.keys(), ("kind_of",), self.knowledge)

    def of_condition(self, name: str) -> set[str]:
        """A condition and everything it is a kind of."""
        if name not in self._conditions:
            self._conditions[name] = kinds_of(name, self.knowledge)
        return self._conditions[name]

    def against(self, name: str) -> list[SupportedStatement]:
        """What is affirmed against a drug or a class, on either side of an interaction."""
        if len(self._against) > _MOST:
            self._against.clear()
        if name not in self._against:
            found = self.knowledge.store.matches(_against(name))
            self._against[name] = [each for some in found for each in some if each.affirmed]
        return self._against[name]


def _against(name: str) -> list[Pattern]:
    return [*((name, predicate, None) for predicate in AGAINST), (None, "interacts_with", name)]


def _climb(names: set[str], upward: tuple[str, ...], knowledge: Knowledge) -> set[str]:
    """Things with all above them, read level by level."""
    reached: set[str] = set()
    while names := _all_alike(names, knowledge) - reached:
        reached |= names
        knowledge.store.expect([(name, up, None) for up in upward for name in sorted(names)])
        names = {above for name in names for above in _directly_above(name, upward, knowledge)}
    return reached


def _all_alike(names: Iterable[str], knowledge: Knowledge) -> set[str]:
    return {same for some in knowledge.alike(sorted(names)).values() for same in some}


def _directly_above(name: str, upward: tuple[str, ...], knowledge: Knowledge) -> set[str]:
    term = knowledge.lexicon.terms.get(name)
    return set((*term.inherits, *term.classes, *term.implies) if term else ()) | {
        supported.statement.object_entity
        for predicate in upward
        for supported in knowledge.store.match(name, predicate)
        if supported.affirmed and supported.statement.object_entity is not None
    }


@lru_cache(maxsize=2)
def lineages_in(knowledge: Knowledge) -> Lineages:
    """The lineages of what is known of a base at one revision."""
    return Lineages(knowledge)


def lineage_of(drug: tuple[str, ...], knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
    """A drug, its ingredients and classes, each with the statements that lead to it."""
    reached: dict[str, tuple[str, ...]] = {
        same: () for name in drug for same in knowledge.same(name)
    }
    frontier = list(reached)
    while frontier:
        current = frontier.pop(0)
        knowledge.store.expect([(one, up, None) for one in (current, *frontier) for up in UPWARD])
        for predicate in UPWARD:
            for supported in knowledge.store.match(current, predicate):
                above = supported.statement.object_entity
                if supported.affirmed and above is not None and above not in reached:
                    for same in knowledge.same(above):
                        reached.setdefault(same, (*reached[current], supported.statement.id))
                        frontier.append(same)
        term = knowledge.lexicon.terms.get(current)
        for above in term.inherits if term else ():
            if above not in reached:
                reached[above] = reached[current]
                frontier.append(above)
    return reached


def kinds_of(condition: str, knowledge: Knowledge) -> set[str]:
    """A condition, everything it is a kind of, and what it implies."""
    reached = set(knowledge.same(condition))
    frontier = list(reached)
    while frontier:
        current = frontier.pop()
        knowledge.store.expect([(one, "kind_of", None) for one in (current, *frontier)])
        term = knowledge.lexicon.terms.get(current)
        wider = {
            str(supported.statement.object)
            for supported in knowledge.store.match(current, "kind_of")
            if supported.affirmed
        }
        for above in sorted(wider | set((*term.classes, *term.implies) if term else ())):
            frontier += [same for same in knowledge.same(above) if same not in reached]
            reached |= set(knowledge.same(above))
    return reached


def classes_of(drug: Iterable[str], knowledge: Knowledge) -> dict[str, list[str]]:
    """The classes a drug belongs to directly, with the statements that say so if there are any."""
    found: dict[str, list[str]] = {}
    for name in (same for entity in drug for same in knowledge.same(entity)):
        for supported in knowledge.store.match(name, "in_class"):
            if supported.affirmed:
                found.setdefault(str(supported.statement.object), []).append(supported.statement.id)
        term = knowledge.lexicon.terms.get(name)
        for above in term.classes if term else ():
            found.setdefault(above, [])
    return found
