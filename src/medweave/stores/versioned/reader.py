"""Reading a base that is kept as versioned rows."""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from medweave.errors import NotFoundError, StoreBusyError
from medweave.model.answer import BaseVersion
from medweave.model.batches import batches
from medweave.model.contributions import contributions_from
from medweave.model.document import Document, Extraction
from medweave.model.edge import Edge, asked_number, edge_of, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.passage import whole_of
from medweave.model.statement import Activity, Evidence, Literal, Statement, SupportedStatement
from medweave.model.topology import Topology
from medweave.ports import ConceptOf, Counts, MentionCount, Pattern, Tally
from medweave.stores.name_cache import NameCache
from medweave.stores.name_index import NameIndex
from medweave.stores.order import in_evidence_order, object_text, statement_order
from medweave.stores.topology import count_topology
from medweave.stores.versioned.counted import counts_in
from medweave.stores.versioned.forms import (
    DOCUMENT,
    EVIDENCE,
    NAME,
    STATEMENT,
    activity_of,
    document_of,
    evidence_of,
    mention_of,
    statement_of,
)
from medweave.stores.versioned.rows import Header, Row, Rows, first_stamp

AT_ONCE = 1000
"""So many numbers are asked for in one turn."""
_MOST = 10_000
"""So many statements are read at once where none of them may be needed."""
_EDGES = {"literal": [0]}


