"""Thoughts of suicide told in indirect words: that life has no point, beside means or farewells."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


def _is_crisis(base: KnowledgeBase, text: str) -> bool:
    danger = base.understand(text).danger or ()
    return any(sign.kind == "crisis" and sign.status == "present" for sign in danger)


@pytest.mark.parametrize(
    "text",
    [
        "I don't see the point of going on, I've got my pills lined up",
        "What's the point of being here any more. The pills are on the table in front of me",
        "There's nothing left for me, I've got the rope ready in the garage",
        "I feel like I'm done. I have written letters to my kids.",
        "My sister keeps saying life holds no meaning and she sold her dog",
        "what would happen if I took the whole packet of my beta blockers at once",
        "there is no light at the end for me, I have chosen Friday",
        "My son gave away his guitar and I found pills hidden under his bed.",
        "看不到活下去的意义，药都摆好了",
        "儿子把球鞋全送同学了，我在他枕头下面翻到两盒安眠药",
        "受够了，遗嘱和密码都写好了",
        "我觉得自己是个累赘，不如走了算了",
    ],
)
def test_it_is_met_and_nothing_is_listed(base: KnowledgeBase, text: str) -> None:
    assert _is_crisis(base, text)
    assert base.ask(text).candidates == ()


@pytest.mark.parametrize(
    "text",
    [
        "I don't see the point of going on with the diet, it changes nothing",
        "No point in going on holiday with this cough?",
        "I have my pills lined up in a weekly box, is that ok in the heat?",
        "Collecting my tablets from the pharmacy tomorrow, is ibuprofen ok with them?",
        "I'm done. The antibiotics are finished. Can I drink?",
        "There's nothing left for me to try for my eczema",
        "I've picked Friday for the wedding and my tablets are laid out for the trip.",
        "Found my old antibiotics in the drawer, are they still ok?",
        "我把一周的药都摆好了，可以放冰箱吗",
        "在孩子书包里翻到一盒布洛芬，他说是校医给的，能吃吗",
        "这药太苦了，受够了，能换吗",
        "走不下去了，膝盖太疼",
    ],
)
def test_the_same_words_of_other_things_are_no_crisis(base: KnowledgeBase, text: str) -> None:
    assert not _is_crisis(base, text)


@pytest.mark.parametrize(
    ("text", "of_another"),
    [
        ("I've been writing letters to everyone so they'll have something after me.", False),
        ("They'll all manage better without me, the bills are paid and it feels calm.", False),
        ("我把银行卡密码都写给爸妈了，以后就不用再拖累他们了", False),
        ("I think my brother is planning to end it all", True),
        ("My son says everyone would be better off without him", True),
    ],
)
def test_who_writes_of_themselves_is_not_told_to_stay_with_them(
    base: KnowledgeBase, text: str, of_another: bool
) -> None:
    crises = [sign for sign in base.understand(text).danger or () if sign.kind == "crisis"]
    assert {(sign.status, sign.of_another) for sign in crises} == {("present", of_another)}
