"""A base in memory: the double for tests, and the base named `memory:`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, field
from threading import RLock

from medweave.model.answer import BaseVersion
from medweave.model.base_hash import add_terms, as_text, evidence_term
from medweave.model.document import Document, Extraction
from medweave.model.edge import statement_number
from medweave.model.entity import NameMention
from medweave.model.statement import Activity, Evidence, Literal, Statement, SupportedStatement
from medweave.stores.contribution import supported_statements
from medweave.stores.memory_vectors import MemoryVectors, VectorState
from medweave.stores.order import fits, in_evidence_order, statement_order


def open_store(*_: object, **__: object) -> MemoryStore:
    """See `stores.registry.Opener`: it is new each time."""
    return MemoryStore()


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
    """See `medweave.ports`. Statements are in dictionaries; every question reads all of them."""

    def __init__(self, identifier: str = "memory") -> None:
        self._id = identifier
        self._state = _State()
        self._depth = 0
        self._changed = False
        self._lock = RLock()
        """Held while a thread writes, or reads one revision."""

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See `SupportsSnapshots.snapshot`: other threads wait."""
        with self._lock:
            yield

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside, or nothing; one inside another is a part of it."""
        with self._lock, self._undone_by_an_error():
            yield

    @contextmanager
    def _undone_by_an_error(self) -> Iterator[None]:
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
            self._state.revision += 1
            self._changed = False

    def vectors(self) -> MemoryVectors:
        return MemoryVectors(
            lambda: self._state.vectors,
            lambda: self._state.extractions,
            self.transaction,
            self._mark_changed,
        )

    def _mark_changed(self) -> None:
        self._changed = True

    def put(self, extractions: Iterable[Extraction]) -> None:
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
            evidence = self._state.evidence.setdefault(item.statement, {})
            if item.id not in evidence:
                evidence[item.id] = item
                self._touch(item)
                self._count(item, extraction.document, 1)

    def remove(self, documents: Iterable[str]) -> int:
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
            evidence = self._state.evidence[item.statement]
            del evidence[item.id]
            self._touch(item)
            self._count(item, self._state.extractions[item.document].document, -1)
            if not evidence:
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
        pattern = (subject, predicate, object)
        found = [one for one in self._state.statements.values() if fits(one, pattern)]
        return [self._supported(s) for s in sorted(found, key=statement_order)[:limit]]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        among = set(predicates)
        touching = sorted(
            (s for s in self._state.statements.values() if s.predicate in among),
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

    def _supported(self, statement: Statement) -> SupportedStatement:
        items = self._state.evidence[statement.id].values()
        documents = self._state.extractions
        ordered = in_evidence_order(
            (item, documents[item.document].document.name) for item in items
        )
        return SupportedStatement(statement, tuple(ordered))

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        among = None if identifiers is None else set(identifiers)
        found = [
            extraction.document
            for extraction in self._state.extractions.values()
            if (among is None or extraction.document.id in among)
            and (source is None or extraction.document.source == source)
        ]
        return sorted(found, key=lambda document: (document.source, document.name))

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        among = None if entities is None else set(entities)
        for identifier, extraction in list(self._state.extractions.items()):
            for mention in set(extraction.mentions):
                if among is None or mention.entity in among:
                    yield mention, identifier

    def activities(self) -> list[Activity]:
        runs = {each.activity.id: each.activity for each in self._state.extractions.values()}
        return [runs[identifier] for identifier in sorted(runs)]

    def build_keys(self, source: str) -> dict[str, str]:
        return {
            identifier: extraction.build_key
            for identifier, extraction in self._state.extractions.items()
            if extraction.document.source == source
        }

    def version(self) -> BaseVersion:
        return BaseVersion(self._id, self._state.revision, as_text(self._state.total))

    def changes(self, since: int) -> frozenset[int] | None:
        return frozenset(n for n, revision in self._state.changed.items() if revision > since)

    def close(self) -> None:
        """Nothing is held."""

    def note(self, key: str) -> str | None:
        return self._state.notes.get(key)

    def set_note(self, key: str, text: str) -> None:
        with self.transaction():
            if self._state.notes.get(key) != text:
                self._state.notes[key] = text
                self._changed = True
