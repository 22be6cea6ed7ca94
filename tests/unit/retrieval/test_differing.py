"""Sentences that contradict each other in other words, and those that only look so."""

from __future__ import annotations

import pytest

from medweave.retrieval.passages.differing import differ


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Aspirin is safe in pregnancy.", "Aspirin is contraindicated in pregnant women."),
        ("Metformin should be taken with food.", "Take metformin on an empty stomach."),
        ("Give 500 mg amoxicillin every 8 hours.", "Amoxicillin 1 g is given every 8 hours."),
        (
            "Opened insulin keeps 28 days at room temperature.",
            "Insulin, once opened, can be stored for six weeks at room temperature.",
        ),
        ("Children may eat honey.", "Honey should be avoided in children."),
        ("孕妇可以服用阿司匹林。", "妊娠期妇女禁用阿司匹林。"),
        ("伤口每两天换药一次。", "伤口每五天换药一次。"),
    ],
)
def test_the_opposite_in_other_words_contradicts(one: str, other: str) -> None:
    assert differ(one, other) and differ(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Aspirin is safe in adults.", "Aspirin is contraindicated in children."),
        ("Ibuprofen is not recommended in pregnancy.", "Avoid ibuprofen during pregnancy."),
        ("Avoid lifting for two weeks after surgery.", "Do not lift for 14 days after surgery."),
        ("The dose for an adult is 1 g.", "The adult dose is 1,000 mg."),
        ("Stage 1B cancer is in both ovaries.", "Stage 2B cancer is in both ovaries."),
        ("See Chapter 5: Survivorship for more.", "See Chapter 7: Survivorship for more."),
        ("术后一周拆线。", "术后七天拆线。"),
    ],
)
def test_another_case_or_the_same_amount_does_not(one: str, other: str) -> None:
    assert not differ(one, other)
