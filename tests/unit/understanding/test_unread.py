"""What a text names and nobody recognised is told, and nothing else is."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("Can I take blorptin with warfarin?", ["blorptin"]),
        ("My doctor gave me quexavir-duramide for my cough", ["quexavir-duramide"]),
        ("I have HFZEF, is propranolol ok?", ["HFZEF"]),
        ("Is lecanemab any good for my father's memory?", ["lecanemab"]),
        ("Is Zorplexin safe in pregnancy?", ["Zorplexin"]),
        ("连银翘解毒片也不能吃吗", ["银翘解毒片"]),
        ("连花清瘟胶囊和布洛芬能一起吃吗", ["连花清瘟胶囊"]),
        ("黄连上清片能吃吗", ["黄连上清片"]),
    ],
)
def test_a_name_that_nobody_knows_is_told(
    base: KnowledgeBase, text: str, unread: list[str]
) -> None:
    assert [each.text for each in base.understand(text).not_understood] == unread


@pytest.mark.parametrize(
    "text",
    [
        "My child has a cough, chest pain, shivering and a fever. What disease could it be?",
        "Is it safe to take ibuprofen on holiday with my cousin Kevin?",
        "Hello doctor, I am Priyanka from Hyderabad. I have had headaches since Tuesday.",
        "What is the best antibiotic for a sore throat?",
        "感冒的症状和治疗方法是什么",
        "家里只有阿司匹林泡腾片，孩子能吃吗",
        "布洛芬混悬滴剂五岁孩子能喝吗",
    ],
)
def test_plain_words_and_people_are_no_unknown_names(base: KnowledgeBase, text: str) -> None:
    assert base.understand(text).not_understood == ()


def test_places_are_those_of_the_text(base: KnowledgeBase) -> None:
    text = "Can I take blorptin with warfarin?"
    [found] = base.understand(text).not_understood
    assert text[found.start : found.end] == "blorptin"
