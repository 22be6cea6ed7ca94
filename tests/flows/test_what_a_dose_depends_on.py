"""No dose is held: of what is cut by weak kidneys it is told what its dose depends on."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase

DEPENDS = {"en": "depends on", "zh": "取决于"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("apixaban 5 bd, wt 54, CrCl 25. dose ok?", "kidney function, age and body weight"),
        ("Is gabapentin 600 mg tds right for her, eGFR 28?", "kidney function"),
        ("pregabalin 150 bd in CKD 4, dose?", "kidney function"),
        ("allopurinol 300, eGFR 40, dose ok?", "kidney function"),
        ("enoxaparin 1 mg/kg bd, CrCl 22?", "body weight"),
        ("digoxin 250 mcg, 84 y old, weighs 45 kg, creatinine 160. Dose correct?", "level"),
        ("nitrofurantoin with eGFR 35 ok?", "kidney function"),
        ("阿哌沙班5mg每天两次，体重54公斤，肌酐清除率25，剂量对吗？", "肾功能、年龄和体重"),
        ("别嘌醇300mg，肾功能不好，要减量吗？", "肾功能"),
    ],
)  # fmt: skip
def test_it_is_said_and_who_checks_it(base: KnowledgeBase, text: str, words: str) -> None:
    answer = base.ask(text)
    [told] = [one for one in answer.missing if DEPENDS[answer.question.language] in one]
    assert words in told
    assert ("prescribes" in told) or ("开药的医生" in told)


@pytest.mark.parametrize(
    "text",
    [
        "Can I take apixaban with ibuprofen?",
        "On metformin, eGFR 40. Can I eat grapefruit?",
        "What dose of ibuprofen for an adult?",
        "阿哌沙班能和布洛芬一起吃吗？",
    ],
)
def test_where_neither_dose_nor_kidneys_are_in_question_it_is_not(
    base: KnowledgeBase, text: str
) -> None:
    answer = base.ask(text)
    assert not [one for one in answer.missing if DEPENDS[answer.question.language] in one]
