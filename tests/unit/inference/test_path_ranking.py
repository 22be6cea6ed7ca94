"""Weighted path ranking with restart: document K, equation 3, in its answering form."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.inference.local_push import push
from medweave.inference.sweeps import rank
from medweave.model.edge import Edge

FLU, COLD, GOUT, FEVER, COUGH, SNEEZING, TOE = range(7)


def edge(subject: int, object_: int, statement: int, strength: float = 1.0) -> Edge:
    return Edge(subject, object_, statement, strength, denied=False)


EDGES = [edge(FLU, FEVER, 1), edge(FLU, COUGH, 2), edge(COLD, COUGH, 3), edge(COLD, SNEEZING, 4)]


def test_what_more_findings_lead_to_comes_first() -> None:
    scores = rank(EDGES, {FEVER: 0.5, COUGH: 0.5})
    assert scores[FLU] > scores[COLD] > 0


def test_the_walk_goes_both_ways() -> None:
    assert rank(EDGES, {FLU: 1.0})[SNEEZING] > 0


def test_what_nothing_leads_to_has_no_score() -> None:
    scores = rank([*EDGES, edge(GOUT, TOE, 5)], {FEVER: 1.0})
    assert scores[GOUT] == 0


def test_without_a_question_there_is_no_answer() -> None:
    assert set(rank(EDGES, {}).values()) == {0.0}


@pytest.mark.parametrize("alpha", [0.15, 0.3, 0.85])
def test_the_scores_sum_to_the_seeds(alpha: float) -> None:
    scores = rank(EDGES, {FEVER: 0.25, COUGH: 0.75}, alpha=alpha)
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-5)


def test_a_fixpoint_is_reached_to_the_tolerance() -> None:
    rough = rank(EDGES, {FEVER: 1.0}, tolerance=1e-6)
    fine = rank(EDGES, {FEVER: 1.0}, tolerance=1e-12, max_sweeps=1000)
    assert all(abs(rough[name] - fine[name]) < 1e-5 for name in fine)


def test_parallel_edges_add_up_and_shares_are_normalised() -> None:
    scores = rank([edge(FLU, FEVER, 1), edge(FLU, FEVER, 2), edge(COLD, FEVER, 3)], {FEVER: 1.0})
    assert scores[FLU] > scores[COLD]


@settings(max_examples=50, deadline=None)
@given(st.permutations(EDGES))
def test_the_order_of_the_edges_changes_no_digit(edges: list[Edge]) -> None:
    assert rank(edges, {FEVER: 0.5, COUGH: 0.5}) == rank(EDGES, {FEVER: 0.5, COUGH: 0.5})


def test_only_affirmed_statements_are_walked() -> None:
    assert rank([edge(FLU, FEVER, 1, 0.0)], {FEVER: 1.0}).get(FLU, 0) == 0


def test_a_statement_that_sources_disagree_on_is_walked_by_half() -> None:
    assert Edge(FLU, FEVER, 1, 1.0, denied=True).weight == 0.5


@st.composite
def graphs(draw: st.DrawFn) -> list[Edge]:
    pairs = draw(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=40))
    strengths = draw(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=40, max_size=40))
    return [
        edge(s, o, n, w)
        for n, ((s, o), w) in enumerate(zip(pairs, strengths, strict=False))
        if s != o
    ]


@settings(max_examples=200, deadline=None)
@given(graphs(), st.sampled_from([0.15, 0.3, 0.85]), st.data())
def test_pushing_comes_to_the_scores_of_sweeping(
    graph: list[Edge], alpha: float, data: st.DataObject
) -> None:
    seeds = data.draw(st.dictionaries(st.integers(0, 12), st.just(0.5), min_size=1, max_size=3))
    exact = rank(graph, seeds, alpha=alpha, tolerance=1e-12, max_sweeps=2000)

    def edges_of(things: Iterable[int]) -> list[Edge]:
        wanted = set(things)
        return [e for e in graph if wanted & {e.subject, e.object}]

    near = push(edges_of, seeds, alpha=alpha, epsilon=1e-9).scores
    for thing, score in exact.items():
        assert near.get(thing, 0.0) == pytest.approx(score, abs=1e-6)


def test_pushing_reads_no_more_than_matters() -> None:
    chain = [edge(n, n + 1, n) for n in range(1000)]
    asked: list[int] = []

    def edges_of(things: Iterable[int]) -> list[Edge]:
        asked.extend(things)
        return [e for e in chain if {e.subject, e.object} & set(things)]

    push(edges_of, {0: 1.0}, alpha=0.3, epsilon=1e-4)
    assert 0 < len(asked) < 20


def test_a_hub_waits_until_it_holds_enough_for_all_its_edges() -> None:
    hub, many = 0, 10_000
    spokes = [edge(hub, n, n) for n in range(1, many)]
    near = [edge(many, hub, many), edge(many, many + 1, many + 1)]
    read: list[int] = []

    def edges_of(things: Iterable[int]) -> list[Edge]:
        read.extend(things)
        return [e for e in (*spokes, *near) if {e.subject, e.object} & set(things)]

    def degrees_of(things: Iterable[int]) -> dict[int, int]:
        return {hub: many, many: 2, many + 1: 1}

    found = push(edges_of, {many: 1.0}, alpha=0.3, degrees_of=degrees_of)
    assert hub not in read
    assert found.scores[hub] > 0
    assert sum(found.scores.values()) <= 1
    assert hub in push(edges_of, {hub: 1.0}, alpha=0.3, degrees_of=degrees_of).around
