"""Several stores as one, in which a thing that several of them know is one thing.

Two identifiers are one thing by the rules that join things within a base (`Knowledge.alike`): a
shared identifier, a cross-reference, or a name. Of a thing's identifiers one stands for all, so a
statement that two stores make is one statement with evidence from both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from medweave.inplace.members import Member
from medweave.inplace.union import UnionStore, counted, merged
from medweave.model.edge import Edge, edges_of, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.identifiers import LOCAL_PREFIX
from medweave.model.statement import Evidence, Literal, Statement, SupportedStatement
from medweave.ports import GraphStore, MentionCount, Pattern
from medweave.vocabulary.knowledge import Knowledge

_MEMO_SIZE = 50_000


@dataclass
class _Decided:
    """What is one thing, as it was decided at a revision; another question may see another."""

    revision: int
    by: Knowledge
    things: dict[int, str] = field(default_factory=dict)
    """Identifiers by their numbers."""
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """All identifiers of a thing, by each of them."""
    origins: dict[str | int, tuple[str, ...]] = field(default_factory=dict)
    """The statements as stores have them, by the identifier and number of what they became."""


class FederatedStore(UnionStore):
    """See `UnionStore`; `knowledge_of` makes the view in which it is decided what is one thing."""

    def __init__(
        self,
        members: Sequence[Member],
        where: str,
        knowledge_of: Callable[[GraphStore], Knowledge],
    ) -> None:
        super().__init__(members, where)
        self._plain = UnionStore(members, where)
        self._plain._mine = self._mine  # one question to both
        self._knowledge_of = knowledge_of
        self._decided: _Decided | None = None

    # what is one thing

    def _alike(self, entities: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Each thing with all its identifiers, that which stands for all of them first."""
        decided = self._now()
        asked = list(dict.fromkeys(entities))
        missing = [one for one in asked if one not in decided.groups]
        if missing:
            decided.groups.update(self._grouped(missing, decided.by))
        return {one: decided.groups[one] for one in asked}

    def _now(self) -> _Decided:
        """What was decided of the stores as they stand."""
        revision, decided = self.version().revision, self._decided
        if decided is None or decided.revision != revision or len(decided.origins) > _MEMO_SIZE:
            decided = self._decided = _Decided(revision, self._knowledge_of(self._plain))
        return decided

    @property
    def _origins(self) -> dict[str | int, tuple[str, ...]]:
        return self._decided.origins if self._decided else {}

    @staticmethod
    def _grouped(missing: list[str], knowledge: Knowledge) -> dict[str, tuple[str, ...]]:
        group: dict[str, set[str]] = {one: {one} for one in missing}
        new = missing
        while new:
            found = knowledge.alike(new)
            new = [one for some in found.values() for one in some if one not in group]
            new = list(dict.fromkeys(new))
            group.update((one, {one}) for one in new)
            for one, some in found.items():
                joined = set().union(group[one], *(group[other] for other in some))
                for other in joined:
                    group[other] = joined
        return {one: tuple(sorted(some, key=_standing)) for one, some in group.items()}

    def _first(self, entities: Iterable[str]) -> dict[str, str]:
        return {one: some[0] for one, some in self._alike(entities).items()}

    def _all_of(self, entities: Iterable[str]) -> list[str]:
        return list(dict.fromkeys(one for some in self._alike(entities).values() for one in some))

    def _joined(self, found: Sequence[SupportedStatement]) -> list[SupportedStatement]:
        first = self._first(end for each in found for end in each.statement.entities)
        self._now().things.update((thing_number(end), end) for end in (*first, *first.values()))
        return merged(self._about(each, first) for each in found)

    def _about(
        self, found: SupportedStatement, first: dict[str, str]
    ) -> tuple[Statement, tuple[Evidence, ...]]:
        one = found.statement
        end = one.object if isinstance(one.object, Literal) else first[one.object]
        made = replace(one, subject=first[one.subject], object=end)
        if made.id == one.id:
            return one, found.evidence
        origins = self._origins
        for key in (made.id, statement_number(made.id)):
            origins[key] = tuple(dict.fromkeys((*origins.get(key, ()), one.id)))
        return made, tuple(replace(item, statement=made.id) for item in found.evidence)

    # statements

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        if subject is None and not isinstance(object, str):
            found = self._joined(super().match(subject, predicate, object, limit=limit))[:limit]
            return found if limit is None else self._whole(found, found)
        return self.matches([(subject, predicate, object)])[0][:limit]

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        ends = [end for s, _, o in patterns for end in (s, o) if isinstance(end, str)]
        of = self._alike(ends)
        every = [_ways(pattern, of) for pattern in patterns]
        flat = [pattern for some in every for pattern in some]
        found = iter(super().matches(flat))
        return [self._joined([one for _ in some for one in next(found)]) for some in every]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `UnionStore.neighbours`. What only some stores tell before they come to `cap` is told
        with what the others say of it."""
        every = self._all_of(entities)
        found = self._joined(super().neighbours(every, predicates, cap=cap))
        touching = Counter(end for each in found for end in each.statement.entities)
        hubs = {end for end in every if touching[end] >= cap}
        return self._whole(found, [o for o in found if not hubs.isdisjoint(o.statement.entities)])

    def _whole(
        self, found: Sequence[SupportedStatement], cut: Sequence[SupportedStatement]
    ) -> list[SupportedStatement]:
        """Statements, those that were `cut` from longer lists with all that any store says of them:
        read by that end of each which touches less."""
        touching = Counter(end for each in found for end in each.statement.entities)
        patterns = dict.fromkeys(_by_one_end(each.statement, touching) for each in cut)
        said = {one.statement.id: one for some in self.matches([*patterns]) for one in some}
        return [said.get(each.statement.id, each) for each in found]

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        asked = list(dict.fromkeys(identifiers))
        origins = self._origins
        theirs = [one for each in asked for one in (each, *origins.get(each, ()))]
        found = {each.statement.id: each for each in self._joined(super().statements(theirs))}
        by_number = {statement_number(one): one for one in found}
        wanted = (by_number.get(one, "") if isinstance(one, int) else one for one in asked)
        return [found[one] for one in dict.fromkeys(wanted) if one in found]

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        return edges_of(self.neighbours(self.identifiers(things).values(), predicates, cap=cap))

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        """See `SupportsNumbers.identifiers`; the ends of what was read are known."""
        known, asked = self._now().things, list(dict.fromkeys(things))
        if missing := [one for one in asked if one not in known]:
            known.update(super().identifiers(missing))
        return {one: known[one] for one in asked if one in known}

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """See `SupportsNumbers.degrees`; what two stores say may count twice."""
        named = self.identifiers(things)
        of = self._alike(named.values())
        counts = super().degrees(map(thing_number, self._all_of(named.values())), predicates)
        found = {
            n: sum(counts.get(thing_number(o), 0) for o in of[one]) for n, one in named.items()
        }
        return {number: count for number, count in found.items() if count}

    # names

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        found = list(super().names(None if entities is None else self._all_of(entities)))
        first = self._first(mention.entity for mention, _ in found)
        yield from ((replace(m, entity=first[m.entity]), document) for m, document in found)

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        if entities is None:
            return self._of_first(super().mentions())
        of = self._alike(entities)
        # Who asks by another name than the first (what is alike changes with a store that does not
        # answer) hears of it by that name.
        called = {one: asked for asked, some in reversed(of.items()) for one in some}
        called |= {one: some[0] for some in of.values() if some[0] in of for one in some}
        return _called(called, super().mentions(list(called)))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        return self._of_first(super().named(keys))

    def _of_first(self, found: Sequence[MentionCount]) -> list[MentionCount]:
        return _called(self._first(each.mention.entity for each in found), found)

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        found = super().by_cross_reference(identifiers)
        first = self._first(one for some in found.values() for one in some)
        return {key: sorted({first[one] for one in some}) for key, some in found.items()}

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        found = []
        for same in self._all_of([entity]):
            found += super().naming_documents(same, limit=limit)
        return [(replace(mention, entity=entity), document) for mention, document in found]


def _called(names: Mapping[str, str], found: Iterable[MentionCount]) -> list[MentionCount]:
    """Mentions of things by other identifiers of theirs."""
    return counted(
        replace(each, mention=replace(each.mention, entity=names[each.mention.entity]))
        for each in found
    )


def _standing(entity: str) -> tuple[bool, str]:
    """Which identifier stands for a thing: one that a vocabulary gives, before a name."""
    return entity.startswith(f"{LOCAL_PREFIX}."), entity


def _by_one_end(one: Statement, touching: Mapping[str, int]) -> Pattern:
    """What finds a statement by one of its things, with others that are like it."""
    object_ = one.object_entity
    if object_ is None or touching[one.subject] <= touching[object_]:
        return one.subject, one.predicate, None
    return None, one.predicate, object_


def _ways(pattern: Pattern, of: dict[str, tuple[str, ...]]) -> list[Pattern]:
    """A pattern by all identifiers of its things."""
    subject, predicate, object_ = pattern
    subjects: Sequence[str | None] = [None] if subject is None else of[subject]
    objects: Sequence[str | Literal | None] = of[object_] if isinstance(object_, str) else [object_]
    return [(one, predicate, other) for one in subjects for other in objects]
