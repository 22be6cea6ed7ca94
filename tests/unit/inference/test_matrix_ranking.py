"""Ranking by matrix: the scores of the plain form, and never those of an earlier revision."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.inference.path_ranking import rank
from medweave.model.edge import Edge
from medweave.ports import StoreView
from medweave.stores.derived import view_of
from medweave.stores.memory import MemoryStore
from medweave.testing.worlds import (
    CAUSE,
    COLD,
    COUGH,
    FEVER,
    FLU,
    SYMPTOM,
    Change,
    document,
    documents,
    histories,
    says,
)

pytest.importorskip("scipy", reason="the extra `matrix` is not installed")
from medweave.inference.matrix_ranking import MatrixRanking

WALKED = [SYMPTOM, CAUSE]


def edges(pairs: list[tuple[int, int, float]]) -> list[Edge]:
    return [Edge(s, o, n, w, denied=n % 3 == 0) for n, (s, o, w) in enumerate(pairs) if s != o]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.0, 0.5, 1.0])),
        max_size=30,
    ),
    st.sampled_from([0.3, 0.85]),
)
def test_the_scores_are_those_of_the_plain_form(
    pairs: list[tuple[int, int, float]], alpha: float
) -> None:
    graph = edges(pairs)
    seeds = {0: 0.25, 3: 0.75}
    plain = rank(graph, seeds, alpha=alpha, tolerance=1e-10, max_sweeps=500)
    found = MatrixRanking(graph).rank(seeds, alpha=alpha, tolerance=1e-10, max_sweeps=500)
    walked = {end for edge in graph if edge.weight > 0 for end in (edge.subject, edge.object)}
    for thing in walked:
        assert found.get(thing, 0.0) == pytest.approx(plain[thing], abs=1e-8)


def same(one: MatrixRanking, store: StoreView) -> bool:
    fresh = MatrixRanking.of(store, WALKED)
    seeds = dict.fromkeys(map(int, fresh._things[:2]), 0.5)
    return one.rank(seeds) == pytest.approx(fresh.rank(seeds)) and one.revision == fresh.revision


@settings(max_examples=40, deadline=None)
@given(histories(documents()))
def test_after_any_history_a_refreshed_matrix_is_a_new_one(history: list[Change]) -> None:
    store = view_of(MemoryStore())
    ranking = MatrixRanking.of(store, WALKED)
    for change in history:
        store.put(change.put)
        store.remove(change.remove)
        assert ranking.refresh(store, WALKED)
        assert same(ranking, store)


def test_where_too_much_has_changed_all_is_read_again() -> None:
    class Forgetful(MemoryStore):
        def changes(self, since: int) -> frozenset[int] | None:
            return None

    store = view_of(Forgetful())
    store.put([document("a", says(COLD, SYMPTOM, COUGH))])
    ranking = MatrixRanking.of(store, WALKED)
    store.put([document("b", says(FLU, SYMPTOM, FEVER))])
    assert not ranking.refresh(store, WALKED)
    assert same(ranking, store)
