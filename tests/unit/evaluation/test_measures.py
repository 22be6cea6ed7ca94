"""The measures, beside scikit-learn where it has them and beside hand-worked examples elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from medweave.evaluation.items import Item, Ranked
from medweave.evaluation.measures.bootstrap import draw_all
from medweave.evaluation.measures.classification import (
    Measure,
    calibration_error,
    coverage,
    macro_f1,
    per_class,
    right,
    risk_coverage,
    share,
    share_of,
)
from medweave.evaluation.outcomes import Outcome, outcome_of

metrics = pytest.importorskip("sklearn.metrics")

Pairs = list[tuple[str, str]]
CLASSES = ("asthma", "cold", "flu", "gout")
answers = st.lists(
    st.tuples(st.sampled_from(CLASSES), st.sampled_from((*CLASSES, "mumps"))), min_size=1
)
rankings = st.lists(
    st.tuples(st.sampled_from(CLASSES), st.permutations(CLASSES)), min_size=1, max_size=30
)


def items_of(gold: Sequence[str]) -> list[Item]:
    return [Item(str(at), (label,)) for at, label in enumerate(gold)]


def said(items: Sequence[Item], *ranked: Ranked) -> list[Outcome]:
    return [outcome_of(item, one, 0.0) for item, one in zip(items, ranked, strict=True)]


def first_said(gold: Sequence[str], got: Sequence[str]) -> tuple[list[Item], list[Outcome]]:
    items = items_of(gold)
    return items, said(items, *(Ranked((label,)) for label in got))


def of_all(measure: Measure, items: Sequence[Item]) -> float:
    return measure(range(len(items)))


@given(answers)
def test_macro_f1_is_that_of_scikit_learn_over_the_gold_classes(pairs: Pairs) -> None:
    gold, got = zip(*pairs, strict=True)
    items, outcomes = first_said(gold, got)
    theirs = metrics.f1_score(gold, got, labels=sorted(set(gold)), average="macro", zero_division=0)
    assert of_all(macro_f1(items, outcomes), items) == pytest.approx(theirs)


@given(answers, st.data())
def test_a_measure_of_a_draw_is_that_of_the_items_drawn(pairs: Pairs, data: st.DataObject) -> None:
    gold, got = zip(*pairs, strict=True)
    draw = data.draw(st.lists(st.integers(0, len(pairs) - 1), min_size=1))
    drawn_items, drawn_outcomes = first_said([gold[at] for at in draw], [got[at] for at in draw])
    items, outcomes = first_said(gold, got)
    for measure in (macro_f1, coverage):
        whole = of_all(measure(drawn_items, drawn_outcomes), drawn_items)
        assert measure(items, outcomes)(draw) == pytest.approx(whole)


@given(answers)
def test_each_class_has_the_precision_recall_and_f1_of_scikit_learn(pairs: Pairs) -> None:
    gold, got = zip(*pairs, strict=True)
    rows = per_class(*first_said(gold, got))
    labels = [row["class"] for row in rows]
    theirs = metrics.precision_recall_fscore_support(gold, got, labels=labels, zero_division=0)
    for row, precision, recall, f1, n in zip(rows, *theirs, strict=True):
        assert row["n"] == n
        figures = (row["precision"], row["recall"], row["f1"])
        assert figures == pytest.approx((precision, recall, f1), abs=5e-5)


@given(rankings, st.integers(1, len(CLASSES) - 1))
def test_hits_are_the_top_k_accuracy_of_scikit_learn(
    cases: list[tuple[str, list[str]]], within: int
) -> None:
    items = items_of([gold for gold, _ in cases])
    outcomes = said(items, *(Ranked(tuple(order)) for _, order in cases))
    scores = [[-order.index(label) for label in CLASSES] for _, order in cases]
    theirs = metrics.top_k_accuracy_score(
        [gold for gold, _ in cases], scores, k=within, labels=CLASSES
    )
    assert of_all(share(right(outcomes, within)), items) == pytest.approx(theirs)


def test_any_of_several_right_labels_counts_at_its_place() -> None:
    item = Item("1", ("flu", "cold"))
    assert outcome_of(item, Ranked(("gout", "cold", "flu")), 0.0).place == 2
    assert outcome_of(item, Ranked(("gout",)), 0.0).place == 0


def test_where_candidates_are_named_only_they_are_ranked() -> None:
    item = Item("1", ("flu",), candidates=("flu", "cold"))
    outcome = outcome_of(item, Ranked(("gout", "asthma", "flu")), 0.0)
    assert (outcome.place, outcome.got) == (1, "flu")
    nothing = outcome_of(item, Ranked(("gout",)), 0.0)
    assert (nothing.place, nothing.got, nothing.answered) == (0, "", False)


def test_coverage_is_the_share_of_diseases_found_at_least_once() -> None:
    gold = ["flu", "flu", "flu", "cold", "cold", "gout"]
    items, outcomes = first_said(gold, ["flu", "cold", "flu", "flu", "cold", "asthma"])
    # flu twice and cold once; gout never: 2 of 3, whatever else was named
    assert of_all(coverage(items, outcomes), items) == pytest.approx(2 / 3)
    assert of_all(share(right(outcomes)), items) == pytest.approx(3 / 6)


def test_a_disease_that_is_only_second_is_not_covered() -> None:
    items = items_of(["flu", "cold"])
    outcomes = said(items, Ranked(("flu",)), Ranked(("flu", "cold")))
    assert of_all(coverage(items, outcomes), items) == 0.5


def test_accuracy_when_answered_leaves_out_what_was_not_answered() -> None:
    measure = share_of([True, True, False, True], [True, False, True, False])
    assert measure(range(4)) == 0.5
    assert measure([1, 3]) == 0.0, "nothing was answered"


def test_risk_and_coverage_goes_from_the_surest_to_all() -> None:
    items = items_of(["flu"] * 4)
    outcomes = said(
        items,
        Ranked(("cold",), 0.1),
        Ranked(("flu",), 0.9),
        Ranked(("flu",), 0.3),
        Ranked(("cold",), 0.5),
    )
    curve = [(point["coverage"], point["accuracy"]) for point in risk_coverage(outcomes)]
    assert curve == [(0.25, 1.0), (0.5, 0.5), (0.75, 0.6667), (1.0, 0.5)]


@given(st.permutations([("flu", 0.5), ("cold", 0.5), ("flu", 0.5), ("flu", 0.9), ("cold", 0.1)]))
def test_the_order_of_equally_sure_items_decides_nothing(cases: list[tuple[str, float]]) -> None:
    items = items_of(["flu"] * len(cases))
    outcomes = said(items, *(Ranked((label,), sure) for label, sure in cases))
    curve = [(point["coverage"], point["accuracy"]) for point in risk_coverage(outcomes)]
    assert curve == [(0.2, 1.0), (0.8, 0.75), (1.0, 0.6)], "the three of 0.5 come together"


def test_all_equally_sure_is_one_point() -> None:
    _, outcomes = first_said(["flu", "cold"], ["flu", "flu"])
    assert risk_coverage(outcomes) == [{"coverage": 1.0, "accuracy": 0.5, "confidence": 0.0}]
    assert risk_coverage([]) == []


def test_calibration_error_is_the_gap_in_each_band() -> None:
    items = items_of(["flu"] * 4)
    sure = [Ranked(("flu",), 0.9), Ranked(("cold",), 0.9), Ranked(("flu",), 0.3), Ranked((), 0.3)]
    measure = calibration_error(said(items, *sure))
    # band 0.9: 0.5 right of 0.9 said; band 0.3: 0.5 right of 0.3 said
    assert measure(range(4)) == pytest.approx((0.4 * 2 + 0.2 * 2) / 4)


def interval_of(values: Sequence[bool], seed: int = 0) -> tuple[float, float, float]:
    figure = draw_all({"share": share(values)}, len(values), seed=seed)["share"].figure()
    return figure.low, figure.value, figure.high


@settings(max_examples=25)
@given(st.lists(st.booleans(), min_size=5, max_size=30), st.integers(0, 3))
def test_the_same_seed_gives_the_same_interval_around_the_value(
    values: list[bool], seed: int
) -> None:
    low, value, high = interval_of(values, seed)
    assert (low, value, high) == interval_of(values, seed)
    assert low <= value <= high
    assert value == pytest.approx(sum(values) / len(values), abs=5e-5)


def test_what_is_counted_once_for_each_class_lies_within_its_interval() -> None:
    classes = [f"disease {at}" for at in range(60)]
    gold = [label for label in classes for _ in range(5)]
    # two of three diseases are found in one of their five cases: a draw may miss that one
    got = [label if at % 5 == 0 and at % 3 else "none" for at, label in enumerate(gold)]
    items, outcomes = first_said(gold, got)
    figure = draw_all({"coverage": coverage(items, outcomes)}, len(items), seed=0)[
        "coverage"
    ].figure()
    assert figure.value == pytest.approx(2 / 3, abs=5e-5)
    assert figure.low < figure.value < figure.high
    assert figure.high - figure.low < 0.3


def test_another_seed_draws_other_items() -> None:
    values = [at % 7 in (0, 2, 3) for at in range(101)]
    assert len({interval_of(values, seed) for seed in range(5)}) > 1


def test_more_items_make_the_interval_narrower() -> None:
    widths = []
    for items in (20, 80, 320, 1280):
        low, _, high = interval_of([at % 2 == 0 for at in range(items)])
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)
    # the width of a normal interval for a share of a half: 2 * 1.96 * sqrt(0.25 / n)
    assert widths[-1] == pytest.approx(1.96 / 1280**0.5, rel=0.15)


def test_no_items_have_no_figures_to_speak_of() -> None:
    figure = draw_all({"share": share([])}, 0, seed=0)["share"].figure()
    assert (figure.low, figure.value, figure.high) == (0.0, 0.0, 0.0)
