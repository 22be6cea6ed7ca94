"""Questions how or whether a medicine is ended: "can I just stop it?", "coming off diazepam".

What is told of the past is none ("I stopped phenelzine last week"), nor is what somebody may take
after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from medweave.language.data import rules_in
from medweave.language.passage import Passage
from medweave.model.question import BY_HABIT, SUBSTANCES, Mention
from medweave.understanding.placeholders import NAME, with_placeholders

_LONGEST = 200
"""Longer texts are about more than that."""


def with_what_is_ended(
    passage: Passage, mentions: tuple[Mention, ...]
) -> tuple[tuple[Mention, ...], bool]:
    """The mentions, and whether the text asks about ending a medicine that it names: who asks that
    takes it."""
    medicines = [m for m in mentions if m.concept in SUBSTANCES and m.entity not in BY_HABIT]
    medicines.sort(key=lambda m: m.start)
    ended = _ended(passage, medicines)
    now = {
        m: replace(m, role="taken", status="present" if m.experiencer == "other" else m.status,
                   experiencer="patient")
        for m in medicines
        if m.entity in ended and m.role in ("past", "asked")
    }  # fmt: skip
    return tuple(now.get(m, m) for m in mentions), bool(ended)


def _ended(passage: Passage, medicines: Sequence[Mention]) -> frozenset[str]:
    """The medicines of which it is asked whether or how they are ended: those of the sentence that
    asks; where it names none, those of the one before it that does, or else behind it."""
    if len(passage.text) > _LONGEST or not medicines:
        return frozenset()
    rules = _rules(passage.language)
    text = with_placeholders(passage.plain, medicines)
    asked = rules["asked"].search(text)
    if asked is None or rules["besides"].search(text):
        return frozenset()
    before = medicines[: text[: asked.end()].count(NAME)]
    longer = sum(m.end - m.start - len(NAME) for m in before)
    asking = passage.sentence_at(max(0, asked.end() + longer - 1))
    named = {passage.sentence_at(m.start) for m in medicines}
    nearest = before[-1] if before else medicines[0]
    sentence = asking if asking in named else passage.sentence_at(nearest.start)
    return frozenset(m.entity for m in medicines if passage.sentence_at(m.start) == sentence)


@cache
def _rules(language: str) -> dict[str, re.Pattern[str]]:
    rules = rules_in(language, "understanding", "rules", "ending.yaml")
    words = {key: f"(?:{'|'.join(rules[key])})" for key in ("ending", "medicine")}
    return {
        kind: re.compile("|".join(p.format(**words) for p in rules[kind]))
        for kind in ("asked", "besides")
    }
