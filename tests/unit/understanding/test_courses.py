"""Two values of one thing: creatinine that rose by half in days is an acute kidney injury."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase

INJURY = "mw.condition:kidney_injury"


def injured(base: KnowledgeBase, text: str) -> bool:
    return any(m.entity == INJURY for m in base.ask(text).question.mentions)


@pytest.mark.parametrize(
    "text",
    [
        "Cr 98 -> 190, on ramipril",
        "creatinine 98→190 on ramipril",
        "Creat 1.1 -> 2.4 mg/dL, on lithium",
        "SCr up from 70 to 130, takes colchicine",
        "creatinine 190 (was 98 last week), on losartan",
        "creatinine has doubled, takes ramipril",
        "肌酐从98升到190，吃雷米普利",
        "肌酐 210，之前 100，吃着二甲双胍",
        "肌酐翻倍，吃锂盐",
    ],
)
def test_a_rise_by_half_is_one(base: KnowledgeBase, text: str) -> None:
    assert injured(base, text)


@pytest.mark.parametrize(
    "text",
    [
        "creatinine 98 -> 120, on ramipril",
        "creatinine 190 -> 98, on ramipril",
        "creatinine went from 98 to 190 over six years, on ramipril",
        "creatinine 98, potassium up to 5.9, on ramipril",
        "potassium 3.1 -> 5.2, on ramipril",
        "肌酐98→110，吃雷米普利",
        "肌酐这五年从98慢慢升到190，吃雷米普利",
    ],
)
def test_less_or_slower_is_none(base: KnowledgeBase, text: str) -> None:
    assert not injured(base, text)
