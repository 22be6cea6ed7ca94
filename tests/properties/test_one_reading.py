"""Whoever reads a text reads the same of it: age, weight, sex, whose a thing is, how it is meant.

Questions, cases of a guideline and danger signs are read by different parts; what they hold of the
person and of a name must not depend on which part asks.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from medweave.guideline.case_reader import CaseReader
from medweave.guideline.loading import guideline_in
from medweave.guideline.logic.graph import compile_guideline
from medweave.knowledge_base import KnowledgeBase

PEOPLE = [
    ("My son", "male"),
    ("my daughter", "female"),
    ("A boy", "male"),
    ("The girl", "female"),
    ("The baby", None),
    ("Her child", None),
]
AGES = [
    ("is 3", 1095),
    ("is two and a half", 913),
    ("is 10 months old", 304),
    ("(8 mo)", 243),
    ("aged 4 years", 1461),
    ("is 2 years and 3 months old", 821),
]
WEIGHTS = [("weighs 9.5 kg", 9.5), ("weight 12 kg", 12.0), ("is 17 kilos", 17.0), ("", None)]
FINDINGS = [
    ("has a fever", "present"),
    ("has no fever", "absent"),
    ("has not had any fever", "absent"),
    ("no diarrhoea, has a fever", "present"),
]
OTHERS = ["", "her brother has measles", "Grandmother had tuberculosis", "his father has a cough"]


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


@pytest.fixture(scope="module")
def reader() -> CaseReader:
    return CaseReader(compile_guideline(guideline_in("sample")))


CHILDREN = st.tuples(
    st.sampled_from(PEOPLE),
    st.sampled_from(AGES),
    st.sampled_from(WEIGHTS),
    st.sampled_from(FINDINGS),
    st.sampled_from(OTHERS),
)


@given(CHILDREN)
def test_a_question_and_a_case_read_the_same(
    base: KnowledgeBase, reader: CaseReader, child: tuple[Any, Any, Any, Any, str]
) -> None:
    who, age, weight, finding, other = child
    told = [f"{who[0]} {age[0]}", finding[0], weight[0]]
    text = ", ".join(part for part in told if part) + f". {other}"
    question, case = base.understand(text), reader.read(text)
    assert (question.patient.age_days, question.patient.age_max_days) == (age[1], age[1])
    assert case.age_days == age[1]
    assert question.patient.weight_kg == case.weight_kg == weight[1]
    assert question.patient.sex in (who[1], case.sex)
    assert question.patient.sex == case.sex
    [fever] = [m for m in question.mentions if m.name == "fever"]
    assert (fever.status, fever.experiencer) == (finding[1], "patient")
    values = {each.observation: each.value for each in case.findings}
    assert values["fever"] is (finding[1] == "present")
    assert not values.get("measles_rash")
    if "measles" in other:
        assert [m.experiencer for m in question.mentions if m.name == "measles"] == ["other"]


@pytest.mark.parametrize(
    "text",
    [
        "boy of 17 kg with fever, can he take aspirin?",
        "kid of 18 kilos",
        "child of 16 kilos has a cough",
        "girl of 110 cm, fever",
        "My ferritin is 9",
        "CD4 is 7",
        "pain is 8 out of 10",
        "I am 24 weeks and 3 days",
        "33+4, can I take ibuprofen?",
        "铁蛋白是9",
        "孩子发烧两天",
        "宝宝咳嗽三天了，流鼻涕一周",
        "我儿子17公斤，发烧",
    ],
)
def test_a_number_of_something_else_is_no_age(
    base: KnowledgeBase, reader: CaseReader, text: str
) -> None:
    patient = base.understand(text).patient
    assert patient.age_days is None or patient.age_days != patient.age_max_days
    assert reader.read(text).age_days is None


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("My daughter is two and a half, fever, her brother has measles", ["measles"]),
        ("fever and cough, grandmother had tuberculosis", ["tuberculosis"]),
        ("Brother positive for tuberculosis, cough for 3 weeks", ["tuberculosis"]),
        ("Two-year-old, his aunt has measles, runny nose", ["measles"]),
        ("My mother takes warfarin, can I take ibuprofen?", ["warfarin"]),
        ("My neighbour takes lithium. I have gout and want naproxen.", ["lithium"]),
        ("I take warfarin. Can I give my son ibuprofen?", ["warfarin"]),
        ("My mother takes warfarin. Can she take ibuprofen?", []),
        ("Can I give ibuprofen to a patient on warfarin?", []),
        ("Someone with asthma, is aspirin ok?", []),
        ("我妈在吃华法林，我能吃布洛芬吗", ["华法林"]),
        ("我妈在吃华法林，她能吃布洛芬吗", []),
        ("奶奶有肺结核，孩子咳嗽", ["肺结核"]),
    ],
)
def test_what_is_anothers_is_not_the_patients(
    base: KnowledgeBase, text: str, others: list[str]
) -> None:
    mentions = base.understand(text).mentions
    assert [m.text for m in mentions if m.experiencer == "other"] == others


def test_a_denial_over_a_comma_may_be_meant_either_way(
    base: KnowledgeBase, reader: CaseReader
) -> None:
    text = "no blood in stool, sunken eyes"
    eyes = [m for m in base.understand(text).mentions if "eyes" in m.text]
    assert "absent" not in [mention.status for mention in eyes]
    values = {each.observation: each.value for each in reader.read(text).findings}
    assert values["sunken_eyes"] is not False


@pytest.mark.parametrize(
    "text",
    [
        "My mother takes warfarin, can I take ibuprofen?",
        "My neighbour is on warfarin. Is ibuprofen ok for my headache?",
        "I take warfarin. Can I give my son ibuprofen?",
        "我妈在吃华法林，我能吃布洛芬吗",
    ],
)
def test_what_another_takes_stops_nothing(base: KnowledgeBase, text: str) -> None:
    assert "applies" not in [stop.status for stop in base.ask(text).stops]


@pytest.mark.parametrize(
    "text",
    [
        "Can I give ibuprofen to a patient on warfarin?",
        "If I took warfarin, could I have ibuprofen?",
        "My mother takes warfarin. Can she take ibuprofen?",
        "Can someone who takes warfarin have ibuprofen?",
        "I'm on warfarin, is ibuprofen fine?",
        "Can I take ibuprofen and warfarin together?",
        "Is ibuprofen ok while on warfarin?",
        "My 70 year old father is on warfarin. Ibuprofen for his back?",
        "我在吃华法林，能吃布洛芬吗",
        "服用华法林期间能用布洛芬吗",
    ],
)
def test_one_fact_in_many_wordings_stops_the_same(base: KnowledgeBase, text: str) -> None:
    stops = [s for s in base.ask(text).stops if s.status == "applies" and s.hard]
    assert "mw.substance:ibuprofen" in [stop.entity.id for stop in stops]
