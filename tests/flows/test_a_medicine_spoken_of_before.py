"""A medicine that a turn joins to the one spoken of before, and what medicines tell of a person."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer


def told(answer: Answer) -> dict[str, str]:
    """The reasons of the stops that apply, by drug."""
    found: dict[str, str] = {}
    for stop in answer.stops:
        if stop.status == "applies":
            name = stop.entity.name("en")
            found[name] = f"{found.get(name, '')} {stop.reason}"
    return found


def taken(answer: Answer) -> set[str]:
    """What the answer took to hold, in words."""
    return {fact.text for fact in answer.taken}


@pytest.mark.parametrize(
    ("before", "now", "drug"),
    [
        ("What is warfarin for?", "Can I take ibuprofen with it?", "ibuprofen"),
        ("How do I take methotrexate?", "The dentist gave me amoxicillin. Do they go together?",
         "amoxicillin"),
        ("How do I take methotrexate?", "I was given trimethoprim, is that ok with the first one?",
         "trimethoprim"),
        ("What is clopidogrel?", "Can I take omeprazole alongside it?", "omeprazole"),
        ("What are the side effects of simvastatin?",
         "I was given clarithromycin for my chest, is it safe with that?", "clarithromycin"),
        ("左甲状腺素什么时候吃最好？", "医生又给开了硫酸亚铁，能跟它一块吃吗", "ferrous sulfate"),
        ("华法林要注意什么", "头疼能吃布洛芬吗，会不会和它冲突", "ibuprofen"),
    ],
)  # fmt: skip
def test_what_is_joined_to_it_is_held_against_it(
    base: KnowledgeBase, before: str, now: str, drug: str
) -> None:
    reason = told(base.ask(now, history=[before])).get(drug, "")
    assert "interacts" in reason or "相互作用" in reason


def test_it_stands_for_what_the_turn_itself_is_about(base: KnowledgeBase) -> None:
    answer = base.ask(
        "The doctor gave me iron. Can I drink milk with it?", history=["What is warfarin for?"]
    )
    assert not told(answer)
    assert any("milk" in sentence.text for sentence in answer.sentences)


@pytest.mark.parametrize(
    "now",
    [
        "And for me? I'm 20 weeks pregnant with the same cough, can I share his tablets",
        "I'm pregnant. Could I take the same tablets?",
        "My wife is pregnant and coughs too, can she have some of his?",
    ],
)
def test_who_might_share_a_medicine_is_told_whether_they_may(base: KnowledgeBase, now: str) -> None:
    before = "my husband has a chest infection and was given doxycycline, can he have it with milk?"
    answer = base.ask(now, history=[before])
    assert "pregnancy" in told(answer).get("doxycycline", "")


@pytest.mark.parametrize(
    ("question", "drug", "condition"),
    [
        ("I take candesartan, can I take pseudoephedrine?", "pseudoephedrine", "hypertension"),
        ("I'm on blood pressure tablets, can I have pseudoephedrine?", "pseudoephedrine",
         "hypertension"),
        ("My dad takes tamsulosin, can he have diphenhydramine?", "diphenhydramine",
         "enlarged prostate"),
        ("我吃坦索罗辛，能吃氯苯那敏吗", "chlorphenamine", "前列腺增生"),
        ("I use montelukast. May I take propranolol?", "propranolol", "asthma"),
        ("She takes levetiracetam, can she be given bupropion?", "bupropion", "epilepsy"),
    ],
)  # fmt: skip
def test_a_medicine_of_one_use_tells_what_somebody_has(
    base: KnowledgeBase, question: str, drug: str, condition: str
) -> None:
    answer = base.ask(question)
    assert any(condition in fact.text for fact in answer.taken if fact.how == "supposed")
    assert condition in told(answer).get(drug, "")


@pytest.mark.parametrize(
    "question",
    [
        "I take candesartan for heart failure, can I take paracetamol?",
        "She takes tamsulosin for kidney stones, may she have loratadine?",
        "Can candesartan be taken with pseudoephedrine?",
        "My wife takes tamsulosin. Can she take loratadine?",
    ],
)
def test_nothing_is_supposed_where_it_is_taken_for_another_thing(
    base: KnowledgeBase, question: str
) -> None:
    held = " ".join(taken(base.ask(question)))
    assert "hypertension" not in held
    assert "prostate" not in held


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("can I drink with metronidazole", True),
        ("Should I drink with tramadol?", True),
        ("I'm on co-codamol, can I have a couple of drinks?", True),
        ("在吃甲硝唑，聚会上能喝两杯吗", True),
        ("my baby won't drink and has a fever, can I give paracetamol", False),
        ("Can I have a drink of water before taking alendronic acid?", False),
        ("吃左氧氟沙星能喝杯牛奶吗", False),
    ],
)
def test_whether_one_may_drink_asks_about_alcohol(
    base: KnowledgeBase, question: str, asked: bool
) -> None:
    answer = base.ask(question)
    assert any(stop.entity.name("en") == "alcohol" for stop in answer.stops) is asked
