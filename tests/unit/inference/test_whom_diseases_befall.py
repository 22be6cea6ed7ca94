"""What is told of a person, and for how long a complaint has lasted, orders what it may be."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


@pytest.mark.parametrize(
    ("text", "first", "behind"),
    [
        (
            "Doctor, I have been experiencing a hoarse voice for the past few weeks and it hasn't"
            " improved despite taking medication. What could be the problem?",
            "gastroesophageal reflux disease",
            "anaphylaxis",
        ),
        (
            "A man of 57 has had a hoarse voice for six weeks. Which disease could it be?",
            "gastroesophageal reflux disease",
            "croup",
        ),
        ("声音嘶哑好几个月了，可能是什么病？", "gastroesophageal reflux disease", "croup"),
    ],
)
def test_what_is_over_in_days_is_not_first_after_weeks(text: str, first: str, behind: str) -> None:
    with KnowledgeBase.sample() as base:
        named = [one.entity.id for one in base.ask(text, candidates=50).candidates]
        wanted = base.show(first).entity.id, base.show(behind).entity.id
    assert named.index(wanted[0]) < named.index(wanted[1])


def test_the_time_of_a_medicine_is_not_that_of_the_complaint() -> None:
    with KnowledgeBase.sample() as base:
        told = "What could it be? Hoarse voice, itching. I have taken ramipril for six years."
        of_weeks = base.ask(told).candidates
        without = base.ask("What could it be? Hoarse voice, itching. I take ramipril.").candidates
    assert [one.entity.id for one in of_weeks] == [one.entity.id for one in without]
