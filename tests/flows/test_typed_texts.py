"""How a question is typed or pasted changes nothing of what is stopped, and of what is danger."""

from __future__ import annotations

import re
from collections.abc import Callable
from textwrap import fill

import pytest

from medweave import Answer, KnowledgeBase

QUESTIONS = (
    "my dad is on coumadin and the dentist gave him flagyl for a tooth infection, ok together?",
    "34 weeks pregnant and my back is killing me. In the cupboard there's nurofen and panadol.",
    "Which antibiotic for strep throat if I'm allergic to penicillin? It was a rash all over.",
    "My granddaughter is 7 and has a cold. In my drawer I have aspirin, Calpol and codeine syrup.",
    "took about 30 paracetamol last night after a row. feel fine now. ok to just go to work?",
    "2 month old 38.4, floppy, wont take the bottle, pharmacy shut. can I do calpol + nurofen",
    "Patient on methotrexate has a urinary infection, can I give co-trimoxazole?",
    "72M w/ CKD4 and gout, w/o heart failure, can he have naproxen for the big toe?",
    "我妈78岁，在吃华法林，膝盖疼能吃布洛芬吗",
    "孩子8个月，发烧39度，能吃阿司匹林吗",
)


def wide(text: str) -> str:
    return "".join(chr(ord(c) + 0xFEE0) if c.isdigit() else c for c in text)


HOW: dict[str, Callable[[str], str]] = {
    "small letters": str.lower,
    "capitals": str.upper,
    "two blanks": lambda text: "  " + text.replace(" ", "  ") + " ",
    "tabs": lambda text: text.replace(" ", "\t"),
    "blanks that do not break": lambda text: text.replace(" ", "\u00a0"),
    "wide digits": wide,
    "lines as in a letter": lambda text: fill(text, 40),
    "lines of Windows": lambda text: fill(text, 40).replace("\n", "\r\n"),
    "no room behind commas": lambda text: re.sub(r", (?=[a-z])", ",", text),
    "signs for words": lambda text: text.replace(" and ", " & "),
    "no mark at the end": lambda text: text.rstrip("?."),
}


def said(answer: Answer) -> tuple[set[str], set[str]]:
    applies = {s.entity.id for s in answer.stops if s.status == "applies" and s.hard}
    return applies, {sign.sign for sign in answer.danger or () if sign.status == "present"}


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_is_stopped_however_it_is_typed(
    base: KnowledgeBase, question: str, how: str
) -> None:
    as_it_is = said(base.ask(question))
    assert any(as_it_is)
    assert said(base.ask(HOW[how](question))) == as_it_is


def test_what_was_understood_stands_in_the_text_of_the_question(base: KnowledgeBase) -> None:
    question = base.understand("He takes\u00a0 warfarin\n\n\nand  zorkamine,  can he")
    for mention in question.mentions:
        assert question.text[mention.start : mention.end] == mention.text
    assert [question.text[u.start : u.end] for u in question.not_understood] == ["zorkamine"]
