"""Answering queries of triples over any base: names to things, then a join from the surest end.

A relation is read in its declared direction, that of the name it is asked by; where nothing fits
so, as few triples as possible are read from the other side. What a base only denies fits nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from time import perf_counter

from medweave.errors import QuestionError
from medweave.model.belief import belief
from medweave.model.entity import Entity
from medweave.model.statement import Literal, SupportedStatement
from medweave.model.triple_query import (
    MOST_TRIPLES,
    Direction,
    Match,
    PredicateValue,
    Triple,
    TripleResult,
    Value,
    is_unknown,
)
from medweave.retrieval.card import things_called
from medweave.vocabulary.knowledge import Knowledge
from medweave.vocabulary.relation_names import nearest_relation, relations_called
from medweave.vocabulary.vocabulary import PredicateUse

LIMIT = 1000
"""So many values of each unknown, and so many matches, are given."""
TIMEOUT = 30.0
"""Seconds that a query may take."""
_MOST = 200_000
"""Statements of one pattern, and ways to fill the unknowns, beyond which a query is too broad."""
_MANY = 20
_UNNAMED = "?"
_MOST_WAYS = 8
"""So many ways to understand the names of the relations of a query are tried."""
NOTHING_GIVEN: Mapping[str, Collection[str]] = {}

_Filler = str | Literal | PredicateValue
"""What an unknown stands for: a thing by its first identifier, a value, or a relation."""
_Filled = dict[str, _Filler]


def answer_triples(
    query: Sequence[Triple],
    knowledge: Knowledge,
    *,
    limit: int = LIMIT,
    timeout: float = TIMEOUT,
    given: Mapping[str, Collection[str]] = NOTHING_GIVEN,
    as_declared: bool = False,
) -> TripleResult:
    """All that fits; nothing for an empty query. Raises `QuestionError`.

    It is refused where a relation is not one of the base, where it is too broad, and where it takes
    longer than `timeout` seconds. `given` says which things an end, named or unknown, may be, where
    that is known already. `as_declared`: nothing is read from the other side.
    """
    begun = perf_counter()
    if len(query) > MOST_TRIPLES:
        raise QuestionError(
            f"a query has at most {MOST_TRIPLES} triples", remedy="ask in several queries"
        )
    named, unknown = _named_ends(query, knowledge, given)
    ways = [_uses(triple, knowledge) for triple in query]
    found: list[_Solution] = []
    for uses in islice(product(*ways), _MOST_WAYS) if query and not unknown else ():
        join = _Join(query, uses, named, knowledge, begun + timeout)
        directions = islice(join.directions(), 1 if as_declared else None)
        if found := next(filter(None, map(join.solutions, directions)), []):
            break
    made = _result(query, found, knowledge, limit)
    return replace(made, unknown=unknown, seconds=perf_counter() - begun)


def _named_ends(
    query: Sequence[Triple], knowledge: Knowledge, given: Mapping[str, Collection[str]]
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """The things that each end may be that is named or given, and the names that nothing bears."""
    ends = [end for triple in query for end in (triple.subject, triple.object)]
    names = [end for end in dict.fromkeys(ends) if not is_unknown(end)]
    found = {end: _and_alike(given[end], knowledge) for end in dict.fromkeys(ends) if end in given}
    for name in names:
        if name not in found:
            found[name] = _and_alike(things_called(name, knowledge), knowledge)
    return found, tuple(name for name in names if not found[name])


def _and_alike(things: Iterable[str], knowledge: Knowledge) -> tuple[str, ...]:
    """Things with all that are the same, in a fixed order."""
    return tuple(sorted({same for some in knowledge.alike(things).values() for same in some}))


def _uses(triple: Triple, knowledge: Knowledge) -> list[PredicateUse | None]:
    """The relations that a triple may be meant of, the likeliest first: its exact name alone, or
    those that people call so. A thing is the object of no relation to texts."""
    relation, vocabulary = triple.relation, knowledge.vocabulary
    if is_unknown(relation):
        return [None]
    own = vocabulary.predicate(relation)
    if knowledge.holds_relation(own.name):
        return [PredicateUse(own, inverted=False)]
    called = relations_called(relation, vocabulary)
    uses: list[PredicateUse | None] = [
        use for use in called if knowledge.holds_relation(use.predicate.name)
    ]
    if not uses:
        raise _no_relation(relation, knowledge)
    if not is_unknown(triple.object):
        uses.sort(key=lambda use: use is not None and use.predicate.takes_text)
    return uses


def _no_relation(relation: str, knowledge: Knowledge) -> QuestionError:
    held = knowledge.store.tally().predicates
    nearest = nearest_relation(relation, knowledge.vocabulary, held)
    remedy = "build it from sources first"
    if nearest:
        remedy = f"the nearest is '{nearest}'"
    elif held:
        remedy = f"it has: {', '.join(sorted(held))}"
    return QuestionError(f"this base has no relation '{relation}'", remedy=remedy)


@dataclass(frozen=True, slots=True)
class _Solution:
    """One way to fill the unknowns, with the statements that it rests on."""

    filled: _Filled
    matches: tuple[tuple[Match, SupportedStatement], ...] = ()


@dataclass
class _Join:
    """The triples of a query, joined from what is known to what is asked."""

    query: Sequence[Triple]
    uses: Sequence[PredicateUse | None]
    named: Mapping[str, tuple[str, ...]]
    knowledge: Knowledge
    deadline: float
    _memo: dict[tuple[object, ...], list[SupportedStatement]] = field(default_factory=dict)
    _many: bool = False
    """Whether there are so many ways that what is named is listed whole."""
    _indexes: dict[tuple[object, ...], dict[_Filler, list[SupportedStatement]]] = field(
        default_factory=dict
    )
    _first: dict[str, str] = field(default_factory=dict)
    """By thing: the first identifier of all that are the same."""

    def directions(self) -> Iterator[frozenset[int]]:
        """The triples that are read from the other side: none, then as few as possible."""
        turnable = [
            place for place, use in enumerate(self.uses) if not (use and use.predicate.symmetric)
        ]
        for number in range(len(turnable) + 1):
            for turned in combinations(turnable, number):
                yield frozenset(turned)

    def solutions(self, turned: frozenset[int]) -> list[_Solution]:
        """All ways to fill the unknowns, read in these directions."""
        found = [_Solution({})]
        waiting = list(range(len(self.query)))
        while waiting and found:
            place = max(waiting, key=lambda at: (self._known_ends(at, found[0].filled), -at))
            waiting.remove(place)
            self._many = len(found) > _MANY
            longer: list[_Solution] = []
            for solution in found:
                longer.extend(self._extended(solution, place, turned))
                self._check(len(longer))
            found = longer
        return found

    def _known_ends(self, place: int, filled: _Filled) -> int:
        """How many of the ends of a triple are known, and its relation as well."""
        triple = self.query[place]
        return sum(
            not is_unknown(part) or part in self.named or _variable(part, place, at) in filled
            for at, part in enumerate(triple)
        )

    def _extended(
        self, solution: _Solution, place: int, turned: frozenset[int]
    ) -> Iterator[_Solution]:
        """A solution with each statement that fits one more triple; those that fill the unknowns
        in the same way are one."""
        use = self.uses[place]
        both = use is not None and use.predicate.symmetric
        by_filling: dict[tuple[_Filler, ...], _Solution] = {}
        for inverse in (False, True) if both else (place in turned,):
            direction: Direction = "inverse" if inverse else "declared"
            for supported in self._statements(solution.filled, place, inverse=inverse):
                filled = self._filled(solution.filled, place, supported, inverse=inverse)
                if filled is None:
                    continue
                match = (Match(place, supported.statement.id, direction), supported)
                key = tuple(filled.values())
                before = by_filling.get(key, _Solution(filled, solution.matches))
                by_filling[key] = _Solution(filled, (*before.matches, match))
        yield from by_filling.values()

    def _swapped(self, place: int, *, inverse: bool) -> bool:
        """Whether the subject of the triple is the object of the statement."""
        use = self.uses[place]
        return inverse != (use is not None and use.inverted)

    def _statements(
        self, filled: _Filled, place: int, *, inverse: bool
    ) -> list[SupportedStatement]:
        """The statements that fit a triple, as far as its parts are known."""
        triple, use = self.query[place], self.uses[place]
        ends = [self._known(triple, at, place, filled) for at in (0, 2)]
        if self._swapped(place, inverse=inverse):
            ends.reverse()
        relation = filled.get(_variable(triple.relation, place, 1))
        predicate = use.predicate.name if use else None
        if isinstance(relation, PredicateValue):
            predicate = relation.predicate
        if self._many and predicate and (open_end := self._filled_end(place, filled)) is not None:
            swapped = self._swapped(place, inverse=inverse)
            at = 1 if (open_end == 2) != swapped else 0  # noqa: PLR2004 - the object's place
            ends[at] = None
            value = filled[_variable(triple[open_end], place, open_end)]
            return self._by_end(ends, predicate, at).get(value, [])
        return self._all_of(ends, predicate)

    def _filled_end(self, place: int, filled: _Filled) -> int | None:
        """Of a triple that names one end, the place of the other, if a thing was found for it."""
        triple = self.query[place]
        subject, object_ = (not is_unknown(triple[at]) for at in (0, 2))
        if subject == object_:
            return None
        at = 2 if subject else 0
        return at if isinstance(filled.get(_variable(triple[at], place, at)), str) else None

    def _by_end(
        self, ends: Sequence[tuple[str | Literal, ...] | None], predicate: str, at: int
    ) -> Mapping[_Filler, list[SupportedStatement]]:
        """The statements of a named end, by the thing at the other: of many ways to fill it, each
        would else be asked for by itself."""
        key = (tuple(ends), predicate)
        if key not in self._indexes:
            index: dict[_Filler, list[SupportedStatement]] = {}
            for each in self._all_of(ends, predicate):
                other = each.statement.object if at else each.statement.subject
                filler = other if isinstance(other, Literal) else self._thing(other)
                index.setdefault(filler, []).append(each)
            self._indexes[key] = index
        return self._indexes[key]

    def _all_of(
        self, ends: Sequence[tuple[str | Literal, ...] | None], predicate: str | None
    ) -> list[SupportedStatement]:
        key = (ends[0], predicate, ends[1])
        if key not in self._memo:
            self._memo[key] = list(self._read(ends[0], predicate, ends[1]))
            self._know({end for each in self._memo[key] for end in each.statement.entities})
        return self._memo[key]

    def _read(
        self,
        subjects: tuple[str | Literal, ...] | None,
        predicate: str | None,
        objects: tuple[str | Literal, ...] | None,
    ) -> Iterator[SupportedStatement]:
        self._check(0)
        for subject in subjects if subjects is not None else (None,):
            if isinstance(subject, Literal):
                continue
            for object_ in objects if objects is not None else (None,):
                some = self._matched(subject, predicate, object_)
                yield from (each for each in some if each.affirmed)

    def _matched(
        self, subject: str | None, predicate: str | None, object_: str | Literal | None
    ) -> Iterator[SupportedStatement]:
        """The statements that fit; where nothing at all is named, of one relation after the other:
        a store that has begun to read cannot be told that the time is over."""
        whole = subject is None and predicate is None and object_ is None
        count = 0
        for one in sorted(self.knowledge.relations()) if whole else (predicate,):
            some = self.knowledge.store.match(subject, one, object_, limit=_MOST + 1)
            count += len(some)
            self._check(count)
            yield from some

    def _known(
        self, triple: Triple, at: int, place: int, filled: _Filled
    ) -> tuple[str | Literal, ...] | None:
        """What an end of a triple is; None where that is not known yet."""
        part = triple[at]
        if not is_unknown(part):
            return self.named[part]
        value = filled.get(_variable(part, place, at))
        if value is None or isinstance(value, PredicateValue):
            return self.named.get(part)
        return (value,) if isinstance(value, Literal) else self.knowledge.same(value)

    def _filled(
        self, filled: _Filled, place: int, supported: SupportedStatement, *, inverse: bool
    ) -> _Filled | None:
        """The unknowns as a statement fills them; None where that contradicts what is known."""
        statement, triple = supported.statement, self.query[place]
        subject: _Filler = self._thing(statement.subject)
        object_: _Filler = (
            statement.object
            if isinstance(statement.object, Literal)
            else self._thing(statement.object)
        )
        if self._swapped(place, inverse=inverse):
            subject, object_ = object_, subject
        found = dict(filled)
        for at, value in enumerate((subject, PredicateValue(statement.predicate), object_)):
            if is_unknown(triple[at]):
                name = _variable(triple[at], place, at)
                if found.setdefault(name, value) != value:
                    return None
        return found

    def _know(self, things: set[str]) -> None:
        """Look up at once what things are the same as these."""
        alike = self.knowledge.alike(sorted(things - self._first.keys()))
        self._first.update((thing, min(same)) for thing, same in alike.items())

    def _thing(self, identifier: str) -> str:
        return self._first[identifier]

    def _check(self, count: int) -> None:
        if count > _MOST:
            raise QuestionError(
                f"more than {_MOST:,} statements fit", remedy="name one more end, or a relation"
            )
        if perf_counter() > self.deadline:
            raise QuestionError(
                "this query took too long", remedy="name one more end, or give it more --timeout"
            )


def _variable(part: str, place: int, at: int) -> str:
    """The name of an unknown: those without one are all different."""
    return f"{_UNNAMED} {place} {at}" if part == _UNNAMED else part


def _result(
    query: Sequence[Triple], found: Sequence[_Solution], knowledge: Knowledge, limit: int
) -> TripleResult:
    """What was found, cut to the limit, the best supported first."""
    pairs = {match: supported for one in found for match, supported in one.matches}
    beliefs = {each.statement.id: belief(each.evidence) for each in pairs.values()}
    ordered = sorted(pairs, key=lambda m: (m.triple, -beliefs[m.statement], m.statement))
    matches = ordered[:limit]
    statements = {match.statement: pairs[match] for match in matches}
    best = _best_first(query, found, beliefs)
    shown = {name: list(islice(values, limit)) for name, values in best.items()}
    entities = knowledge.entities.all(sorted(_things(shown, statements.values())))
    cited = {item.document for each in statements.values() for item in each.evidence}
    return TripleResult(
        tuple(query),
        {name: [_value(each, entities) for each in values] for name, values in shown.items()},
        matches,
        statements,
        entities,
        {each.id: each for each in knowledge.store.documents(sorted(cited))} if cited else {},
        {statement: beliefs[statement] for statement in statements},
        total=len(found),
        truncated=len(matches) < len(ordered) or any(len(best[n]) > limit for n in best),
    )


def _best_first(
    query: Sequence[Triple], found: Iterable[_Solution], beliefs: Mapping[str, float]
) -> dict[str, list[_Filler]]:
    """The values of each unknown, by what supports them best."""
    asked = [part for triple in query for part in triple if is_unknown(part)]
    weights: dict[str, dict[_Filler, float]] = {name: {} for name in asked}
    for one in found:
        weight = min(beliefs[match.statement] for match, _ in one.matches)
        for variable, value in one.filled.items():
            held = weights[variable.split(" ")[0]]
            held[value] = max(weight, held.get(value, 0.0))
    return {
        name: sorted(held, key=lambda value: (-held[value], str(value)))
        for name, held in weights.items()
    }


def _things(
    shown: Mapping[str, Iterable[_Filler]], statements: Iterable[SupportedStatement]
) -> set[str]:
    found = {value for values in shown.values() for value in values if isinstance(value, str)}
    return found.union(*(each.statement.entities for each in statements))


def _value(filler: _Filler, entities: Mapping[str, Entity]) -> Value:
    return entities[filler] if isinstance(filler, str) else filler
