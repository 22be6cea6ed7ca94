"""A medicine or an illness that is not held is named, with who can say more of it."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("asked", "name", "whom"),
    [
        ("Can I take brevolimab oil with quansetine?", "quansetine", "pharmacist"),
        ("How is Blau syndrome treated?", "Blau", "doctor"),
        ("Can my newborn have zolfenamide?", "zolfenamide", "formulary for newborns"),
        ("我爷爷在吃培莫卡替，能不能喝酒？", "培莫卡替", "药师"),
        ("新生儿能用托布拉芬滴眼液吗？", "托布拉芬", "新生儿处方集"),
    ],
)
def test_a_name_that_is_not_held_is_told_with_whom_to_ask(
    base: KnowledgeBase, asked: str, name: str, whom: str
) -> None:
    answer = base.ask(asked)
    assert name in [each.text for each in answer.not_understood]
    assert any(whom in said for said in answer.missing)
    assert not any("was not understood" in said for said in answer.missing)


@pytest.mark.parametrize("asked", ["昨天吃了西瓜和罗非鱼，拉肚子", "我在吃阿司匹林，能喝可乐吗"])
def test_food_and_known_names_are_no_strange_medicine(base: KnowledgeBase, asked: str) -> None:
    assert not base.ask(asked).not_understood


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("What dose of gentamicin does a newborn need?", "formulary for newborns"),
        ("What is the dose of gentamicin for a child of 6?", "a child's goes by weight"),
    ],
)
def test_a_dose_for_a_newborn_is_asked_of_who_knows_newborns(
    base: KnowledgeBase, asked: str, said: str
) -> None:
    assert any(said in line for line in base.ask(asked).missing)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("Is labetalol safe in pregnancy?", "high blood pressure in pregnancy"),
        ("Can I take ibuprofen while breastfeeding?", "while breastfeeding"),
        ("拉贝洛尔孕妇能吃吗？", "妊娠期高血压"),
    ],
)
def test_what_a_record_tells_of_a_pregnancy_is_told(
    base: KnowledgeBase, asked: str, told: str
) -> None:
    assert any(told in sentence.text for sentence in base.ask(asked).sentences)


def test_what_is_told_of_a_pregnancy_is_no_answer_to_another_question(base: KnowledgeBase) -> None:
    said = [s.text for s in base.ask("I'm pregnant. How soon does paracetamol work?").sentences]
    assert not any("pregnancy" in text for text in said)


@pytest.mark.parametrize(
    ("asked", "drug"),
    [
        ("Can I take enalapril with lithium?", "enalapril"),
        ("能同时吃吲达帕胺和碳酸锂吗", "indapamide"),
    ],
)
def test_what_members_share_holds_of_one_that_came_later(
    base: KnowledgeBase, asked: str, drug: str
) -> None:
    stops = base.ask(asked).stops
    assert drug in {stop.entity.name("en") for stop in stops}


def test_a_mini_pill_is_no_morning_after_pill(base: KnowledgeBase) -> None:
    assert "contraception" in base.ask("What is Norgeston for?").text
    mentions = base.understand("I take Norgeston every day").mentions
    assert {m.entity for m in mentions} == {"mw.substance:levonorgestrel_mini_pill"}
