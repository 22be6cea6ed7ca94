"""A class in place of a member, and names that are not known: one grouped answer, unknown first."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer


def printed(base: KnowledgeBase, asked: str) -> list[str]:
    out = io.StringIO()
    print_answer(base.ask(asked), Console(file=out, width=100, highlight=False))
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("antibiotic with warfarin", "ciprofloxacin"),
        ("Can I take antibiotics? I'm on warfarin", "co-trimoxazole"),
        ("I take levothyroxine, can I take calcium tablets?", "at least 4 hours apart"),
        ("在吃多西环素，能吃钙片吗", "慎用  钙剂：与多西环素有相互作用"),
        ("statin with grapefruit", "simvastatin: with grapefruit juice"),
        ("Do NSAIDs interact with lithium?", "ibuprofen"),
        ("Do penicillin and methotrexate interact?", "interacts with methotrexate"),
        ("头孢和酒能一起吗", "避免合用  与酒有反应的头孢菌素：与酒精有相互作用"),
        ("喝酒后能吃头孢吗", "避免合用  与酒有反应的头孢菌素：与酒精有相互作用"),
        ("感冒可以吃头孢吗", "没有记录头孢菌素类用于感冒"),
        ("does Augmentin contain penicillin", "yes"),
    ],
)
def test_a_class_is_answered_for_at_once(base: KnowledgeBase, asked: str, words: str) -> None:
    lines = printed(base, asked)
    assert len(lines) <= 14, lines
    assert words in "\n".join(lines)


@pytest.mark.parametrize("asked", ["Zorplexin with warfarin", "warfarin and Zorplexin together?"])
def test_what_is_not_known_is_named_first(base: KnowledgeBase, asked: str) -> None:
    assert "Zorplexin" in printed(base, asked)[0]
    assert base.ask(asked).status == "partial"
    assert any("warfarin" in line for line in printed(base, asked)[1:])


@pytest.mark.parametrize(
    ("asked", "whose"),
    [
        ("My mother takes lithium. Can I take naproxen?", "lithium"),
        ("My father has asthma. Can I take propranolol?", "asthma"),
        ("我妈妈有哮喘，我能用普萘洛尔吗", "哮喘"),
        ("我妈妈有哮喘，我高血压能用普萘洛尔吗", "哮喘"),
    ],
)
def test_what_somebody_else_has_is_told_as_theirs(
    base: KnowledgeBase, asked: str, whose: str
) -> None:
    answer = base.ask(asked)
    assert not any(stop.status == "applies" for stop in answer.stops)
    assert any(whose in line for line in answer.missing)
    listed = [sentence.text for sentence in answer.sentences if len(sentence.text) > 220]
    assert not listed


@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        ("If I took lithium, could I take naproxen?", "Taken as supposed: takes lithium."),
        ("I take lithium. Can I take naproxen?", "Taken as said: takes lithium."),
        ("如果我在吃锂盐，能吃萘普生吗", "按假设理解"),
    ],
)
def test_what_is_only_supposed_is_told_as_supposed(
    base: KnowledgeBase, asked: str, taken: str
) -> None:
    assert any(line.startswith(taken) for line in printed(base, asked))
