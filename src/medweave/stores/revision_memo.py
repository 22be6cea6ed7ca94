"""What a question read is kept for its revision, and what it will read next comes along.

A question asks for one thing after another: the classes of each of a hundred drugs, the names of
each. On a server each of these is a turn on the wire. So what was read together (the drugs of a
list) is remembered, and when some of it is asked for one by one, the rest is read in growing
batches. Steps ask as before, and are told the same.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar, cast

from medweave.errors import StoreBusyError
from medweave.model.answer import BaseVersion
from medweave.model.document import Document, Extraction
from medweave.model.edge import statement_number
from medweave.model.statement import Literal, SupportedStatement
from medweave.ports import GraphStore, MentionCount, Pattern, StoreView
from medweave.stores.derived import DerivedView, view_of

_FIRST = 8
"""The first of a group that is asked for brings so many; each batch after it so many times more."""
_MOST = 256
"""The largest batch."""
_MEMO_SIZE = 40_000
"""So many statements and names are kept; beyond that all are forgotten before the next question."""
_OF_DOCUMENT = 2
"""A document with its texts counts as so many statements."""
_HELD_AGAIN = 64
"""So often a statement that is held already counts as one."""
_TRIES = 5
"""A question is asked so often where the base moves under it."""

_T = TypeVar("_T")
_Group = tuple[str, ...]


def revision_memo(store: GraphStore) -> StoreView:
    """A store with all that follows from it, as questions read it."""
    return cast("StoreView", MemoisedView(view_of(store)))


@dataclass(eq=False)
class _RevisionMemo:
    """What was read at one revision."""

    version: BaseVersion
    matched: dict[Pattern, list[SupportedStatement]] = field(default_factory=dict)
    mentioned: dict[str, list[MentionCount]] = field(default_factory=dict)
    documents: dict[str, Document | None] = field(default_factory=dict)
    around: dict[tuple[_Group, _Group, int], list[SupportedStatement]] = field(default_factory=dict)
    """What touches things, by these, the predicates, and how much of a hub: questions on the same
    two drugs, or one complaint in many wordings, ask for hundreds of statements again."""
    told: dict[tuple[str, object], object] = field(default_factory=dict)
    """Single answers, by method and argument."""
    statements: dict[str | int, SupportedStatement] = field(default_factory=dict)
    groups: dict[str, _Group] = field(default_factory=dict)
    """Each thing with those that it was last read together with."""
    batches: dict[tuple[object, _Group], int] = field(default_factory=dict)
    """How many of a group the next batch of a kind may bring."""
    size: int = 0

    def add(self, found: Iterable[SupportedStatement]) -> list[SupportedStatement]:
        """Statements by their identifiers and numbers, and what stands in them together.

        One that was read before is held once: what comes back are those that are held.
        """
        held, ends = list[SupportedStatement](), dict[tuple[str, int], dict[str, None]]()
        before = len(self.statements)
        for supported in found:
            one = supported.statement
            known = self.statements.setdefault(one.id, supported)
            if known is supported:
                self.statements[statement_number(one.id)] = supported
            held.append(known)
            ends.setdefault((one.predicate, 0), {})[one.subject] = None
            if not isinstance(one.object, Literal):
                ends.setdefault((one.predicate, 1), {})[one.object] = None
        for together in ends.values():
            self.group(together)
        self.size += (len(self.statements) - before) // 2 + len(held) // _HELD_AGAIN
        return held

    def group(self, things: Iterable[str]) -> None:
        """Remember that things were read together."""
        group = tuple(things)
        if len(group) > 1:
            self.groups.update(dict.fromkeys(group, group))

    def beside(self, things: Sequence[str], kind: object, known: Container[object]) -> list[str]:
        """What is worth reading along with things: the next of their groups that are not known."""
        found = dict.fromkeys(things)
        for group in {id(one): one for one in map(self.groups.get, things) if one}.values():
            room = self.batches.get((kind, group), _FIRST)
            self.batches[kind, group] = min(room * _FIRST, _MOST)
            start = group.index(next(one for one in things if one in group))
            others = (one for one in (*group[start:], *group[:start]) if one not in known)
            found.update(dict.fromkeys(islice(others, room)))
        return list(found)


class MemoisedView:
    """A view of a store that reads each thing once for a revision, and in batches.

    It keeps only what is read inside `snapshot` or `consistently`; a thread that writes reads what
    it has written.
    """

    def __init__(self, view: DerivedView) -> None:
        self.view = view
        self._mine = threading.local()
        self._latest: _RevisionMemo | None = None
        for name in dir(view):
            if not (name.startswith("_") or hasattr(MemoisedView, name)):
                setattr(self, name, getattr(view, name))
        setattr(view, "revision", lambda: self.version().revision)  # noqa: B010 - it is a method

    # what is written

    def put(self, extractions: Iterable[Extraction]) -> None:
        self._mine.memo = None
        self.view.put(extractions)

    def remove(self, documents: Iterable[str]) -> int:
        self._mine.memo = None
        return self.view.remove(documents)

    def set_note(self, key: str, text: str) -> None:
        self._mine.memo = None
        self.view.set_note(key, text)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._mine.memo, self._mine.writes = None, self._writes + 1
        try:
            with self.view.transaction():
                yield
        finally:
            self._mine.writes -= 1

    @property
    def _writes(self) -> int:
        return int(getattr(self._mine, "writes", 0))

    # one revision

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        before = self._memo
        with self.view.snapshot():
            if before is None and not self._writes:
                self._mine.memo = self._now()
            try:
                yield
            finally:
                self._mine.memo = before if self._memo else None

    def consistently(self, read: Callable[[], _T]) -> _T:
        """What `read` tells of one revision; asked again where a store has no snapshots and moved.

        Raises `StoreBusyError` where it never stands still.
        """
        if self._memo or self._writes or self.view.reads_one_revision:
            with self.snapshot():
                return read()
        for _ in range(_TRIES):
            with self.snapshot():
                before = cast("_RevisionMemo", self._memo)
                found = read()
            if self.view.version() == before.version:
                return found
            self._latest = None  # part of what was kept is of the other revision
        raise StoreBusyError(
            "this base changes faster than it can be read", remedy="try again when it is written"
        )

    def _now(self) -> _RevisionMemo:
        version, latest = self.view.version(), self._latest
        if latest is None or latest.version != version or latest.size > _MEMO_SIZE:
            latest = self._latest = _RevisionMemo(version)
        return latest

    @property
    def _memo(self) -> _RevisionMemo | None:
        return cast("_RevisionMemo | None", getattr(self._mine, "memo", None))

    # what is read

    def version(self) -> BaseVersion:
        memo = self._memo
        return memo.version if memo else self.view.version()

    def match(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | Literal | None = None,
        *,
        limit: int | None = None,
    ) -> list[SupportedStatement]:
        memo = self._memo
        if memo is None or isinstance(object, Literal) or (subject is None and object is None):
            return self.view.match(subject, predicate, object, limit=limit)
        pattern = (subject, predicate, object)
        if pattern not in memo.matched:
            whole = memo.matched.get((subject, predicate, None)) if subject and object else None
            if whole is not None:
                return [one for one in whole if one.statement.object == object][:limit]
            if limit is not None:
                return self._first(memo, pattern, limit)
            self._read(memo, [pattern])
        return memo.matched[pattern][:limit]

    def _first(self, memo: _RevisionMemo, pattern: Pattern, limit: int) -> list[SupportedStatement]:
        key = (f"first {limit}", pattern)
        if key not in memo.told:
            memo.told[key] = self.view.match(*pattern, limit=limit)
        return cast("list[SupportedStatement]", memo.told[key])[:]

    def matches(self, patterns: Sequence[Pattern]) -> list[list[SupportedStatement]]:
        memo = self._memo
        if memo is None:
            return self.view.matches(patterns)
        # Literals are not kept: 1 and true are two, though Python calls them equal.
        plain = dict.fromkeys(one for one in patterns if not isinstance(one[2], Literal))
        missing = [one for one in plain if one not in memo.matched]
        if missing:
            self._read(memo, missing)
        return [memo.matched[one][:] if one in plain else self.view.match(*one) for one in patterns]

    def _read(self, memo: _RevisionMemo, missing: Sequence[Pattern]) -> None:
        """Read what fits some patterns, and the same of what stood beside their things."""
        by_kind: dict[tuple[str | None, bool], list[str]] = {}
        wanted = dict.fromkeys(missing)
        for subject, predicate, object_ in missing:
            if predicate and (subject is None) != (object_ is None):
                thing = object_ if subject is None else subject
                by_kind.setdefault((predicate, subject is None), []).append(cast("str", thing))
        for kind, things in by_kind.items():
            known = _Known(memo.matched, *kind)
            wanted.update((known.pattern(x), None) for x in memo.beside(things, kind, known))
        patterns = list(wanted)
        view = self.view
        found = view.matches(patterns) if len(patterns) > 1 else [view.match(*patterns[0])]
        held = iter(memo.add(one for some in found for one in some))
        by_pattern = [list(islice(held, len(some))) for some in found]
        memo.matched.update(zip(patterns, by_pattern, strict=True))

    def expect(self, patterns: Iterable[Pattern]) -> None:
        if self._memo:
            self.matches([*patterns])

    def neighbours(
        self, entities: Iterable[str], predicates: Iterable[str], *, cap: int = 1000
    ) -> list[SupportedStatement]:
        memo = self._memo
        if memo is None:
            return self.view.neighbours(entities, predicates, cap=cap)
        asked = (tuple(entities), tuple(predicates), cap)
        if asked not in memo.around:
            memo.around[asked] = memo.add(self.view.neighbours(asked[0], asked[1], cap=cap))
        return memo.around[asked][:]

    def statements(self, identifiers: Iterable[str | int]) -> list[SupportedStatement]:
        memo = self._memo
        if memo is None:
            return self.view.statements(identifiers)
        distinct = list(dict.fromkeys(identifiers))
        missing = [one for one in distinct if one not in memo.statements]
        if missing:
            memo.add(self.view.statements(missing))
        found = {
            memo.statements[one].statement.id: one for one in distinct if one in memo.statements
        }
        return [memo.statements[one] for one in found]

    def documents(
        self, identifiers: Iterable[str] | None = None, *, source: str | None = None
    ) -> list[Document]:
        memo = self._memo
        if memo is None or identifiers is None or source is not None:
            return self.view.documents(identifiers, source=source)
        wanted = set(identifiers)
        missing = wanted - memo.documents.keys()
        if missing:
            found = self.view.documents(missing)
            memo.documents.update(dict.fromkeys(missing) | {one.id: one for one in found})
            memo.size += _OF_DOCUMENT * len(found)
        there = (memo.documents[one] for one in wanted)
        return sorted((d for d in there if d is not None), key=lambda d: (d.source, d.name))

    def mentions(self, entities: Iterable[str] | None = None) -> list[MentionCount]:
        memo = self._memo
        if memo is None or entities is None:
            return self.view.mentions(entities)
        wanted = sorted(set(entities))
        missing = [one for one in wanted if one not in memo.mentioned]
        if missing:
            missing = memo.beside(missing, "mentions", memo.mentioned)
            read: dict[str, list[MentionCount]] = {one: [] for one in missing}
            found = self.view.mentions(missing)
            for count in found:
                read[count.mention.entity].append(count)
            memo.mentioned.update(read)  # whole: other threads read it, too
            memo.size += len(found)
        return [count for one in wanted for count in memo.mentioned[one]]

    def beside(self, things: Sequence[str], known: Collection[str]) -> list[str]:
        memo = self._memo
        return memo.beside(things, "beside", known) if memo else list(things)

    def count_mentioned_as(self, concept: str) -> int:
        return self._answer("mentioned as", concept, self.view.count_mentioned_as)

    def note(self, key: str) -> str | None:
        return self._answer("note", key, self.view.note)

    def _answer(self, what: str, key: str, ask: Callable[[str], _T]) -> _T:
        memo = self._memo
        if memo is None:
            return ask(key)
        if (what, key) not in memo.told:
            memo.told[what, key] = ask(key)
        return cast("_T", memo.told[what, key])


class _Known:
    """The things at one end for which a predicate was read."""

    def __init__(
        self, matched: Collection[Pattern], predicate: str | None, at_object: bool
    ) -> None:
        self._matched, self._predicate, self._at_object = matched, predicate, at_object

    def pattern(self, thing: str) -> Pattern:
        """What is asked of a thing."""
        return (None, self._predicate, thing) if self._at_object else (thing, self._predicate, None)

    def __contains__(self, thing: object) -> bool:
        return self.pattern(cast("str", thing)) in self._matched
