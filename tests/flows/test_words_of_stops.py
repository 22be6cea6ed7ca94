"""STOP, AVOID, ASK FIRST or WITH CARE: what is said of a drug, beside whether it is excluded."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.faces.texts.layout import Layout, StopLine

LINES = [
    # what is asked, the drug of the first line, its label, and words of the line
    ("I take simvastatin. Can I take clarithromycin?", "clarithromycin", "stop", "must not be"),
    ("我在吃辛伐他汀，能吃克拉霉素吗", "克拉霉素", "stop", "不得合用"),
    ("Is ibuprofen ok for a patient on warfarin?", "ibuprofen", "avoid", "before taking ibuprofen"),
    ("正在吃华法林的病人可以用布洛芬吗", "布洛芬", "avoid", "之前先问医生或药师"),
    ("Can warfarin and ibuprofen be taken together?", "ibuprofen", "avoid", "do not stop warfarin"),
    ("华法林和布洛芬能一起吃吗", "布洛芬", "avoid", "不要自行停用华法林"),
    ("Can ibuprofen and warfarin be taken together?", "ibuprofen", "avoid", "INR"),
    ("I take warfarin and ibuprofen, is that ok?", "ibuprofen", "ask_first", "warfarin"),
    ("I'm on valproate and I am pregnant", "valproate", "ask_first", "pregnancy"),
    ("Can I take propranolol? I have asthma.", "propranolol", "stop", "asthma"),
    ("insulin with metformin?", "insulin", "care", "blood sugar"),
]


def lines(base: KnowledgeBase, asked: str) -> tuple[StopLine, ...]:
    return Layout(base.ask(asked)).stops


@pytest.mark.parametrize(("asked", "drug", "label", "words"), LINES)
def test_a_line_says_how_grave_it_is_and_what_to_do(
    base: KnowledgeBase, asked: str, drug: str, label: str, words: str
) -> None:
    (line,) = lines(base, asked)  # two drugs that interact are told of once
    assert (line.name, line.label) == (drug, label)
    assert words in line.text


@pytest.mark.parametrize("drug", ["insulin", "warfarin", "clopidogrel", "prednisolone",
                                  "levothyroxine", "carbamazepine", "propranolol"])  # fmt: skip
@pytest.mark.parametrize("other", ["ibuprofen", "metformin", "salbutamol", "ferrous sulfate"])
def test_nobody_is_told_to_stop_what_must_go_on(base: KnowledgeBase, drug: str, other: str) -> None:
    for asked in (f"{drug} with {other}?", f"I take {drug}. Can I take {other}?"):
        told = {line.name for line in lines(base, asked) if line.label in ("stop", "avoid")}
        assert drug not in told, asked


def test_what_is_to_be_avoided_is_excluded_like_what_is_contraindicated(
    base: KnowledgeBase,
) -> None:
    answer = base.ask("I take warfarin. What is recorded for a headache?")
    (stop,) = (
        (s.level, s.hard)
        for s in answer.stops
        if s.status == "applies" and s.entity.name("en") == "ibuprofen"
    )
    assert stop == ("avoid", True)
    offered = {
        drug.entity.name("en")
        for group in answer.drugs[0].groups
        if group.standing != "stopped"
        for drug in group.drugs
    }
    assert "ibuprofen" not in offered


def test_what_a_pair_says_of_itself_goes_before_what_its_classes_say(base: KnowledgeBase) -> None:
    answer = base.ask("I take aspirin. Can I take clopidogrel?")  # NSAIDs with it are to be avoided
    levels = {s.level for s in answer.stops if s.status == "applies"}
    assert levels == {"care"}
