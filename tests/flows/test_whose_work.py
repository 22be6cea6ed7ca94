"""Whole answers to those who tell where they work: nothing that is named there is anybody's."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.terminal.answer import print_answer


def shown(base: KnowledgeBase, text: str) -> str:
    """All that a terminal shows."""
    file = StringIO()
    console = Console(file=file, width=1000, color_system=None, force_terminal=False)
    print_answer(base.ask(text), console)
    return file.getvalue()


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("renal ward nurse here, list of drugs that push K+ up pls", "kidney disease"),
        ("Dialysis unit nurse speaking: is ibuprofen ok with warfarin?", "dialysis"),
        ("I'm a nurse on the renal ward. Is ibuprofen ok with ramipril?", "has chronic kidney"),
        ("diabetes nurse here - metformin and contrast?", "has diabetes"),
        ("Charge nurse, HIV clinic. Is rifampicin ok with warfarin?", "has HIV"),
        ("我在透析室上班，布洛芬能和华法林一起吃吗？", "有透析"),
        ("本人血透室护士长，想问螺内酯和氯化钾能同用吗", "严重肾病"),
        ("糖尿病专科护士，二甲双胍和造影剂怎么处理", "有糖尿病"),
    ],
)
def test_who_works_there_is_no_patient(base: KnowledgeBase, text: str, condition: str) -> None:
    assert condition not in shown(base, text)


@pytest.mark.parametrize(
    "text",
    [
        "My renal nurse says no ibuprofen. Can I take naproxen?",
        "I'm under the renal clinic. Can I take ibuprofen?",
        "The renal nurse here told me to ask: can I take ibuprofen?",
    ],
)
def test_who_is_seen_there_is_one(base: KnowledgeBase, text: str) -> None:
    assert "has chronic kidney disease" in shown(base, text)
