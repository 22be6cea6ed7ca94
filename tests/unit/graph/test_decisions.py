"""Decisions hold however the documents came, and can be taken back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from medweave.graph.contents import Contents, contents_of
from medweave.graph.decisions import decide, decisions, put_decided
from medweave.model.decision import Decision
from medweave.model.document import Extraction
from medweave.model.statement import Statement
from medweave.ports import StoreView
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.worlds import documents

_WORLDS = st.lists(
    documents(), min_size=1, max_size=4, unique_by=lambda each: each.document.id
).filter(lambda world: any(each.statements for each in world))


def _store(extractions: list[Extraction]) -> StoreView:
    store = view_of(MemoryStore())
    put_decided(store, extractions)
    return store


def _sources(store: StoreView) -> Contents:
    """What the base has of its sources alone."""
    for decision in decisions(store):
        store.remove([d.id for d in store.documents() if d.name == decision.statement.id])
    return contents_of(store)


def _said(world: list[Extraction]) -> list[Statement]:
    return [each for extraction in world for each in extraction.statements]


def _rejected(statement: Statement) -> Decision:
    return Decision(statement, "rejected", "Ana", "2026-01-02T03:04:05Z")


@given(_WORLDS, st.data())
def test_it_matters_not_whether_a_source_comes_before_or_behind_a_decision(
    world: list[Extraction], data: st.DataObject
) -> None:
    about = data.draw(st.sampled_from(_said(world)))
    cut = data.draw(st.integers(0, len(world)))
    one = _store(world)
    decide(one, _rejected(about))
    other = _store(world[:cut])
    decide(other, _rejected(about))
    put_decided(other, world[cut:])
    assert not one.statements([about.id])
    aside = [set(decisions(each)[0].aside) for each in (one, other)]
    assert aside[0] == aside[1]
    assert _sources(one) == _sources(other)


@given(_WORLDS, st.data())
def test_a_decision_that_is_taken_back_leaves_what_sources_said(
    world: list[Extraction], data: st.DataObject
) -> None:
    about = data.draw(st.sampled_from(_said(world)))
    store = _store(world)
    before = contents_of(store)
    decide(store, _rejected(about))
    decide(store, Decision(about, "accepted", "", "2026-01-02T03:04:06Z"))
    assert _sources(store) == before
