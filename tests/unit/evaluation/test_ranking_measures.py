"""Measures of rankings; the figures were made by pytrec_eval 0.5 (trec_eval) from the same runs."""

from __future__ import annotations

import pytest

from medweave.evaluation.measures.ranking import ranking_measures

GRADES = {"a": 3, "b": 0, "c": 1, "d": 2, "e": -1, "not ranked": 2}
PLACES = {"b": 1, "c": 2, "e": 3, "a": 4, "d": 9}


def test_every_measure_agrees_with_trec_eval() -> None:
    found = ranking_measures(GRADES, PLACES)
    assert found == pytest.approx(EXPECTED, abs=1e-6)


def test_a_higher_bar_counts_fewer_answers_as_right_and_leaves_gains_alone() -> None:
    found, plain = ranking_measures(GRADES, PLACES, 2), ranking_measures(GRADES, PLACES)
    assert found["mrr"] == 0.25
    assert found["recall@10"] == pytest.approx(2 / 3)
    assert found["ndcg@10"] == plain["ndcg@10"]


def test_a_perfect_order_is_1_everywhere_but_in_recalls_that_cannot_hold_all() -> None:
    found = ranking_measures({"a": 2, "b": 1}, {"a": 1, "b": 2})
    assert found.pop("recall@1") == 0.5
    assert set(found.values()) == {1.0}


@pytest.mark.parametrize(
    ("grades", "places"), [({}, {}), ({"a": 0}, {"a": 1}), ({"a": 1}, {}), ({"a": -1}, {"a": 1})]
)
def test_without_a_right_answer_or_without_finding_it_all_is_0(
    grades: dict[str, int], places: dict[str, int]
) -> None:
    assert set(ranking_measures(grades, places).values()) == {0.0}


EXPECTED = {
    "mrr": 0.5,
    "recall@1": 0,
    "recall@3": 0.25,
    "recall@5": 0.5,
    "recall@10": 0.75,
    "ndcg@1": 0,
    "ndcg@3": 0.119906233,
    "ndcg@10": 0.443566697,
    "map": 0.333333333,
}
