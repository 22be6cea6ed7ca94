"""What a store does faster has to give what is derived from its eight methods, as tests.

These are part of `medweave.testing.store_conformance.StoreConformance`.
"""

# ruff: noqa: D102 - the names of the tests are sentences
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given

from medweave.model.edge import statement_number, thing_number
from medweave.model.entity import NameMention
from medweave.model.statement import EvidenceClass, Literal
from medweave.ports import (
    StoreView,
    SupportsBatches,
    SupportsContributions,
    SupportsCounts,
    SupportsNames,
    SupportsNumbers,
    SupportsPresence,
    SupportsSources,
    SupportsTextSearch,
    SupportsWords,
)
from medweave.stores.derived import DerivedView, view_of
from medweave.stores.fast_ways import methods_of
from medweave.testing.ability_conformance import BY_CHANCE, NewStore
from medweave.testing.worlds import (
    CAUSE,
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    Change,
    denies,
    document,
    histories,
    inferring_documents,
    live_through,
    names,
    says,
)

_HUB = "mw.condition:hub"
_THINGS = (COLD, FLU, COUGH, FEVER, _HUB, "mw.condition:unknown")
_NUMBERS = tuple(map(thing_number, _THINGS))
_PREDICATES = ((), (SYMPTOM,), (CAUSE, SYMPTOM, "unknown"))
_TEXTS = (
    *("it", "its", "high fever", "fever", "流感", "feever", "hihg", "f", "流", "none"),
    *("common cold", "common ", "commoner", "Common Colds", "感", "肿痛", "itch", "skin", "pain"),
    *("feaver", "feveris", "feverihs", "tipe", "hgih", "voice", "mp3", "qqqqq"),
    *("", 'a"\\\x00', "\U0010ffff"),
)
_CONCEPTS = ((), ("disease",), ("symptom", "disease", "drug"))
_LEFT_OUT: tuple[tuple[EvidenceClass, ...], ...] = ((), ("monograph",))
_DOCUMENTS = ("a", "b", "c", "none")

Ask = Callable[[StoreView], Any]


def _names_in_any_order(store: StoreView, limit: int) -> list[Any]:
    """Names of one thing of which as much was found come in any order."""
    found = (store.sharing_words(_TEXTS, some, limit=limit) for some in _CONCEPTS)
    return [sorted((n.share, n.thing, n.of, sorted(n.words)) for n in one) for one in found]


_ALL = (None, *_THINGS)
_PATTERNS = (
    *((thing, predicate, None) for predicate in (SYMPTOM, None, "unknown") for thing in _ALL),
    *((None, predicate, thing) for predicate in (CAUSE, SYMPTOM) for thing in _ALL),
    *((COLD, SYMPTOM, value) for value in (COUGH, Literal(COUGH), Literal(1), Literal(True))),
    *((None, None, value) for value in (COUGH, Literal(COUGH))),
)


def _matched_alike(store: StoreView) -> list[Any]:
    """What is matched all at once, which is what is matched one by one."""
    found = store.matches(_PATTERNS)
    assert found == [store.match(*pattern) for pattern in _PATTERNS]
    assert [store.matches([pattern]) for pattern in _PATTERNS] == [[one] for one in found]
    return found


def _contributed(store: StoreView) -> list[Any]:
    """What all documents contribute, and no others, part by part in one order; keys and runs are
    known to some stores alone."""
    known = sorted(each.id for each in store.documents())
    found = store.contributions(["do:unknown", *known])
    assert [*store.contributions(known[:1])] == [
        one for one in found if one.document.id in known[:1]
    ]
    return sorted(
        (each.document.id, sorted(s.id for s in each.statements),
         sorted(i.id for i in each.evidence), sorted(map(repr, set(each.mentions))))
        for each in found
    )  # fmt: skip


