"""Bases as rows with stamps keep the promises of a store, whatever database keeps the rows.

On real servers the whole suite runs, by `make test-services`; here the logic alone, over rows in
lists.
"""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import NotFoundError, StoreBusyError, StoreUnreachableError
from medweave.ports import GraphStore
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.stores.versioned.rows import NUMBERED, Header, Row, Where
from medweave.stores.versioned.store import REVISIONS, VersionedStore, opened
from medweave.testing.store_conformance import StoreConformance
from medweave.testing.worlds import (
    COLD,
    COUGH,
    FLU,
    SYMPTOM,
    cold_and_flu,
    contents,
    document,
    says,
)


class ListedRows:
    """Rows in lists; `fails` may raise before anything is written."""

    def __init__(self) -> None:
        self.held: dict[str, dict[tuple[int, int], Row]] = {kind: {} for kind in NUMBERED}
        self.kept: Header | None = None
        self.turns = 0
        self.left = -1
        """So many writes come through; below 0 for any number."""
        self.refused = 0

    def _written(self) -> None:
        if self.left == 0:
            self.refused += 1
            raise StoreUnreachableError("killed")
        self.left -= 1

    def header(self) -> Header | None:
        return self.kept

    def swap(self, before: Header | None, after: Header) -> bool:
        self._written()
        if self.kept != before:
            return False
        self.kept = after
        return True

    def insert(self, rows: Mapping[str, Sequence[Row]]) -> None:
        for kind, of_kind in rows.items():
            self._written()
            self.held[kind].update({(row["n"], row["since"]): dict(row) for row in of_kind})

    def end(self, kind: str, numbers: Sequence[int], stamp: int) -> None:
        self._written()
        for key, row in list(self.held[kind].items()):
            if row["n"] in set(numbers) and "until" not in row:
                if row["since"] == stamp:
                    del self.held[kind][key]
                else:
                    row["until"] = stamp

    def undo(self, kind: str, stamp: int) -> None:
        self._written()
        for key, row in list(self.held[kind].items()):
            if row["since"] >= stamp:
                del self.held[kind][key]
            elif row.get("until", -1) >= stamp:
                del row["until"]

    def forget(self, kind: str, stamp: int) -> None:
        for key, row in list(self.held[kind].items()):
            if row.get("until", stamp) < stamp:
                del self.held[kind][key]

    def find(
        self, kind: str, where: Where, at: int, fields: Sequence[str], *, first: int | None = None
    ) -> Iterable[Row]:
        self.turns += 1
        found = sorted(self._fitting(kind, where, at), key=lambda row: int(row["n"]))
        return [{name: row[name] for name in fields if name in row} for row in found[:first]]

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        return dict(Counter(row[field] for row in self._fitting(kind, where, at)))

    def _fitting(self, kind: str, where: Where, at: int) -> list[Row]:
        among = {field: set(has) for field, has in where.items()}
        return [
            row
            for row in self.held[kind].values()
            if row["since"] < at <= row.get("until", at)
            and all(row.get(field) in has for field, has in among.items())
        ]

    def changed(self, stamp: int) -> set[int]:
        return {
            row["statement_n"]
            for row in self.held["evidence"].values()
            if row["since"] >= stamp or row.get("until", -1) >= stamp
        }

    def server(self) -> str:
        return ""

    def close(self) -> None:
        pass


class TestVersionedStore(StoreConformance):
    def open_store(self, tmp_path: Path) -> GraphStore:
        self._rows = ListedRows()
        return VersionedStore(self._rows, "rows", create=True)

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        return VersionedStore(self._rows, "rows", create=False)

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore:
        return VersionedStore(self._rows, "rows", create=True)


def test_whenever_a_writer_dies_the_next_one_loses_and_doubles_nothing() -> None:
    """After each number of writes once: what was there is seen, and doing it again is as if it had
    never failed."""
    new = [document(f"d{n}", says(COLD, SYMPTOM, f"mw.x:{n}")) for n in range(3)]
    changed = document("cold", says(COLD, SYMPTOM, COUGH), text="new")
    right = view_of(MemoryStore())
    right.put([*cold_and_flu(), *new, changed])
    died = True
    writes = 0
    while died:
        rows = ListedRows()
        store = VersionedStore(rows, "rows", create=True)
        store.put(cold_and_flu())
        before, version = contents(view_of(store)), store.version()
        rows.left = writes
        try:
            store.put([*new, changed])
            died = False
        except StoreUnreachableError:
            assert rows.refused == 1  # who lost its server does not wait for it again
            rows.left = -1
            reader = VersionedStore(rows, "rows", create=False)
            if reader.version() == version:
                assert contents(view_of(reader)) == before
        again = VersionedStore(rows, "rows", create=False)
        rows.left = -1
        again.put([*new, changed])
        assert contents(view_of(again)) == contents(right)
        assert again.version().revision == version.revision + 1
        assert again.check() == []
        writes += 1
    assert writes > 10


def _documents_after(writes: int) -> int | None:
    """How many documents are seen of a base whose first writer died after so many writes; None
    where there is no base."""
    rows = ListedRows()
    rows.left = writes
    with suppress(StoreUnreachableError):
        view_of(VersionedStore(rows, "rows", create=True)).put(cold_and_flu())
    try:
        with closing(opened(rows, "rows", create=False)) as found:
            return found.counts().documents
    except NotFoundError:
        return None


