"""A class in place of a member, and names that are not known: one grouped answer, unknown first."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer


@pytest.fixture(scope="module")
def base() -> Iterator[KnowledgeBase]:
    with KnowledgeBase.sample() as found:
        yield found


def printed(base: KnowledgeBase, asked: str) -> list[str]:
    out = io.StringIO()
    print_answer(base.ask(asked), Console(file=out, width=100, highlight=False))
    return out.getvalue().splitlines()


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("antibiotic with warfarin", "ciprofloxacin"),
        ("Can I take antibiotics? I'm on warfarin", "co-trimoxazole"),
        ("statin with grapefruit", "simvastatin: with grapefruit juice"),
        ("Do NSAIDs interact with lithium?", "ibuprofen"),
        ("Do penicillin and methotrexate interact?", "interacts with methotrexate"),
        ("头孢和酒能一起吗", "没有记录头孢菌素类和酒精之间的相互作用"),
        ("喝酒后能吃头孢吗", "没有记录头孢菌素类和酒精之间的相互作用"),
        ("感冒可以吃头孢吗", "没有记录头孢菌素类用于感冒"),
        ("does Augmentin contain penicillin", "yes"),
    ],
)
def test_a_class_is_answered_for_at_once(base: KnowledgeBase, asked: str, words: str) -> None:
    lines = printed(base, asked)
    assert len(lines) <= 12, lines
    assert words in "\n".join(lines)


@pytest.mark.parametrize("asked", ["Zorplexin with warfarin", "warfarin and Zorplexin together?"])
def test_what_is_not_known_is_named_first(base: KnowledgeBase, asked: str) -> None:
    assert "Zorplexin" in printed(base, asked)[0]
    assert base.ask(asked).status == "partial"
    assert any("warfarin" in line for line in printed(base, asked)[1:])
