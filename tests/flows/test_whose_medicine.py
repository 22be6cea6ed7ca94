"""Whole answers where somebody else only has the medicine that is in question."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer

TAKES = "I'm on sertraline 100mg, been on it two years"


def shown(base: KnowledgeBase, turns: Sequence[str]) -> str:
    """All that a terminal shows of the last turn."""
    *before, now = turns
    file = StringIO()
    console = Console(file=file, width=1000, color_system=None, force_terminal=False)
    print_answer(base.ask(now, history=before), console)
    return file.getvalue()


@pytest.mark.parametrize(
    ("turns", "met", "with_what"),
    [
        (
            [
                TAKES,
                "what can I take for a sore back?",
                "my brother has some tramadol left over, would that be alright",
            ],
            "AVOID  tramadol",
            "sertraline",
        ),
        (
            ["I'm pregnant, 8 weeks", "my sister has co-trimoxazole left, would that do?"],
            "STOP  co-trimoxazole",
            "pregnant, week 8",
        ),
        (
            ["my dad is on warfarin", "my brother has naproxen in the drawer, is that ok?"],
            "AVOID  naproxen",
            "warfarin",
        ),
        (["我在吃舍曲林两年了", "我哥家里还有曲马多，能吃吗？"], "避免合用  曲马多", "舍曲林"),
        (["我怀孕8周", "我妹妹有剩下的复方新诺明，可以吃吗？"], "禁用  复方磺胺", "怀孕8周"),
        (["我爸吃华法林", "我叔叔那有双氯芬酸，可以用吗"], "避免合用  双氯芬酸", "华法林"),
    ],
)
def test_who_only_has_it_is_no_patient(
    base: KnowledgeBase, turns: Sequence[str], met: str, with_what: str
) -> None:
    answer = shown(base, turns)
    assert met in answer
    assert with_what in answer


@pytest.mark.parametrize(
    ("turns", "drug"),
    [
        ([TAKES, "my brother has some tramadol left over, can he have ibuprofen?"], "sertraline"),
        ([TAKES, "my dad has warfarin and gout, what about ibuprofen?"], "sertraline"),
        (["我在吃舍曲林", "我爸有痛风，他能吃布洛芬吗？"], "舍曲林"),
    ],
)
def test_who_is_asked_for_is_a_person_of_their_own(
    base: KnowledgeBase, turns: Sequence[str], drug: str
) -> None:
    assert drug not in shown(base, turns)


@pytest.mark.parametrize(
    ("letter", "met", "whose"),
    [
        (
            "我从小有哮喘，平时用沙丁胺醇。邻居也有偏头痛，说她吃普萘洛尔效果很好，给了我一板。"
            "第一，普萘洛尔能不能吃？第二，我疼的时候能吃对乙酰氨基酚吗？",
            "禁用  普萘洛尔",
            "邻居：",
        ),
        (
            "我吃华法林，膝盖疼。同事说她吃布洛芬很好，她有高血压。请问我能不能吃布洛芬？",
            "避免合用  布洛芬",
            "同事：",
        ),
        (
            "I've had asthma since childhood and use Ventolin. A neighbour says she takes "
            "propranolol for her migraine and gave me a strip. Can I take propranolol?",
            "STOP  propranolol",
            "Neighbour:",
        ),
    ],
)
def test_who_gives_advice_is_not_answered_for(
    base: KnowledgeBase, letter: str, met: str, whose: str
) -> None:
    answer = shown(base, [letter])
    assert met in answer
    assert whose not in answer
