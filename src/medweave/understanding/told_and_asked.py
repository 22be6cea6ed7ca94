"""What is told of somebody before a question, as part of it: "I take warfarin. Which drugs for gout
interact with it?" asks which drugs for gout interact with warfarin.

Read as a person's, such a question would list the drugs that may be taken, the opposite of what is
asked.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from medweave.language.data import rule_in, rules_in
from medweave.language.folding import lower
from medweave.model.question import SUBSTANCES, Mention, Question
from medweave.understanding.graph_question_items import offers_options
from medweave.understanding.rule_files import GRAPH_RULES

_SOMEBODY = "population"


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
    before = [m for m in question.mentions if m.end <= asked]
    named = [m for m in before if m.concept != _SOMEBODY] or before  # "a woman has gout"
    wanted = offers_options(text[asked:]) or _rule("speaks_against", language).search(
        lower(text), asked
    )
    if len(named) != 1 or not wanted:
        return question
    [name] = named
    stands = _rule("stands_for_told", language).search(lower(text), asked)
    if stands:
        return _with_name(question, name, _Place(asked, *stands.span("told")))
    ends = _rule("of_nothing_named", language).search(lower(text), asked)
    if ends is None or any(ends.start() < m.start for m in question.mentions):
        return question
    kind = "drug" if name.concept in SUBSTANCES else "state"
    place = _Place(asked, ends.start("place"), ends.start("place"))
    before = rules_in(language, *GRAPH_RULES)["told_joints"][kind]
    return _with_name(question, name, place, before)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the sentence that asks begins, and what of it gives way to a name."""

    asked: int
    start: int
    end: int


def _with_name(question: Question, name: Mention, place: _Place, before: str = "") -> Question:
    """The sentence that asks, with a name at a place, and each mention where it then stands."""
    text, asked = question.text, place.asked
    said = before + name.text
    moved = len(said) - (place.end - place.start)
    mentions = []
    for mention in question.mentions:
        if mention.start >= asked:
            by = (moved if mention.start >= place.end else 0) - asked
            mentions.append(replace(mention, start=mention.start + by, end=mention.end + by))
    first = place.start - asked + len(before)
    mentions.append(replace(name, start=first, end=first + len(name.text)))
    whole = text[asked : place.start] + said + text[place.end :]
    return replace(question, text=whole, mentions=tuple(sorted(mentions, key=lambda m: m.start)))


def _rule(name: str, language: str) -> re.Pattern[str]:
    return rule_in(language, name, *GRAPH_RULES)
