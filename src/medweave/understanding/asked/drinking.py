"""Alcohol that a text asks about without naming it: "can he drink at all", 能抿两口白的不."""

from __future__ import annotations

import re

from medweave.language.data import rule_in
from medweave.language.passage import Passage
from medweave.model.question import ALCOHOL, SUBSTANCES, Asked, Mention
from medweave.understanding.asked.deciding import DECIDES_ALONE
from medweave.understanding.linked import linked
from medweave.vocabulary.dictionary import Match
from medweave.vocabulary.knowledge import Knowledge

_NAME = "alcohol"
_RULES = ("understanding", "asked", "drinking.yaml")


def with_alcohol(
    passage: Passage, mentions: tuple[Mention, ...], asked: Asked, knowledge: Knowledge
) -> tuple[Mention, ...]:
    """The mentions, with alcohol where that is asked about beside a medicine: by a word that asks
    for it, or, where it is surely asked by what was learned, in the longest stretch of the text
    without a name."""
    medicines = [m.entity for m in mentions if m.concept in SUBSTANCES]
    if not medicines or ALCOHOL in medicines:
        return mentions
    said = _asking(passage)
    sure = asked.label == _NAME and asked.certainty >= DECIDES_ALONE
    known = knowledge.dictionary.names(_NAME) if said or sure else ()
    if not known:
        return mentions
    match = Match(*(said.span() if said else _longest_gap(passage.text, mentions)), known)
    drunk = linked(passage.text, match, match.link, passage.language, knowledge, role="asked")
    return tuple(sorted((*mentions, drunk), key=lambda m: m.start))


def _asking(passage: Passage) -> re.Match[str] | None:
    """The words that ask for alcohol without its name."""
    text = passage.text.lower()
    if rule_in(passage.language, "but_not", *_RULES).search(text):
        return None
    return rule_in(passage.language, "asks", *_RULES).search(text)


def _longest_gap(text: str, mentions: tuple[Mention, ...]) -> tuple[int, int]:
    begins = [0, *(m.end for m in mentions)]
    ends = [*(m.start for m in mentions), len(text)]
    gaps = [(end - start, start) for start, end in zip(begins, ends, strict=True)]
    length, start = max(gaps)
    gap = text[start : start + length]
    start += len(gap) - len(gap.lstrip())
    return start, start + len(gap.strip())
