"""What a store may do beside its eight methods, as tests: transactions, text, notes, snapshots.

These are part of `medweave.testing.store_conformance.StoreConformance`, which is what an adapter
is tested by.
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TypeVar, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from medweave.model.document import Extraction
from medweave.model.edge import statement_number
from medweave.model.statement import EvidenceClass, Literal
from medweave.ports import (
    Counts,
    GraphStore,
    StoreView,
    SupportsChanges,
    SupportsNotes,
    SupportsSnapshots,
    SupportsTransactions,
)
from medweave.stores.derived import DerivedView, view_of
from medweave.testing.worlds import (
    CAUSE,
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    Change,
    cold_and_flu,
    contents,
    denies,
    document,
    histories,
    inferring_documents,
    live_through,
    names,
    recomputed_hash,
    says,
)

NewStore = Callable[[], StoreView]
_Ability = TypeVar("_Ability")

BY_CHANCE = settings(
    max_examples=int(os.environ.get("MEDWEAVE_TEST_EXAMPLES", "25")),  # fewer on a server
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)


def able(store: StoreView, ability: type[_Ability]) -> _Ability:
    """A store as one that has an ability, or the test is skipped."""
    itself = store.store if isinstance(store, DerivedView) else store
    if not isinstance(itself, ability):
        pytest.skip(f"{type(itself).__name__} has no {ability.__name__}")
    return cast("_Ability", store)


def changes_of(store: StoreView) -> SupportsChanges:
    """The store as one that tells what changed, or the test is skipped."""
    return able(store, SupportsChanges)  # type: ignore[type-abstract]


def snapshots_of(store: StoreView) -> SupportsSnapshots:
    """The store as one that reads one revision while others write, or the test is skipped."""
    return able(store, SupportsSnapshots)  # type: ignore[type-abstract]


def transactions_of(store: StoreView) -> SupportsTransactions:
    """The store as one with transactions, or the test is skipped."""
    return able(store, SupportsTransactions)  # type: ignore[type-abstract]


def notes_of(store: StoreView) -> SupportsNotes:
    """The store as one that keeps notes, or the test is skipped."""
    return able(store, SupportsNotes)  # type: ignore[type-abstract]


class AbilityConformance:
    """The promises about what a store may do beside its eight methods, and how it lasts."""

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:
        """See `StoreConformance.reopen`."""
        raise NotImplementedError

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:  # noqa: ARG002
        """Another way into the base of `store` while that is open; None: there is none."""
        return None

    # transactions

    def test_a_transaction_that_fails_leaves_nothing(self, store: StoreView) -> None:
        able = transactions_of(store)
        cold, flu = cold_and_flu()
        store.put([cold])
        before, version = contents(store), store.version()
        with pytest.raises(KeyError), able.transaction():  # noqa: PT012
            store.put([flu])
            store.remove([cold.document.id])
            raise KeyError("on purpose")
        assert (contents(store), store.version()) == (before, version)
        store.put([flu])
        assert store.version().hash == recomputed_hash(store)

    def test_a_put_that_fails_midway_leaves_nothing(self, store: StoreView) -> None:
        def failing() -> Iterator[Extraction]:
            yield from cold_and_flu()
            raise KeyboardInterrupt

        before = store.version()
        with pytest.raises(KeyboardInterrupt):
            store.put(failing())
        assert store.counts() == Counts(0, 0, 0, 0)
        assert store.version() == before

    def test_a_transaction_is_one_revision(self, store: StoreView) -> None:
        able = transactions_of(store)
        cold, flu = cold_and_flu()
        with able.transaction():
            store.put([cold])
            assert len(store.match(COLD)) == 3
            store.put([flu])
        assert store.version().revision == 1

    def test_a_transaction_without_changes_is_no_revision(self, store: StoreView) -> None:
        with transactions_of(store).transaction():
            store.remove(["do:unknown"])
        assert store.version().revision == 0

    def test_a_transaction_inside_another_joins_it(self, store: StoreView) -> None:
        able = transactions_of(store)
        cold, flu = cold_and_flu()
        with pytest.raises(KeyError), able.transaction():  # noqa: PT012
            with able.transaction():
                store.put([cold])
            store.put([flu])
            raise KeyError("on purpose")
        assert store.counts() == Counts(0, 0, 0, 0)
        with able.transaction(), able.transaction():
            store.put([cold, flu])
        assert store.counts().documents == 2
        assert store.version().revision == 1

    def test_a_part_of_a_transaction_that_fails_leaves_nothing_of_itself(
        self, new_store: NewStore
    ) -> None:
        store, fresh = new_store(), new_store()
        able = transactions_of(store)
        cold, flu = cold_and_flu()
        other = document("other", says(FLU, CAUSE, COLD), says(COLD, "new", FEVER))

        def failing() -> Iterator[Extraction]:
            yield from (flu, other)
            raise KeyError("on purpose")

        with able.transaction():
            store.put([cold])
            with pytest.raises(KeyError):
                store.put(failing())
            with pytest.raises(KeyError), able.transaction():  # noqa: PT012
                assert store.remove([cold.document.id]) == 1
                store.put([document("cold", denies(COLD, SYMPTOM, COUGH))])
                raise KeyError("on purpose")
            assert store.documents() == [cold.document]
            store.put([other])
        fresh.put([cold, other])
        assert contents(store) == contents(fresh)
        assert store.version().revision == 1
        assert store.version().hash == recomputed_hash(store)

    def test_a_transaction_all_of_whose_parts_failed_is_no_revision(self, store: StoreView) -> None:
        able = transactions_of(store)
        with able.transaction(), pytest.raises(KeyError), able.transaction():  # noqa: PT012
            store.put(cold_and_flu())
            raise KeyError("on purpose")
        assert store.counts() == Counts(0, 0, 0, 0)
        assert store.version().revision == 0

    @BY_CHANCE
    @given(history=histories(inferring_documents()), seed=st.randoms(use_true_random=False))
    def test_parts_that_fail_are_as_if_they_had_never_been(
        self, new_store: NewStore, history: list[Change], seed: random.Random
    ) -> None:
        store, fresh = new_store(), new_store()
        able = transactions_of(store)
        with able.transaction():
            for change in history:
                fails = seed.random() < 0.5
                with suppress(KeyError), able.transaction():
                    live_through(store, [change])
                    if fails:
                        raise KeyError("on purpose")
                if not fails:
                    live_through(fresh, [change])
        assert contents(store) == contents(fresh)
        assert store.version().hash == recomputed_hash(store)

    # text

    def test_documents_are_found_by_english_words(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put([cold, flu])
        assert [h.document for h in store.search_text("COUGH, please?")] == [cold.document.id]
        assert [h.document for h in store.search_text("fever and influenza")] == [flu.document.id]
        assert store.search_text("headache") == []

    def test_two_chinese_characters_are_found_inside_longer_text(self, store: StoreView) -> None:
        texts = {"a": "患者流行性感冒三天伴发热", "b": "感冒", "c": "头痛", "d": "感到寒冒"}
        store.put([document(name, text=text) for name, text in texts.items()])
        found = {hit.document for hit in store.search_text("感冒")}
        assert found == {document("a").document.id, document("b").document.id}

    def test_the_best_document_comes_first_and_ties_by_id(self, store: StoreView) -> None:
        same = [document(name, text="a cough") for name in "abc"]
        best = document("best", text="cough cough fever")
        store.put([*same, best, *(document(f"n{n}", text="nothing here") for n in range(9))])
        hits = store.search_text("cough fever")
        assert [h.document for h in hits] == [
            best.document.id,
            *sorted(item.document.id for item in same),
        ]
        assert hits[0].score > hits[1].score == hits[3].score > 0
        assert store.search_text("cough fever", limit=2) == hits[:2]
        assert store.search_text("cough", limit=0) == []

    def test_fewer_hits_are_the_first_of_many(self, store: StoreView) -> None:
        texts = ("a cough", "cough cough", "a fever and a cough", "no more than a fever")
        read = [document(f"read {n}", text=texts[n % 4]) for n in range(24)]
        told = [
            replace(one, document=replace(one.document, evidence_class="dialogue"))
            for one in (document(f"told {n}", text=texts[n % 3]) for n in range(12))
        ]
        store.put([*read, *told, *(document(f"n{n}", text="nothing here") for n in range(60))])
        left_out: list[list[EvidenceClass]] = [[], ["dialogue"], ["monograph", "model"]]
        for without in left_out:
            every = store.search_text("cough fever", limit=1000, without=without)
            for limit in (1, 3, 6, 7, 13, 30):
                assert (
                    store.search_text("cough fever", limit=limit, without=without) == every[:limit]
                )

    def test_frequent_words_are_not_looked_for(self, store: StoreView) -> None:
        store.put([document(f"cough {n}", text="a cough") for n in range(4)])
        store.put([document("both", text="cough and scabies")])
        [only] = store.search_text("cough scabies unheard", frequent=3)
        assert only.document == document("both").document.id
        assert len(store.search_text("cough unheard", frequent=3)) == 5
        assert len(store.search_text("cough scabies", frequent=5)) == 5

    def test_documents_of_a_class_are_left_out(self, store: StoreView) -> None:
        dialogue = document("told", text="cough cough cough")
        dialogue = replace(dialogue, document=replace(dialogue.document, evidence_class="dialogue"))
        store.put([dialogue, document("read", text="a cough")])
        found = store.search_text("cough", limit=1, without=("dialogue", "model"))
        assert [h.document for h in found] == [document("read").document.id]
        assert store.search_text("cough", limit=1)[0].document == dialogue.document.id

    @pytest.mark.parametrize(
        "query",
        [
            *("", " ", '"', '""', "'", "*", "cough*", "^cough", "(cough", "cough)", "text:cough"),
            *("AND", "cough AND", "NOT cough", "cough OR", "NEAR(cough fever)", "-cough", "+cough"),
            *('"cough', "cough'; DROP TABLE document; --", "{cough}", "a:b:c", "\\", "%", "_", "?"),
            *("😷", "\x00", "cough\x00fever", "\u202e", "。，！", "cough " * 3000),
        ],
    )
    def test_a_query_has_no_syntax(self, store: StoreView, query: str) -> None:
        store.put(cold_and_flu())
        found = {hit.document for hit in store.search_text(query)}
        if "cough" in query:
            assert cold_and_flu()[0].document.id in found
        assert store.counts().documents == 2

    def test_removed_and_replaced_texts_are_not_found(self, store: StoreView) -> None:
        old = document("a", text="a cough")
        store.put([old])
        store.put([document("a", text="a fever")])
        assert store.search_text("cough") == []
        assert len(store.search_text("fever")) == 1
        store.remove([old.document.id])
        assert store.search_text("fever") == []

    # notes

    def test_notes_are_kept(self, store: StoreView) -> None:
        able = notes_of(store)
        assert able.note("vocabulary") is None
        able.set_note("vocabulary", "predicates: {}\n# 感冒 😷\x00")
        able.set_note("empty", "")
        assert able.note("vocabulary") == "predicates: {}\n# 感冒 😷\x00"
        assert able.note("empty") == ""
        able.set_note("vocabulary", "other")
        assert able.note("vocabulary") == "other"
        assert able.note("unknown") is None

    def test_a_note_moves_the_revision_once_and_never_the_hash(self, store: StoreView) -> None:
        able = notes_of(store)
        before = store.version()
        able.set_note("key", "text")
        after = store.version()
        able.set_note("key", "text")
        assert store.version() == after
        assert after.revision == before.revision + 1
        assert after.hash == before.hash

    # lasting

    @pytest.mark.parametrize(
        "text",
        [
            *(
                "感冒，发热。",
                "naïve café",
                "e\u0301 and é",
                "😷👩\u200d⚕\ufe0f",
                "السعال والحمى",
                "\u202etxet\u202c",
            ),
            *("a\x00b", "\x01\x1f\x7f\x85", "line\r\nline\ttab\u2028", "'; DROP TABLE x; --"),
            *('{"json": [1]}', "\ufeffmark", "\U0010ffff", " spaces ", "", "null", "1.0"),
        ],
    )
    def test_any_text_survives(self, store: StoreView, tmp_path: Path, text: str) -> None:
        written = document(
            f"name {text}",
            says(f"x:{text}", f"p{text}", f"y:{text}", quote=text, qualifiers={"sex": text}),
            says(f"x:{text}", f"p{text}", Literal(text, text, text)),
            source=f"/s/{text}",
            text=text,
            mentions=names(f"x:{text}", f"n{text}", concept=text),
            build_key=text,
        )
        store.put([written])
        reopened = self.reopen(store, tmp_path)
        again = view_of(reopened) if reopened else store
        assert list(map(repr, again.documents())) == [repr(written.document)]
        found = again.match(f"x:{text}", f"p{text}")
        assert {repr(item.statement) for item in found} == set(map(repr, written.statements))
        assert {e for item in found for e in item.evidence} == set(written.evidence)
        assert [count.mention for count in again.mentions([f"x:{text}"])] == sorted(
            written.mentions, key=lambda mention: mention.name
        )
        assert set(again.build_keys(f"/s/{text}")) == {written.document.id}
        assert again.version().hash == recomputed_hash(again)
        if again is not store:
            again.close()

    def test_everything_is_there_after_opening_again(
        self, store: StoreView, tmp_path: Path
    ) -> None:
        store.put(cold_and_flu())
        before, version = contents(store), store.version()
        again = self._reopened(store, tmp_path)
        assert (contents(again), again.version()) == (before, version)
        again.close()

    def test_two_bases_that_last_have_different_identities(
        self, store: StoreView, new_store: NewStore, tmp_path: Path
    ) -> None:
        store.put(cold_and_flu())
        identity = store.version().id
        again = self._reopened(store, tmp_path)
        assert again.version().id == identity != new_store().version().id
        again.close()

    def _reopened(self, store: StoreView, tmp_path: Path) -> StoreView:
        again = self.reopen(store, tmp_path)
        if again is None:
            pytest.skip("this store does not outlive its process")
        return view_of(again)

    # changes

    def test_what_changed_since_a_revision(self, store: StoreView) -> None:
        able = changes_of(store)
        cold, flu = cold_and_flu()
        numbers = frozenset(statement_number(item.id) for item in flu.statements)
        store.put([cold])
        first = store.version().revision
        assert able.changes(first) == frozenset()
        store.put([flu])
        second = store.version().revision
        assert able.changes(first) == numbers
        assert able.changes(second) == frozenset()
        store.remove([flu.document.id])
        assert able.changes(first) == able.changes(second) == numbers

    def test_a_statement_changes_with_its_evidence(self, store: StoreView) -> None:
        able = changes_of(store)
        claim = says(COLD, SYMPTOM, COUGH)
        store.put([document("a", claim), document("c", says(FLU, SYMPTOM, COUGH))])
        before = store.version().revision
        store.put([document("b", says(COLD, SYMPTOM, COUGH, strength=0.5))])
        assert able.changes(before) == frozenset([statement_number(claim.statement.id)])

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_changes_cover_all_that_differs_between_two_revisions(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        store = new_store()
        able = changes_of(store)
        seen: dict[int, dict[int, str]] = {}
        for change in [Change(), *history]:
            live_through(store, [change])
            seen[store.version().revision] = {
                statement_number(found.statement.id): repr(found) for found in store.match()
            }
        last = seen[store.version().revision]
        for revision, held in seen.items():
            reported = able.changes(revision)
            differing = {n for n in {*held, *last} if held.get(n) != last.get(n)}
            assert reported is None or differing <= reported

    # snapshots

    def test_a_snapshot_reads_one_revision_while_others_write(
        self, store: StoreView, tmp_path: Path
    ) -> None:
        able = snapshots_of(store)
        other = self.open_beside(store, tmp_path)
        if other is None:
            pytest.skip("this store is written by nobody else")
        cold, flu = cold_and_flu()
        store.put([cold])
        with able.snapshot(), able.snapshot():
            before, version = contents(store), store.version()
            other.put([flu])
            other.remove([cold.document.id])
            assert (contents(store), store.version()) == (before, version)
        assert store.documents() == [flu.document]
        with pytest.raises(KeyError), able.snapshot():
            raise KeyError("on purpose")
        other.remove([flu.document.id])
        assert store.documents() == []
        other.close()

    def test_what_was_read_in_a_snapshot_may_be_written_after_it(self, store: StoreView) -> None:
        able = snapshots_of(store)
        with able.snapshot():
            assert store.match() == []
        store.put(cold_and_flu())
        assert store.counts().documents == 2
