"""Whom to ask, by what a question is about."""

from __future__ import annotations

import pytest

from medweave.answering.whom_to_ask import whom_to_ask
from medweave.model.question import Mention, Question


@pytest.mark.parametrize(
    ("text", "language", "whom"),
    [
        ("Pacemaker from 2016, may I have an MRI?", "en", "device"),
        ("INR 3.8, how many mg tonight?", "en", "anticoagulation clinic"),
        ("Does my wisdom tooth have to come out?", "en", "dentist"),
        ("Should she stop nursing on that side?", "en", "midwife"),
        ("When may I drive again?", "en", "licenses"),
        ("Can I split the tablet?", "en", "pharmacist, or whoever prescribed"),
        ("Who won the match?", "en", "a doctor, nurse or pharmacist"),
        ("装了起搏器能做核磁吗", "zh", "装置"),
        ("拔牙前要注意啥", "zh", "牙医"),
        ("转氨酶180要紧吗", "zh", "开检查的医生"),
        ("要不要去医院", "zh", "医生、护士或药师"),
    ],
)
def test_who_looks_after_it_is_named(text: str, language: str, whom: str) -> None:
    assert whom in whom_to_ask(Question(text, language))


def test_of_a_medicine_a_pharmacist_is_asked() -> None:
    named = Mention(4, 14, "amlodipine", "mw.substance:amlodipine", "amlodipine", "drug")
    assert "pharmacist, or whoever" in whom_to_ask(Question("Why amlodipine?", "en", (named,)))
