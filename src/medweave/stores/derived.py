"""Everything that the steps ask of a base, from the eight methods of a store.

This is the meaning of all else that a store may do: whatever it does faster has to give the same,
which `medweave.testing` proves. What is looked up by names, words or numbers is looked up in an
index in memory, made of all names or statements when a revision is first asked so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TypeVar, cast

from medweave.model.contributions import contributions_from
from medweave.model.document import Extraction
from medweave.model.edge import Edge, edges_of, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.passage import whole_of
from medweave.model.statement import (
    Activity,
    EvidenceClass,
    Literal,
    Statement,
    SupportedStatement,
)
from medweave.model.topology import Topology
from medweave.ports import (
    ConceptOf,
    Counts,
    GraphStore,
    Hit,
    MentionCount,
    Pattern,
    SharedName,
    SupportsActivities,
    SupportsBatches,
    SupportsBuildKeys,
    SupportsChanges,
    SupportsContributions,
    SupportsCounts,
    SupportsNames,
    SupportsNotes,
    SupportsNumbers,
    SupportsOneWriter,
    SupportsPresence,
    SupportsServer,
    SupportsSnapshots,
    SupportsSources,
    SupportsTextSearch,
    SupportsTransactions,
    SupportsUpkeep,
    SupportsVectors,
    SupportsWords,
    Tally,
    VectorView,
)
from medweave.stores.derived_vectors import vector_view_of
from medweave.stores.fast_ways import take_over
from medweave.stores.forwarding import ForwardingStore
from medweave.stores.name_index import NameIndex
from medweave.stores.text_index import TextIndex
from medweave.stores.topology import count_topology

FAST_WAYS: tuple[type, ...] = (
    SupportsBatches,
    SupportsPresence,
    SupportsNumbers,
    SupportsNames,
    SupportsWords,
    SupportsSources,
    SupportsBuildKeys,
    SupportsActivities,
    SupportsContributions,
    SupportsCounts,
    SupportsTextSearch,
    SupportsChanges,
    SupportsNotes,
    SupportsOneWriter,
    SupportsServer,
    SupportsSnapshots,
    SupportsUpkeep,
)
"""Where a store has one of these, its methods take the place of what is derived."""

_Index = TypeVar("_Index")
_T = TypeVar("_T")
_NO_CAP = 1 << 30


def view_of(store: GraphStore) -> DerivedView:
    """A store with all that follows from it; what it does faster itself, it does itself."""
    view = DerivedView(store)
    take_over(view, store, FAST_WAYS)
    return view


class DerivedView(ForwardingStore):
    """See `medweave.ports` for what each method promises; `store` is what it is a view of."""

    def __init__(self, store: GraphStore) -> None:
        super().__init__(store)
        self._vectors: VectorView | None = None
        self._writes = 0
        """A write that is not finished shows already, and moves no revision yet."""
        self._indexes: dict[type, tuple[tuple[int, int], object]] = {}

    # writing

    def put(self, extractions: Iterable[Extraction]) -> None:
        self._writes += 1
        super().put(extractions)

    def remove(self, documents: Iterable[str]) -> int:
        self._writes += 1
        return super().remove(documents)

    # batches

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """See `SupportsBatches.matches`: things of one predicate are read by `neighbours`."""
        things: dict[str, dict[str, None]] = {}
        for pattern in patterns:
            if (thing := _thing_of(pattern)) is not None:
                things.setdefault(str(pattern[1]), {})[thing] = None
        found = {
            predicate: self.neighbours(some, [predicate], cap=_NO_CAP)
            for predicate, some in things.items()
            if len(some) > 1
        }
        return [
            [one for one in found[str(pattern[1])] if _fits(one.statement, pattern)]
            if _thing_of(pattern) is not None and pattern[1] in found
            else self.match(*pattern)
            for pattern in patterns
        ]

    def expect(self, patterns: Iterable[Pattern]) -> None:
        """See `StoreView.expect`: nothing is remembered."""

    def beside(self, things: Sequence[str], known: Collection[str]) -> list[str]:  # noqa: ARG002
        """See `StoreView.beside`: nothing is remembered."""
        return list(things)

    @property
    def reads_one_revision(self) -> bool:
        """Whether what is read inside `snapshot` is of one revision."""
        return isinstance(self.store, SupportsSnapshots)

    def consistently(self, read: Callable[[], _T]) -> _T:
        with self.snapshot():
            return read()

    # presence

    def with_statements(self, predicates: Iterable[str]) -> set[str]:
        """See `SupportsPresence`: one edge is looked for, or else a value, which is no end of an
        edge."""
        return {
            predicate
            for predicate in dict.fromkeys(predicates)
            if next(iter(self.all_edges([predicate])), None) is not None
            or self.match(None, predicate, limit=1)
        }

    # numbers

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        return edges_of(self.neighbours(self.identifiers(things).values(), predicates, cap=cap))

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        ends = Counter(end for e in self.all_edges(predicates) for end in (e.subject, e.object))
        return {thing: ends[thing] for thing in dict.fromkeys(things) if thing in ends}

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        distinct = dict.fromkeys(predicates)
        yield from edges_of(found for name in distinct for found in self.match(None, name))

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        known = self._index(_Numbers, self._numbers).things
        return {thing: known[thing] for thing in dict.fromkeys(things) if thing in known}

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        known = self._index(_Numbers, self._numbers).statements
        # By identifier: the values 1 and true are two, though Python calls them equal.
        entities = {known[one].id: known[one] for one in identifiers if one in known}
        return [
            found
            for identifier, one in entities.items()
            for found in self.match(one.subject, one.predicate, one.object)
            if found.statement.id == identifier
        ]

    def _numbers(self) -> _Numbers:
        return _Numbers(self._names.entities, (found.statement for found in self.match()))

    # names

    @property
    def _names(self) -> NameIndex:
        return self._index(NameIndex, lambda: NameIndex(self.store.names()))

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        return self._names.mentions(entities)

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        return self._names.named(keys)

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        return self._names.by_cross_reference(identifiers)

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        return self._names.concept_votes()

    def all_names(self) -> Iterator[MentionCount]:
        return self._names.all_names()

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        return self._names.naming_documents(entity, limit)

    def count_mentioned_as(self, concept: str) -> int:
        return self._names.count_mentioned_as(concept)

    # words

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        return self._names.begun(beginnings)

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        return self._names.sharing_words(words, concepts, limit)

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        return self._names.count_by_word(words, concepts)

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        return self._names.words_like(words, slips)

    # sources

    def documents_called(self, name: str) -> list[str]:
        return sorted(one.id for one in self.documents() if name in (one.name, one.id))

    def passages_called(self, name: str) -> list[str]:
        return sorted(one.id for one in self.documents() if name and whole_of(one.name) == name)

    def activities(self) -> list[Activity]:
        """See `SupportsActivities.activities`: nobody knows of any."""
        return []

    def build_keys(self, source: str) -> dict[str, str]:
        """See `SupportsBuildKeys.build_keys`: nobody knows, and all is built again."""
        return {document.id: "" for document in self.documents(source=source)}

    def sources(self) -> list[str]:
        return sorted({document.source for document in self.documents()})

    def statements_from(self, documents: Iterable[str]) -> dict[str, int]:
        counts = Counter(
            document
            for found in self.match()
            for document in {item.document for item in found.evidence}
        )
        return {each: counts[each] for each in documents}

    def contributions(self, documents: Iterable[str]) -> list[Extraction]:
        held = self._index(_Contributions, lambda: _Contributions(self)).of
        return [held[each] for each in dict.fromkeys(documents) if each in held]

    # counts

    def counts(self) -> Counts:
        found = self.match()
        evidence = sum(len(supported.evidence) for supported in found)
        return Counts(len(self.documents()), len(found), evidence, len(list(self._names.entities)))

    def tally(self) -> Tally:
        found = self.match()
        return Tally(
            dict(Counter(one.statement.predicate for one in found)),
            dict(Counter(item.evidence_class for one in found for item in one.evidence)),
            sum(one.conflicting for one in found),
        )

    def topology(self, concept_of: ConceptOf) -> Topology:
        edges = [(edge.subject, edge.object) for edge in edges_of(self.match())]
        votes = ((thing_number(thing), votes) for thing, votes in self.concept_votes())
        degrees = Counter(end for edge in edges for end in edge)
        return count_topology(votes, degrees.items(), edges, concept_of)

    # what may be left out

    def search_text(
        self,
        query: str,
        *,
        limit: int = 10,
        without: Collection[EvidenceClass] = (),
        frequent: int | None = None,
    ) -> list[Hit]:
        index = self._index(TextIndex, lambda: TextIndex(self.documents()))
        return index.search(query, limit, without, frequent)

    def changes(self, since: int) -> frozenset[int] | None:
        """See `SupportsChanges.changes`: nobody can tell, but that nothing did."""
        return frozenset() if since == self.version().revision else None

    def note(self, key: str) -> str | None:  # noqa: ARG002
        """See `SupportsNotes.note`: none is kept."""
        return None

    def set_note(self, key: str, text: str) -> None:
        """See `SupportsNotes.set_note`: none is kept."""

    def server(self) -> str:
        """See `SupportsServer.server`: there is none."""
        return ""

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """See `SupportsTransactions.transaction`; without it each `put` is one."""
        store = self.store
        try:
            with store.transaction() if isinstance(store, SupportsTransactions) else nullcontext():
                yield
        finally:
            self._writes += 1

    def writing(self) -> AbstractContextManager[None]:
        """See `SupportsOneWriter.writing`: nobody is kept out."""
        return nullcontext()

    def snapshot(self) -> AbstractContextManager[None]:
        """See `SupportsSnapshots.snapshot`: what others write is seen."""
        return nullcontext()

    def vectors(self) -> VectorView | None:
        if self._vectors is None and isinstance(self.store, SupportsVectors):
            self._vectors = vector_view_of(self.store.vectors())
        return self._vectors

    def revision(self) -> int:
        """The revision of which an index has to be."""
        return self.version().revision

    def _index(self, kind: type[_Index], make: Callable[[], _Index]) -> _Index:
        """An index of the base as it is now; what is kept of it is never changed."""
        stamp = (self._writes, self.revision())
        held = self._indexes.get(kind)
        if held is None or held[0] != stamp:
            held = self._indexes[kind] = (stamp, make())
        return cast("_Index", held[1])


class _Contributions:
    """What each document contributes."""

    def __init__(self, view: DerivedView) -> None:
        found, documents = view.match(), view.documents()
        sources = {document.source for document in documents}
        keys = {one: key for path in sources for one, key in view.build_keys(path).items()}
        made = contributions_from(
            documents,
            keys,
            (each.statement for each in found),
            (item for each in found for item in each.evidence),
            names=view.names(),
            activities=view.activities(),
        )
        self.of = {each.document.id: each for each in made}


class _Numbers:
    """What the numbers of a base stand for."""

    def __init__(self, named: Iterable[str], statements: Iterable[Statement]) -> None:
        self.things = {thing_number(entity): entity for entity in named}
        self.statements: dict[str | int, Statement] = {}
        for one in statements:
            self.statements[one.id] = self.statements[statement_number(one.id)] = one
            self.things.update((thing_number(end), end) for end in one.entities)


def _thing_of(pattern: Pattern) -> str | None:
    """The thing at one end of a pattern with a predicate; None for any other pattern."""
    subject, predicate, object_ = pattern
    if predicate is None or isinstance(object_, Literal):
        return None
    return object_ if subject is None else subject


def _fits(statement: Statement, pattern: Pattern) -> bool:
    subject, _, object_ = pattern
    return subject in (None, statement.subject) and object_ in (None, statement.object_entity)
