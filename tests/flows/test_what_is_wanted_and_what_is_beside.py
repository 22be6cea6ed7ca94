"""Which of several conditions a list is for, and which class is wanted and not taken."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.understanding.question import understand


@pytest.mark.parametrize(
    ("text", "listed_for", "stopped"),
    [
        ("have asthma, need glaucoma drops", ["glaucoma"], "timolol"),
        ("Insomnia in COPD: which medicine?", ["insomnia"], ""),
        ("A patient with asthma needs migraine prevention", ["migraine"], "propranolol"),
        ("Bipolar disorder, on lithium; hypertension newly diagnosed - agent?",
         ["hypertension"], "lisinopril"),
        ("心衰牙痛吃什么安全", ["toothache"], "ibuprofen"),
        ("登革热头痛吃什么", ["headache"], "aspirin"),
    ],
)  # fmt: skip
def test_a_list_is_for_what_is_to_be_treated_and_stops_by_what_is_beside(
    base: KnowledgeBase, text: str, listed_for: list[str], stopped: str
) -> None:
    answer = base.ask(text)
    assert [one.about.name() for one in answer.drugs] == listed_for
    groups = [group for one in answer.drugs for group in one.groups]
    named = {drug.entity.name() for g in groups if g.standing == "stopped" for drug in g.drugs}
    assert not stopped or stopped in named


@pytest.mark.parametrize(
    "text",
    [
        "适合哮喘病人用的降压药",
        "有没有适合肾病病人的止痛药",
        "血友病患者的退热药选择",
        "服苯妥英者真菌感染用何抗真菌药",
    ],
)
def test_a_class_that_suits_somebody_is_wanted_and_nobody_takes_it(
    base: KnowledgeBase, text: str
) -> None:
    [wanted] = understand(text, base.knowledge).of_concept("drug_class")
    assert wanted.role == "asked"


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("锂盐在吃，高血压用什么", "锂盐"),
        ("氯氮平在用，感染用环丙沙星行不行", "氯氮平"),
        ("每天吸布地奈德，偏头痛吃什么药", "布地奈德"),
        ("周一开始吃多西环素治痤疮，能晒太阳吗", "多西环素"),
        ("我妈吃的降压药能和布洛芬一起吃吗", "降压药"),
    ],
)
def test_what_is_taken_stays_taken(base: KnowledgeBase, text: str, taken: str) -> None:
    found = {m.text: m.role for m in understand(text, base.knowledge).mentions}
    assert found[taken] == "taken"


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("No cough, no diarrhoea, fever", {"fever"}),
        ("No fever, no vomiting, headache and stiff neck", {"headache", "stiff neck"}),
        ("denies cough, denies fever, joint pain", {"joint pain"}),
        ("No fever, no cough, chills or rash", set()),
        ("No fever, cough, rash", set()),
        ("no fever, no cough, never had jaundice", set()),
    ],
)
def test_what_has_no_denial_behind_names_that_have_one_each_is_there(
    base: KnowledgeBase, text: str, present: set[str]
) -> None:
    found = understand(text, base.knowledge).mentions
    assert {m.text for m in found if m.status != "absent"} == present


def test_a_drug_that_children_cannot_have_is_no_allergy(base: KnowledgeBase) -> None:
    assert understand("为什么孩子不能吃阿司匹林", base.knowledge).patient.allergies == ()
    assert understand("我不能吃阿司匹林，头痛吃什么", base.knowledge).patient.allergies


@pytest.mark.parametrize("text", ["which antibiotic is azithromycin", "阿奇霉素是哪种抗生素"])
def test_which_of_a_class_a_drug_is_asks_for_its_class(base: KnowledgeBase, text: str) -> None:
    told = " ".join(sentence.text for sentence in base.ask(text).sentences)
    assert "macrolide" in told or "大环内酯" in told
