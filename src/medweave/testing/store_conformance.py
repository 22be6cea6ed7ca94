"""What every store promises, as tests. An adapter is tested by a class of a few lines:

    class TestMyStore(StoreConformance):
        def open_store(self, tmp_path):
            return MyStore(tmp_path / "base")

It needs pytest and hypothesis. What a store does not support is skipped, with the reason.
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import StoreError
from medweave.model.document import Extraction
from medweave.model.identifiers import canonical_json
from medweave.model.statement import Literal, SupportedStatement
from medweave.ports import (
    Counts,
    GraphStore,
    MentionCount,
    StoreView,
    SupportsActivities,
    SupportsBuildKeys,
    SupportsSources,
)
from medweave.stores.derived import DerivedView, view_of
from medweave.testing.ability_conformance import BY_CHANCE, AbilityConformance, NewStore, able
from medweave.testing.fast_ways import FastWays
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

_ALIKE = (
    *("cold", "Cold", "cold ", " cold", "cöld", "co\u0308ld", "ｃｏｌｄ", "c\u200bold", "ß", "ss"),
    *("😀", "😁", "感冒", "感冐", "x" * 5000, "x" * 5000 + "y", "a'b`\\\"%s:n--", "\x00", "null"),
)
"""Texts that a server may take for one another, cut, or read as something else."""
_NUMBERS_ALIKE = (
    1,
    True,
    1.0,
    0,
    False,
    0.0,
    0.1,
    0.1 + 1e-17,
    0.30000000000000004,
    1e-300,
    2**53 + 1,
)
_REST = Literal("Rest in bed.", "en")


def _objects(found: list[SupportedStatement]) -> list[str | Literal]:
    return [item.statement.object for item in found]


class StoreConformance(AbilityConformance, FastWays):
    """The promises of `medweave.ports`, one test for each. Override `open_store`."""

    def open_store(self, tmp_path: Path) -> GraphStore:
        """A new, empty store; what it needs on disk belongs in `tmp_path`."""
        raise NotImplementedError

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:  # noqa: ARG002
        """The store of `open_store` after closing and opening it again; None: it cannot be."""
        return None

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[StoreView]:
        """An empty store, with all that follows from it."""
        store = view_of(self.open_store(tmp_path))
        yield store
        store.close()

    @pytest.fixture
    def new_store(self, tmp_path: Path) -> Iterator[NewStore]:
        """Opens empty stores, each in a folder of its own."""
        opened: list[StoreView] = []

        def open_another() -> StoreView:
            folder = tmp_path / f"store{len(opened)}"
            folder.mkdir()
            opened.append(view_of(self.open_store(folder)))
            return opened[-1]

        yield open_another
        for store in opened:
            store.close()

    # an empty store

    def test_an_empty_store_answers_everything_with_nothing(self, store: StoreView) -> None:
        assert store.match() == []
        assert store.neighbours([COLD], [SYMPTOM]) == []
        assert store.statements(["st:unknown"]) == []
        assert store.documents() == store.documents(["do:unknown"]) == []
        assert store.mentions() == store.mentions([COLD]) == []
        assert store.build_keys("/sources/one.json") == {}
        assert store.sources() == []
        assert store.counts() == Counts(0, 0, 0, 0)
        assert store.remove(["do:unknown"]) == 0
        assert (store.version().revision, store.version().hash) == (0, "0" * 64)
        assert store.version().id

    def test_putting_and_removing_nothing_changes_nothing(self, store: StoreView) -> None:
        store.put([])
        assert store.remove([]) == 0
        assert store.version().revision == 0

    # putting

    def test_what_was_put_is_there(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put(iter([cold, flu]))
        assert {s.id for s in (*cold.statements, *flu.statements)} == {
            found.statement.id for found in store.match()
        }
        assert {item for found in store.match() for item in found.evidence} == {
            *cold.evidence,
            *flu.evidence,
        }
        assert store.documents() == [cold.document, flu.document]
        assert store.counts() == Counts(documents=2, statements=5, evidence=5, entities=4)

    def test_what_looks_alike_stays_apart_and_is_kept_to_the_letter(
        self, store: StoreView, tmp_path: Path
    ) -> None:
        things = [f"mw.condition:{text}" for text in _ALIKE]
        values = [Literal(value) for value in (*_NUMBERS_ALIKE, *_ALIKE)]
        document_of_all = document(
            "all",
            *(says(FLU, SYMPTOM, thing) for thing in things),
            *(says(FLU, SYMPTOM, value) for value in values),
            *(says(thing, CAUSE, FEVER) for thing in things),
            mentions=[one for thing, text in zip(things, _ALIKE, strict=True)
                      for one in names(thing, text)],
        )  # fmt: skip
        store.put([document_of_all])
        raw = self.reopen(store.store if isinstance(store, DerivedView) else store, tmp_path)
        again = view_of(raw) if raw is not None else store
        kept = {canonical_json(o.key()) if isinstance(o, Literal) else o
                for o in _objects(again.match(FLU, SYMPTOM))}  # fmt: skip
        assert kept == {*things, *(canonical_json(value.key()) for value in values)}
        assert [len(again.match(thing)) for thing in things] == [1] * len(things)
        assert [len(again.match(None, None, value)) for value in values] == [1] * len(values)
        assert {m.mention for m in again.mentions(things)} == {*document_of_all.mentions}
        assert again.documents() == [document_of_all.document]
        assert again.version().hash == recomputed_hash(again)
        again.close()

    def test_putting_the_same_again_does_not_even_move_the_revision(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        before = store.version()
        store.put(cold_and_flu())
        store.put(reversed(cold_and_flu()))
        assert store.version() == before

    def test_a_change_moves_the_revision(self, store: StoreView) -> None:
        revisions = [store.version().revision]
        store.put(cold_and_flu())
        revisions.append(store.version().revision)
        store.put([document("cold", says(COLD, SYMPTOM, COUGH))])
        revisions.append(store.version().revision)
        store.remove([document("cold").document.id])
        revisions.append(store.version().revision)
        assert revisions == sorted(set(revisions))

    def test_a_document_that_is_there_already_is_replaced(self, store: StoreView) -> None:
        store.put([document("cold", says(COLD, SYMPTOM, COUGH), mentions=names(COLD, "cold"))])
        store.put([document("cold", says(COLD, SYMPTOM, FEVER), mentions=names(COLD, "a cold"))])
        assert _objects(store.match()) == [FEVER]
        assert [count.mention.name for count in store.mentions()] == ["a cold"]
        assert store.counts() == Counts(1, 1, 1, 1)

    def test_a_new_build_key_alone_replaces_a_document(self, store: StoreView) -> None:
        able(store, SupportsBuildKeys)  # type: ignore[type-abstract]
        store.put([document("cold", build_key="1")])
        store.put([document("cold", build_key="2")])
        assert list(store.build_keys("/sources/one.json").values()) == ["2"]
        assert store.version().revision == 2

    def test_the_last_of_two_in_one_put_counts(self, store: StoreView) -> None:
        store.put([document("a", says(COLD, SYMPTOM, item)) for item in (COUGH, FEVER)])
        assert _objects(store.match()) == [FEVER]

    def test_a_statement_without_evidence_is_none(self, store: StoreView) -> None:
        full = document("cold", says(COLD, SYMPTOM, COUGH))
        bare = Extraction(full.document, "1", full.statements, (), (), full.activity)
        store.put([bare])
        assert store.match() == []
        assert store.counts() == Counts(1, 0, 0, 0)

    @pytest.mark.parametrize("broken", ["its statement is missing", "of another document"])
    def test_what_does_not_belong_together_is_refused(self, store: StoreView, broken: str) -> None:
        good, other = document("a", says(COLD, SYMPTOM, COUGH)), document("b")
        whose = good.document if broken == "its statement is missing" else other.document
        statements = () if whose is good.document else good.statements
        bad = Extraction(whose, "1", statements, good.evidence, (), good.activity)
        with pytest.raises(StoreError):
            store.put([document("first", says(FLU, SYMPTOM, COUGH)), bad])
        assert store.counts() == Counts(0, 0, 0, 0)
        assert store.version().revision == 0

    # evidence

    def test_evidence_of_all_documents_is_kept_together(self, store: StoreView) -> None:
        written = [document(name, says(COLD, SYMPTOM, COUGH)) for name in ("a", "b")]
        written.append(document("a", says(COLD, SYMPTOM, COUGH), source="/sources/copy.json"))
        for extraction in written:
            store.put([extraction])
        [found] = store.match()
        assert {item.document for item in found.evidence} == {s.document.id for s in written}

    def test_places_in_one_document_are_separate_evidence(self, store: StoreView) -> None:
        twice = says(COLD, SYMPTOM, COUGH)
        store.put([document("a", twice, twice)])
        assert [item.place.start for item in store.match()[0].evidence] == [0, 1]

    def test_evidence_given_twice_in_one_document_counts_once(self, store: StoreView) -> None:
        once = document("a", says(COLD, SYMPTOM, COUGH))
        store.put([replace(once, evidence=once.evidence * 2)])
        assert store.match()[0].evidence == once.evidence
        assert store.counts().evidence == 1
        before = store.version()
        assert before.hash == recomputed_hash(store)
        store.put([once])
        assert store.version() == before

    def test_sources_that_disagree_are_a_conflict(self, store: StoreView) -> None:
        store.put([document("a", says(COLD, SYMPTOM, COUGH)), document("c")])
        assert not store.match()[0].conflicting
        store.put([document("b", denies(COLD, SYMPTOM, COUGH))])
        [found] = store.match()
        assert found.conflicting
        assert [item.polarity for item in found.evidence] == [1, -1]

    def test_evidence_that_outranks_comes_first(self, store: StoreView) -> None:
        store.put(
            [
                document("a", says(COLD, SYMPTOM, COUGH, evidence_class="model")),
                document("b", says(COLD, SYMPTOM, COUGH, evidence_class="guideline")),
                document("c", says(COLD, SYMPTOM, COUGH, evidence_class="database")),
            ]
        )
        assert [item.evidence_class for item in store.match()[0].evidence] == [
            "guideline",
            "database",
            "model",
        ]

    # removing

    def test_removing_a_document_takes_exactly_its_evidence(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        also = document("also", says(COLD, SYMPTOM, COUGH))
        store.put([cold, flu])
        before = contents(store)
        store.put([also])
        assert store.remove([also.document.id, also.document.id, "do:unknown"]) == 1
        assert contents(store) == before
        assert store.remove([cold.document.id, flu.document.id]) == 2
        assert store.counts() == Counts(0, 0, 0, 0)
        assert store.version().hash == "0" * 64

    def test_removing_what_is_not_there_does_not_move_the_revision(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        before = store.version()
        assert store.remove(["do:unknown"]) == 0
        assert store.version() == before

    # premises

    def test_what_was_inferred_goes_with_its_document(self, store: StoreView) -> None:
        cold, _ = cold_and_flu()
        derived = document("links", says(FLU, SYMPTOM, COUGH, premises=(cold.document.id,)))
        store.put([cold, derived])
        assert [f.evidence[0].inferred for f in store.match(FLU)] == [True]
        store.remove([cold.document.id])
        assert store.match() == []
        assert store.documents() == [derived.document]

    def test_what_was_inferred_goes_with_its_statement_and_so_on(self, store: StoreView) -> None:
        first = says(COLD, SYMPTOM, COUGH)
        second = says(FLU, SYMPTOM, COUGH, premises=(first.statement.id,))
        third = says(FEVER, CAUSE, COUGH, premises=(COLD, second.statement.id))
        one, two = document("one", first), document("two", first)
        store.put([one, two, document("links", third, second)])
        store.remove([one.document.id])
        assert len(store.match()) == 3
        store.remove([two.document.id])
        assert store.match() == []
        assert store.version().hash == "0" * 64

    def test_what_else_supports_a_statement_outlives_the_inference(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        derived = says(FLU, SYMPTOM, FEVER, premises=(cold.document.id,))
        store.put([cold, flu, document("links", derived)])
        store.remove([cold.document.id])
        [found] = store.match(FLU, SYMPTOM)
        assert [item.document for item in found.evidence] == [flu.document.id]

    def test_an_inference_outlives_a_new_text_that_still_states_its_premise(
        self, store: StoreView
    ) -> None:
        premise = says(COLD, SYMPTOM, COUGH)
        derived = says(FLU, SYMPTOM, COUGH, premises=(premise.statement.id,))
        store.put([document("a", premise), document("links", derived)])
        store.put([document("a", premise, text="new")])
        assert len(store.match(FLU)) == 1
        store.put([document("a", text="newer")])
        assert store.match() == []

    def test_an_inference_from_a_document_goes_when_that_changes(self, store: StoreView) -> None:
        premise = document("a", says(COLD, SYMPTOM, COUGH))
        derived = says(FLU, SYMPTOM, COUGH, premises=(premise.document.id,))
        store.put([premise, document("links", derived)])
        store.put([document("a", says(COLD, SYMPTOM, COUGH), text="new")])
        assert store.match(FLU) == []
        assert store.version().hash == recomputed_hash(store)

    def test_an_inference_outlives_a_rebuild_of_the_same_content(self, store: StoreView) -> None:
        claim = says(COLD, SYMPTOM, COUGH)
        premise = document("a", claim)
        both = (premise.document.id, claim.statement.id)
        store.put([premise, document("links", says(FLU, SYMPTOM, COUGH, premises=both))])
        before = store.version()
        store.put([document("a", claim, build_key="2")])
        assert len(store.match(FLU)) == 1
        assert store.version().hash == before.hash
        assert store.version().revision == before.revision + 1

    def test_an_inference_from_a_document_goes_when_that_says_something_else(
        self, store: StoreView
    ) -> None:
        premise = document("a", says(COLD, SYMPTOM, COUGH))
        derived = says(FLU, SYMPTOM, COUGH, premises=(premise.document.id,))
        store.put([premise, document("links", derived)])
        store.put([document("a", says(COLD, SYMPTOM, FEVER))])
        assert store.match(FLU) == []

    def test_putting_what_is_left_of_a_document_changes_nothing(self, store: StoreView) -> None:
        premise, read = document("a"), says(COLD, SYMPTOM, COUGH)
        derived = says(FLU, SYMPTOM, COUGH, premises=(premise.document.id,))
        store.put([premise, document("links", read, derived)])
        store.remove([premise.document.id])
        before = store.version()
        store.put([document("links", read)])
        assert store.version() == before

    def test_a_lost_inference_comes_back_when_it_is_put_again(self, store: StoreView) -> None:
        premise = document("a", says(COLD, SYMPTOM, COUGH))
        links = document("links", says(FLU, SYMPTOM, COUGH, premises=(premise.document.id,)))
        store.put([premise, links])
        before = contents(store)
        store.remove([premise.document.id])
        store.put([premise, links])
        assert contents(store) == before

    def test_a_document_may_infer_from_itself(self, store: StoreView) -> None:
        itself = document("a").document.id
        derived = says(FLU, SYMPTOM, COUGH, premises=(itself,))
        store.put([document("a", derived)])
        store.put([document("a", derived, text="new")])
        assert _objects(store.match()) == [COUGH]

    def test_many_premises_that_go_together_count_once(self, store: StoreView) -> None:
        many = [document(f"d{n}") for n in range(1200)]
        derived = says(FLU, SYMPTOM, COUGH, premises=tuple(m.document.id for m in many))
        store.put([*many, document("links", derived)])
        assert store.remove([m.document.id for m in many]) == 1200
        assert store.match() == []
        assert store.version().hash == "0" * 64

    # matching

    @pytest.mark.parametrize("is_known", list(product([True, False], repeat=3)))
    def test_match_with_any_parts_unknown(
        self, store: StoreView, is_known: tuple[bool, bool, bool]
    ) -> None:
        store.put(cold_and_flu())
        everything = [found.statement for found in store.match()]
        for wanted in everything:
            parts = (wanted.subject, wanted.predicate, wanted.object)
            pattern = [part if known else None for part, known in zip(parts, is_known, strict=True)]
            expected = [
                statement
                for statement in everything
                if all(
                    part is None or part == has
                    for part, has in zip(
                        pattern,
                        (statement.subject, statement.predicate, statement.object),
                        strict=True,
                    )
                )
            ]
            assert [found.statement for found in store.match(*pattern)] == expected  # type: ignore[arg-type]

    def test_match_of_unknown_parts_is_empty(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        assert store.match("mw.x:nobody") == store.match(None, "cures") == []
        assert store.match(None, None, "mw.x:nothing") == []
        assert store.match(COLD, SYMPTOM, Literal("nothing")) == []

    def test_literals_match_as_they_are_written(self, store: StoreView) -> None:
        values = [Literal(1), Literal(True), Literal(1.0), Literal("1"), Literal("1", "en")]
        values += [Literal(1, unit="mg"), Literal("true"), Literal(COUGH)]
        everything: list[str | Literal] = [*values, COUGH]
        store.put([document("a", *(says(COLD, SYMPTOM, value) for value in everything))])
        for value in everything:
            assert list(map(repr, _objects(store.match(None, None, value)))) == [repr(value)]

    def test_a_limit_takes_the_first(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        everything = store.match()
        assert [store.match(limit=n) for n in range(7)] == [everything[:n] for n in range(7)]
        assert store.match(COLD, limit=2) == store.match(COLD)[:2]

    def test_qualifiers_make_statements_different(self, store: StoreView) -> None:
        given: list[dict[str, Any]] = [{}, {"sex": "female"}, {"age_min_days": 1}, {"sex": "male"}]
        store.put([document("a", *(says(COLD, SYMPTOM, COUGH, qualifiers=q) for q in given))])
        found = [dict(item.statement.qualifiers) for item in store.match(COLD, SYMPTOM, COUGH)]
        assert sorted(map(str, found)) == sorted(map(str, given))

    # neighbours

    def test_neighbours_are_found_in_both_directions(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        found = {
            (item.statement.subject, item.statement.object)
            for item in store.neighbours([COLD], [SYMPTOM, CAUSE])
        }
        assert found == {(COLD, COUGH), (COLD, FEVER), (FLU, COLD)}

    def test_neighbours_by_these_predicates_only(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        assert _objects(store.neighbours([COLD], [CAUSE])) == [COLD]
        assert store.neighbours([COLD], []) == store.neighbours([], [CAUSE]) == []
        assert _objects(store.neighbours([COLD], ["treatment_advice"])) == [_REST]

    def test_a_literal_written_like_a_thing_is_not_its_neighbour(self, store: StoreView) -> None:
        store.put([document("a", says(COLD, SYMPTOM, Literal(COUGH)))])
        assert store.neighbours([COUGH, '["mw.condition:cough","",""]'], [SYMPTOM]) == []

    def test_a_hub_is_capped_for_each_entity_and_direction(self, store: StoreView) -> None:
        spokes = [f"mw.condition:s{n:02}" for n in range(20)]
        outgoing = [says(COLD, SYMPTOM, spoke) for spoke in spokes]
        incoming = [says(spoke, SYMPTOM, COLD) for spoke in spokes]
        store.put([document("hub", *outgoing, *incoming, says(FLU, SYMPTOM, FEVER))])
        found = store.neighbours([COLD, FLU], [SYMPTOM], cap=3)
        by_id = sorted((s.statement for s in store.match(COLD)), key=lambda s: s.id)
        assert {f.statement.object for f in found if f.statement.subject == COLD} == {
            statement.object for statement in by_id[:3]
        }
        assert sum(f.statement.object == COLD for f in found) == 3
        assert len(found) == 7
        assert len(store.neighbours([COLD], [SYMPTOM])) == 40

    def test_neighbours_of_many_entities_come_once_each(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        found = store.neighbours([COLD, FLU, COUGH, FEVER, COLD], [SYMPTOM, CAUSE])
        assert [f.statement.id for f in found] == [
            f.statement.id for f in store.match() if f.statement.predicate != "treatment_advice"
        ]

    # documents, sources, mentions

    def test_documents_by_id_by_source_or_all(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put([flu, cold])
        one, two = cold.document, flu.document
        assert store.documents() == [one, two]
        assert store.documents([two.id, one.id, two.id, "do:unknown"]) == [one, two]
        assert store.documents([]) == []
        assert store.documents(source="/sources/two.json") == [two]
        assert store.documents([one.id], source="/sources/two.json") == []
        assert store.documents(source="/sources") == []

    def test_passages_by_the_name_of_their_text(self, store: StoreView) -> None:
        able(store, SupportsSources)  # type: ignore[type-abstract]
        names = ("a.pdf#1", "a.pdf#10", "a.pdf", "a.pdf#x", "a.pdf#1#2", "b.pdf#1")
        parts = [document(name, source=f"/{n}") for n, name in enumerate(names)]
        store.put(parts)
        assert store.passages_called("a.pdf") == sorted(p.document.id for p in parts[:2])
        assert store.passages_called("a.pdf#1") == [parts[4].document.id]
        assert store.passages_called("a") == []

    def test_build_keys(self, store: StoreView) -> None:
        able(store, SupportsBuildKeys)  # type: ignore[type-abstract]
        cold, flu = cold_and_flu()
        store.put([flu, cold, document("none", source="/a.json", build_key="k")])
        assert list(store.build_keys("/a.json").values()) == ["k"]
        assert store.build_keys("/sources/one.json") == {cold.document.id: "1"}

    def test_activities(self, store: StoreView) -> None:
        able(store, SupportsActivities)  # type: ignore[type-abstract]
        cold, flu = cold_and_flu()
        store.put([flu, cold])
        runs = {each.activity.id: each.activity for each in (cold, flu)}
        assert store.activities() == [runs[identifier] for identifier in sorted(runs)]
        store.remove([cold.document.id, flu.document.id])
        assert store.activities() == []

    def test_mentions_count_documents(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        [cold, common] = store.mentions([COLD])
        assert (cold.mention.name, cold.documents) == ("cold", 2)
        assert (common.mention.name, common.documents, common.mention.preferred) == (
            "common cold",
            1,
            False,
        )

    def test_a_name_repeated_in_one_document_counts_once(self, store: StoreView) -> None:
        [name] = names(COLD, "cold")
        store.put([document("a", mentions=[name, name]), document("b", mentions=[name])])
        assert store.mentions() == [MentionCount(name, 2)]

    def test_mentions_go_with_their_document(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put([cold, flu])
        store.remove([flu.document.id])
        assert {count.mention.entity for count in store.mentions()} == {COLD, COUGH}
        assert {count.documents for count in store.mentions()} == {1}

    # many at once

    def test_long_lists_of_identifiers(self, store: StoreView) -> None:
        many = [
            document(f"d{n:04}", says(f"mw.x:{n:04}", SYMPTOM, COUGH), mentions=names(f"e{n}", "x"))
            for n in range(1100)
        ]
        store.put(many)
        everything = store.match()
        identifiers = [found.statement.id for found in reversed(everything)]
        assert store.statements(identifiers) == everything[::-1]
        assert len(store.documents([m.document.id for m in many])) == 1100
        assert store.mentions([f"e{n}" for n in range(1100)]) == store.mentions()
        assert len(store.neighbours([COUGH], [SYMPTOM])) == 1000

    # order and hash

    def test_the_order_of_writing_is_not_seen(self, new_store: NewStore) -> None:
        written = cold_and_flu()
        written += [
            document(n, says(COLD, SYMPTOM, COUGH), denies(FLU, CAUSE, FEVER)) for n in "xyz"
        ]
        shuffled = list(written)
        random.Random(7).shuffle(shuffled)  # noqa: S311
        one, other = new_store(), new_store()
        one.put(written)
        for extraction in shuffled:
            other.put([extraction])
        assert contents(one) == contents(other)

    def test_the_hash_does_not_see_where_a_source_lies(self, new_store: NewStore) -> None:
        one, other = new_store(), new_store()
        one.put([document("a", says(COLD, SYMPTOM, COUGH), source="/here/a.json")])
        other.put([document("a", says(COLD, SYMPTOM, COUGH), source="/there/a.json")])
        assert one.version().hash == other.version().hash
        one.put([document("a", says(COLD, SYMPTOM, COUGH), source="/there/a.json")])
        assert one.version().hash != other.version().hash

    def test_the_hash_sees_every_part_of_the_evidence(self, new_store: NewStore) -> None:
        written = [
            document("a", says(COLD, SYMPTOM, COUGH)),
            document("b", says(COLD, SYMPTOM, COUGH)),
            document("a", denies(COLD, SYMPTOM, COUGH)),
            document("a", says(COLD, SYMPTOM, COUGH, strength=0.5)),
            document("a", says(COLD, SYMPTOM, COUGH, quote="a cough")),
            document("a", says(COLD, SYMPTOM, COUGH, qualifiers={"sex": "male"})),
            document("a", says(COLD, SYMPTOM, COUGH, evidence_class="model")),
        ]
        hashes = set()
        for extraction in written:
            store = new_store()
            store.put([extraction])
            hashes.add(store.version().hash)
        assert len(hashes) == len(written)

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_the_hash_forgets_what_was_removed(
        self, store: StoreView, order: tuple[int, ...]
    ) -> None:
        written = [document(name, says(COLD, SYMPTOM, COUGH, strength=-0.0)) for name in "abc"]
        hashes = [store.version().hash]
        for number in order:
            store.put([written[number]])
            hashes.append(store.version().hash)
        for number in reversed(order):
            assert store.version().hash == hashes.pop()
            store.remove([written[number].document.id])
        assert store.version().hash == hashes.pop()

    @BY_CHANCE
    @given(history=histories(), seed=st.randoms(use_true_random=False))
    def test_any_history_that_ends_with_the_same_documents_gives_the_same_base(
        self, new_store: NewStore, history: list[Change], seed: random.Random
    ) -> None:
        store, fresh = new_store(), new_store()
        final = list(live_through(store, history).values())
        seed.shuffle(final)
        fresh.put(final)
        assert contents(store) == contents(fresh)
        assert store.version().hash == recomputed_hash(store)

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_with_premises_too_the_hash_is_that_of_the_evidence(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        store = new_store()
        live_through(store, history)
        found = store.match()
        assert store.version().hash == recomputed_hash(store)
        assert all(item.evidence for item in found)
        assert store.counts().statements == len(found)
        assert store.counts().evidence == sum(len(item.evidence) for item in found)

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_it_does_what_the_store_in_memory_does(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        from medweave.stores.memory import MemoryStore

        store, double = new_store(), view_of(MemoryStore())
        live_through(store, history)
        live_through(double, history)
        assert contents(store) == contents(double)
        assert store.version().revision == double.version().revision
