# ruff: noqa: E501 - complaints as they are told
"""Whole complaints are read like those that were learned from, by their words alone, too."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.understanding.complaints.reading import BETWEEN, NONE, READ, shipped_complaints
from medweave.understanding.complaints.training import NOBODY, complaints, unmarked
from medweave.understanding.question import understand
from medweave.vocabulary.knowledge import Knowledge

TOLD = (
    ("gout", "Went to bed fine, woke at four with the ball of my foot on fire, shiny and purple, I can't even put a sock on. What has got me?"),
    ("carpal tunnel syndrome", "My thumb, index and middle finger go to sleep every night and I hang the hand out of bed to wake it. Typing all day. What is that?"),
    ("hyperthyroidism", "I eat for three and still my belts need new holes, my heart gallops on the sofa and I fan myself in January. What's wrong?"),
    ("hypothyroidism", "I've put on weight eating like a bird, wear two jumpers in June, my hair falls out and I could sleep all day. What could it be?"),
    ("Parkinson disease", "Grandad's right hand rolls a pill that isn't there, his steps got tiny and his face doesn't move any more. What does he have?"),
    ("scabies", "The whole flat scratches at night, worst between the fingers and round the belt, with thin grey lines. What is it?"),
    ("croup", "Our two-year-old woke up barking like a sea lion and crows when he breathes in while crying. What's this?"),
    ("shingles", "A strip of blisters on one side of my ribs, it burned for days before they came up. What is it?"),
    ("kidney stones", "Pain comes in waves from my flank down to the groin, I can't sit still and my pee is pink. What could it be?"),
    ("migraine", "First I see shimmering zigzags, then one half of my head pounds, I'm sick and need a dark room. What is this?"),
    ("benign paroxysmal positional vertigo", "When I roll over in bed the room spins for half a minute and then stops. What is it?"),
    ("celiac disease", "Bread and pasta blow me up like a balloon, my stools float and stink, and I'm anaemic and thin. What could that be?"),
    ("iron deficiency anemia", "I crave ice cubes, look like paper, and two flights of stairs leave me panting. Heavy monthlies. What is it?"),
    ("otitis media", "She had a cold, now she pulls her ear, screams lying down and this morning the pillow had yellow stuff on it. What is that?"),
    ("conjunctivitis", "My eyes were stuck together with goo this morning, pink and gritty, half the class has it. What is it?"),
    ("gallstones", "After every fatty supper a cramp under my right ribs that goes to the shoulder blade, an hour or two and it's gone. What is it?"),
    ("sleep apnea", "My wife says I stop breathing at night and then snort, I nod off at red lights and wake with a dry mouth. What is it?"),
    ("whooping cough", "He coughs until he goes red, then a long crow as he pulls the air in, and often he throws up after. Three weeks now. What is it?"),
    ("endometriosis", "Every month the cramps floor me, it hurts in bed with my husband and when I go to the toilet, and we can't get pregnant. What is it?"),
    ("enlarged prostate", "I stand and wait for it to start, it dribbles, and I'm up four times a night. I'm 68. What is it?"),
    ("head lice", "My daughter scratches behind her ears all day and there are tiny white dots glued to her hairs. What is it?"),
)  # fmt: skip
TOLD_IN_CHINESE = (
    ("痛风", "喝了顿大酒，半夜脚拇指那儿又红又肿，袜子都套不上，疼得直冒汗，这是啥？"),
    ("2型糖尿病", "老是口干，一天灌好几壶水还不解渴，夜里起来跑厕所，人越吃越瘦，怎么回事？"),
    ("甲状腺功能亢进", "饭量翻倍反而瘦，心慌手抖，大冬天也冒汗，脾气一点就着，这是什么病？"),
    ("带状疱疹", "腰上一边起了一串水泡，像火烧电打一样疼，衣服碰都碰不得，是什么？"),
    ("胃食管反流病", "一躺下胸口就火烧火燎，酸水往嗓子眼冒，早上嗓子哑，怎么回事？"),
    ("肾结石", "后腰突然绞着疼，疼得打滚，一直串到下面，尿是红的，这是什么？"),
    ("腕管综合征", "夜里手指头麻醒，大拇指食指中指最厉害，甩甩手就好点，是什么病？"),
    ("睡眠呼吸暂停", "打呼噜打着打着没气了，憋醒，白天开会都能睡着，这是什么？"),
)


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return KnowledgeBase.sample().knowledge


def best_of(text: str, knowledge: Knowledge) -> str:
    """What a text is told like before all, by words alone."""
    found = understand(text, knowledge).likened
    return "" if not found else knowledge.entities.get(found[0].entities[0]).id


def bearers(name: str, knowledge: Knowledge) -> set[str]:
    return {named.entity for named in knowledge.dictionary.names(name)}


def test_invented_complaints_are_told_like_their_disease_or_like_none(
    knowledge: Knowledge,
) -> None:
    """By words alone; with an embedder nearly all of them are."""
    best = [(best_of(text, knowledge), name) for name, text in (*TOLD, *TOLD_IN_CHINESE)]
    wrong = [(one, name) for one, name in best if one and one not in bearers(name, knowledge)]
    assert sum(bool(one) for one, _ in best) - len(wrong) >= 0.6 * len(best)
    assert len(wrong) <= 1


@pytest.mark.parametrize(
    "text",
    [
        "The tractor coughs twice, shudders and dies on every hill. Is it the filter?",
        "My phone gets hot and goes dead at noon, what could it be?",
        "Can I take ibuprofen for my back?",
        "What time does the clinic open?",
        "车一发动就抖，跟打摆子似的，咋回事",
    ],
)
def test_what_is_no_complaint_is_told_like_none(text: str, knowledge: Knowledge) -> None:
    found = understand(text, knowledge)
    assert not found.likened or found.likened[0].share < 0.5


@pytest.mark.parametrize("language", READ)
def test_what_ships_was_learned_from_these_lists(language: str) -> None:
    told = complaints(language)
    model = shipped_complaints(language)
    assert set(model.labels) == {one.disease for one in told}
    assert model.trained_on == len(told)
    hands = {one.hand for one in told} - {NOBODY}
    for hand in hands:
        own = [one.disease for one in told if one.hand == hand and one.disease != NONE]
        assert len(own) == len(set(own))  # each disease once


@pytest.mark.parametrize("language", READ)
def test_marks_are_whole(language: str) -> None:
    for one in complaints(language):
        assert not set("[]") & set(one.text)
        assert all(one.text[mark.start : mark.end].strip() for mark in one.marks)


def test_a_mark_may_deny() -> None:
    text, marks = unmarked("I [-fever: am not hot] but [cough: bark].")
    assert text == "I am not hot but bark."
    assert [(text[m.start : m.end], m.finding, m.denied) for m in marks] == [
        ("am not hot", "fever", True),
        ("bark", "cough", False),
    ]


def test_every_label_is_a_disease_of_the_sample(knowledge: Knowledge) -> None:
    for language in READ:
        for label in shipped_complaints(language).labels:
            if label != NONE:
                assert any(bearers(name, knowledge) for name in label.split(BETWEEN)), label
