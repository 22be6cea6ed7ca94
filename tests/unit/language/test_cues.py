"""Present, absent, unknown: the cues."""

from __future__ import annotations

import pytest

from medweave.language.cues import read_mention
from medweave.language.segmentation import index_terms, language_of


@pytest.mark.parametrize(
    ("text", "mention", "status"),
    [
        ("I have a cough but no fever", "fever", "absent"),
        ("I have a cough but no fever", "cough", "present"),
        ("no fever, cough or rash", "rash", "absent"),
        ("I don't have chest pain", "chest pain", "absent"),
        ("I have no fever and a bad cough", "cough", "present"),
        ("the fever is gone", "fever", "absent"),
        ("fever: no", "fever", "absent"),
        ("my son can't stop coughing with fever", "fever", "present"),
        ("I can't sleep", "sleep", "present"),
        ("he is unable to swallow", "swallow", "present"),
        ("she could not really breathe", "breathe", "present"),
        ("I can't feel any pain", "pain", "absent"),
        ("I don't know why I have a fever", "fever", "present"),
        ("not only fever but cough, I have both", "fever", "present"),
        ("not sure if he has a rash", "rash", "unknown"),
        ("what should I do if I get a fever", "fever", "hypothetical"),
        ("What are the symptoms of a cold?", "cold", "unknown"),
        ("treatment for migraine", "migraine", "unknown"),
        ("我没有发烧但是咳嗽", "发烧", "absent"),
        ("我没有发烧但是咳嗽", "咳嗽", "present"),
        ("我无发热、头痛", "头痛", "absent"),
        ("我无发热，咳嗽三天", "咳嗽", "present"),
        ("他发烧不退", "发烧", "present"),
        ("我有未治疗的哮喘", "哮喘", "present"),
        ("我有没有控制好的哮喘", "哮喘", "present"),
        ("我没有哮喘，血压没有控制", "哮喘", "absent"),
        ("I have not well controlled asthma", "asthma", "present"),
        ("I have controlled my weight, not asthma", "asthma", "absent"),
        ("感冒的症状是什么", "感冒", "unknown"),
        ("疑似肺炎", "肺炎", "unknown"),
    ],
)
def test_status(text: str, mention: str, status: str) -> None:
    start = text.index(mention)
    assert read_mention(text, start, start + len(mention), language_of(text)).status == status


def test_a_family_history_is_somebody_else_s() -> None:
    text = "I have a family history of diabetes"
    assert read_mention(text, 27, 35, "en").experiencer == "other"


def test_what_is_over_is_historical() -> None:
    text = "I have a history of asthma"
    assert read_mention(text, 20, 26, "en").temporality == "historical"


def test_a_two_character_chinese_word_is_a_term() -> None:
    assert "感冒" in index_terms("得了感冒怎么办")
    assert {"甲状", "状腺"} <= set(index_terms("甲状腺"))
