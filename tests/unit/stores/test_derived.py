"""What follows from the eight methods of a store: edges, numbers, names, words and counts.

A store that does any of it faster is held against this by its conformance suite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest
from hypothesis import given

from medweave.model.edge import Edge, statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import Literal, Statement, SupportedStatement
from medweave.model.topology import ConceptTopology, Topology
from medweave.ports import Counts, MentionCount, SharedName, StoreView, Tally
from medweave.stores.derived import view_of
from medweave.testing.ability_conformance import BY_CHANCE
from medweave.testing.smallest_store import SmallestStore
from medweave.testing.worlds import (
    CAUSE,
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    Change,
    cold_and_flu,
    denies,
    document,
    histories,
    inferring_documents,
    live_through,
    names,
    says,
)

_BOTH = [SYMPTOM, CAUSE]
_THINGS = [COLD, FLU, COUGH, FEVER]


def edges_of(found: Iterable[SupportedStatement]) -> list[Edge]:
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


def _alone(**words: str) -> dict[str, frozenset[str]]:
    """Each word with one that it is like."""
    return {word: frozenset({like}) for word, like in words.items()}


def _ends(statement: Statement) -> set[str]:
    return {end for end in (statement.subject, statement.object_entity) if end is not None}


@pytest.fixture
def store() -> StoreView:
    """An empty base of nothing but the eight methods."""
    return view_of(SmallestStore())


def test_an_empty_store_has_no_edges_and_no_names(store: StoreView) -> None:
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


def test_edges_are_neighbours_in_both_directions(store: StoreView) -> None:
    store.put(cold_and_flu())
    [edge] = store.edges([thing_number(FLU)], [CAUSE])
    assert edge[:2] == (thing_number(FLU), thing_number(COLD))
    assert store.edges([thing_number(COLD)], [CAUSE]) == [edge]
    for thing in _THINGS:
        found = store.edges([thing_number(thing)], _BOTH)
        assert found == edges_of(store.neighbours([thing], _BOTH))


def test_edges_leave_literals_out(store: StoreView) -> None:
    store.put([document("a", says(COLD, SYMPTOM, Literal(COUGH)), says(COLD, SYMPTOM, COUGH))])
    assert len(store.edges([thing_number(COLD), thing_number(COUGH)], _BOTH)) == 1
    assert len(list(store.all_edges(_BOTH))) == 1


def test_edges_of_nothing_and_by_nothing(store: StoreView) -> None:
    store.put(cold_and_flu())
    assert store.edges([], _BOTH) == store.edges([thing_number(COLD)], []) == []
    assert store.edges([0, 2**63 - 1], _BOTH) == []
    assert store.edges([thing_number(COLD)], ["cures"]) == []
    assert list(store.all_edges([])) == list(store.all_edges(["cures"])) == []


def test_all_edges_come_by_statement(store: StoreView) -> None:
    store.put(cold_and_flu())
    every = list(store.all_edges(_BOTH))
    assert [edge.statement for edge in every] == sorted(edge.statement for edge in every)
    assert every == store.edges(map(thing_number, [*_THINGS, COLD]), _BOTH)
    assert every == edges_of(store.match())
    assert len(list(store.all_edges([CAUSE, CAUSE]))) == 1


def test_edges_of_a_hub_are_capped_like_its_neighbours(store: StoreView) -> None:
    spokes = [f"mw.condition:s{n:02}" for n in range(20)]
    claims = [says(COLD, SYMPTOM, spoke) for spoke in spokes]
    claims += [says(spoke, SYMPTOM, COLD) for spoke in spokes]
    claims += [says(COLD, SYMPTOM, Literal(n)) for n in range(20)]
    store.put([document("hub", *claims, says(FLU, SYMPTOM, FEVER))])
    things = [COLD, FLU, *spokes]
    found = store.edges(map(thing_number, things[:2]), [SYMPTOM], cap=3)
    assert found == edges_of(store.neighbours(things[:2], [SYMPTOM], cap=3))
    assert len(found) == 7
    assert len(store.edges(map(thing_number, things), [SYMPTOM], cap=3)) == 41
    cold, flu = map(thing_number, things[:2])
    assert store.degrees([flu, cold], [SYMPTOM]) == {flu: 1, cold: 40}
    assert store.degrees([flu, cold], [CAUSE]) == store.degrees([cold], []) == {}


def test_an_edge_is_as_strong_as_the_strongest_that_affirms_it(store: StoreView) -> None:
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


def test_numbers_lead_back_to_identifiers(store: StoreView) -> None:
    only_named = "mw.condition:named"
    store.put([*cold_and_flu(), document("named", mentions=names(only_named, "named"))])
    things = [*_THINGS, only_named]
    numbers = {thing_number(thing): thing for thing in things}
    assert store.identifiers([*numbers, *numbers, 1]) == numbers
    assert store.identifiers([]) == {}
    store.remove([found.id for found in store.documents()])
    assert store.identifiers(numbers) == {}


def test_statements_by_number_come_in_the_order_asked(store: StoreView) -> None:
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


def test_mentions_are_found_by_the_key_of_their_name(store: StoreView) -> None:
    said = [*names(COLD, "Common Colds", "感冒"), *names(FLU, "common-cold")]
    store.put([document("a", mentions=said), document("b", mentions=said[:1])])
    found = store.named(["common cold", "common cold", "influenza"])
    assert found == [MentionCount(said[0], 2), MentionCount(said[2], 1)]
    assert store.named(["感冒"]) == [MentionCount(said[1], 1)]
    assert store.named(["Common Colds"]) == store.named([]) == []
    assert store.named(["common cold", "感冒"]) == store.mentions([COLD, FLU])
    store.remove([document("a").document.id])
    assert store.named(["common cold", "感冒"]) == [MentionCount(said[0], 1)]


def test_how_keys_of_names_begin(store: StoreView) -> None:
    store.put([document("a", mentions=[*names(COLD, "Common Colds", "感冒"), *names(FLU, "flu")])])
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


def test_things_are_found_by_their_cross_references(store: StoreView) -> None:
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


def test_documents_vote_for_the_concept_of_a_thing(store: StoreView) -> None:
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


def test_a_tally_counts_by_kind(store: StoreView) -> None:
    by_model = says(FLU, SYMPTOM, FEVER, evidence_class="model")
    store.put([*cold_and_flu(), document("c", denies(COLD, SYMPTOM, COUGH), by_model)])
    assert store.tally() == Tally(
        {SYMPTOM: 3, CAUSE: 1, "treatment_advice": 1}, {"monograph": 6, "model": 1}, 1
    )
    store.remove([document("c").document.id])
    assert store.tally().conflicts == 0


def test_a_topology_counts_things_edges_and_what_no_edge_touches(store: StoreView) -> None:
    """Literals are no edges; things at an end that nobody mentions are things."""
    assert store.topology(most_voted) == Topology()
    store.put([*cold_and_flu(), document("d", mentions=names("mw.condition:gout", "gout"))])
    found = store.topology(most_voted)
    assert (found.nodes, found.edges, found.isolated) == (5, 4, 1)
    assert found.degrees == {0: 1, 1: 1, 2: 2, 3: 1}
    assert found.concepts == {"disease": ConceptTopology(5, 1, 4, 8)}


def test_an_edge_between_two_concepts_touches_both(store: StoreView) -> None:
    cough = names(COUGH, "cough", concept="symptom")
    mentions = [*names(COLD, "cold"), *names(FLU, "flu"), *cough]
    said = [says(COLD, SYMPTOM, COUGH), says(FLU, SYMPTOM, COUGH), says(FLU, CAUSE, COLD)]
    store.put([document("a", *said, mentions=mentions)])
    assert store.topology(most_voted).concepts == {
        "disease": ConceptTopology(nodes=2, isolated=0, edges=3, ends=4),
        "symptom": ConceptTopology(nodes=1, isolated=0, edges=2, ends=2),
    }


def test_the_concept_of_a_thing_is_left_to_whoever_asks(store: StoreView) -> None:
    store.put([document("a", says(COLD, SYMPTOM, COUGH), mentions=names(COLD, "cold"))])
    found = store.topology(lambda votes: f"{len(votes)} votes")
    assert set(found.concepts) == {"1 votes", "0 votes"}


@BY_CHANCE
@given(history=histories(inferring_documents()))
def test_after_any_history_edges_say_what_the_evidence_says(history: list[Change]) -> None:
    store = view_of(SmallestStore())
    live_through(store, history)
    for cap in (1, 1000):
        for things in (_THINGS[:1], _THINGS):
            found = store.edges(map(thing_number, things), _BOTH, cap=cap)
            assert found == edges_of(store.neighbours(things, _BOTH, cap=cap))
    every = edges_of(store.match())
    assert list(store.all_edges(_BOTH)) == every
    touched = Counter(end for edge in every for end in (edge.subject, edge.object))
    assert store.degrees(map(thing_number, [*_THINGS, *_THINGS]), _BOTH) == {
        n: touched[n] for n in map(thing_number, _THINGS) if touched[n]
    }
    ends = {end for found in store.match() for end in _ends(found.statement)}
    assert set(store.identifiers(map(thing_number, ends)).values()) == ends


@BY_CHANCE
@given(history=histories(inferring_documents()))
def test_after_any_history_all_counts_equal_a_recount(history: list[Change]) -> None:
    store = view_of(SmallestStore())
    live_through(store, history)
    assert (store.counts(), store.tally()) == recounted(store)
    votes = dict(store.concept_votes())
    assert set(votes) == {count.mention.entity for count in store.mentions()}
    for concept in ("disease", "symptom"):
        assert store.count_mentioned_as(concept) == sum(concept in v for v in votes.values())


@BY_CHANCE
@given(history=histories(inferring_documents()))
def test_after_any_history_the_topology_equals_a_recount(history: list[Change]) -> None:
    store = view_of(SmallestStore())
    live_through(store, history)
    assert store.topology(most_voted) == recounted_topology(store)


def test_statements_come_in_the_order_asked(store: StoreView) -> None:
    store.put(cold_and_flu())
    every = store.match()
    asked = [every[3], every[0], every[2]]
    identifiers = [item.statement.id for item in asked]
    assert store.statements([*identifiers, "st:unknown", identifiers[0]]) == asked


def test_sources(store: StoreView) -> None:
    cold, flu = cold_and_flu()
    store.put([flu, cold, document("none", source="/a.json", build_key="k")])
    assert store.sources() == ["/a.json", "/sources/one.json", "/sources/two.json"]
    assert set(store.build_keys("/sources/one.json")) == {cold.document.id}


def test_names_are_found_by_the_stems_of_their_words(store: StoreView) -> None:
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


def test_chinese_names_are_found_by_pairs_of_characters(store: StoreView) -> None:
    store.put([document("a", mentions=names("mw.x:1", "咽喉肿痛"))])
    [found] = store.sharing_words(["肿痛"], ["disease"], limit=5)
    assert (found.words, found.of, found.share) == (frozenset({"肿痛"}), 3, 1 / 3)


def test_words_count_things_and_not_names(store: StoreView) -> None:
    store.put([document("a", mentions=names("mw.x:1", "chest pain", "pain in the chest"))])
    assert store.count_by_word(["pain"], ["disease"]) == {"pain": 1}
    assert len(store.sharing_words(["pain"], ["disease"], limit=5)) == 2


def test_names_that_go_are_not_found_by_their_words(store: StoreView) -> None:
    cold, flu = cold_and_flu()
    store.put([cold, flu])
    store.remove([cold.document.id])
    assert store.count_by_word(["cough", "common", "cold"], ["disease"]) == {"cold": 1}


def test_words_of_names_that_are_like_a_word(store: StoreView) -> None:
    heard = names("mw.x:1", "High Fevers", "hay-fever", "type 2 x-ray")
    store.put([document("a", mentions=[*heard, *names("mw.x:2", "反复 feverish feeling")])])
    like = store.words_like(["feaver", "fevr", "hihg", "tipe", "qqqqq"], slips=1)
    assert like == _alone(feaver="fever", fevr="fever", hihg="high", tipe="type")
    assert store.words_like(["feverihs"], slips=1) == _alone(feverihs="feverish")
    both = {"feveris": frozenset({"fever", "feverish"})}
    assert store.words_like(["feveris"], slips=2) == both
    assert store.words_like(["hgih", "qqq", ""], slips=2) == _alone(hgih="high")
    assert store.words_like([], slips=1) == {}


def test_no_slip_is_the_word_itself(store: StoreView) -> None:
    store.put([document("a", mentions=names("mw.x:1", "chest pains", "flu", "mp3 voice"))])
    words = ["chest", "pain", "pains", "flu", "voice", "chesty"]
    held = store.words_like(words, slips=0)
    assert held == _alone(chest="chest", pain="pain", voice="voice")


def test_words_of_names_that_go_are_not_found(store: StoreView) -> None:
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