class VersionedReader:
    """What `medweave.ports` promises of reading. A call reads one revision; see `snapshot`."""

    def __init__(self, rows: Rows, where: str) -> None:
        self._rows = rows
        self._where = where
        """The base, as it is shown."""
        self._name_cache: NameCache | None = None
        self._here = threading.local()
        """What this thread reads: the header of its snapshot."""

    def cache_names(self, folder: Path) -> None:
        self._name_cache = NameCache(folder)

    # which revision

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """See `SupportsSnapshots.snapshot`.

        Raises `StoreBusyError` where the base changed so often meanwhile that it is forgotten.
        """
        if self._snapshot is not None or self._writes_here():
            yield
            return
        self._here.snapshot = header = self._read_header()
        try:
            yield
        finally:
            self._here.snapshot = None
        if int(self._read_header()["oldest"]) > int(header["revision"]):
            raise StoreBusyError(
                "the base changed too often while it was read",
                where=self._where,
                remedy="ask again",
            )

    @property
    def _snapshot(self) -> Header | None:
        return getattr(self._here, "snapshot", None)

    def _writes_here(self) -> bool:
        """Whether this thread is writing, and sees what it wrote."""
        return False

    def _read_header(self) -> Header:
        header = self._rows.header()
        if header is None:
            raise NotFoundError(
                "there is no base", where=self._where, remedy="make it with `medweave build --kb`"
            )
        return header

    def _header(self) -> Header:
        return self._snapshot or self._read_header()

    def _at(self) -> int:
        """The stamp up to which this thread reads."""
        return first_stamp(int(self._header()["revision"]) + 1)

    def version(self) -> BaseVersion:
        header = self._header()
        return BaseVersion(header["id"], int(header["revision"]), header["total"])

    def server(self) -> str:
        """The version of the server that keeps the base."""
        return self._rows.server()

    # rows

    def _find(
        self,
        kind: str,
        fields: Sequence[str],
        at: int,
        first: int | None = None,
        **where: Iterable[int] | None,
    ) -> Iterator[Row]:
        """Rows that fit; None stands for "any", and the longest list of numbers is cut in parts."""
        given = {name: list(dict.fromkeys(has)) for name, has in where.items() if has is not None}
        if not given:
            yield from self._rows.find(kind, {}, at, fields, first=first)
            return
        if first == 0 or not all(given.values()):
            return
        longest = max(given, key=lambda name: len(given[name]))
        for part in batches(given[longest], AT_ONCE):
            yield from self._rows.find(kind, {**given, longest: part}, at, fields, first=first)

    def _tally(self, kind: str, field: str, at: int, **where: Iterable[int]) -> dict[Any, int]:
        """Like `_find`; the longest list has to be of the field that is counted."""
        if not where:
            return self._rows.tally(kind, field, {}, at)
        given = {name: list(dict.fromkeys(has)) for name, has in where.items()}
        if not all(given.values()):
            return {}
        longest = max(given, key=lambda name: len(given[name]))
        found: dict[Any, int] = defaultdict(int)
        for part in batches(given[longest], AT_ONCE):
            for value, count in self._rows.tally(kind, field, {**given, longest: part}, at).items():
                found[value] += count
        return dict(found)

    # statements

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        at = self._at()
        found = self._find(
            "statement",
            STATEMENT,
            at,
            subject_n=None if subject is None else [thing_number(subject)],
            predicate_n=None if predicate is None else [thing_number(predicate)],
            object_n=None if object is None else [thing_number(object_text(object))],
            literal=None if object is None else [int(isinstance(object, Literal))],
        )
        return self._supported(map(statement_of, found), at, limit)

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """See `SupportsBatches.matches`: one turn for all things of which the same is asked."""
        at = self._at()
        things: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for subject, predicate, object_ in patterns:
            if predicate and subject and object_ is None:
                things["subject_n", predicate][subject] = None
            elif predicate and subject is None and isinstance(object_, str):
                things["object_n", predicate][object_] = None
        alike: dict[tuple[str, tuple[str, ...]], list[str]] = defaultdict(list)
        for (end, predicate), some in things.items():
            alike[end, tuple(some)].append(predicate)
        rows = [
            row
            for (end, some), predicates in alike.items()
            for row in self._find(
                "statement",
                STATEMENT,
                at,
                None,
                predicate_n=map(thing_number, predicates),
                **{end: map(thing_number, some)},
            )
        ]
        found: dict[Pattern, list[SupportedStatement]] = defaultdict(list)
        for supported in self._supported(map(statement_of, rows), at):
            one = supported.statement
            found[one.subject, one.predicate, None].append(supported)
            found[None, one.predicate, one.object_entity].append(supported)
        return [
            found[pattern][:] if _is_read_together(pattern) else self.match(*pattern)
            for pattern in patterns
        ]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        at = self._at()
        things = [thing_number(entity) for entity in entities]
        among = [thing_number(predicate) for predicate in predicates]
        of_subject = {"predicate_n": among, "literal": [0, 1]}
        rows = chain(
            self._touching("subject_n", things, of_subject, cap, at),
            self._touching("object_n", things, {**of_subject, **_EDGES}, cap, at),
        )
        return self._supported(map(statement_of, rows), at)

    def _touching(
        self, end: str, things: list[int], where: dict[str, list[int]], cap: int, at: int
    ) -> Iterator[Row]:
        """At most `cap` statements for each thing at this end, those with the lowest numbers.

        All things are asked for at once; where that is very much, half of them at a time.
        """
        for part in batches(dict.fromkeys(things), AT_ONCE):
            one = len(part) == len(where["literal"]) == 1
            most = cap if one else max(cap, _MOST) + 1
            fields = (*STATEMENT, end)
            found = list(self._find("statement", fields, at, most, **{end: part}, **where))
            if one or len(found) < most:
                yield from _lowest(found, end, cap)
            elif len(part) == 1:
                for literal in where["literal"]:
                    yield from self._touching(end, part, {**where, "literal": [literal]}, cap, at)
            else:
                for half in (part[: len(part) // 2], part[len(part) // 2 :]):
                    yield from self._touching(end, half, where, cap, at)

    def _supported(
        self, statements: Iterable[Statement], at: int, limit: int | None = None
    ) -> list[SupportedStatement]:
        """Statements in their order, each once, with their evidence."""
        distinct = {statement.id: statement for statement in statements}
        ordered = sorted(distinct.values(), key=statement_order)[:limit]
        evidence = self._evidence([statement_number(one.id) for one in ordered], at)
        return [SupportedStatement(one, evidence[one.id]) for one in ordered]

    def _evidence(self, statements: list[int], at: int) -> dict[str, tuple[Evidence, ...]]:
        found: dict[str, list[tuple[Evidence, str]]] = defaultdict(list)
        for row in self._find("evidence", EVIDENCE, at, statement_n=statements):
            found[row["statement"]].append((evidence_of(row), row["document_name"]))
        return {statement: tuple(in_evidence_order(items)) for statement, items in found.items()}

    def with_statements(self, predicates: Iterable[str]) -> set[str]:
        """See `SupportsPresence`: of each the first row is looked for."""
        at = self._at()
        return {
            predicate
            for predicate in dict.fromkeys(predicates)
            for _ in self._find("statement", ("n",), at, 1, predicate_n=[thing_number(predicate)])
        }

    # numbers

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        at, wanted = self._at(), list(things)
        where = {"predicate_n": [thing_number(predicate) for predicate in predicates], **_EDGES}
        ends = ("subject_n", "object_n")
        rows = chain(*(self._touching(end, wanted, where, cap, at) for end in ends))
        return self._edges_of(rows, at)

    def _edges_of(self, rows: Iterable[Row], at: int) -> list[Edge]:
        edges = (edge_of(each) for each in self._supported(map(statement_of, rows), at))
        found = [edge for edge in edges if edge is not None]
        return sorted(found, key=lambda edge: edge.statement)

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        at, wanted = self._at(), list(dict.fromkeys(things))
        among = [thing_number(predicate) for predicate in predicates]
        found: dict[int, int] = dict.fromkeys(wanted, 0)
        for end in ("subject_n", "object_n"):
            for part in batches(wanted, AT_ONCE):
                where = {end: part, "predicate_n": among, **_EDGES}
                for thing, count in self._rows.tally("statement", end, where, at).items():
                    found[thing] += count
        return {thing: count for thing, count in found.items() if count}

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        at = self._at()
        among = [thing_number(predicate) for predicate in predicates]
        rows = self._find("statement", STATEMENT, at, predicate_n=among, literal=[0])
        yield from self._edges_of(rows, at)

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        wanted = list(dict.fromkeys(things))
        rows = self._find("thing", ("n", "id"), self._at(), n=wanted)
        known = {row["n"]: row["id"] for row in rows}
        return {thing: known[thing] for thing in wanted if thing in known}

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        at = self._at()
        numbers = dict.fromkeys(asked_number(one) for one in identifiers)
        rows = self._find("statement", STATEMENT, at, n=numbers)
        found = {
            statement_number(one.statement.id): one
            for one in self._supported(map(statement_of, rows), at)
        }
        return [found[number] for number in numbers if number in found]

    # names

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        """See `GraphStore.names`; all of them may be kept on this machine."""
        kept = self._name_cache
        if entities is None and kept is not None and not self._writes_here():
            with self.snapshot():
                yield from kept.of(self.version(), lambda: self._names_of(None))
            return
        yield from self._names_of(entities)

    def _names_of(self, entities: Iterable[str] | None) -> Iterator[tuple[NameMention, str]]:
        things = None if entities is None else map(thing_number, entities)
        for row in self._find("name", NAME, self._at(), thing_n=things):
            yield mention_of(row), row["document"]

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        wanted = None if entities is None else list(entities)
        return NameIndex(self.names(wanted)).mentions(wanted)

    def named(self, keys: Iterable[str]) -> list[MentionCount]:
        wanted = list(keys)
        return self._named(key_n=map(thing_number, wanted)).named(wanted)

    def by_cross_reference(self, identifiers: Iterable[str]) -> dict[str, list[str]]:
        wanted = list(identifiers)
        return self._named(xref_n=map(thing_number, wanted)).by_cross_reference(wanted)

    def naming_documents(self, entity: str, *, limit: int = 5) -> list[tuple[NameMention, str]]:
        return self._named(thing_n=[thing_number(entity)]).naming_documents(entity, limit)

    def _named(self, **where: Iterable[int]) -> NameIndex:
        """Those names alone, in order."""
        rows = self._find("name", NAME, self._at(), None, **where)
        return NameIndex((mention_of(row), row["document"]) for row in rows)

    # documents

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        rows = self._find(
            "document",
            DOCUMENT,
            self._at(),
            n=None if identifiers is None else map(thing_number, identifiers),
            source_n=None if source is None else [thing_number(source)],
        )
        return sorted(map(document_of, rows), key=lambda one: (one.source, one.name))

    def documents_called(self, name: str) -> list[str]:
        at, number = self._at(), [thing_number(name)]
        rows = (self._find("document", ("id",), at, None, **{by: number}) for by in ("name_n", "n"))
        return sorted({row["id"] for row in chain(*rows)})

    def passages_called(self, name: str) -> list[str]:
        rows = self._find("document", ("id", "name"), self._at(), whole_n=[thing_number(name)])
        return sorted(row["id"] for row in rows if name and whole_of(row["name"]) == name)

    def sources(self) -> list[str]:
        return sorted(self._tally("document", "source", self._at()))

    def statements_from(self, documents: Iterable[str]) -> dict[str, int]:
        asked: dict[str, set[int]] = {document: set() for document in documents}
        numbers = map(thing_number, asked)
        fields = ("document", "statement_n")
        for row in self._find("evidence", fields, self._at(), document_n=numbers):
            asked[row["document"]].add(row["statement_n"])
        return {document: len(statements) for document, statements in asked.items()}

    def build_keys(self, source: str) -> dict[str, str]:
        fields = ("id", "build_key")
        rows = self._find("document", fields, self._at(), source_n=[thing_number(source)])
        return {row["id"]: row["build_key"] for row in rows}

    def contributions(self, documents: Iterable[str]) -> list[Extraction]:
        at, among = self._at(), [*map(thing_number, documents)]
        rows = list(self._find("document", ("id", "build_key", *DOCUMENT), at, n=among))
        evidence = [*map(evidence_of, self._find("evidence", EVIDENCE, at, document_n=among))]
        said = {statement_number(item.statement) for item in evidence}
        runs = {thing_number(item.activity) for item in evidence}
        return contributions_from(
            map(document_of, rows),
            {row["id"]: row["build_key"] for row in rows},
            map(statement_of, self._find("statement", STATEMENT, at, n=said)),
            evidence,
            names=(
                (mention_of(row), row["document"])
                for row in self._find("name", NAME, at, document_n=among)
            ),
            activities=map(activity_of, self._find("run", ("content",), at, n=runs)),
        )

    def activities(self) -> list[Activity]:
        at = self._at()
        used = self._tally("document", "run_n", at)
        rows = self._find("run", ("content",), at, n=used)
        return sorted(map(activity_of, rows), key=lambda activity: activity.id)

    def note(self, key: str) -> str | None:
        rows = self._find("note", ("text",), self._at(), n=[thing_number(key)])
        return next((row["text"] for row in rows), None)

    # counts

    def counts(self) -> Counts:
        """See `SupportsCounts.counts`: the header says it."""
        told = counts_in(self._header())
        if told is not None:
            return told
        at = self._at()
        sizes = (sum(self._tally(kind, "class", at).values()) for kind in ("document", "evidence"))
        documents, evidence = sizes
        statements = sum(self._tally("statement", "literal", at).values())
        return Counts(documents, statements, evidence, len(self._tally("name", "thing_n", at)))

    def tally(self) -> Tally:
        at = self._at()
        denied = self._tally("evidence", "statement_n", at, polarity=[-1])
        both = 0
        for part in batches(denied, AT_ONCE):
            where = {"statement_n": part, "polarity": [1]}
            both += len(self._rows.tally("evidence", "statement_n", where, at))
        predicates = self._tally("statement", "predicate", at)
        return Tally(predicates, self._tally("evidence", "class", at), both)

    def topology(self, concept_of: ConceptOf) -> Topology:
        at = self._at()
        votes = NameIndex(self.names()).concept_votes()
        degrees: dict[int, int] = defaultdict(int)
        for end in ("subject_n", "object_n"):
            for thing, count in self._rows.tally("statement", end, _EDGES, at).items():
                degrees[thing] += count
        ends = ("subject_n", "object_n")
        rows = self._find("statement", ends, at, literal=[0])
        return count_topology(
            ((thing_number(thing), of_thing) for thing, of_thing in votes),
            degrees.items(),
            ((row["subject_n"], row["object_n"]) for row in rows),
            concept_of,
        )

    def changes(self, since: int) -> frozenset[int] | None:
        header = self._header()
        if since < int(header["oldest"]):
            return None
        if since >= int(header["revision"]) and not self._writes_here():
            return frozenset()
        self._at()  # who writes has all there that was written
        return frozenset(self._rows.changed(first_stamp(since + 1)))

    def close(self) -> None:
        self._rows.close()


def _is_read_together(pattern: Pattern) -> bool:
    subject, predicate, object_ = pattern
    at_one_end = (subject is None) != (object_ is None)
    return bool(predicate) and at_one_end and not isinstance(object_, Literal)


def _lowest(rows: Iterable[Row], end: str, cap: int) -> Iterator[Row]:
    """Of the rows of each thing, and of its texts, so many with the lowest numbers."""
    counted: Counter[tuple[int, int]] = Counter()
    for row in sorted(rows, key=lambda row: int(row["n"])):
        counted[row[end], row["literal"]] += 1
        if counted[row[end], row["literal"]] <= cap:
            yield row
