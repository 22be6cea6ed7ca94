"""Ages as people type them: without marks, without units, as a decade, or as one nearly reached."""

from __future__ import annotations

import pytest

from medweave.language.passage import passage_of
from medweave.language.people import people_of
from medweave.language.people_rules import DAYS_IN_YEAR


def years(text: str) -> tuple[float, float] | None:
    """The lowest and highest age of the one who is to be treated."""
    low, high = people_of(passage_of(text)).age_days
    if low is None or high is None:
        return None
    return round(low / DAYS_IN_YEAR, 1), round(high / DAYS_IN_YEAR, 1)


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("im 15 and always thirsty", 15),
        ("i m 34, can i take aspirin", 34),
        ("hes 16 can he have aspirin", 16),
        ("shes 72 on warfarin", 72),
        ("mams 86 and has heart failure", 86),
        ("Mum's 86, heart failure", 86),
        ("my nans 91 can she take ibuprofen", 91),
        ("dad 78 fell in the bath", 78),
        ("am 62 can i take viagra", 62),
        ("F23 with a water infection", 23),
        ("patient (F, 67) with COPD", 67),
        ("72 years young and off my food", 72),
        ("are sleeping tablets safe at 80?", 80),
        ("which painkiller is ok at 85 with bad kidneys", 85),
        ("我15，老是口渴", 15),
        ("我今年四十，血压正常", 40),
        ("我妈78一个人住", 78),
        ("老爸82了，咳嗽", 82),
        ("女，34，备孕", 34),
        ("宝宝三个半月，发烧", 0.3),
    ],
)
def test_an_age_needs_neither_marks_nor_unit(text: str, age: float) -> None:
    assert years(text) == (age, age)


@pytest.mark.parametrize(
    "text",
    [
        "turning 16 next month, can I take aspirin",
        "nearly 16, can I take aspirin",
        "女儿快16岁了，能吃阿司匹林吗",
    ],
)
def test_who_is_nearly_of_an_age_is_not_yet(text: str) -> None:
    low, high = people_of(passage_of(text)).age_days
    assert low is not None and low == high and 15.9 * DAYS_IN_YEAR < low < 16 * DAYS_IN_YEAR


@pytest.mark.parametrize(
    ("text", "decade"),
    [
        ("in my seventies, can I take ibuprofen", 70),
        ("mid 60s male with gout", 60),
        ("my 80-something gran has a cough", 80),
        ("奶奶八十多了，便秘", 80),
        ("年过六旬，血压高", 60),
    ],
)
def test_a_decade_of_life_is_a_range(text: str, decade: int) -> None:
    assert years(text) == (decade, decade + 10)


@pytest.mark.parametrize(
    "text",
    [
        "im 36 weeks",
        "im 70 kg and 180 tall",
        "hes on 2 tablets",
        "My ferritin is 9",
        "my mums 2 brothers have asthma",
        "sats in the 80s",
        "nearly 40 degrees",
        "born in the 80s",
        "我80公斤",
        "我一天喝十杯水",
        "我二十天没来月经",
    ],
)
def test_another_number_is_no_age(text: str) -> None:
    low, high = people_of(passage_of(text)).age_days
    assert low is None or low != high


@pytest.mark.parametrize("text", ["is a pulse ok at 80 bpm", "are sats ok at 92%?", "safe at 37.5"])
def test_what_is_fine_at_a_number_of_something_else_is_no_age(text: str) -> None:
    assert years(text) is None
