"""Findings told by what they look like or keep from doing: near misses name nothing."""

from __future__ import annotations

import pytest

from medweave.knowledge_base import KnowledgeBase


def read(base: KnowledgeBase, text: str) -> set[str]:
    entities = base.knowledge.entities
    return {
        name for m in base.understand(text).mentions for name in entities.get(m.entity).names["en"]
    }


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        ("what illnesses turn ur eyes yellow?", "jaundice"),
        ("The whites of her eyes are yellow.", "jaundice"),
        ("I cannot keep any water down.", "vomiting"),
        ("My tummy is off, since midnight it's nothing but water.", "diarrhea"),
        ("I have trouble passing water.", "urinary retention"),
        ("I'm puffed out after one flight.", "shortness of breath"),
        ("It feels as if I've been run over, what is it?", "body aches"),
        ("I wake up and shake my hands to wake them.", "numbness"),
        ("His Na came back 126.", "hyponatremia"),
        ("什么病会脖子发硬", "stiff neck"),
        ("浑身像被车碾过", "body aches"),
        ("夜里手指发木", "numbness"),
        ("钠126，怎么办", "hyponatremia"),
        ("爬一层楼就喘", "shortness of breath"),
    ],
)
def test_a_likeness_names_the_finding(base: KnowledgeBase, text: str, finding: str) -> None:
    assert finding in read(base, text)


@pytest.mark.parametrize(
    "text",
    [
        "He was beaten up outside a pub.",
        "The lights are killing the mood.",
        "A yellow traffic light.",
        "My stream of income is weak.",
        "I lost my lunch box at school.",
        "叶子发黄是怎么回事",
        "手机一碰就烫手",
        "把电视声音开到最大会吵邻居吗",
    ],
)
def test_what_only_sounds_alike_names_none(base: KnowledgeBase, text: str) -> None:
    assert not base.understand(text).mentions
