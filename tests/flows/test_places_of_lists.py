""" "The first one" is what stands first in the list that was shown."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("Which drugs are for hypertension?", "The first one, is it safe in pregnancy?"),
        ("drugs for gout", "side effects of the third one"),
        ("fever, cough and chest pain, what is it", "what are the symptoms of the second one"),
        ("哪些药治高血压", "第一个有什么副作用"),
        ("Which diseases cause fever and rash?", "what causes the last one?"),
    ],
)
def test_a_place_is_read_from_the_list(base: KnowledgeBase, before: str, text: str) -> None:
    shown = base.ask(before)
    names = [
        drug.entity.name(shown.question.language)
        for listed in shown.drugs
        for group in listed.groups
        for drug in group.drugs
    ]
    answer = base.ask(text, history=[before])
    (named,) = {m.text for m in answer.question.mentions if m.concept in ("drug", "disease")}
    if names:
        assert named == names[2 if "third" in text else 0]


@pytest.mark.parametrize("text", ["is it my first baby?", "the tenth one?"])
def test_other_firsts_are_no_places(base: KnowledgeBase, text: str) -> None:
    assert not base.ask(text, history=["drugs for gout"]).question.as_written
