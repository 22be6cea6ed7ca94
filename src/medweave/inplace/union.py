"""Several stores as one, things by the identifiers that each store has for them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from medweave.inplace.gathering import gathered
from medweave.inplace.members import Member, Round
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
        self._mine.round = self._begun()
        try:
            yield
            self._mine.round.check(self._where)
        finally:
            if self._mine.round.lost:
                self._faults += 1
            self._mine.round = None

    def told(self) -> tuple[StoreAnswer, ...]:
        """What became of each store in this question so far."""
        return self._round.told()

    def _ask(self, call: Callable[[StoreView], _T]) -> list[tuple[str, _T]]:
        return self._round.ask(lambda view, _: call(view))

    def version(self) -> BaseVersion:
        """See `GraphStore.version`: one of all stores together."""
        now = self._round
        parts = [[name, v.id, v.revision, v.hash] for name, v in sorted(now.versions.items())]
        number = int(digest([parts, sorted(now.lost), self._faults], 6), 16)
        return BaseVersion(digest([self._where, [m.name for m in self._members]]), number, "", True)

    def close(self) -> None:
        """See `GraphStore.close`."""
        for member in self._members:
            member.close()

    def server(self) -> str:
        """See `SupportsServer.server`."""
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
        """See `GraphStore.match`."""
        found = self._ask(lambda view: view.match(subject, predicate, object, limit=limit))
        return self.merged(found)[:limit]

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """See `SupportsBatches.matches`."""
        found = self._ask(lambda view: view.matches(patterns))
        return [self.merged((n, some[at]) for n, some in found) for at in range(len(patterns))]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`; `cap` is of each store."""
        asked, among = list(entities), list(predicates)
        return self.merged(self._ask(lambda view: view.neighbours(asked, among, cap=cap)))

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        """See `SupportsNumbers.statements`."""
        asked = list(identifiers)
        return self.merged(self._ask(lambda view: view.statements(asked)))

    @staticmethod
    def merged(
        found: Iterable[tuple[str, Iterable[SupportedStatement]]],
    ) -> list[SupportedStatement]:
        """Statements of several stores, those that are the same as one with all evidence."""
        return merged(
            (each.statement, tuple(replace(e, document=in_store(e.document, store))
                                   for e in each.evidence))
            for store, some in found
            for each in some
        )  # fmt: skip

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        """See `GraphStore.documents`."""
        asked = None if identifiers is None else list(identifiers)
        found: list[Document] = []
        if asked is None:
            for store, some in self._ask(lambda view: view.documents(None, source=source)):
                found += [_of_store(document, store) for document in some]
        else:
            of = {m.name: [d for one in asked for d, s in (store_of(one),) if s == m.name]
                  for m in self._members}  # fmt: skip
            said = self._round.ask(lambda view, name: view.documents(of[name], source=source))
            found = [_of_store(document, store) for store, some in said for document in some]
        return sorted(found, key=lambda one: (one.source, one.name, one.id))

    # names

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        """See `GraphStore.names`."""
        asked = None if entities is None else list(entities)
        for store, some in self._ask(lambda view: list(view.names(asked))):
            yield from ((mention, in_store(document, store)) for mention, document in some)

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        """See `SupportsNames.mentions`."""
        asked = None if entities is None else list(entities)
        return _counted(self._ask(lambda view: view.mentions(asked)))

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        """See `SupportsNames.named`."""
        asked = list(keys)
        return _counted(self._ask(lambda view: view.named(asked)))

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        """See `SupportsNames.by_cross_reference`."""
        asked, found = list(identifiers), dict[str, set[str]]()
        for _, some in self._ask(lambda view: view.by_cross_reference(asked)):
            for identifier, things in some.items():
                found.setdefault(identifier, set()).update(things)
        return {identifier: sorted(found[identifier]) for identifier in sorted(found)}

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        """See `SupportsNames.concept_votes`."""
        votes: dict[str, Counter[str]] = {}
        for _, some in self._ask(lambda view: list(view.concept_votes())):
            for thing, counts in some:
                votes.setdefault(thing, Counter()).update(counts)
        yield from ((thing, dict(counts)) for thing, counts in votes.items())

    def all_names(self) -> Iterator[MentionCount]:
        """See `SupportsNames.all_names`."""
        yield from _counted(self._ask(lambda view: list(view.all_names())))

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        """See `SupportsNames.naming_documents`."""
        found = self._ask(lambda view: view.naming_documents(entity, limit=limit))
        return [(mention, in_store(one, store)) for store, some in found for mention, one in some]

    def count_mentioned_as(self, concept: str) -> int:
        """See `SupportsNames.count_mentioned_as`: of the store that has most."""
        return max((n for _, n in self._ask(lambda v: v.count_mentioned_as(concept))), default=0)

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """See `SupportsWords.begun`."""
        asked = list(beginnings)
        return {one for _, some in self._ask(lambda view: view.begun(asked)) for one in some}

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        """See `SupportsWords.sharing_words`."""
        asked, among = list(words), list(concepts)
        found = self._ask(lambda view: view.sharing_words(asked, among, limit=limit))
        names = {one: None for _, some in found for one in some}
        return sorted(names, key=lambda name: (-name.share, name.thing))[:limit]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """See `SupportsWords.count_by_word`: of the store that has most."""
        asked, among, found = list(words), list(concepts), dict[str, int]()
        for _, some in self._ask(lambda view: view.count_by_word(asked, among)):
            for word, count in some.items():
                found[word] = max(found.get(word, 0), count)
        return found

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        """See `SupportsWords.words_like`."""
        asked, found = list(words), dict[str, frozenset[str]]()
        for _, some in self._ask(lambda view: view.words_like(asked, slips=slips)):
            for word, like in some.items():
                found[word] = found.get(word, frozenset()) | like
        return found

    # numbers

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        """See `SupportsNumbers.identifiers`."""
        asked, found = list(things), dict[int, str]()
        for _, some in self._ask(lambda view: view.identifiers(asked)):
            found.update(some)
        return found

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        """See `SupportsNumbers.edges`."""
        asked, among = list(things), list(predicates)
        return _one_of_each(self._ask(lambda view: view.edges(asked, among, cap=cap)))

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """See `SupportsNumbers.degrees`: of the store that has most."""
        asked, among, found = list(things), list(predicates), dict[int, int]()
        for _, some in self._ask(lambda view: view.degrees(asked, among)):
            for thing, count in some.items():
                found[thing] = max(found.get(thing, 0), count)
        return found

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        """See `SupportsNumbers.all_edges`."""
        among = list(predicates)
        yield from _one_of_each(self._ask(lambda view: list(view.all_edges(among))))

    def search_text(
        self, query: str, *, limit: int = 10, without: Collection[EvidenceClass] = ()
    ) -> list[Hit]:
        """See `SupportsTextSearch.search_text`."""
        found = self._ask(lambda view: view.search_text(query, limit=limit, without=without))
        hits = [Hit(in_store(hit.document, s), hit.score) for s, some in found for hit in some]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document))[:limit]


def merged(
    found: Iterable[tuple[Statement, tuple[Evidence, ...]]],
) -> list[SupportedStatement]:
    """Statements, those that are the same as one with all evidence, in their order."""
    made = gathered((one, item, item.document) for one, items in found for item in items)
    return sorted(made, key=lambda each: statement_order(each.statement))


def _of_store(document: Document, store: str) -> Document:
    made = replace(document)
    object.__setattr__(made, "id", in_store(document.id, store))
    return made


def _counted(found: Iterable[tuple[str, Iterable[MentionCount]]]) -> list[MentionCount]:
    counts: Counter[NameMention] = Counter()
    for _, some in found:
        for each in some:
            counts[each.mention] += each.documents
    return [MentionCount(mention, count) for mention, count in counts.items()]


def _one_of_each(found: Iterable[tuple[str, Iterable[Edge]]]) -> list[Edge]:
    edges: dict[int, Edge] = {}
    for _, some in found:
        for edge in some:
            known = edges.get(edge.statement, edge)
            strength, denied = max(known.strength, edge.strength), known.denied or edge.denied
            edges[edge.statement] = edge._replace(strength=strength, denied=denied)
    return [edges[number] for number in sorted(edges)]
