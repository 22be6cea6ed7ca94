"""A database asked in place, as a store that can be read: rows become statements as they are asked.

Which rows name a thing is told by `CachedNames`; they are read by their keys, and nothing of them
is kept beyond the next change of the database.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from operator import itemgetter

from medweave.inplace.gathering import gathered
from medweave.inplace.mapping import DatabaseMapping
from medweave.inplace.names import CachedNames
from medweave.inplace.read_only import ReadOnlyStore
from medweave.inplace.reading import RowReader
from medweave.inplace.rows import ForeignRow, ForeignRows
from medweave.model.answer import BaseVersion
from medweave.model.document import Document, Extraction, Skipped
from medweave.model.edge import Edge, edges_of, statement_number
from medweave.model.entity import NameMention
from medweave.model.statement import (
    Evidence,
    EvidenceClass,
    Literal,
    Statement,
    SupportedStatement,
)
from medweave.ports import Hit, Pattern, SupportsNames, SupportsWords
from medweave.sources.names import Naming
from medweave.stores.fast_ways import take_over
from medweave.stores.order import fits, statement_order
from medweave.stores.sqlite.reader import chunks

_MEMO_SIZE = 20_000
"""So many rows are kept as statements; beyond that all are forgotten."""
_NO_CAP = 1 << 30


class MappedStore(ReadOnlyStore):
    """See `medweave.ports` for what each method promises; writing is refused.

    Names and words (`SupportsNames`, `SupportsWords`) are told by the index alone.
    """

    def __init__(
        self,
        rows: ForeignRows,
        mapping: DatabaseMapping,
        readers: Sequence[RowReader],
        names: CachedNames,
        *,
        naming: Naming,
        identity: str,
        where: str,
    ) -> None:
        super().__init__(
            where,
            why="a database that is asked in place is never written to",
            remedy="build a base of your own, in a file or a database",
        )
        self.rows = rows
        self.mapping = mapping
        """How it is read."""
        self._readers = readers
        self._index = names
        take_over(self, names.store, (SupportsNames, SupportsWords))
        self._naming = naming
        self._identity = identity
        self._turn = -1
        self._lock = threading.RLock()
        self._kept: dict[tuple[int, str], tuple[Extraction, ...]] = {}
        """By part and key, what rows say."""
        self._joined: dict[tuple[int, int, str], list[str]] = {}
        """By joining part, part and key of a node: the keys of the rows that touch it."""
        self._documents: dict[str, Document] = {}
        self._seen: dict[str | int, Statement] = {}

    # the eight methods

    def version(self) -> BaseVersion:
        """See `GraphStore.version`; the database is looked at anew."""
        turn = self._index.refresh()
        with self._lock:
            if turn != self._turn:
                self._forget()
                self._turn = turn
        return BaseVersion(self._identity, turn, "", in_place=True)

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        """See `GraphStore.match`. Where a thing is named, or all are told, those that are told are
        the first. Else rows that join are not read to the end: of them any are told. Always each
        has all its evidence."""
        pattern = (subject, predicate, object)
        thing = _thing_of(pattern)
        if thing is None and limit is not None:
            return self._some(pattern, limit)
        found = self._fitting([pattern]) if thing else self._all(predicate)
        return _in_order(self._statements(found, lambda one: fits(one, pattern)))[:limit]

    def _some(self, pattern: Pattern, limit: int) -> list[SupportedStatement]:
        """As many statements of a pattern that names no thing, with all that is said of them."""
        _, predicate, object_ = pattern
        if limit <= 0:
            return []
        if self._has_joining or isinstance(object_, Literal):
            found = self._statements(self._all(predicate), lambda one: fits(one, pattern), limit)
            return _in_order(self.statements([one.statement.id for one in found]))[:limit]
        counts = self._index.rows.subjects(predicate)
        left, subjects = limit, list[str]()
        for number, subject in sorted(self.identifiers(counts).items(), key=itemgetter(1)):
            if left > 0:
                subjects.append(subject)
                left -= counts[number]
        told = self.matches([(subject, predicate, object_) for subject in subjects])
        return [each for some in told for each in some][:limit]

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        """See `SupportsBatches.matches`: the rows of all are read together."""
        self._fitting([pattern for pattern in patterns if _thing_of(pattern)])
        return [self.match(*pattern) for pattern in patterns]

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        asked, among = list(dict.fromkeys(entities)), frozenset(predicates)
        touching = sorted(
            self._statements(self._touching(asked, among), lambda one: one.predicate in among),
            key=lambda each: each.statement.id,
        )
        wanted, taken = frozenset(asked), Counter[tuple[str, str]]()
        found = []
        for each in touching:
            one = each.statement
            kind = "thing" if one.object_entity else "value"
            ends = [(end, way) for end, way in ((one.subject, kind), (one.object_entity, "in"))
                    if end in wanted]  # fmt: skip
            if any(taken[end, way] < cap for end, way in ends if end):
                found.append(each)
            taken.update((end, way) for end, way in ends if end)
        return _in_order(found)

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        if identifiers is None:
            found = {each.document.id: each.document for each in self._all(None)}
        else:
            asked = list(dict.fromkeys(identifiers))
            with self._lock:
                self._read_documents(asked)
                found = {one: self._documents[one] for one in asked if one in self._documents}
        chosen = (one for one in found.values() if source in (None, one.source))
        return sorted(chosen, key=lambda one: (one.source, one.name))

    def _read_documents(self, asked: Sequence[str]) -> None:
        missing = [one for one in asked if one not in self._documents]
        for number, keys in (self._index.rows.rows_called(missing) if missing else {}).items():
            self._read(number, keys)
        if any(one not in self._documents for one in missing):
            self._look_for_joining(missing)

    def _look_for_joining(self, missing: Sequence[str]) -> None:
        """A row that joins is in no index: it is looked for among all."""
        wanted = {one for one in missing if one not in self._documents}
        for number, part in enumerate(self.mapping.parts):
            if part.joins:
                for each in self._stream(number):
                    if each.document.id in wanted:
                        self._documents[each.document.id] = each.document

    def names(self, entities: Iterable[str] | None = None) -> Iterator[tuple[NameMention, str]]:
        """See `GraphStore.names`: what rows that join say of names is said by those they join."""
        return self._index.store.names(entities)

    def close(self) -> None:
        self._index.close()
        self.rows.close()

    def with_statements(self, predicates: Iterable[str]) -> set[str]:
        """See `SupportsPresence`; rows that join are read up to the first that says something."""
        asked = dict.fromkeys(predicates)
        return {one for one in asked if self._may_have(one) and self.match(None, one, limit=1)}

    # numbers

    def edges(
        self, things: Iterable[int], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[Edge]:
        if not self._has_joining:
            return self._index.rows.edges(things, predicates, cap)
        found = self.neighbours(self.identifiers(things).values(), predicates, cap=cap)
        return edges_of(found)

    def degrees(self, things: Iterable[int], predicates: Iterable[str]) -> dict[int, int]:
        asked = dict.fromkeys(things)
        if not self._has_joining:
            return self._index.rows.degrees(asked, predicates)
        edges = self.edges(asked, predicates, cap=_NO_CAP)
        counts = Counter(end for edge in edges for end in (edge.subject, edge.object))
        return {thing: counts[thing] for thing in asked if thing in counts}

    def all_edges(self, predicates: Iterable[str]) -> Iterator[Edge]:
        """See `SupportsNumbers.all_edges`; rows that join are all read, where any may be such."""
        wanted = frozenset(predicates)
        if not self._has_joining:
            yield from self._index.rows.all_edges(wanted)
        elif any(map(self._may_have, wanted)):
            found = self._statements(self._all(None), lambda one: one.predicate in wanted)
            yield from edges_of(found)

    @property
    def _has_joining(self) -> bool:
        return any(part.joins for part in self.mapping.parts)

    def identifiers(self, things: Iterable[int]) -> dict[int, str]:
        return self._index.store.identifiers(things)

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        """See `SupportsNumbers.statements`; those that were not read yet are looked for in all."""
        asked = list(dict.fromkeys(identifiers))
        with self._lock:
            self._find(one for one in asked if one not in self._seen)
        found = {one.id: one for each in asked if (one := self._seen.get(each))}
        return [
            supported
            for one in found.values()
            for supported in self.match(one.subject, one.predicate, one.object)
            if supported.statement.id == one.id
        ]

    def _find(self, missing: Iterable[str | int]) -> None:
        """Read the rows that say statements; one that joins is looked for among all."""
        numbers = {one if isinstance(one, int) else statement_number(one): one for one in missing}
        for number, keys in (self._index.rows.rows_saying(numbers) if numbers else {}).items():
            self._read(number, keys)
        if self._has_joining and any(one not in self._seen for one in numbers.values()):
            for each in self._all(None):
                self._remember(each.statements)

    # what is left out or told of the server

    def search_text(
        self,
        query: str,  # noqa: ARG002
        *,
        limit: int = 10,  # noqa: ARG002
        without: Collection[EvidenceClass] = (),  # noqa: ARG002
        frequent: int | None = None,  # noqa: ARG002
    ) -> list[Hit]:
        """See `SupportsTextSearch.search_text`: rows are found by names, not by their texts."""
        return []

    def server(self) -> str:
        return self.rows.server()

    def sources(self) -> list[str]:
        return sorted({reader.source for reader in self._readers})

    # rows

    def _forget(self) -> None:
        self._kept.clear()
        self._joined.clear()
        self._documents.clear()
        self._seen.clear()

    def _may_have(self, predicate: str) -> bool:
        """Whether any row may say something by a predicate; False is sure."""
        if self._index.rows.say(predicate):
            return True
        vocabulary = self._naming.vocabulary
        for part in self.mapping.parts:
            if part.joins:
                use = vocabulary.find(part.mapping.relations[0][1].predicate)
                # What speaks against a thing is read in words, and may turn out otherwise.
                if use is None or use.predicate.valence < 0 or use.predicate.name == predicate:
                    return True
        return False

    def _fitting(self, patterns: Sequence[Pattern]) -> list[Extraction]:
        """What the rows say that say anything of these patterns, each of which names a thing."""
        rows: dict[tuple[int, str], None] = {}
        for subject, predicate, object_ in patterns:
            end = object_ if isinstance(object_, str) else None
            found = self._index.rows.rows_fitting(subject, predicate, end)
            rows.update(dict.fromkeys((of, key) for of, keys in found.items() for key in keys))
        return self._said_by(rows, (thing for each in patterns if (thing := _thing_of(each))))

    def _touching(self, things: Sequence[str], predicates: Iterable[str]) -> list[Extraction]:
        """What the rows say that say anything of these things by these predicates."""
        found = self._index.rows.rows_touching(things, predicates)
        return self._said_by(((of, key) for of, keys in found.items() for key in keys), things)

    def _said_by(self, rows: Iterable[tuple[int, str]], things: Iterable[str]) -> list[Extraction]:
        """What these rows say, and those that join these things to others."""
        parts: dict[int, list[str]] = {}
        for of, key in rows:
            parts.setdefault(of, []).append(key)
        with self._lock:
            if len(self._kept) > _MEMO_SIZE:
                self._forget()
            found = [each for number, keys in parts.items() for each in self._read(number, keys)]
            nodes = self._index.rows_of(things) if self._has_joining else {}
            for number, part in enumerate(self.mapping.parts):
                if part.joins:
                    found += self._read_joining(number, nodes)
        return found

    def _read(self, number: int, keys: Sequence[str]) -> list[Extraction]:
        """What the rows of a part with these keys say; each is asked for once."""
        part = self.mapping.parts[number]
        missing = [key for key in keys if (number, key) not in self._kept]
        for batch in chunks(missing):
            self._keep(number, self.rows.fetch(part, batch))
            for key in batch:
                self._kept.setdefault((number, key), ())
        return [each for key in keys for each in self._kept[number, key]]

    def _read_joining(self, number: int, nodes: dict[int, list[str]]) -> list[Extraction]:
        part = self.mapping.parts[number]
        asked = [(of, key) for of, keys in nodes.items() for key in keys]
        missing = [each for each in asked if (number, *each) not in self._joined]
        for batch in chunks(missing):
            for each in batch:
                self._joined[(number, *each)] = []
            rows = list(self.rows.joining(part, [key for _, key in batch]))
            self._keep(number, rows)
            for of, key in batch:
                touching = [row.key for row in rows if key in row.values["ends"]]
                self._joined[number, of, key] = touching
        keys = dict.fromkeys(row for each in asked for row in self._joined[(number, *each)])
        return [each for key in keys for each in self._kept[number, key]]

    def _keep(self, number: int, rows: Iterable[ForeignRow]) -> None:
        for row in rows:
            made = [each for each in self._readers[number].read([row])
                    if isinstance(each, Extraction)]  # fmt: skip
            self._kept[number, row.key] = tuple(made)
            if made and not self.mapping.parts[number].joins:
                self._index.compare(made[0].document.id, [row])
            for each in made:
                self._documents[each.document.id] = each.document
                self._remember(each.statements)

    def _remember(self, statements: Iterable[Statement]) -> None:
        for one in statements:
            self._seen[one.id] = self._seen[statement_number(one.id)] = one

    def _all(self, predicate: str | None) -> Iterator[Extraction]:
        """What all rows say; nothing, where none can say anything by a predicate."""
        if predicate is None or self._may_have(predicate):
            for number in range(len(self.mapping.parts)):
                yield from self._stream(number)

    def _stream(self, number: int) -> Iterator[Extraction]:
        for made in self.read_part(number):
            if isinstance(made, Extraction):
                yield made

    def read_part(self, number: int) -> Iterator[Extraction | Skipped]:
        """What all rows of a part say, and why some say nothing."""
        return self._readers[number].read(self.rows.stream(self.mapping.parts[number]))

    def _statements(
        self,
        found: Iterable[Extraction],
        fitting: Callable[[Statement], bool],
        enough: int | None = None,
    ) -> list[SupportedStatement]:
        """The statements that fit, or `enough` of them, with the evidence that was found."""
        said: list[tuple[Statement, Evidence, str]] = []
        told: set[str] = set()
        for each in found:
            wanted = {one.id: one for one in each.statements if fitting(one)}
            for item in each.evidence if wanted else ():
                if item.statement in wanted:
                    said.append((wanted[item.statement], item, each.document.name))
                    told.add(item.statement)
            if wanted:
                self._documents[each.document.id] = each.document
            if enough is not None and len(told) >= enough:
                break
        made = gathered(said)
        self._remember(each.statement for each in made)
        return made


def _in_order(found: Iterable[SupportedStatement]) -> list[SupportedStatement]:
    return sorted(found, key=lambda each: statement_order(each.statement))


def _thing_of(pattern: Pattern) -> str | None:
    """The thing by whose rows a pattern is found; None where it names none."""
    subject, _, object_ = pattern
    return subject or (object_ if isinstance(object_, str) else None)
