"""The prompt: what each command says, on the sample base."""

from __future__ import annotations

import io
import re

from rich.console import Console

from medweave import KnowledgeBase
from medweave.faces.cli.prompt import Conversation


def talk(base: KnowledgeBase, *lines: str) -> str:
    """What the last of some lines prints."""
    out = io.StringIO()
    conversation = Conversation(base, Console(file=out, width=200), candidates=5)
    for line in lines:
        out.seek(0)
        out.truncate()
        conversation.say(line)
    return out.getvalue()


QUESTION = "I have a fever, a cough, chills and chest pain. What could it be?"


def test_why_draws_what_the_answer_rests_on(base: KnowledgeBase) -> None:
    assert "pneumonia — symptom → cough" in talk(base, QUESTION, "why")


def test_why_not_says_where_something_stands_and_what_it_lacks(base: KnowledgeBase) -> None:
    said = talk(base, QUESTION, "why not flu?")
    assert "influenza" in said
    assert "chest pain" in said


def test_without_moves_the_ranking_and_says_so(base: KnowledgeBase) -> None:
    said = talk(base, QUESTION, "without fever")
    assert "↑" in said or "↓" in said


def test_also_adds_a_finding(base: KnowledgeBase) -> None:
    said = talk(base, "I have a fever and a cough. What is it?", "also a rash")
    assert "measles" in said


def test_source_opens_the_passage(base: KnowledgeBase) -> None:
    said = talk(base, "What are the symptoms of a cold?", "source 1")
    assert "diseases.en#common_cold" in said
    assert "There is no source 999" in talk(base, QUESTION, "source 999")


def test_more_unfolds_and_says_what_hangs_on_each_question(base: KnowledgeBase) -> None:
    question = "Can I take ibuprofen?"
    assert "(more)" in talk(base, question)
    unfolded = talk(base, question, "more")
    assert "contraindicated in pregnancy from week 20" in unfolded
    assert "(more)" not in unfolded


def test_cases_are_named_and_opened(base: KnowledgeBase) -> None:
    question = "My nose has been running since Saturday, I sneeze and my throat is scratchy. "
    question += "What should I do?"
    said = talk(base, question, "cases")
    case = re.search(r"show ([\w-]+)", said)
    assert case
    assert "Doctor: " in talk(base, f"show {case[1]}")


def test_who_tells_what_was_said_and_forget_clears_it(base: KnowledgeBase) -> None:
    question = "I am 34 weeks pregnant. Can I take ibuprofen?"
    assert "pregnant" in talk(base, question, "who")
    assert "Not said: " in talk(base, question, "who")
    assert "Ask something first" in talk(base, question, "forget", "who")


def test_show_prints_a_thing(base: KnowledgeBase) -> None:
    assert "has_symptom" in talk(base, "show pneumonia")


def test_commands_before_any_question_are_answered_kindly(base: KnowledgeBase) -> None:
    assert "Ask something first" in talk(base, "why")
    assert "Ask something first" in talk(base, "why not flu")


def test_the_commands_work_in_chinese(base: KnowledgeBase) -> None:
    said = talk(base, "发烧咳嗽胸痛是什么病", "去掉发烧")
    assert "所述情况（咳嗽和胸痛）" in said
    assert "↓ 结核病" in said