def test_a_base_whose_first_writer_dies_is_not_there_until_something_was_committed() -> None:
    whole = len({each.document.id for each in cold_and_flu()})
    seen = [_documents_after(writes) for writes in range(30)]
    assert (seen[0], seen[1], seen[-1]) == (None, None, whole)
    assert set(seen) == {None, whole}


def test_a_snapshot_of_what_is_forgotten_is_refused_and_what_is_kept_is_bounded() -> None:
    rows = ListedRows()
    store, other = (VersionedStore(rows, "rows", create=True) for _ in range(2))
    store.put(cold_and_flu())

    def write(times: int) -> None:
        for _ in range(times):
            text = str(random.random())
            other.put([document("cold", says(FLU, SYMPTOM, COUGH), text=text)])

    with store.snapshot():
        seen = contents(view_of(store))
        write(REVISIONS - 1)
        assert contents(view_of(store)) == seen
    with pytest.raises(StoreBusyError), store.snapshot():
        write(REVISIONS + 1)
    assert len(rows.held["document"]) <= REVISIONS + 20


def test_who_fills_an_empty_base_asks_for_nothing_that_it_wrote_itself() -> None:
    """Neither while all goes well, nor in a way that is wrong after a part failed or a row went."""
    rows, right = ListedRows(), view_of(MemoryStore())
    store = VersionedStore(rows, "rows", create=True)
    with store.writing():
        for n in range(4):
            store.put([document(f"d{n}", says(COLD, SYMPTOM, f"mw.x:{n % 2}"))])
        assert rows.turns == 0
        store.remove(["d0", "d2"])
        store.put([document("d2", says(COLD, SYMPTOM, "mw.x:0"))])
        with pytest.raises(ValueError, match="stopped"), store.transaction():
            store.put(cold_and_flu())
            raise ValueError("stopped")
        store.put([*cold_and_flu(), document("d0", says(COLD, SYMPTOM, "mw.x:1"))])
    right.put([*(document(f"d{n}", says(COLD, SYMPTOM, f"mw.x:{n % 2}")) for n in (1, 2, 3))])
    right.put([*cold_and_flu(), document("d0", says(COLD, SYMPTOM, "mw.x:1"))])
    assert contents(view_of(store)) == contents(right)
    assert store.version().hash == right.version().hash
    assert store.check() == []
    alive = Counter(
        (kind, row["n"])
        for kind, some in rows.held.items()
        for row in some.values()
        if "until" not in row
    )
    assert set(alive.values()) == {1}  # nothing is doubled


def test_who_fills_an_empty_base_forgets_what_nobody_can_read() -> None:
    rows = ListedRows()
    store = VersionedStore(rows, "rows", create=True)
    with store.writing():
        for n in range(2 * REVISIONS):
            store.put([document("d", says(COLD, SYMPTOM, COUGH), text=str(n))])
    assert len(rows.held["document"]) <= REVISIONS + 20
    assert store.check() == []


class _Counting(ListedRows):
    """Rows that tell how often they were counted without saying which."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_through = 0

    def tally(self, kind: str, field: str, where: Where, at: int) -> dict[Any, int]:
        self.looked_through += not where
        return super().tally(kind, field, where, at)


class _Given(ListedRows):
    """Rows that tell how many of them readers were given."""

    def __init__(self) -> None:
        super().__init__()
        self.given = 0

    def find(self, *asked: Any, **how: Any) -> Iterable[Row]:
        for row in super().find(*asked, **how):
            self.given += 1
            yield row


def test_whether_there_is_anything_by_a_predicate_is_told_by_one_row() -> None:
    rows = _Given()
    store = view_of(VersionedStore(rows, "rows", create=True))
    store.put([document("d", *(says(COLD, SYMPTOM, f"mw.x:{n}") for n in range(50)))])
    rows.given = 0
    assert store.with_statements([SYMPTOM, "treated_with"]) == {SYMPTOM}
    assert rows.given == 1


def test_how_much_there_is_is_told_without_looking_through_it() -> None:
    rows = _Counting()
    store = view_of(VersionedStore(rows, "rows", create=True))
    store.put(cold_and_flu())
    store.put([document("cold", says(COLD, SYMPTOM, COUGH), text="new"), document("empty")])
    store.remove(["flu"])
    before = rows.looked_through
    told = store.counts()
    assert rows.looked_through == before
    right = view_of(MemoryStore())
    right.put([*store.contributions([one.id for one in store.documents()])])
    assert told == right.counts()
    assert told.documents > 1


def test_counts_that_are_wrong_are_found_by_a_check() -> None:
    rows = ListedRows()
    store = VersionedStore(rows, "rows", create=True)
    store.put(cold_and_flu())
    assert store.check() == []
    assert rows.kept is not None
    rows.kept["counts"] = rows.kept["counts"].replace('"documents":2', '"documents":3')
    assert [problem.what for problem in store.check()] == [
        "counts that are not those of what is there"
    ]


def test_a_header_without_counts_is_a_base_all_the_same() -> None:
    rows = ListedRows()
    store = VersionedStore(rows, "rows", create=True)
    store.put(cold_and_flu())
    told = store.counts()
    assert rows.kept is not None
    del rows.kept["counts"]
    store.put([document("empty")])
    assert store.counts().documents == told.documents + 1
    assert store.counts().statements == told.statements
    assert store.check() == []
