"""One pair of facts, however it is worded, gives the same stops; a denied fact gives none."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.model.answer import Stop

WARFARIN = [
    "I take warfarin. Can I take ibuprofen?",
    "I'm on warfarin, is ibuprofen ok?",
    "Can I give ibuprofen to a patient on warfarin?",
    "Is it safe to give ibuprofen to someone taking warfarin?",
    "ibuprofen with warfarin?",
    "warfarin and ibuprofen",
    "Can warfarin and ibuprofen be taken together?",
    "If I take warfarin, may I use ibuprofen?",
    "My mother takes warfarin. Can she have ibuprofen?",
    "Is ibuprofen safe for a woman who is taking warfarin?",
    "May somebody on warfarin have ibuprofen for a headache?",
    "Does ibuprofen interact with warfarin?",
    "Ibuprofen for my father, who is on warfarin?",
    "Since I am taking warfarin, should I avoid ibuprofen?",
    "Patient currently on warfarin. Ibuprofen?",
    "Would ibuprofen be a problem with warfarin?",
    "I have been on warfarin for two years; can ibuprofen be added?",
    "Suppose a patient takes warfarin: is ibuprofen allowed?",
    "Can I use ibuprofen while on warfarin?",
    "my husband uses warfarin, can i give him ibuprofen",
    "我在吃华法林，能吃布洛芬吗",
    "正在吃华法林的病人可以用布洛芬吗",
    "服用华法林期间能用布洛芬吗",
    "华法林和布洛芬能一起吃吗",
    "吃华法林的人能吃布洛芬吗",
    "我妈妈吃华法林，她头痛能吃布洛芬吗",
    "如果在用华法林，可以吃布洛芬吗",
    "布洛芬和华法林有相互作用吗",
    "长期服用华法林，可以吃布洛芬止痛吗",
    "一位服华法林的患者能否使用布洛芬？",
]
ULCER = [
    "I have a peptic ulcer. Can I take ibuprofen?",
    "Is ibuprofen safe in peptic ulcer?",
    "Can a patient with a peptic ulcer have ibuprofen?",
    "If I have a peptic ulcer, is ibuprofen ok?",
    "What drugs for migraine if I have a peptic ulcer?",
    "Which drugs are recorded for migraine in somebody with a peptic ulcer?",
    "My father has a peptic ulcer. What is recorded for his migraine?",
    "Is ibuprofen or paracetamol better with a peptic ulcer?",
    "ibuprofen with a history of peptic ulcer?",
    "peptic ulcer, headache: ibuprofen?",
    "I had a peptic ulcer last year. Is ibuprofen safe?",
    "我有胃溃疡，能吃布洛芬吗",
    "胃溃疡患者偏头痛用什么药",
    "消化性溃疡病人可以吃布洛芬吗",
    "如果有消化性溃疡，可以用布洛芬吗",
    "以前得过消化性溃疡，能吃布洛芬吗",
]
FREE = [
    "I do not take warfarin. Can I take ibuprofen?",
    "I have never had a peptic ulcer. Can I take ibuprofen?",
    "No peptic ulcer, no asthma, no other drugs. Is ibuprofen ok for a headache?",
    "My neighbour has a peptic ulcer. Can I take ibuprofen?",
    "I stopped warfarin two years ago. Is ibuprofen ok?",
    "我没有胃溃疡，也不吃华法林，能吃布洛芬吗",
]


def applying(base: KnowledgeBase, text: str, drug: str) -> list[Stop]:
    answer = base.ask(text)
    return [s for s in answer.stops if s.status == "applies" and s.entity.name("en") == drug]


@pytest.mark.parametrize("text", WARFARIN)
def test_an_interaction_is_told_in_every_wording(base: KnowledgeBase, text: str) -> None:
    assert applying(base, text, "ibuprofen")


@pytest.mark.parametrize("text", ULCER)
def test_a_contraindication_stops_in_every_wording(base: KnowledgeBase, text: str) -> None:
    assert any(stop.hard for stop in applying(base, text, "ibuprofen"))


@pytest.mark.parametrize("text", FREE)
def test_what_is_denied_or_of_somebody_else_stops_nothing(base: KnowledgeBase, text: str) -> None:
    assert not any(stop.hard for stop in applying(base, text, "ibuprofen"))


@pytest.mark.parametrize("supposed", ["if I am pregnant", "if I have asthma", "如果我有哮喘"])
def test_a_supposed_fact_removes_no_stop(base: KnowledgeBase, supposed: str) -> None:
    text = f"I have a peptic ulcer. Can I take ibuprofen {supposed}?"
    assert any(stop.hard for stop in applying(base, text, "ibuprofen"))


def test_what_is_taken_is_told_to_no_one_to_stop(base: KnowledgeBase) -> None:
    answer = base.ask("I take warfarin. Can I take ibuprofen?")
    assert {stop.entity.name("en") for stop in answer.stops if stop.status == "applies"} == {
        "ibuprofen"
    }
    assert [(fact.text, fact.how) for fact in answer.taken] == [("takes warfarin", "said")]
