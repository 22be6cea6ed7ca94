"""Each of several complaints wants something: "a blocked nose and a sore head with this cold".

Words beside one of them say that something is wanted for it; so it is for what is told with it and
people buy something for. What somebody has besides, and lives with, bears on all of these.
"""

from __future__ import annotations

import re
from functools import cache

from medweave.language.data import shipped_yaml
from medweave.language.passage import stretch_around
from medweave.model.question import FINDINGS, SUBSTANCES, UNNAMED, Mention, Question
from medweave.retrieval.drugs.list_wording import list_words, stands

MOST = 4
"""So many lists are given, at most."""
_CLAUSE = re.compile(r"[.,;:!?，。；：！？\n]")


def with_each_complaint(
    question: Question, chosen: tuple[Mention, ...], *, worded: bool
) -> tuple[Mention, ...]:
    """What a list is wanted for, with each everyday complaint that is told beside it.

    `worded` says that words of the question chose: what is no such complaint stays then, else it
    is what somebody has besides.
    """
    told = tuple(m for m in question.of_concept(*FINDINGS) if _is_complaint(question, m))
    if not told:
        return chosen
    stays = [m for m in chosen if worded or m.entity in _complaints() or m.concept == "symptom"]
    once = {m.entity: m for m in sorted((*stays, *told), key=lambda m: m.start)}
    return tuple(once.values())[:MOST]


def _is_complaint(question: Question, mention: Mention) -> bool:
    """Whether somebody has it now, and neither for long, nor of a medicine."""
    return (
        mention.entity in _complaints()
        and mention.status != "absent"
        and mention.experiencer == "patient"
        and mention.temporality == "recent"
        and mention.link.how not in UNNAMED
        and mention.entity not in question.effects
        and mention not in question.form.left_out
        and not mention.suspected
        and not stands(question, mention, "condition")
        and not _beside_a_medicine(question, mention)
        and not _comes_with_an_illness(question, mention)
    )


def _beside_a_medicine(question: Question, mention: Mention) -> bool:
    """Whether a medicine stands in its clause: it is taken for it, or brought it on."""
    start, end = stretch_around(question.text, mention.start, mention.end, _CLAUSE)
    return any(start <= m.start < end for m in question.of_concept(*SUBSTANCES))


def _comes_with_an_illness(question: Question, mention: Mention) -> bool:
    """Whether an illness that is no such complaint is said to come with it: who has both wants
    something for the illness."""
    others = (m for m in question.of_concept("disease") if m.entity not in _complaints())
    return any(
        _comes_with(question.language).fullmatch(question.text[m.end : mention.start].lower())
        for m in others
        if m.end < mention.start
    )


@cache
def _comes_with(language: str) -> re.Pattern[str]:
    return re.compile("|".join(list_words(language)["comes_with"]))


@cache
def _complaints() -> frozenset[str]:
    named = shipped_yaml("retrieval", "drugs", "everyday_complaints.yaml")["complaints"]
    return frozenset(named)
