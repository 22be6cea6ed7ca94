"""What every store promises of its graph: edges, numbers, names, counts and changes, as tests.

These are part of `medweave.testing.store_conformance.StoreConformance`, which is what an adapter
is tested by.
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar, cast

import pytest
from hypothesis import HealthCheck, given, settings

from medweave.model.edge import Edge, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import Literal, Statement, SupportedStatement
from medweave.model.topology import ConceptTopology, Topology
from medweave.ports import (
    Counts,
    GraphStore,
    MentionCount,
    StoreView,
    SupportsChanges,
    SupportsSnapshots,
    Tally,
)
from medweave.stores.derived import DerivedView
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
    says,
)

NewStore = Callable[[], StoreView]
_Ability = TypeVar("_Ability")

BY_CHANCE = settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)
_BOTH = [SYMPTOM, CAUSE]
_THINGS = [COLD, FLU, COUGH, FEVER]


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


def edges_told_by(found: Iterable[SupportedStatement]) -> list[Edge]:
    """The edges that these statements are, from nothing but their evidence."""
    told = [
        Edge(
            thing_number(item.statement.subject),
            thing_number(item.statement.object_entity),
            statement_number(item.statement.id),
            max((one.strength for one in item.evidence if one.polarity > 0), default=0),
            any(one.polarity < 0 for one in item.evidence),
        )
        for item in found
        if item.statement.object_entity is not None
    ]
    return sorted(told, key=lambda edge: edge.statement)


def recounted(store: StoreView) -> tuple[Counts, Tally]:
    """What a store should count, from nothing but what it gives."""
    found = store.match()
    evidence = [item for supported in found for item in supported.evidence]
    counts = Counts(
        len(store.documents()),
        len(found),
        len(evidence),
        len({count.mention.entity for count in store.mentions()}),
    )
    tally = Tally(
        dict(Counter(supported.statement.predicate for supported in found)),
        dict(Counter(item.evidence_class for item in evidence)),
        sum(supported.conflicting for supported in found),
    )
    return counts, tally


def most_voted(votes: Mapping[str, int]) -> str:
    """The concept that most documents mention; the first by name of several."""
    return min(votes, key=lambda name: (-votes[name], name), default="disease")


def recounted_topology(store: StoreView) -> Topology:
    """The topology a store should tell, from nothing but its statements and votes."""
    concepts = {entity: most_voted(votes) for entity, votes in store.concept_votes()}
    said = [found.statement for found in store.match()]
    pairs = [(s.subject, s.object_entity) for s in said if s.object_entity is not None]
    things = {*concepts, *(end for pair in pairs for end in pair)}
    degree = {thing: sum(pair.count(thing) for pair in pairs) for thing in things}
    parts = {}
    for concept in {concepts.get(thing, most_voted({})) for thing in things}:
        mine = [thing for thing in things if concepts.get(thing, most_voted({})) == concept]
        parts[concept] = ConceptTopology(
            nodes=len(mine),
            isolated=sum(degree[t] == 0 for t in mine),
            edges=sum(any(end in mine for end in pair) for pair in pairs),
            ends=sum(degree[t] for t in mine),
        )
    return Topology(len(pairs), dict(Counter(degree.values())), parts)


class GraphConformance:
    """The promises about edges, numbers, names, counts and changes."""

    def reopen(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:
        """See `StoreConformance.reopen`."""
        raise NotImplementedError

    def open_beside(self, store: GraphStore, tmp_path: Path) -> GraphStore | None:  # noqa: ARG002
        """Another way into the base of `store` while that is open; None: there is none."""
        return None

    # edges

    def test_an_empty_store_has_no_edges_and_no_names(self, store: StoreView) -> None:
        number = thing_number(COLD)
        assert store.edges([number], _BOTH) == list(store.all_edges(_BOTH)) == []
        assert store.degrees([number], _BOTH) == store.degrees([], _BOTH) == {}
        assert store.identifiers([number]) == {}
        assert store.statements([1, "st:unknown"]) == []
        assert store.named(["cold"]) == []
        assert store.by_cross_reference(["MONDO:1"]) == {}
        assert list(store.concept_votes()) == []
        assert store.count_mentioned_as("disease") == 0
        assert store.tally() == Tally({}, {}, 0)

    def test_edges_are_neighbours_in_both_directions(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        [edge] = store.edges([thing_number(FLU)], [CAUSE])
        assert edge[:2] == (thing_number(FLU), thing_number(COLD))
        assert store.edges([thing_number(COLD)], [CAUSE]) == [edge]
        for thing in _THINGS:
            found = store.edges([thing_number(thing)], _BOTH)
            assert found == edges_told_by(store.neighbours([thing], _BOTH))

    def test_edges_leave_literals_out(self, store: StoreView) -> None:
        store.put([document("a", says(COLD, SYMPTOM, Literal(COUGH)), says(COLD, SYMPTOM, COUGH))])
        assert len(store.edges([thing_number(COLD), thing_number(COUGH)], _BOTH)) == 1
        assert len(list(store.all_edges(_BOTH))) == 1

    def test_edges_of_nothing_and_by_nothing(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        assert store.edges([], _BOTH) == store.edges([thing_number(COLD)], []) == []
        assert store.edges([0, 2**63 - 1], _BOTH) == []
        assert store.edges([thing_number(COLD)], ["cures"]) == []
        assert list(store.all_edges([])) == list(store.all_edges(["cures"])) == []

    def test_all_edges_come_by_statement(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        every = list(store.all_edges(_BOTH))
        assert [edge.statement for edge in every] == sorted(edge.statement for edge in every)
        assert every == store.edges(map(thing_number, [*_THINGS, COLD]), _BOTH)
        assert every == edges_told_by(store.match())
        assert len(list(store.all_edges([CAUSE, CAUSE]))) == 1

    def test_edges_of_a_hub_are_capped_like_its_neighbours(self, store: StoreView) -> None:
        spokes = [f"mw.condition:s{n:02}" for n in range(20)]
        claims = [says(COLD, SYMPTOM, spoke) for spoke in spokes]
        claims += [says(spoke, SYMPTOM, COLD) for spoke in spokes]
        claims += [says(COLD, SYMPTOM, Literal(n)) for n in range(20)]
        store.put([document("hub", *claims, says(FLU, SYMPTOM, FEVER))])
        things = [COLD, FLU, *spokes]
        found = store.edges(map(thing_number, things[:2]), [SYMPTOM], cap=3)
        assert found == edges_told_by(store.neighbours(things[:2], [SYMPTOM], cap=3))
        assert len(found) == 7
        assert len(store.edges(map(thing_number, things), [SYMPTOM], cap=3)) == 41
        cold, flu = map(thing_number, things[:2])
        assert store.degrees([flu, cold], [SYMPTOM]) == {flu: 1, cold: 40}
        assert store.degrees([flu, cold], [CAUSE]) == store.degrees([cold], []) == {}

    def test_an_edge_is_as_strong_as_the_strongest_that_affirms_it(self, store: StoreView) -> None:
        weak, strong = says(COLD, SYMPTOM, COUGH, strength=0.25), says(COLD, SYMPTOM, COUGH)
        against = denies(COLD, SYMPTOM, COUGH, strength=0.75)
        denied = denies(FLU, SYMPTOM, FEVER)

        def edge(subject: str = COLD) -> tuple[float, bool, float]:
            [found] = store.edges([thing_number(subject)], [SYMPTOM])
            return found.strength, bool(found.denied), found.weight

        store.put([document("weak", weak), document("denied", denied)])
        assert edge() == (0.25, False, 0.25)
        assert edge(FLU) == (0, True, 0)
        store.put([document("strong", strong), document("against", against)])
        assert edge() == (1, True, 0.5)
        store.remove([document("strong").document.id])
        assert edge() == (0.25, True, 0.125)
        store.put([document("against")])
        assert edge() == (0.25, False, 0.25)

    # numbers

    def test_numbers_lead_back_to_identifiers(self, store: StoreView) -> None:
        only_named = "mw.condition:named"
        store.put([*cold_and_flu(), document("named", mentions=names(only_named, "named"))])
        things = [*_THINGS, only_named]
        numbers = {thing_number(thing): thing for thing in things}
        assert store.identifiers([*numbers, *numbers, 1]) == numbers
        assert store.identifiers([]) == {}
        store.remove([found.id for found in store.documents()])
        assert store.identifiers(numbers) == {}

    def test_statements_by_number_come_in_the_order_asked(self, store: StoreView) -> None:
        store.put(cold_and_flu())
        every = store.match()
        asked: list[str | int] = [
            statement_number(every[3].statement.id),
            every[0].statement.id,
            statement_number(every[2].statement.id),
        ]
        again: list[str | int] = [every[3].statement.id, asked[2]]
        found = store.statements([*asked, 1, 2**63 - 1, *again])
        assert found == [every[3], every[0], every[2]]

    # names

    def test_mentions_are_found_by_the_key_of_their_name(self, store: StoreView) -> None:
        said = [*names(COLD, "Common Colds", "感冒"), *names(FLU, "common-cold")]
        store.put([document("a", mentions=said), document("b", mentions=said[:1])])
        found = store.named(["common cold", "common cold", "influenza"])
        assert found == [MentionCount(said[0], 2), MentionCount(said[2], 1)]
        assert store.named(["感冒"]) == [MentionCount(said[1], 1)]
        assert store.named(["Common Colds"]) == store.named([]) == []
        assert store.named(["common cold", "感冒"]) == store.mentions([COLD, FLU])
        store.remove([document("a").document.id])
        assert store.named(["common cold", "感冒"]) == [MentionCount(said[0], 1)]

    def test_how_keys_of_names_begin(self, store: StoreView) -> None:
        store.put(
            [document("a", mentions=[*names(COLD, "Common Colds", "感冒"), *names(FLU, "flu")])]
        )
        asked = [
            "common ",
            "common cold",
            "commoner",
            "c",
            "感",
            "冒",
            "flu ",
            'a"\\\x00',
            "\U0010ffff",
        ]
        assert store.begun(asked) == {"common ", "common cold", "c", "感"}
        assert store.begun([]) == set()
        store.remove([document("a").document.id])
        assert store.begun(["common "]) == set()

    def test_things_are_found_by_their_cross_references(self, store: StoreView) -> None:
        def mention(entity: str, name: str, xref: str) -> NameMention:
            return NameMention(entity, name, "en", "disease", xref=xref)

        one, other = mention(COLD, "cold", "MONDO:1"), mention(FLU, "flu", "MONDO:1")
        rest = [mention(COLD, "colds", "MONDO:1"), mention(COLD, "cold", "ICD:2")]
        store.put([document("a", mentions=[other, one, *rest, mention(FEVER, "fever", "")])])
        assert store.by_cross_reference(["MONDO:1", "none", ""]) == {"MONDO:1": sorted([COLD, FLU])}
        assert store.by_cross_reference(["ICD:2", "MONDO:1"]) == {
            "ICD:2": [COLD],
            "MONDO:1": sorted([COLD, FLU]),
        }
        assert store.by_cross_reference([]) == store.by_cross_reference([""]) == {}

    def test_documents_vote_for_the_concept_of_a_thing(self, store: StoreView) -> None:
        as_symptom = names(COLD, "cold", concept="symptom")
        store.put(
            [
                document("a", mentions=[*names(COLD, "cold"), *names(FLU, "flu")]),
                document("b", mentions=[*names(COLD, "cold", "a cold"), *as_symptom]),
            ]
        )
        votes = list(store.concept_votes())
        assert len(votes) == 2
        assert dict(votes) == {COLD: {"disease": 3, "symptom": 1}, FLU: {"disease": 1}}
        assert store.count_mentioned_as("disease") == 2
        assert store.count_mentioned_as("symptom") == 1
        assert store.count_mentioned_as("drug") == 0
        store.remove([document("b").document.id])
        assert dict(store.concept_votes()) == {COLD: {"disease": 1}, FLU: {"disease": 1}}
        assert store.count_mentioned_as("symptom") == 0

    # counts

    def test_a_tally_counts_by_kind(self, store: StoreView) -> None:
        by_model = says(FLU, SYMPTOM, FEVER, evidence_class="model")
        store.put([*cold_and_flu(), document("c", denies(COLD, SYMPTOM, COUGH), by_model)])
        assert store.tally() == Tally(
            {SYMPTOM: 3, CAUSE: 1, "treatment_advice": 1}, {"monograph": 6, "model": 1}, 1
        )
        store.remove([document("c").document.id])
        assert store.tally().conflicts == 0

    # topology

    def test_a_topology_counts_things_edges_and_what_no_edge_touches(
        self, store: StoreView
    ) -> None:
        """Literals are no edges; things at an end that nobody mentions are things."""
        assert store.topology(most_voted) == Topology()
        store.put([*cold_and_flu(), document("d", mentions=names("mw.condition:gout", "gout"))])
        found = store.topology(most_voted)
        assert (found.nodes, found.edges, found.isolated) == (5, 4, 1)
        assert found.degrees == {0: 1, 1: 1, 2: 2, 3: 1}
        assert found.concepts == {"disease": ConceptTopology(5, 1, 4, 8)}

    def test_an_edge_between_two_concepts_touches_both(self, store: StoreView) -> None:
        cough = names(COUGH, "cough", concept="symptom")
        mentions = [*names(COLD, "cold"), *names(FLU, "flu"), *cough]
        said = [says(COLD, SYMPTOM, COUGH), says(FLU, SYMPTOM, COUGH), says(FLU, CAUSE, COLD)]
        store.put([document("a", *said, mentions=mentions)])
        assert store.topology(most_voted).concepts == {
            "disease": ConceptTopology(nodes=2, isolated=0, edges=3, ends=4),
            "symptom": ConceptTopology(nodes=1, isolated=0, edges=2, ends=2),
        }

    def test_the_concept_of_a_thing_is_left_to_whoever_asks(self, store: StoreView) -> None:
        store.put([document("a", says(COLD, SYMPTOM, COUGH), mentions=names(COLD, "cold"))])
        found = store.topology(lambda votes: f"{len(votes)} votes")
        assert set(found.concepts) == {"1 votes", "0 votes"}

    # changes

    def test_what_changed_since_a_revision(self, store: StoreView) -> None:
        able = changes_of(store)
        cold, flu = cold_and_flu()
        said = frozenset(statement_number(item.id) for item in flu.statements)
        store.put([cold])
        first = store.version().revision
        assert able.changes(first) == frozenset()
        store.put([flu])
        second = store.version().revision
        assert able.changes(first) == said
        assert able.changes(second) == frozenset()
        store.remove([flu.document.id])
        assert able.changes(first) == able.changes(second) == said

    def test_a_statement_changes_with_its_evidence(self, store: StoreView) -> None:
        able = changes_of(store)
        said = says(COLD, SYMPTOM, COUGH)
        store.put([document("a", said), document("c", says(FLU, SYMPTOM, COUGH))])
        before = store.version().revision
        store.put([document("b", says(COLD, SYMPTOM, COUGH, strength=0.5))])
        assert able.changes(before) == frozenset([statement_number(said.statement.id)])

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
            told = able.changes(revision)
            differing = {n for n in {*held, *last} if held.get(n) != last.get(n)}
            assert told is None or differing <= told

    # after any history

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_after_any_history_edges_say_what_the_evidence_says(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        store = new_store()
        live_through(store, history)
        for cap in (1, 1000):
            for things in (_THINGS[:1], _THINGS):
                found = store.edges(map(thing_number, things), _BOTH, cap=cap)
                assert found == edges_told_by(store.neighbours(things, _BOTH, cap=cap))
        every = edges_told_by(store.match())
        assert list(store.all_edges(_BOTH)) == every
        touched = Counter(end for edge in every for end in (edge.subject, edge.object))
        assert store.degrees(map(thing_number, [*_THINGS, *_THINGS]), _BOTH) == {
            n: touched[n] for n in map(thing_number, _THINGS) if touched[n]
        }
        ends = {end for found in store.match() for end in _ends(found.statement)}
        assert set(store.identifiers(map(thing_number, ends)).values()) == ends

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_after_any_history_all_counts_equal_a_recount(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        store = new_store()
        live_through(store, history)
        assert (store.counts(), store.tally()) == recounted(store)
        votes = dict(store.concept_votes())
        assert set(votes) == {count.mention.entity for count in store.mentions()}
        for concept in ("disease", "symptom"):
            assert store.count_mentioned_as(concept) == sum(concept in v for v in votes.values())

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_after_any_history_the_topology_equals_a_recount(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        store = new_store()
        live_through(store, history)
        assert store.topology(most_voted) == recounted_topology(store)

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


def _ends(statement: Statement) -> set[str]:
    return {end for end in (statement.subject, statement.object_entity) if end is not None}
