"""Several stores as one, things by the identifiers that each store has for them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import add, or_
from typing import TypeVar

from medweave.errors import MedweaveError
from medweave.inplace.gathering import gathered
from medweave.inplace.members import Member, Round, Silent
from medweave.inplace.read_only import ReadOnlyStore
from medweave.model.answer import BaseVersion, StoreAnswer
from medweave.model.document import Document
from medweave.model.edge import Edge
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.model.statement import Evidence, EvidenceClass, Literal, Statement, SupportedStatement
from medweave.model.stores import in_store, store_of
from medweave.ports import Hit, MentionCount, Pattern, SharedName, StoreView
from medweave.stores.order import statement_order

_T = TypeVar("_T")
_K = TypeVar("_K")
_V = TypeVar("_V")


class UnionStore(ReadOnlyStore):
    """See `medweave.ports` for what each method promises; writing is refused.

    Documents get the name of their store into their identifier, so that what two stores say in the
    same words is two pieces of evidence.
    """

    def __init__(self, members: Sequence[Member], where: str) -> None:
        super().__init__(
            where,
            why="several stores together are only asked",
            remedy=f"name one of them: {where}#{members[0].name}",
        )
        self._members = members
        self._mine = threading.local()
        self._faults = 0
        """How often a store was lost: what was read then is not kept."""

    # one question

    @property
    def _round(self) -> Round:
        held: Round | None = getattr(self._mine, "round", None)
        return held or self._begun()

    def _begun(self) -> Round:
        begun = Round(self._members)
        begun.versions = dict(begun.ask(lambda view, _: view.version()))
        begun.check(self._where)
        return begun

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One question: a store that is lost stays so until it is over."""
        if getattr(self._mine, "round", None) is not None:
            yield
            return
        silent: Silent = getattr(self._mine, "silent", {})
        held = self._mine.round = Round.without(silent, self._members)
        begun: set[str] = set()
        try:
            held.hold()
            held.check(self._where)
            begun = set(held.lost)
            try:
                yield
            finally:
                held.release()
            held.check(self._where)
        finally:
            if held.lost:
                self._faults += 1
            self._mine.round = None
            self._mine.midway = held.left() if begun < set(held.lost) else {}

    def wholly(self, read: Callable[[], _T]) -> _T:
        """What `read` tells of the stores that are heard to its end. Where one is lost in the
        midst, what it had told by then would stand without its names and documents: the others are
        asked again, and it is not."""
        if getattr(self._mine, "round", None) is not None:
            return read()
        self._mine.silent = {}
        try:
            for _ in self._members:
                self._mine.midway = {}
                try:
                    found = read()
                except (MedweaveError, LookupError):
                    if not self._mine.midway or len(self._mine.midway) == len(self._members):
                        raise
                else:
                    if not self._mine.midway:
                        return found
                self._mine.silent = self._mine.midway
            return read()
        finally:
            self._mine.silent = {}

    def outcomes(self) -> tuple[StoreAnswer, ...]:
        """What became of each store in this question so far."""
        return self._round.outcomes()

    def _ask(self, call: Callable[[StoreView], _T]) -> list[tuple[str, _T]]:
        return self._round.ask(lambda view, _: call(view))

    def _each(self, call: Callable[[StoreView], Iterable[_T]]) -> Iterator[_T]:
        """All that any store says, whichever it is."""
        return (one for _, some in self._ask(call) for one in some)

    def version(self) -> BaseVersion:
        """See `GraphStore.version`: one of all stores together."""
        now = self._round
        parts = [[name, v.id, v.revision, v.hash] for name, v in sorted(now.versions.items())]
        number = int(digest([parts, sorted(now.lost), self._faults], 6), 16)
        return BaseVersion(digest([self._where, [m.name for m in self._members]]), number, "", True)

    def close(self) -> None:
        for member in self._members:
            member.close()

    def server(self) -> str:
        return ", ".join(f"{name} {version}" for name, version in self._ask(lambda v: v.server()))

    # statements

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        found = self._ask(lambda view: view.match(subject, predicate, object, limit=limit))
        return _of_stores(found)[:limit]

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        found = self._ask(lambda view: view.matches(patterns))
        return [_of_stores((n, some[at]) for n, some in found) for at in range(len(patterns))]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`; `cap` is of each store."""
        asked, among = list(entities), list(predicates)
        return _of_stores(self._ask(lambda view: view.neighbours(asked, among, cap=cap)))

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        asked = list(identifiers)
        return _of_stores(self._ask(lambda view: view.statements(asked)))

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        asked = None if identifiers is None else list(map(store_of, identifiers))

        def of(store: str) -> list[str] | None:
            return None if asked is None else [one for one, where in asked if where == store]

        said = self._round.ask(lambda view, name: view.documents(of(name), source=source))
        found = [_of_store(document, store) for store, some in said for document in some]
        return sorted(found, key=lambda one: (one.source, one.name, one.id))

    # names

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        asked = None if entities is None else list(entities)
        for store, some in self._ask(lambda view: list(view.names(asked))):
            yield from ((mention, in_store(document, store)) for mention, document in some)

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        asked = None if entities is None else list(entities)
        return counted(self._each(lambda view: view.mentions(asked)))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        asked = list(keys)
        return counted(self._each(lambda view: view.named(asked)))

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        asked = list(identifiers)
        found = _joint(self._ask(lambda view: view.by_cross_reference(asked)), add)
        return {identifier: sorted(set(found[identifier])) for identifier in sorted(found)}

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        votes: dict[str, Counter[str]] = {}
        for thing, counts in self._each(lambda view: list(view.concept_votes())):
            votes.setdefault(thing, Counter()).update(counts)
        yield from ((thing, dict(counts)) for thing, counts in votes.items())

    def all_names(self) -> Iterator[MentionCount]:
        yield from counted(self._each(lambda view: list(view.all_names())))

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        found = self._ask(lambda view: view.naming_documents(entity, limit=limit))
        return [(mention, in_store(one, store)) for store, some in found for mention, one in some]

    def count_mentioned_as(self, concept: str) -> int:
        """See `SupportsNames.count_mentioned_as`: of the store that has most."""
        return max((n for _, n in self._ask(lambda v: v.count_mentioned_as(concept))), default=0)

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        asked = list(beginnings)
        return set(self._each(lambda view: view.begun(asked)))

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        asked, among = list(words), list(concepts)
        found = self._each(lambda view: view.sharing_words(asked, among, limit=limit))
        names = dict.fromkeys(found)
        return sorted(names, key=lambda name: (-name.share, name.thing))[:limit]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """See `SupportsWords.count_by_word`: of the store that has most."""
        asked, among = list(words), list(concepts)
        return _joint(self._ask(lambda view: view.count_by_word(asked, among)), max)

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        asked = list(words)
        return _joint(self._ask(lambda view: view.words_like(asked, slips=slips)), or_)

    def with_statements(self, predicates: Iterable[str]) -> set[str]:
        asked = list(predicates)
        return set(self._each(lambda view: view.with_statements(asked)))

    # numbers

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        asked = list(things)
        return dict(self._each(lambda view: view.identifiers(asked).items()))

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        asked, among = list(things), list(predicates)
        return _one_of_each(self._each(lambda view: view.edges(asked, among, cap=cap)))

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """See `SupportsNumbers.degrees`: of the store that has most."""
        asked, among = list(things), list(predicates)
        return _joint(self._ask(lambda view: view.degrees(asked, among)), max)

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        among = list(predicates)
        yield from _one_of_each(self._each(lambda view: list(view.all_edges(among))))

    def search_text(
        self,
        query: str,
        *,
        limit: int = 10,
        without: Collection[EvidenceClass] = (),
        frequent: int | None = None,
    ) -> list[Hit]:
        found = self._ask(
            lambda view: view.search_text(query, limit=limit, without=without, frequent=frequent)
        )
        hits = [Hit(in_store(hit.document, s), hit.score) for s, some in found for hit in some]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document))[:limit]


def merged(
    found: Iterable[tuple[Statement, tuple[Evidence, ...]]],
) -> list[SupportedStatement]:
    """Statements, those that are the same as one with all evidence, in their order."""
    made = gathered((one, item, item.document) for one, items in found for item in items)
    return sorted(made, key=lambda each: statement_order(each.statement))


def _of_stores(
    found: Iterable[tuple[str, Iterable[SupportedStatement]]],
) -> list[SupportedStatement]:
    """Statements of several stores, the evidence of each from a document of its store."""
    return merged(
        (each.statement, tuple(replace(e, document=in_store(e.document, store))
                               for e in each.evidence))
        for store, some in found
        for each in some
    )  # fmt: skip


def _of_store(document: Document, store: str) -> Document:
    made = replace(document)
    object.__setattr__(made, "id", in_store(document.id, store))
    return made


def counted(found: Iterable[MentionCount]) -> list[MentionCount]:
    """Mentions, those that are the same as one of as many documents as all of them."""
    counts: Counter[NameMention] = Counter()
    for each in found:
        counts[each.mention] += each.documents
    return [MentionCount(mention, count) for mention, count in counts.items()]


def _joint(
    found: Iterable[tuple[str, Mapping[_K, _V]]], join: Callable[[_V, _V], _V]
) -> dict[_K, _V]:
    """What several stores say of something, two that say something of the same joined."""
    joint: dict[_K, _V] = {}
    for _, some in found:
        for key, value in some.items():
            joint[key] = join(joint[key], value) if key in joint else value
    return joint


def _one_of_each(found: Iterable[Edge]) -> list[Edge]:
    edges: dict[int, Edge] = {}
    for edge in found:
        known = edges.get(edge.statement, edge)
        strength, denied = max(known.strength, edge.strength), known.denied or edge.denied
        edges[edge.statement] = edge._replace(strength=strength, denied=denied)
    return [edges[number] for number in sorted(edges)]
