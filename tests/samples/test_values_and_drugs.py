"""A value that means a state counts as that state, in units of both kinds and in both languages."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase

EXCLUDED = [
    ("My eGFR is 25, can I take metformin?", "metformin"),
    ("creatinine clearance 20 mL/min, can I take metformin?", "metformin"),
    ("creatinine 400 µmol/L, can I take metformin?", "metformin"),
    ("creatinine 4.6 mg/dL, can I take metformin?", "metformin"),
    ("我的eGFR是25，可以吃二甲双胍吗？", "metformin"),
    ("肌酐400，可以吃二甲双胍吗？", "metformin"),
    ("My INR is 9, can I take ibuprofen?", "ibuprofen"),
    ("INR 9，可以吃阿司匹林吗？", "aspirin"),
    ("ALT 400, can I take simvastatin?", "simvastatin"),
    ("谷丙转氨酶400，可以吃辛伐他汀吗？", "simvastatin"),
    ("My potassium is 5.8, can I take spironolactone?", "spironolactone"),
    ("My potassium is 7 mmol/L, can I take spironolactone?", "spironolactone"),
    ("血钾5.8，可以吃螺内酯吗？", "spironolactone"),
    ("My sodium is 120, can I take hydrochlorothiazide?", "hydrochlorothiazide"),
    ("血钠120，可以吃氢氯噻嗪吗？", "hydrochlorothiazide"),
    ("My digoxin level is 3 ng/mL, can I take digoxin?", "digoxin"),
    ("haemoglobin 6 g/dL, can I take nitroglycerin?", "nitroglycerin"),
    ("血红蛋白60g/L，可以用硝酸甘油吗？", "nitroglycerin"),
    ("platelets 40, can I take warfarin?", "warfarin"),
    ("血小板4万，可以吃华法林吗？", "warfarin"),
]
CARE = [
    ("My eGFR is 50, can I take metformin?", "metformin"),
    ("bilirubin 5 mg/dL, can I take paracetamol?", "paracetamol"),
    ("胆红素80 µmol/L，可以吃对乙酰氨基酚吗？", "paracetamol"),
    ("My potassium is 2.9, can I take furosemide?", "furosemide"),
    ("QTc 520 ms, can I take azithromycin?", "azithromycin"),
    ("血糖2.1，可以吃格列本脲吗？", "glibenclamide"),
    ("My blood sugar is 60 mg/dL, can I take glibenclamide?", "glibenclamide"),
]
FREE = [
    ("My eGFR is 95, can I take metformin?", "metformin"),
    ("My INR is 2.5, can I take paracetamol?", "paracetamol"),
    ("ALT 30, can I take simvastatin?", "simvastatin"),
    ("My potassium is 4.2, can I take spironolactone?", "spironolactone"),
    ("血小板20万，可以吃对乙酰氨基酚吗？", "paracetamol"),
    ("My baby of 3 days has bilirubin 60 µmol/L. Can he take paracetamol?", "paracetamol"),
]


def met(base: KnowledgeBase, question: str, drug: str) -> set[bool]:
    """Whether what applies to the drug excludes it, for each stop that does."""
    stops = base.ask(question).stops
    return {s.hard for s in stops if s.status == "applies" and s.entity.name("en") == drug}


@pytest.mark.parametrize(("question", "drug"), EXCLUDED)
def test_a_value_that_means_a_state_excludes(base: KnowledgeBase, question: str, drug: str) -> None:
    assert True in met(base, question, drug)


@pytest.mark.parametrize(("question", "drug"), CARE)
def test_a_value_that_means_care(base: KnowledgeBase, question: str, drug: str) -> None:
    assert met(base, question, drug) == {False}


@pytest.mark.parametrize(("question", "drug"), FREE)
def test_a_usual_value_stops_nothing(base: KnowledgeBase, question: str, drug: str) -> None:
    assert met(base, question, drug) == set()
