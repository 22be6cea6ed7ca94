"""Which facts of which person a message tells, in wordings that no list of messages holds.

Each group is a class of wordings: medicines told with their regimen, what is offered or over, whose
a fact is, conditions told by a device or by what is left, and work in which sleepiness is a danger.
"""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Answer


def told_against(answer: Answer) -> set[str]:
    """The medicines that something told of the person speaks against, stopped or with care."""
    told = {s.entity.name("en") for s in answer.stops if s.status == "applies"}
    return told | {
        drug.entity.name("en")
        for some in answer.drugs
        for group in some.groups
        if group.standing in ("stopped", "care")
        for drug in group.drugs
    }


@pytest.mark.parametrize(
    ("message", "taken", "asked"),
    [
        ("Granny, 80: bisoprolol 2.5 in the morning, apixaban twice a day. The locum gave naproxen "
         "for her hip.", "apixaban", "naproxen"),
        ("My uncle's on 50 of sertraline. A workmate handed him tramadol for the back. Ok?",
         "sertraline", "tramadol"),
        ("Dad, digoxin 125 every morning these ten years. Chest doctor ordered clarithromycin.",
         "digoxin", "clarithromycin"),
        ("Mum: lithium 400 nightly. Her knee is bad and the chemist suggested ibuprofen.",
         "lithium", "ibuprofen"),
        ("老爸房颤，华法林每晚一片半，牙医给开了甲硝唑，能吃吗？", "warfarin", "metronidazole"),
        ("外公地高辛每天早上半片吃了五年，医院又开了克拉霉素，行吗？", "digoxin", "clarithromycin"),
        ("我妈碳酸锂早晚各一片，腰疼药店推荐了布洛芬。", "lithium", "ibuprofen"),
    ],
)  # fmt: skip
def test_a_medicine_is_taken_that_is_told_with_its_dose_or_times(
    base: KnowledgeBase, message: str, taken: str, asked: str
) -> None:
    answer = base.ask(message)
    assert any(fact.entity and fact.entity.endswith(taken) for fact in answer.taken)
    assert not any(fact.entity and fact.entity.endswith(asked) for fact in answer.taken)
    assert asked in told_against(answer)


@pytest.mark.parametrize(
    ("message", "drug"),
    [
        ("My brother drives a bus and cannot sleep. May he have zopiclone?", "zopiclone"),
        ("Himself is a roofer with hay fever, can he take promethazine in the morning?",
         "promethazine"),
        ("I operate a lathe all day. Amitriptyline for my back pain?", "amitriptyline"),
        ("Forklift driver, on at five in the morning, wants diphenhydramine to sleep.",
         "diphenhydramine"),
        ("老公开出租车的，过敏流鼻涕，能吃扑尔敏吗？", "chlorphenamine"),
        ("我哥是架子工，失眠，可以吃佐匹克隆吗？", "zopiclone"),
    ],
)  # fmt: skip
def test_what_makes_sleepy_calls_for_care_at_the_wheel_and_at_heights(
    base: KnowledgeBase, message: str, drug: str
) -> None:
    assert drug in told_against(base.ask(message))


@pytest.mark.parametrize(
    ("message", "drug"),
    [
        ("My husband doesn't drive any more. Can he take zopiclone?", "zopiclone"),
        ("I was on rivaroxaban after the knee, finished that two years ago. Can I take ibuprofen?",
         "ibuprofen"),
        ("I had an ulcer scare in 2010 but the scope was clean. Is naproxen alright for my back?",
         "naproxen"),
        ("He's on warfarin, no sorry, that's his brother. Can my husband take ibuprofen?",
         "ibuprofen"),
        ("我没有哮喘，哮喘的是我老公。心慌，医生给开了心得安，能吃吗？", "propranolol"),
        ("我妈说我青霉素过敏，其实是我姐小时候皮试起了包。阿莫西林我能吃吗？", "amoxicillin"),
    ],
)  # fmt: skip
def test_nothing_is_stopped_for_what_is_over_denied_or_anothers(
    base: KnowledgeBase, message: str, drug: str
) -> None:
    told = {s.entity.name("en") for s in base.ask(message).stops if s.status == "applies"}
    assert drug not in told


@pytest.mark.parametrize(
    ("message", "drug"),
    [
        ("Mam's kidneys are at 22% and her hip is killing her. Would naproxen do?", "naproxen"),
        ("Dad does his bags at night. Can he take ibuprofen for gout?", "ibuprofen"),
        ("Grandad went into retention in May. Can he have promethazine for his hay fever?",
         "promethazine"),
        ("His heart is only pumping at 25 per cent. Can he take ibuprofen for his knee?",
         "ibuprofen"),
        ("Her INR was 2.7 on Tuesday. Can she take aspirin for a headache?", "aspirin"),
        ("Six weeks on Friday, our first baby, scan next week! Doxycycline ok for my chest?",
         "doxycycline"),
        ("爸肾只剩两成功能，腰疼，能吃双氯芬酸吗？", "diclofenac"),
        ("我爸每天半斤白酒，牙疼，医生给开了甲硝唑，能吃吗？", "metronidazole"),
    ],
)  # fmt: skip
def test_conditions_are_told_by_what_is_left_and_what_is_done(
    base: KnowledgeBase, message: str, drug: str
) -> None:
    assert drug in told_against(base.ask(message))
