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
from medweave.understanding.placeholders import with_placeholders

_LONGEST = 200
"""Longer texts are about more than that."""


def with_what_is_ended(
    passage: Passage, mentions: tuple[Mention, ...]
) -> tuple[tuple[Mention, ...], bool]:
    """The mentions, and whether the text asks about ending a medicine that it names: who asks that
    takes it."""
    medicines = [m for m in mentions if m.concept in SUBSTANCES and m.entity not in BY_HABIT]
    if not (medicines and _asks_to_end(passage, medicines)):
        return mentions, False
    now = {
        m: replace(m, role="taken", status="present" if m.experiencer == "other" else m.status,
                   experiencer="patient")
        for m in medicines
        if m.role in ("past", "asked")
    }  # fmt: skip
    return tuple(now.get(m, m) for m in mentions), True


def _asks_to_end(passage: Passage, medicines: Sequence[Mention]) -> bool:
    if len(passage.text) > _LONGEST:
        return False
    rules = _rules(passage.language)
    text = with_placeholders(passage.plain, medicines)
    return bool(rules["asked"].search(text)) and not rules["besides"].search(text)


@cache
def _rules(language: str) -> dict[str, re.Pattern[str]]:
    rules = rules_in(language, "understanding", "rules", "ending.yaml")
    words = {key: f"(?:{'|'.join(rules[key])})" for key in ("ending", "medicine")}
    return {
        kind: re.compile("|".join(p.format(**words) for p in rules[kind]))
        for kind in ("asked", "besides")
    }
