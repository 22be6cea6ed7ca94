"""A base in memory: the double for tests, and the base named `memory:`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field

from medweave.language.folding import name_key
from medweave.language.segmentation import index_terms
from medweave.language.slips import Spelling, name_words
from medweave.language.stems import name_stems
from medweave.model.answer import BaseVersion
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Document, Extraction
from medweave.model.edge import Edge, edge_of, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import Evidence, EvidenceClass, Literal, Statement, SupportedStatement
from medweave.model.topology import Topology
from medweave.ports import ConceptOf, Counts, Hit, MentionCount, SharedName, Tally
from medweave.stores.contribution import supported_statements
from medweave.stores.memory_vectors import MemoryVectors, VectorState
from medweave.stores.order import evidence_order, object_text, statement_order
from medweave.stores.topology import count_topology
from medweave.vocabulary.stretches import begins_any


@dataclass
class _State:
    """Everything a base holds; copied at the start of a transaction, so that it can be undone."""

    extractions: dict[str, Extraction] = field(default_factory=dict)
    statements: dict[str, Statement] = field(default_factory=dict)
    evidence: dict[str, dict[str, Evidence]] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    changed: dict[int, int] = field(default_factory=dict)
    """The number of each statement that ever changed, and the latest revision at which."""
    vectors: VectorState = field(default_factory=VectorState)
    revision: int = 0
    total: int = 0

    def snapshot(self) -> _State:
        other = copy(self)
        other.extractions = dict(self.extractions)
        other.statements = dict(self.statements)
        other.evidence = {key: dict(items) for key, items in self.evidence.items()}
        other.notes = dict(self.notes)
        other.changed = dict(self.changed)
        other.vectors = self.vectors.snapshot()
        return other


class MemoryStore:
    """All statements in dictionaries. Not for large bases: every question reads all of them."""

    def __init__(self, identifier: str = "memory") -> None:
        self._id = identifier
        self._state = _State()
        self._depth = 0
        self._changed = False

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing; one inside another is a part of it."""
        before, changed = self._state.snapshot(), self._changed
        self._depth += 1
        try:
            yield
        except BaseException:
            self._state, self._changed = before, changed
            raise
        finally:
            self._depth -= 1
        if self._depth == 0 and self._changed:
            self._state.vectors.tidy()
            self._state.revision += 1
            self._changed = False

    def vectors(self) -> MemoryVectors:
        """See `SupportsVectors.vectors`."""
        return MemoryVectors(
            lambda: self._state.vectors,
            lambda: self._state.extractions,
            self.transaction,
            self._mark_changed,
        )

    def _mark_changed(self) -> None:
        self._changed = True

    def put(self, extractions: Iterable[Extraction]) -> None:
        """See `GraphStore.put`."""
        with self.transaction():
            for extraction in extractions:
                self._put(extraction)

    def _put(self, extraction: Extraction) -> None:
        identifier = extraction.document.id
        old = self._state.extractions.get(identifier)
        same = old is not None and self._says_the_same(old, extraction)
        if old is not None and same and old.build_key == extraction.build_key:
            return
        statements = supported_statements(extraction)
        if old is not None:
            returning = {*statements, identifier} if same else {*statements}
            self._cascade(self._drop(identifier), returning=frozenset(returning))
        self._insert(extraction, statements)
        self._changed = True

    def _says_the_same(self, old: Extraction, new: Extraction) -> bool:
        """Whether the store holds this very text and all its evidence, also what was inferred."""
        held = {
            item.id
            for item in old.evidence
            if item.id in self._state.evidence.get(item.statement, ())
        }
        return old.document.content_key() == new.document.content_key() and held == {
            item.id for item in new.evidence
        }

    def _insert(self, extraction: Extraction, statements: dict[str, Statement]) -> None:
        self._state.extractions[extraction.document.id] = extraction
        for item in extraction.evidence:
            self._state.statements.setdefault(item.statement, statements[item.statement])
            kept = self._state.evidence.setdefault(item.statement, {})
            if item.id not in kept:
                kept[item.id] = item
                self._touch(item)
                self._count(item, extraction.document, 1)

    def remove(self, documents: Iterable[str]) -> int:
        """See `GraphStore.remove`."""
        with self.transaction():
            present = [d for d in dict.fromkeys(documents) if d in self._state.extractions]
            gone: set[str] = set()
            for identifier in present:
                gone |= self._drop(identifier)
            self._cascade(gone)
            self._changed = self._changed or bool(present)
        return len(present)

    def _drop(self, document: str) -> set[str]:
        """Take a document out; it, and the statements that died, may have been premises."""
        removed = [
            item
            for items in self._state.evidence.values()
            for item in items.values()
            if item.document == document
        ]
        gone = self._drop_evidence(removed)
        self._state.vectors.drop(document)
        del self._state.extractions[document]
        return {document, *gone}

    def _drop_evidence(self, items: list[Evidence]) -> set[str]:
        died = set()
        for item in items:
            kept = self._state.evidence[item.statement]
            del kept[item.id]
            self._touch(item)
            self._count(item, self._state.extractions[item.document].document, -1)
            if not kept:
                del self._state.evidence[item.statement]
                del self._state.statements[item.statement]
                died.add(item.statement)
        return died

    def _cascade(self, gone: set[str], *, returning: frozenset[str] = frozenset()) -> None:
        """Inferred evidence goes with its premises, except those that are about to return."""
        while gone := gone - returning:
            orphans = [
                item
                for items in self._state.evidence.values()
                for item in items.values()
                if gone & set(item.premises)
            ]
            gone = self._drop_evidence(orphans)

    def _touch(self, item: Evidence) -> None:
        self._state.changed[statement_number(item.statement)] = self._state.revision + 1

    def _count(self, item: Evidence, document: Document, sign: int) -> None:
        term = evidence_term(item, document.name)
        added, removed = (term, 0) if sign > 0 else (0, term)
        self._state.total = add_terms(self._state.total, added, removed)

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """See `GraphStore.match`."""
        found = [
            statement
            for statement in self._state.statements.values()
            if (subject is None or statement.subject == subject)
            and (predicate is None or statement.predicate == predicate)
            and (object is None or _same_object(statement.object, object))
        ]
        return [self._supported(s) for s in sorted(found, key=statement_order)[:limit]]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        """See `GraphStore.neighbours`."""
        wanted = set(predicates)
        touching = sorted(
            (s for s in self._state.statements.values() if s.predicate in wanted),
            key=lambda statement: statement.id,
        )
        found: dict[str, Statement] = {}
        for entity in dict.fromkeys(entities):
            outgoing = [s for s in touching if s.subject == entity]
            texts = [s for s in outgoing if s.object_entity is None][:cap]
            things = [s for s in outgoing if s.object_entity is not None][:cap]
            incoming = [s for s in touching if s.object_entity == entity][:cap]
            found.update((s.id, s) for s in (*things, *texts, *incoming))
        return [self._supported(s) for s in sorted(found.values(), key=statement_order)]

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        """See `GraphStore.edges`."""
        entities = self.identifiers(things).values()
        found = self.neighbours(entities, predicates, cap=cap)
        return _edges(found)

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        """See `GraphStore.degrees`."""
        edges = self.all_edges(predicates)
        ends = Counter(end for edge in edges for end in (edge.subject, edge.object))
        return {thing: ends[thing] for thing in dict.fromkeys(things) if thing in ends}

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        """See `GraphStore.all_edges`."""
        wanted = set(predicates)
        found = [s for s in self.match() if s.statement.predicate in wanted]
        yield from _edges(found)

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        """See `GraphStore.identifiers`."""
        known = {m.entity for e in self._state.extractions.values() for m in e.mentions}
        for statement in self._state.statements.values():
            known |= {statement.subject, statement.object_entity or statement.subject}
        numbers = {thing_number(entity): entity for entity in known}
        return {number: numbers[number] for number in dict.fromkeys(things) if number in numbers}

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        """See `GraphStore.statements`."""
        known: dict[str | int, Statement] = {}
        known.update(self._state.statements)
        known |= {statement_number(s.id): s for s in self._state.statements.values()}
        found = {known[i].id: known[i] for i in identifiers if i in known}
        return [self._supported(statement) for statement in found.values()]

    def _supported(self, statement: Statement) -> SupportedStatement:
        items = self._state.evidence[statement.id].values()
        documents = self._state.extractions
        ordered = sorted(
            items, key=lambda item: evidence_order(item, documents[item.document].document.name)
        )
        return SupportedStatement(statement, tuple(ordered))

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        """See `GraphStore.documents`."""
        wanted = None if identifiers is None else set(identifiers)
        found = [
            extraction.document
            for extraction in self._state.extractions.values()
            if (wanted is None or extraction.document.id in wanted)
            and (source is None or extraction.document.source == source)
        ]
        return sorted(found, key=lambda document: (document.source, document.name))

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        """See `GraphStore.mentions`."""
        wanted = None if entities is None else set(entities)
        return self._mention_counts(lambda mention: wanted is None or mention.entity in wanted)

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        """See `GraphStore.named`."""
        wanted = set(keys)
        return self._mention_counts(lambda mention: name_key(mention.name) in wanted)

    def begun(self, beginnings: Iterable[str]) -> set[str]:
        """See `GraphStore.begun`."""
        keys = sorted({name_key(count.mention.name) for count in self.mentions()})
        return {text for text in beginnings if begins_any(text, keys)}

    def sharing_words(
        self, words: Iterable[str], concepts: Iterable[str], *, limit: int
    ) -> list[SharedName]:
        """See `GraphStore.sharing_words`."""
        wanted = set(words)
        found = [
            SharedName(thing, shared, len(stems))
            for thing, stems in self._names_by_words(concepts)
            if (shared := stems & wanted)
        ]
        return sorted(found, key=lambda name: (-name.share, name.thing))[:limit]

    def count_by_word(self, words: Iterable[str], concepts: Iterable[str]) -> dict[str, int]:
        """See `GraphStore.count_by_word`."""
        wanted = set(words)
        having = {(thing, word) for thing, stems in self._names_by_words(concepts)
                  for word in stems & wanted}  # fmt: skip
        return Counter(word for _, word in having)

    def _names_by_words(self, concepts: Iterable[str]) -> Iterator[tuple[int, frozenset[str]]]:
        """The names of things mentioned as these, by the stems of their words."""
        wanted = set(concepts)
        for count in self._mention_counts(lambda mention: mention.concept in wanted):
            yield thing_number(count.mention.entity), name_stems(count.mention.name)

    def words_like(self, words: Iterable[str], *, slips: int) -> dict[str, frozenset[str]]:
        """See `GraphStore.words_like`."""
        keys = {name_key(count.mention.name) for count in self._mention_counts(lambda _: True)}
        known = Spelling(word for key in keys for word in name_words(key))
        found = {word: known.like(word, slips) for word in words}
        return {word: some for word, some in found.items() if some}

    def bearing(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        """See `GraphStore.bearing`."""
        wanted = set(identifiers) - {""}
        found: dict[str, set[str]] = {}
        for count in self._mention_counts(lambda mention: mention.xref in wanted):
            found.setdefault(count.mention.xref, set()).add(count.mention.entity)
        return {identifier: sorted(found[identifier]) for identifier in sorted(found)}

    def concept_votes(self) -> Iterator[tuple[str, dict[str, int]]]:
        """See `GraphStore.concept_votes`."""
        votes: dict[str, Counter[str]] = {}
        for count in self.mentions():
            of_entity = votes.setdefault(count.mention.entity, Counter())
            of_entity[count.mention.concept] += count.documents
        yield from ((entity, dict(of_entity)) for entity, of_entity in votes.items())

    def all_names(self) -> Iterator[MentionCount]:
        """See `GraphStore.all_names`."""
        counts = self._mention_counts(lambda _: True)
        yield from sorted(counts, key=lambda count: name_key(count.mention.name))

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        """See `GraphStore.naming_documents`."""
        return [
            (count.mention, document)
            for count in self._mention_counts(lambda mention: mention.entity == entity)
            for document in sorted(
                key for key, e in self._state.extractions.items() if count.mention in e.mentions
            )[:limit]
        ]

    def count_mentioned_as(self, concept: str) -> int:
        """See `GraphStore.count_mentioned_as`."""
        return sum(concept in votes for _, votes in self.concept_votes())

    def _mention_counts(self, wanted: Callable[[NameMention], bool]) -> list[MentionCount]:
        counts = Counter(
            mention
            for extraction in self._state.extractions.values()
            for mention in set(extraction.mentions)
            if wanted(mention)
        )
        ordered = sorted(
            counts,
            key=lambda m: (m.entity, m.language, m.name, m.concept, not m.preferred, m.xref),
        )
        return [MentionCount(mention, counts[mention]) for mention in ordered]

    def documents_called(self, name: str) -> list[str]:
        """See `GraphStore.documents_called`."""
        documents = (e.document for e in self._state.extractions.values())
        return sorted(d.id for d in documents if name in (d.name, d.id))

    def build_keys(self, source: str) -> dict[str, str]:
        """See `GraphStore.build_keys`."""
        return {
            extraction.document.id: extraction.build_key
            for extraction in self._state.extractions.values()
            if extraction.document.source == source
        }

    def sources(self) -> list[str]:
        """See `GraphStore.sources`."""
        return sorted({e.document.source for e in self._state.extractions.values()})

    def version(self) -> BaseVersion:
        """See `GraphStore.version`."""
        return BaseVersion(self._id, self._state.revision, as_text(self._state.total))

    def counts(self) -> Counts:
        """See `GraphStore.counts`."""
        state = self._state
        entities = {m.entity for e in state.extractions.values() for m in e.mentions}
        evidence = sum(len(items) for items in state.evidence.values())
        return Counts(len(state.extractions), len(state.statements), evidence, len(entities))

    def tally(self) -> Tally:
        """See `GraphStore.tally`."""
        found = self.match()
        return Tally(
            dict(Counter(s.statement.predicate for s in found)),
            dict(Counter(item.evidence_class for s in found for item in s.evidence)),
            sum(s.conflicting for s in found),
        )

    def topology(self, concept_of: ConceptOf) -> Topology:
        """See `GraphStore.topology`."""
        statements = self._state.statements.values()
        pairs = [(s.subject, s.object_entity) for s in statements if s.object_entity is not None]
        edges = [(thing_number(one), thing_number(other)) for one, other in pairs]
        votes = ((thing_number(entity), of_entity) for entity, of_entity in self.concept_votes())
        degrees = Counter(end for edge in edges for end in edge)
        return count_topology(votes, degrees.items(), edges, concept_of)

    def changes(self, since: int) -> frozenset[int] | None:
        """See `SupportsChanges.changes`."""
        return frozenset(n for n, revision in self._state.changed.items() if revision > since)

    def close(self) -> None:
        """Nothing is held."""

    def search_text(
        self, query: str, *, limit: int = 10, without: Collection[EvidenceClass] = ()
    ) -> list[Hit]:
        """BM25 over all texts, counted anew each time."""
        terms = set(index_terms(query))
        texts = {
            identifier: Counter(index_terms(" \n".join(t for _, t in e.document.fields)))
            for identifier, e in self._state.extractions.items()
        }
        hits = [
            Hit(i, score)
            for i, counts in texts.items()
            if self._state.extractions[i].document.evidence_class not in without
            if (score := _bm25(terms, counts, texts))
        ]
        return sorted(hits, key=lambda hit: (-hit.score, hit.document))[:limit]

    def note(self, key: str) -> str | None:
        """See `SupportsNotes.note`."""
        return self._state.notes.get(key)

    def set_note(self, key: str, text: str) -> None:
        """See `SupportsNotes.set_note`."""
        with self.transaction():
            if self._state.notes.get(key) != text:
                self._state.notes[key] = text
                self._changed = True


def _edges(found: Iterable[SupportedStatement]) -> list[Edge]:
    edges = (edge_of(supported) for supported in found)
    return sorted((e for e in edges if e is not None), key=lambda edge: edge.statement)


def _same_object(one: str | Literal, other: str | Literal) -> bool:
    """Equal as written: the literals 1 and true are two, though Python calls them equal."""
    return type(one) is type(other) and object_text(one) == object_text(other)


def _bm25(terms: set[str], counts: Counter[str], texts: dict[str, Counter[str]]) -> float:
    average = sum(sum(c.values()) for c in texts.values()) / len(texts)
    score = 0.0
    for term in sorted(terms & set(counts)):
        having = sum(term in other for other in texts.values())
        idf = math.log(1 + (len(texts) - having + 0.5) / (having + 0.5))
        length = 0.25 + 0.75 * sum(counts.values()) / average
        score += idf * counts[term] * 2.2 / (counts[term] + 1.2 * length)
    return score
