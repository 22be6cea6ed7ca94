"""Medicines of which one is chosen, or each is judged: "we have A, B and C, which may she have?".

Nobody takes the one with the other, and each of them wants a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from medweave.language.data import rules_in
from medweave.language.passage import Passage
from medweave.model.question import BY_HABIT, Mention
from medweave.understanding.placeholders import NAME, with_placeholders

_LONGEST = 400
"""Longer texts tell of more than a choice."""
_SEVERAL = 3


@dataclass(frozen=True, slots=True)
class Candidates:
    """The entities that are chosen from, and whether a verdict on each of them is asked for."""

    entities: frozenset[str] = frozenset()
    judged: bool = False


def candidates(passage: Passage, mentions: Iterable[Mention]) -> Candidates:
    """What is chosen from in a text; nothing where what is named is to be taken together.

    >>> from medweave.language.passage import passage_of
    >>> named = [Mention(9, 10, "A", "x:a", "A", "drug", role="asked"),
    ...          Mention(15, 16, "B", "x:b", "B", "drug", role="asked")]
    >>> sorted(candidates(passage_of("which of A and B is better"), named).entities)
    ['x:a', 'x:b']
    """
    rules = _rules(passage.language)
    drugs = [
        m
        for m in mentions
        if m.concept == "drug"
        and m.role == "asked"
        and m.entity not in BY_HABIT
        and not rules["taken"].search(passage.plain[: m.start])
    ]
    named = frozenset(entity for m in drugs for entity in m.entities)
    number = len({m.entity for m in drugs})
    if number <= 1 or len(passage.text) > _LONGEST:
        return Candidates()
    text = with_placeholders(passage.plain, drugs)
    listed = rules["listed"].search(text)
    if listed is None or rules["together"].search(text) or not rules["chosen"].search(text):
        return Candidates(_alternatives(text, drugs, rules))
    several = listed.group().count(NAME) >= _SEVERAL and not rules["effect"].search(text)
    return Candidates(named, judged=several or bool(rules["judged"].search(text)))


def _alternatives(
    text: str, drugs: list[Mention], rules: dict[str, re.Pattern[str]]
) -> frozenset[str]:
    """Those that "or" parts, whatever is asked of them; all named "together" are taken together."""
    parted = list(rules["parted"].finditer(text))
    spoken_for = sum(match.group().count(NAME) for match in parted)
    if spoken_for == len(drugs) and rules["together"].search(text):
        return frozenset()
    at = [text[: match.start()].count(NAME) for match in parted]
    named = (
        drugs[first : first + match.group().count(NAME)]
        for first, match in zip(at, parted, strict=True)
    )
    return frozenset(entity for some in named for m in some for entity in m.entities)


@cache
def _rules(language: str) -> dict[str, re.Pattern[str]]:
    rules = rules_in(language, "understanding", "rules", "candidates.yaml")
    return {kind: re.compile(pattern) for kind, pattern in rules.items()}