ASKED: Mapping[str, Ask] = {
    "contributions": _contributed,
    "matches": _matched_alike,
    "edges": lambda s: [
        s.edges(_NUMBERS[:n], p, cap=cap) for n in (1, 5) for p in _PREDICATES for cap in (1, 3, 99)
    ],
    "degrees": lambda s: [s.degrees(_NUMBERS, p) for p in _PREDICATES],
    "with_statements": lambda s: [s.with_statements(p) for p in _PREDICATES],
    "all_edges": lambda s: [list(s.all_edges(p)) for p in _PREDICATES],
    "identifiers": lambda s: s.identifiers([*_NUMBERS, 1, *_NUMBERS]),
    "statements": lambda s: s.statements(
        [*(statement_number(one.statement.id) for one in s.match()), "st:unknown"]
    ),
    "mentions": lambda s: [s.mentions(), s.mentions(_THINGS), s.mentions([])],
    "named": lambda s: s.named(_TEXTS),
    "by_cross_reference": lambda s: s.by_cross_reference(["MONDO:1", "ICD:2", "", "none"]),
    "concept_votes": lambda s: dict(s.concept_votes()),
    "all_names": lambda s: sorted(map(repr, s.all_names())),
    "naming_documents": lambda s: [s.naming_documents(one, limit=2) for one in _THINGS],
    "count_mentioned_as": lambda s: [s.count_mentioned_as(c) for c in ("disease", "drug")],
    "begun": lambda s: s.begun(_TEXTS),
    "sharing_words": lambda s: _names_in_any_order(s, 1000),
    "count_by_word": lambda s: [s.count_by_word(_TEXTS, some) for some in _CONCEPTS],
    "words_like": lambda s: [s.words_like(_TEXTS, slips=slips) for slips in (0, 1, 2)],
    "documents_called": lambda s: [s.documents_called(name) for name in _DOCUMENTS],
    "passages_called": lambda s: [s.passages_called(name) for name in _DOCUMENTS],
    "sources": lambda s: s.sources(),
    "statements_from": lambda s: s.statements_from([*(d.id for d in s.documents()), "none"]),
    "counts": lambda s: s.counts(),
    "tally": lambda s: s.tally(),
    "topology": lambda s: s.topology(lambda votes: max(sorted(votes), default="")),
    "search_text": lambda s: [
        {hit.document for hit in s.search_text(text, limit=99, without=without)}
        for text in ("cough", "流行", "A COUGH", "none", "")
        for without in _LEFT_OUT
    ],
}
"""For each method that can be derived, what is asked of it. How well a text fits is a store's own
affair: which texts do, is not."""

DERIVED = (
    SupportsBatches,
    SupportsPresence,
    SupportsContributions,
    SupportsNumbers,
    SupportsNames,
    SupportsWords,
    SupportsSources,
    SupportsCounts,
    SupportsTextSearch,
)


def many_names() -> list[Change]:
    """A history with what is rare by chance: names of many words, a hub, several strengths."""
    first = document(
        "first",
        says(COLD, SYMPTOM, COUGH, strength=0.25),
        says(COLD, SYMPTOM, Literal(COUGH)),
        denies(FLU, SYMPTOM, FEVER),
        mentions=[
            *names(COLD, "Common Colds", "感冒", "咽喉肿痛", "High Fevers", "hay-fever"),
            *names(FLU, "type 2 x-ray", "反复 feverish feeling", "mp3 voice", "chest pains"),
            *names(COUGH, "Itching of the skin", "pain in the chest", concept="symptom"),
        ],
    )
    second = document(
        "second",
        says(COLD, SYMPTOM, COUGH),
        denies(COLD, SYMPTOM, COUGH, strength=0.75),
        *(says(_HUB, SYMPTOM, f"mw.condition:s{n}") for n in range(9)),
        *(says(f"mw.condition:s{n}", SYMPTOM, _HUB) for n in range(9)),
        mentions=[
            *names(FLU, "common-cold", "dry, itchy skin on the hands", "skin cancer"),
            NameMention(COLD, "cold", "en", "disease", xref="MONDO:1"),
            NameMention(FLU, "flu", "en", "drug", xref="MONDO:1"),
            NameMention(FLU, "flu", "en", "disease", xref="ICD:2"),
        ],
        source="/sources/two.json",
    )
    fewer = document("first", mentions=names(COLD, "Common Colds"), build_key="2")
    return [
        Change(put=(first,)),
        Change(put=(second,)),
        Change(put=(fewer,)),
        Change(remove=(second.document.id,)),
        Change(remove=(fewer.document.id,)),
    ]


class FastWays:
    """The promise of every `Supports…` that only makes something faster."""

    def test_all_that_can_be_derived_is_asked(self) -> None:
        assert {name for ability in DERIVED for name in methods_of(ability)} == {*ASKED}

    @BY_CHANCE
    @given(history=histories(inferring_documents()))
    def test_what_it_does_faster_is_what_is_derived(
        self, new_store: NewStore, history: list[Change]
    ) -> None:
        _same_throughout(new_store(), history)

    def test_so_it_is_where_there_are_many_names(self, new_store: NewStore) -> None:
        _same_throughout(new_store(), many_names())


def _same_throughout(view: StoreView, history: list[Change]) -> None:
    """After each change a store and what is derived from it answer alike."""
    itself = view.store if isinstance(view, DerivedView) else view
    faster = [method for method in ASKED if hasattr(itself, method)]
    if not faster:
        pytest.skip(f"{type(itself).__name__} leaves all to be derived")
    fast, derived = view_of(itself), DerivedView(itself)
    for change in history:
        live_through(view, [change])
        for method in faster:
            assert ASKED[method](fast) == ASKED[method](derived), method
