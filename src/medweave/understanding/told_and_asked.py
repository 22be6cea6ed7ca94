"""What is told of somebody before a question, as part of it: "I take warfarin. Which drugs for gout
interact with it?" asks which drugs for gout interact with warfarin.

Read as a person's, such a question would list the drugs that may be taken, the opposite of what is
asked.
"""

from __future__ import annotations

import re
from dataclasses import replace

from medweave.language.data import rule_in, rules_in
from medweave.language.folding import lower
from medweave.language.passage import passage_of
from medweave.model.question import SUBSTANCES, Mention, Question
from medweave.understanding.rule_files import GRAPH_RULES


def in_one_sentence(question: Question) -> Question:
    """The question with what its first sentence tells in the place of the word that stands for it,
    or behind what nothing else is said of; as it is where it does not ask what speaks against
    drugs.

    >>> from medweave.knowledge_base import KnowledgeBase
    >>> with KnowledgeBase.sample() as base:
    ...     asked = base.understand("I take warfarin. Which drugs for gout interact with it?")
    >>> in_one_sentence(asked).text
    'Which drugs for gout interact with warfarin?'
    """
    text, language = question.text, question.language
    told = _rule("told_of_somebody", language).match(lower(text))
    if told is None:
        return question
    asked = told.end()
    named = [m for m in question.mentions if m.end <= asked]
    if len(named) != 1 or not _rule("speaks_against", language).search(lower(text), asked):
        return question
    [name] = named
    stands = _rule("stands_for_told", language).search(lower(text), asked)
    if stands:
        start, end = stands.span("told")
        return _with_name_at(question, name, start, end, asked, "", "")
    ends = _rule("of_nothing_named", language).search(lower(text), asked)
    if ends is None or any(ends.start() < m.start for m in question.mentions):
        return question
    kind = "drug" if name.concept in SUBSTANCES else "state"
    before, behind = rules_in(language, *GRAPH_RULES)["told_joints"][kind]
    place = ends.start("place")
    return _with_name_at(question, name, place, place, asked, before, behind)


def _with_name_at(
    question: Question,
    name: Mention,
    start: int,
    end: int,
    asked: int,
    before: str,
    behind: str,
) -> Question:
    """The sentence that asks, with a name between two places, and each mention where it stands."""
    text = question.text
    said = f"{before}{name.text}{behind}"
    moved = len(said) - (end - start)
    mentions = [
        replace(m, start=m.start - asked + (moved if m.start >= end else 0),
                end=m.end - asked + (moved if m.start >= end else 0))
        for m in question.mentions
        if m.start >= asked
    ]  # fmt: skip
    place = start - asked + len(before)
    mentions.append(replace(name, start=place, end=place + len(name.text)))
    whole = text[asked:start] + said + text[end:]
    ordered = tuple(sorted(mentions, key=lambda m: m.start))
    return replace(question, text=whole, mentions=ordered)


def _rule(name: str, language: str) -> re.Pattern[str]:
    return rule_in(language, name, *GRAPH_RULES)
