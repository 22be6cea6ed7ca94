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
from contextlib import suppress
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.errors import StoreError
from medweave.model.document import Extraction
from medweave.model.edge import thing_number
from medweave.model.statement import Literal, SupportedStatement
from medweave.ports import (
    Counts,
    GraphStore,
    MentionCount,
    SharedName,
    StoreView,
    SupportsBuildKeys,
    SupportsNotes,
    SupportsTransactions,
)
from medweave.stores.derived import view_of
from medweave.testing.fast_ways import FastWays
from medweave.testing.graph_conformance import (
    BY_CHANCE,
    GraphConformance,
    NewStore,
    able,
    recounted,
)
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

_REST = Literal("Rest in bed.", "en")


def transactions_of(store: StoreView) -> SupportsTransactions:
    """The store as one with transactions, or the test is skipped."""
    return able(store, SupportsTransactions)  # type: ignore[type-abstract]


def notes_of(store: StoreView) -> SupportsNotes:
    """The store as one that keeps notes, or the test is skipped."""
    return able(store, SupportsNotes)  # type: ignore[type-abstract]


def _objects(found: list[SupportedStatement]) -> list[str | Literal]:
    return [item.statement.object for item in found]


def _alone(**words: str) -> dict[str, frozenset[str]]:
    """Each word with one that it is like."""
    return {word: frozenset({like}) for word, like in words.items()}


