"""Weighted path ranking with restart: document K, equation 3, in its answering form."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.inference.path_ranking import Edge, edges_of, rank
from medweave.model.statement import Evidence, Place, Statement, SupportedStatement

EDGES = [
    Edge("flu", "fever", 1.0, "s1"),
    Edge("flu", "cough", 1.0, "s2"),
    Edge("cold", "cough", 1.0, "s3"),
    Edge("cold", "sneezing", 1.0, "s4"),
]


def supported(*polarities: int, strength: float = 1.0) -> SupportedStatement:
    statement = Statement("flu", "has_symptom", "fever")
    place = Place("symptoms", 0, 5)
    return SupportedStatement(
        statement,
        tuple(
            Evidence(statement.id, f"d{n}", place, "fever", "monograph", polarity, strength)
            for n, polarity in enumerate(polarities)
        ),
    )


def test_what_more_findings_lead_to_comes_first() -> None:
    scores = rank(EDGES, {"fever": 0.5, "cough": 0.5})
    assert scores["flu"] > scores["cold"] > 0


def test_the_walk_goes_both_ways() -> None:
    assert rank(EDGES, {"flu": 1.0})["sneezing"] > 0


def test_what_nothing_leads_to_has_no_score() -> None:
    scores = rank([*EDGES, Edge("gout", "toe pain", 1.0, "s5")], {"fever": 1.0})
    assert scores["gout"] == 0


def test_without_a_question_there_is_no_answer() -> None:
    assert set(rank(EDGES, {}).values()) == {0.0}


@pytest.mark.parametrize("alpha", [0.15, 0.3, 0.85])
def test_the_scores_sum_to_the_seeds(alpha: float) -> None:
    scores = rank(EDGES, {"fever": 0.25, "cough": 0.75}, alpha=alpha)
    assert sum(scores.values()) == pytest.approx(1.0, abs=1e-5)


def test_a_fixpoint_is_reached_to_the_tolerance() -> None:
    rough = rank(EDGES, {"fever": 1.0}, tolerance=1e-6)
    fine = rank(EDGES, {"fever": 1.0}, tolerance=1e-12, max_sweeps=1000)
    assert all(abs(rough[name] - fine[name]) < 1e-5 for name in fine)


def test_parallel_edges_add_up_and_shares_are_normalised() -> None:
    scores = rank(
        [Edge("a", "x", 1.0, "1"), Edge("a", "x", 1.0, "2"), Edge("b", "x", 1.0, "3")], {"x": 1.0}
    )
    assert scores["a"] > scores["b"]


@settings(max_examples=50, deadline=None)
@given(st.permutations(EDGES))
def test_the_order_of_the_edges_changes_no_digit(edges: list[Edge]) -> None:
    assert rank(edges, {"fever": 0.5, "cough": 0.5}) == rank(EDGES, {"fever": 0.5, "cough": 0.5})


def test_only_affirmed_statements_are_walked() -> None:
    assert edges_of([supported(-1)]) == []
    assert edges_of([supported(1, strength=0.5)])[0].weight == 0.5


def test_a_statement_that_sources_disagree_on_is_walked_by_half() -> None:
    assert edges_of([supported(1, -1)])[0].weight == 0.5
