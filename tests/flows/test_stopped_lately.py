"""What was stopped a day ago still acts; what was stopped a year ago does not."""

from __future__ import annotations

import pytest

from medweave import KnowledgeBase


def held_against(base: KnowledgeBase, question: str) -> bool:
    return any(stop.status == "applies" for stop in base.ask(question).stops)


@pytest.mark.parametrize(
    "question",
    [
        "I stopped warfarin yesterday. Can I take ibuprofen?",
        "I had my last dose of warfarin this morning, can I have ibuprofen tonight?",
        "Stopped warfarin last week. Can I take ibuprofen?",
        "My GP took me off warfarin two days ago. Is naproxen ok?",
        "I ran out of my warfarin yesterday, can I have aspirin for a headache?",
        "I stopped my phenelzine 3 days ago, can I take sertraline?",
        "She took her last lithium tablet two hours ago. Can she have ibuprofen?",
        "昨天刚停了华法林，能吃布洛芬吗",
        "上周停了华法林，能吃布洛芬吗",
    ],
)
def test_what_was_stopped_lately_counts(base: KnowledgeBase, question: str) -> None:
    assert held_against(base, question)


@pytest.mark.parametrize(
    "question",
    [
        "I stopped taking warfarin two years ago, can I take ibuprofen tonight?",
        "He came off warfarin in spring, is ibuprofen ok today?",
        "She finished her prednisolone last year. Can she have ibuprofen?",
        "I'm not taking warfarin today or ever. Can I take ibuprofen?",
        "去年停了华法林，能吃布洛芬吗",
    ],
)
def test_what_is_long_over_does_not(base: KnowledgeBase, question: str) -> None:
    assert not held_against(base, question)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("I do not take warfarin. Is ibuprofen ok?", ()),
        ("She isn't on lithium. Is ibuprofen ok for her?", ()),
        ("I have not taken warfarin. Is ibuprofen ok?", ()),
        ("我不吃华法林，能吃布洛芬吗", ()),
        ("I don't take warfarin any more. Is ibuprofen ok?", ("took warfarin",)),
        ("I haven't had phenelzine since Monday. Can I take sertraline?", ("took phenelzine",)),
        ("我不吃华法林了，能吃布洛芬吗", ("用过华法林",)),
    ],
)
def test_what_is_only_denied_was_not_taken_once(
    base: KnowledgeBase, text: str, taken: tuple[str, ...]
) -> None:
    assert tuple(item.text for item in base.ask(text).taken) == taken


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("I stopped phenelzine. Can I take sertraline?", True),
        ("I stopped phenelzine in May. Can I take sertraline?", True),
        ("I haven't had phenelzine since Monday. Can I take sertraline?", True),
        ("I finished my clarithromycin. Can I take simvastatin again?", True),
        ("停了苯乙肼，能吃舍曲林吗", True),
        ("I stopped phenelzine two years ago. Can I take sertraline?", False),
        ("I do not take phenelzine. Can I take sertraline?", False),
        ("I used to take warfarin. Is ibuprofen ok?", False),
    ],
)
def test_how_long_ago_is_asked_of_what_must_never_meet(
    base: KnowledgeBase, text: str, asked: bool
) -> None:
    said = " ".join(sentence.text for sentence in base.ask(text).sentences)
    assert ("How long ago" in said or "停用了多久" in said) is asked