class StoreConformance(GraphConformance, FastWays):
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
        said = [document(name, says(COLD, SYMPTOM, COUGH)) for name in ("a", "b")]
        said.append(document("a", says(COLD, SYMPTOM, COUGH), source="/sources/copy.json"))
        for extraction in said:
            store.put([extraction])
        [found] = store.match()
        assert {item.document for item in found.evidence} == {s.document.id for s in said}

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
        said = says(COLD, SYMPTOM, COUGH)
        premise = document("a", said)
        both = (premise.document.id, said.statement.id)
        store.put([premise, document("links", says(FLU, SYMPTOM, COUGH, premises=both))])
        before = store.version()
        store.put([document("a", said, build_key="2")])
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

    @pytest.mark.parametrize("asked", list(product([True, False], repeat=3)))
    def test_match_with_any_parts_unknown(
        self, store: StoreView, asked: tuple[bool, bool, bool]
    ) -> None:
        store.put(cold_and_flu())
        everything = [found.statement for found in store.match()]
        for wanted in everything:
            parts = (wanted.subject, wanted.predicate, wanted.object)
            pattern = [part if known else None for part, known in zip(parts, asked, strict=True)]
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
        asked: list[dict[str, Any]] = [{}, {"sex": "female"}, {"age_min_days": 1}, {"sex": "male"}]
        store.put([document("a", *(says(COLD, SYMPTOM, COUGH, qualifiers=q) for q in asked))])
        found = [dict(item.statement.qualifiers) for item in store.match(COLD, SYMPTOM, COUGH)]
        assert sorted(map(str, found)) == sorted(map(str, asked))

    def test_statements_come_in_the_order_asked(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        every = store.match()
        asked = [every[3], every[0], every[2]]
        identifiers = [item.statement.id for item in asked]
        assert store.statements([*identifiers, "st:unknown", identifiers[0]]) == asked

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

    def test_sources(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put([flu, cold, document("none", source="/a.json", build_key="k")])
        assert store.sources() == ["/a.json", "/sources/one.json", "/sources/two.json"]
        assert set(store.build_keys("/sources/one.json")) == {cold.document.id}

    def test_build_keys(self, store: StoreView) -> None:
        able(store, SupportsBuildKeys)  # type: ignore[type-abstract]
        cold, flu = cold_and_flu()
        store.put([flu, cold, document("none", source="/a.json", build_key="k")])
        assert list(store.build_keys("/a.json").values()) == ["k"]
        assert store.build_keys("/sources/one.json") == {cold.document.id: "1"}

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

    def test_names_are_found_by_the_stems_of_their_words(self, store: StoreView) -> None:
        itching = names("mw.x:1", "Itching of the skin", concept="symptom")
        dry = names("mw.x:2", "dry, itchy skin on the hands", "xerosis", concept="symptom")
        cancer = names("mw.x:3", "skin cancer", concept="disease")
        store.put([document("a", mentions=[*itching, *dry, *cancer])])
        found = store.sharing_words(["itch", "skin", "unknown"], ["symptom"], limit=5)
        assert found == [
            SharedName(thing_number("mw.x:1"), frozenset({"itch", "skin"}), 2),
            SharedName(thing_number("mw.x:2"), frozenset({"skin"}), 4),
        ]
        assert store.sharing_words(["itch", "skin"], ["symptom"], limit=1) == found[:1]
        assert store.sharing_words(["itch"], ["disease"], limit=5) == []
        assert store.sharing_words([], ["symptom"], limit=5) == []
        counted = store.count_by_word(["itch", "skin", "unknown"], ["symptom", "disease"])
        assert counted == {"itch": 1, "skin": 3}

    def test_chinese_names_are_found_by_pairs_of_characters(self, store: StoreView) -> None:
        store.put([document("a", mentions=names("mw.x:1", "咽喉肿痛"))])
        [found] = store.sharing_words(["肿痛"], ["disease"], limit=5)
        assert (found.words, found.of, found.share) == (frozenset({"肿痛"}), 3, 1 / 3)

    def test_words_count_things_and_not_names(self, store: StoreView) -> None:
        store.put([document("a", mentions=names("mw.x:1", "chest pain", "pain in the chest"))])
        assert store.count_by_word(["pain"], ["disease"]) == {"pain": 1}
        assert len(store.sharing_words(["pain"], ["disease"], limit=5)) == 2

    def test_names_that_go_are_not_found_by_their_words(self, store: StoreView) -> None:
        cold, flu = cold_and_flu()
        store.put([cold, flu])
        store.remove([cold.document.id])
        assert store.count_by_word(["cough", "common", "cold"], ["disease"]) == {"cold": 1}

    def test_words_of_names_that_are_like_a_word(self, store: StoreView) -> None:
        heard = names("mw.x:1", "High Fevers", "hay-fever", "type 2 x-ray")
        store.put([document("a", mentions=[*heard, *names("mw.x:2", "反复 feverish feeling")])])
        like = store.words_like(["feaver", "fevr", "hihg", "tipe", "qqqqq"], slips=1)
        assert like == _alone(feaver="fever", fevr="fever", hihg="high", tipe="type")
        assert store.words_like(["feverihs"], slips=1) == _alone(feverihs="feverish")
        both = {"feveris": frozenset({"fever", "feverish"})}
        assert store.words_like(["feveris"], slips=2) == both
        assert store.words_like(["hgih", "qqq", ""], slips=2) == _alone(hgih="high")
        assert store.words_like([], slips=1) == {}

    def test_no_slip_is_the_word_itself(self, store: StoreView) -> None:
        store.put([document("a", mentions=names("mw.x:1", "chest pains", "flu", "mp3 voice"))])
        words = ["chest", "pain", "pains", "flu", "voice", "chesty"]
        held = store.words_like(words, slips=0)
        assert held == _alone(chest="chest", pain="pain", voice="voice")

    def test_words_of_names_that_go_are_not_found(self, store: StoreView) -> None:
        one = document("a", mentions=names("mw.x:1", "marsh fever", "night sweats"))
        two = document("b", mentions=names("mw.x:2", "river fever", "night sweats"))
        fewer = replace(two, mentions=tuple(names("mw.x:2", "river fever")), build_key="2")
        store.put([one, two, one])
        words = ["marsh", "river", "fever", "night"]
        assert set(store.words_like(words, slips=0) or ()) == set(words)
        store.remove([one.document.id])
        assert set(store.words_like(words, slips=0) or ()) == {"river", "fever", "night"}
        store.put([fewer])
        assert set(store.words_like(words, slips=0) or ()) == {"river", "fever"}
        store.remove([two.document.id])
        assert store.words_like(words, slips=0) == {}

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
        said = [
            document("a", says(COLD, SYMPTOM, COUGH)),
            document("b", says(COLD, SYMPTOM, COUGH)),
            document("a", denies(COLD, SYMPTOM, COUGH)),
            document("a", says(COLD, SYMPTOM, COUGH, strength=0.5)),
            document("a", says(COLD, SYMPTOM, COUGH, quote="a cough")),
            document("a", says(COLD, SYMPTOM, COUGH, qualifiers={"sex": "male"})),
            document("a", says(COLD, SYMPTOM, COUGH, evidence_class="model")),
        ]
        hashes = set()
        for extraction in said:
            store = new_store()
            store.put([extraction])
            hashes.add(store.version().hash)
        assert len(hashes) == len(said)

    @pytest.mark.parametrize("order", list(permutations(range(3))))
    def test_the_hash_forgets_what_was_removed(
        self, store: StoreView, order: tuple[int, ...]
    ) -> None:
        said = [document(name, says(COLD, SYMPTOM, COUGH, strength=-0.0)) for name in "abc"]
        hashes = [store.version().hash]
        for number in order:
            store.put([said[number]])
            hashes.append(store.version().hash)
        for number in reversed(order):
            assert store.version().hash == hashes.pop()
            store.remove([said[number].document.id])
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
        assert (store.counts(), store.tally()) == recounted(store)
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

    def test_documents_of_a_class_are_left_out(self, store: StoreView) -> None:
        told = document("told", text="cough cough cough")
        told = replace(told, document=replace(told.document, evidence_class="dialogue"))
        store.put([told, document("read", text="a cough")])
        found = store.search_text("cough", limit=1, without=("dialogue", "model"))
        assert [h.document for h in found] == [document("read").document.id]
        assert store.search_text("cough", limit=1)[0].document == told.document.id

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

    # round trips

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

    def _reopened(self, store: StoreView, tmp_path: Path) -> StoreView:
        again = self.reopen(store, tmp_path)
        if again is None:
            pytest.skip("this store does not outlive its process")
        return view_of(again)

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
        identity = store.version().id
        again = self._reopened(store, tmp_path)
        assert again.version().id == identity != new_store().version().id
        again.close()
