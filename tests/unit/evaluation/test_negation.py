"""Sentences with a marked concept: where it stands, and what is measured."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from medweave.errors import ConfigurationError
from medweave.evaluation.items import Item
from medweave.evaluation.measures.classification import f1_of
from medweave.evaluation.outcomes import Checkpoint
from medweave.evaluation.result import Evaluation
from medweave.evaluation.runner import evaluate
from medweave.evaluation.task import Request
from medweave.evaluation.tasks.negation import (
    CueReading,
    MedspacyContext,
    NegationWords,
    NegspacyNegex,
    negation_item,
    plan,
)


def item(sentence: str, concept: str, negation: str = "Affirmed", **more: str) -> Item:
    made = negation_item(
        {"sentence": sentence, "concept": concept, "negation": negation, **more}, "1"
    )
    assert isinstance(made, Item)
    return made


def marked(sentence: str, concept: str) -> str:
    span = item(sentence, concept).span
    assert span is not None
    return sentence[span[0] : span[1]]


@pytest.mark.parametrize(
    ("sentence", "concept", "found"),
    [
        ("No fever now, but a FEVER then.", "fever", "FEVER"),
        ("No Fever.", "fever", "Fever"),
        ("CHEST: 1.", "chest: 1. nodule", "CHEST: 1."),
        ("no signs of nodules.", "Chest: no signs of nodules", "no signs of nodules"),
    ],
)
def test_a_concept_is_found_in_capitals_else_anywhere_else_as_far_as_it_is_there(
    sentence: str, concept: str, found: str
) -> None:
    assert marked(sentence, concept) == found


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"sentence": "no fever", "negation": "Negated"}, "no sentence, or no concept"),
        (
            {"sentence": "no fever", "concept": "xyz", "negation": "Negated"},
            "the sentence does not hold the concept",
        ),
        (
            {"sentence": "no fever", "concept": "fever", "negation": "absent"},
            "no negation, or none of Affirmed, Negated, Possible",
        ),
    ],
)
def test_what_is_no_item_is_left_out_with_its_reason(record: dict[str, Any], why: str) -> None:
    assert negation_item(record, "1") == why


@pytest.mark.parametrize(
    ("sentence", "concept", "label"),
    [
        ("I have no fever", "fever", "Negated"),
        ("I have a fever", "fever", "Affirmed"),
        ("fever", "fever", "Affirmed"),
        ("I may have an infection", "infection", "Possible"),
        ("call me if he gets a rash", "rash", "Possible"),
    ],
)
def test_ours_says_present_absent_or_possible(sentence: str, concept: str, label: str) -> None:
    assert CueReading().rank(item(sentence, concept)).labels == (label,)


def test_the_plain_rule_looks_five_words_back_and_across_everything() -> None:
    rule = NegationWords()
    assert rule.rank(item("no fever, but a cough", "cough")).labels == ("Negated",)
    assert rule.rank(item("no fever today, but such a cough", "cough")).labels == ("Affirmed",)
    assert rule.rank(item("我没有发烧", "发烧")).labels == ("Negated",)


def test_f1_is_of_one_class_against_the_rest() -> None:
    measure = f1_of([True, True, False, False], [True, False, True, False])
    assert measure([0, 1, 2, 3]) == pytest.approx(2 * 1 / (2 * 1 + 1 + 1))
    assert measure([0]) == 1
    assert measure([3]) == 0


def run(tmp_path: Path, rows: list[dict[str, str]]) -> Evaluation:
    path = tmp_path / "sentences.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return evaluate(plan(Request(path)), Checkpoint(tmp_path / "unfinished.jsonl", {}))


ROWS = [
    {"sentence": "no FEVER", "concept": "fever", "negation": "Negated", "temporality": "Recent"},
    {
        "sentence": "history of ASTHMA",
        "concept": "asthma",
        "negation": "Affirmed",
        "temporality": "Historical",
    },
    {"sentence": "I had GOUT as a child", "concept": "gout", "negation": "Affirmed"},
]


def test_the_past_is_measured_where_it_is_given_and_told(tmp_path: Path) -> None:
    result = run(tmp_path, ROWS)
    ours, *others = result.systems
    assert ours.name == "medweave"
    assert ours.measures["negation_f1"].value == 1
    # the gout is past too, but nobody said whether that is right
    assert ours.measures["temporality_f1"].value == 1
    baselines = {other.name: set(other.measures) for other in others}
    assert baselines["majority"] == baselines["negation word before"] == {"negation_f1"}


def test_without_times_only_negation_is_measured(tmp_path: Path) -> None:
    result = run(tmp_path, [{k: v for k, v in row.items() if k != "temporality"} for row in ROWS])
    assert set(result.systems[0].measures) == {"negation_f1"}


@pytest.mark.parametrize(
    ("package", "system"), [("negspacy", NegspacyNegex), ("medspacy", MedspacyContext)]
)
def test_a_peer_that_is_not_installed_is_not_run_and_said(package: str, system: type) -> None:
    if importlib.util.find_spec(package):
        pytest.skip(f"{package} is installed")
    with pytest.raises(ConfigurationError, match=f"{package} is not installed"):
        system()
