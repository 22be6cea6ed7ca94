"""One pair of facts in many wordings: the same stop, whoever tells it and however."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase

CONDITIONS = (("asthma", "propranolol"), ("peptic ulcer", "ibuprofen"))
OF_A_CONDITION = (
    "I'm a 34-year-old man with {c}; is {d} safe?",
    "my wife, who has {c}, was given {d}",
    "PMH: {c}. Plan: {d}",
    "I was told I have {c}, and they want me on {d}",
    "Hello doctor, I am 52 years old and suffer from {c}. My neighbour suggested {d}. Can I?",
    "Dad: {c}, 70. Needs {d}?",
    "My husband (61, {c}) wants to try {d}",
    "The lady in bed 4 has {c}. Can we give {d}?",
    "been put on {d} yesterday, forgot to mention my {c}",
    "I'm a nurse. Patient, 66, {c}, is down for {d}.",
    "despite {c} can he take {d}",
    "my mum's got {c} and the chemist sold her {d}",
    "I'm 29F. {c}. Took {d} an hour ago.",
)
PAIRS = (("warfarin", "ibuprofen"), ("simvastatin", "clarithromycin"))
OF_A_PAIR = (
    "{a} + {b}",
    "on {a}, wants {b}",
    "my dad's on {a}, he's been given {b}",
    "72yo on {a}, {b} for pain?",
    "patient stabilised on {a}; {b} prescribed",
    "they put me on {b} yesterday, I already use {a}",
    "Meds: {a}, amlodipine. Add {b}?",
    "took {b} by accident, I'm on {a}!",
    "hubby takes {a} for his heart; {b} for his back?",
    "Would you give {b} to someone on {a}?",
    "switching from nothing: {a} daily, {b} when needed",
)
PREGNANT = (
    "30/40, ibuprofen?",
    "expecting in 2 months, is ibuprofen ok",
    "I am a 30 year old woman, 30 weeks pregnant, ibuprofen for pain?",
    "G2P1 31+3, ibuprofen",
    "She's in her eighth month. ibuprofen?",
    "Hello, I'm expecting twins, 29 weeks. ibuprofen?",
    "woman 32 wks, ibuprofen?",
    "怀了双胞胎29周，布洛芬可以吗",
    "孕妇32周腰疼，布洛芬？",
    "预产期下个月，布洛芬能吃吗",
)
ALLERGIC = (
    "I'm a 40 year old man allergic to penicillin; amoxicillin?",
    "NKDA except penicillin. amoxicillin prescribed",
    "can't take penicillin (swelling). amoxicillin?",
    "Penicillin makes me wheeze so is amoxicillin alright",
    "pen-allergic, amoxicillin?",
    "吃青霉素脸肿，阿莫西林可以吗",
    "我40岁，男，青霉素过敏，阿莫西林",
)


@pytest.mark.parametrize(
    "text",
    [
        *(form.format(c=c, d=d) for c, d in CONDITIONS for form in OF_A_CONDITION),
        *(form.format(a=a, b=b) for a, b in PAIRS for form in OF_A_PAIR),
        *PREGNANT,
        *ALLERGIC,
    ],
)
def test_a_stop_holds_in_every_wording(base: KnowledgeBase, text: str) -> None:
    stops = base.ask(text).stops
    assert any(stop.status == "applies" and stop.level in ("stop", "avoid") for stop in stops)


@pytest.mark.parametrize(
    "text",
    [
        "I don't have {c}. Can I take {d}?",
        "No history of {c}, {d}?",
        "My sister has {c}. Can I take {d}?",
        "{c} was ruled out, is {d} ok",
        "Pregnancy test negative, no {c}. {d} for my cramps?",
    ],
)
def test_what_is_denied_or_anothers_stops_nothing(base: KnowledgeBase, text: str) -> None:
    for condition, drug in CONDITIONS:
        stops = base.ask(text.format(c=condition, d=drug)).stops
        assert not [stop for stop in stops if stop.status == "applies"]
