"""Whatever shows an answer shows all that the terminal does: the page, and Markdown for chats."""

from __future__ import annotations

import html
import io
import re

import pytest
from rich.console import Console

from medweave.faces.page.answer import answer_parts
from medweave.faces.terminal.answer import print_answer
from medweave.faces.texts.markdown import answer_markdown
from medweave.knowledge_base import KnowledgeBase
from medweave.model.answer import Answer

_LETTER = (
    "Hi, 3 questions: 1) my son, 7, has asthma - is ibuprofen ok for his fever? 2) I'm 14 weeks "
    "pregnant and my left calf is swollen and painful, can I take it too? 3) my mother is on "
    "lithium, can she?"
)
_BY_A_NURSE = (
    "3 week old baby, feeding poorly since morning, temp 35.2. We are a health post, what first?"
)
_BY_A_PARENT = "My 3 week old baby is feeding poorly since morning, temp 35.2. What can I give?"
_QUESTIONS = (
    _LETTER,
    _BY_A_NURSE,
    _BY_A_PARENT,
    "Can my husband, 70, on warfarin and with kidney disease, take ibuprofen for his knee?",
    "My 2 year old has a cough and breathes fast, what is it?",
    "Can I take zorbexanil with metformin?",
    "我怀孕12周，发烧头痛，能吃布洛芬吗？",
    "What are the symptoms of pneumonia?",
)
_ONLY_THERE = (
    r"\((?:--more|show ID|medweave assess .*?|what a health worker .*?--more)\)|[✕!⚠°*#\\]"
)
"""What is for a command line alone, and signs beside words."""
_HEADS = {"danger"}
"""The page has a heading of its own in their place."""


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return KnowledgeBase.sample()


def _plain(text: str) -> str:
    without = re.sub(r"\[\d+\]", "", re.sub(_ONLY_THERE, "", text))
    return re.sub(r"[\s:：()]+", "", without).casefold()


def _page(answer: Answer) -> str:
    parts = re.sub(r"(?s)<svg.*?</svg>", "", answer_parts(answer, "a"))
    parts = re.sub(
        r'<a [^>]*data-testid="citation".*?</a>|<span class="number">.*?</span>', "", parts
    )
    return _plain(html.unescape(re.sub(r"<[^>]*>", "", parts)))


def _terminal(answer: Answer) -> list[str]:
    written = io.StringIO()
    print_answer(answer, Console(file=written, width=10_000, no_color=True))
    *lines, _limits = written.getvalue().strip().splitlines()
    parts = (part for line in lines for part in re.split(r" · |  +", line.removeprefix("  - ")))
    shown = (part for part in parts if "medweave assess" not in part)
    return [part for part in shown if _plain(part) and _plain(part) not in _HEADS]


@pytest.mark.parametrize("question", _QUESTIONS)
def test_the_page_and_markdown_have_every_line(base: KnowledgeBase, question: str) -> None:
    answer = base.ask(question)
    page, markdown = _page(answer), _plain(answer_markdown(answer, "numbers"))
    told = [_plain(part) for part in _terminal(answer)]
    assert told
    assert [part for part in told if part not in markdown] == []
    assert [part for part in told if part not in page] == []


def test_who_must_be_seen_today_is_told_so_in_a_letter_on_several(base: KnowledgeBase) -> None:
    answer = base.ask(_LETTER)
    assert len(answer.others) == 2
    for shown in (answer_parts(answer, "a"), answer_markdown(answer, "numbers")):
        assert "TODAY" in shown
        assert "a clot in a leg vein" in shown


def test_a_chat_hears_what_is_to_be_done_for_a_child(base: KnowledgeBase) -> None:
    by_a_nurse = answer_markdown(base.ask(_BY_A_NURSE), "numbers")
    assert "REFER" in by_a_nurse
    assert "by injection" in by_a_nurse


def test_who_is_to_bring_a_child_now_is_shown_no_dose_before(base: KnowledgeBase) -> None:
    answer = base.ask(_BY_A_PARENT)
    assert "by injection" not in answer_markdown(answer, "numbers")
    before, _, folded = answer_parts(answer, "a").partition("before the journey</summary>")
    assert "by injection" not in before
    assert "by injection" in folded
