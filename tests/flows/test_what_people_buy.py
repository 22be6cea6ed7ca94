"""What is sold without a prescription is listed alone where that is asked, and first where not."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase
from medweave.vocabulary.commonly_used import bought


@pytest.mark.parametrize(
    "text",
    [
        "What can I buy without a prescription for hay fever? I'm pregnant.",
        "What can I get over the counter for heartburn? I take clopidogrel",
        "Which painkillers can I buy without a prescription? I have kidney disease stage 3",
        "OTC for constipation on codeine?",
        "不用处方能买什么药治花粉症？我怀孕了",
        "药店能买到什么治头痛的药？我吃华法林",
    ],
)
def test_only_that_is_listed_where_it_is_asked(base: KnowledgeBase, text: str) -> None:
    lists = base.ask(text).drugs
    assert lists
    listed = {drug.entity.id for each in lists for group in each.groups for drug in group.drugs}
    assert listed <= bought()


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Which drugs should be avoided in glaucoma?", ["pseudoephedrine", "decongestants"]),
        ("Which medicines must not be taken with kidney disease?",
         ["nonsteroidal anti-inflammatory drugs"]),
        ("Which drugs are unsafe in asthma?", ["beta blockers"]),
        ("青光眼不能用哪些药？", ["伪麻黄碱", "减充血剂"]),
        ("蚕豆病不能吃什么药？", ["小檗碱", "呋喃妥因"]),
    ],
)  # fmt: skip
def test_a_long_list_begins_with_what_people_meet(
    base: KnowledgeBase, text: str, first: list[str]
) -> None:
    said = base.ask(text).text
    assert all(name in said for name in first)


def test_a_kind_and_its_umbrella_are_one_list(base: KnowledgeBase) -> None:
    answer = base.ask("I have glaucoma, angle-closure type. Which medicines should I avoid?")
    lists = [s.text for s in answer.sentences if "contraindicated" in s.text]
    assert len(lists) == 1
    assert "angle-closure glaucoma" in lists[0]


def test_without_a_prescription_denies_nothing(base: KnowledgeBase) -> None:
    question = base.ask("What is sold without a prescription for migraine?").question
    assert [m.status for m in question.mentions if m.name == "migraine"] != ["absent"]
