"""Whole answers to mothers who are asked for, and tell of a baby beside it."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer

LETTER = (
    "Hello, I am 29 and 10 weeks pregnant with my second. Since Sunday it burns when I pee. My "
    "husband has some co-trimoxazole left, my mother in law says just take that. I also have "
    "thrush again and still have a fluconazole capsule, is it ok to use? And I take Losec for "
    "heartburn, do I need to stop it? Last thing, can a bladder infection hurt the baby?"
)


def shown(base: KnowledgeBase, text: str) -> str:
    """All that a terminal shows."""
    console = Console(file=StringIO(), width=1000, color_system=None, force_terminal=False)
    print_answer(base.ask(text), console)
    file = console.file
    assert isinstance(file, StringIO)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "stop", "taken"),
    [
        (
            "我怀孕10周，尿痛。老公有剩下的复方新诺明，婆婆让我吃。我还吃奥美拉唑，要停吗？"
            "膀胱炎会不会伤到宝宝？",
            "禁用  复方磺胺甲噁唑",
            "怀孕10周",
        ),
        (LETTER, "STOP  fluconazole", "pregnant, week 10"),
        (LETTER, "STOP  co-trimoxazole", "pregnant, week 10"),
        ("I'm 20 weeks pregnant, on ramipril. Is it safe for the baby?", "ramipril", "pregnant"),
        ("My wife is 12 weeks pregnant. Can co-trimoxazole hurt the baby?", "co-trim", "week 12"),
        ("I'm breastfeeding, I have a bad tooth. Is codeine ok for my baby?", "codeine", "breastf"),
        ("我孕20周，吃缬沙坦，对宝宝有影响吗？", "缬沙坦：禁用于妊娠", "怀孕20周"),
        (
            "我怀孕10周，膀胱炎会不会伤到宝宝？复方新诺明能吃吗？",
            "复方磺胺甲噁唑：禁用于妊娠14周前",
            "怀孕10周",
        ),
    ],
)
def test_what_may_reach_a_baby_is_asked_for_its_mother(
    base: KnowledgeBase, text: str, stop: str, taken: str
) -> None:
    answer = shown(base, text)
    assert stop in answer
    assert taken in answer.split("Taken as said" if "Taken" in answer else "按所述理解")[1]
    assert "somebody else" not in answer
    assert "所述为他人" not in answer


@pytest.mark.parametrize(
    ("text", "codeine"),
    [
        (
            "My baby is 2 months and I breastfeed her. I've got a cold. Ibuprofen or codeine?",
            "STOP  codeine",
        ),
        (
            "Breastfeeding mum here, my son is 5 weeks. My back hurts. Ibuprofen or codeine?",
            "STOP  codeine",
        ),
        (
            "我在喂奶，宝宝刚两个月。这两天感冒头疼，家里有布洛芬、可待因片，哪个能吃？",
            "禁用  可待因：禁用于哺乳",
        ),
        (
            "宝宝才40天，我还在喂奶，咳嗽得厉害，家里有可待因和布洛芬，哪个能吃？",
            "禁用  可待因：禁用于哺乳",
        ),
    ],
)
def test_the_age_of_whom_she_feeds_is_not_hers(
    base: KnowledgeBase, text: str, codeine: str
) -> None:
    answer = shown(base, text)
    assert codeine in answer
    assert "STOP  ibuprofen" not in answer
    assert "禁用  布洛芬" not in answer
    assert "2 months old" not in answer
    assert "年龄" not in answer.split("按所述理解")[-1]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "I'm breastfeeding and my 2 month old has a fever, can I give ibuprofen?",
            "STOP  ibuprofen",
        ),
        (
            "I'm breastfeeding my son, 2 months. He has a fever. Can he have ibuprofen?",
            "STOP  ibuprofen",
        ),
        ("我在喂奶，宝宝两个月，宝宝发烧了能吃布洛芬吗？", "禁用  布洛芬"),
        ("我怀孕8周，大宝3岁发烧，布洛芬能给大宝吃吗？", "年龄3岁"),
    ],
)
def test_a_child_that_is_ill_is_asked_for(base: KnowledgeBase, text: str, said: str) -> None:
    assert said in shown(base, text)
