"""What is said of practical advice: the words of its source, with the name of what they are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from medweave.answering.draft import Draft
from medweave.answering.of_the_class import classes_of
from medweave.model.advised import Advised
from medweave.model.question import FINDINGS, SUBSTANCES, Question
from medweave.model.statement import SupportedStatement


class Advice(Protocol):
    """What practical advice answers a question, or is told beside what does: it is looked for only
    when it is wanted."""

    def __call__(self, *, beside: bool) -> Sequence[Advised]:
        """The texts, best first."""


def no_advice(*, beside: bool) -> Sequence[Advised]:
    """None."""
    del beside
    return ()


_BY_A_STOP = frozenset({"contraindication", "interaction", "drug", "treatment"})
"""Intents that a stop answers."""


def is_answered(draft: Draft, question: Question) -> bool:
    """Whether what was said answers the question, be it with what speaks against a medicine."""
    listed = draft.drugs or draft.candidates or draft.rows or draft.cases or draft.assessment
    told = any(sentence.intent != "stop" for sentence in draft.sentences)
    if listed or told or draft.weighing:
        return True
    applying = [stop for stop in draft.stops if stop.status == "applies"]
    judged = question.judges or not question.labels.isdisjoint(_BY_A_STOP)
    return any(judged or stop.hard for stop in applying)


def say_practical(draft: Draft, question: Question, found: Sequence[Advised]) -> bool:
    """Advice in the words of its source, but what was told already, and how to take what is
    stopped; whether there was any. What very likely answers stands first."""
    likely = [each for each in found if _may_be_told(draft, each.supported)]
    named = {m.entity for m in question.of_concept(*SUBSTANCES, *FINDINGS)}
    before = len(draft.sentences)
    for each in likely:
        about = each.supported.statement.subject
        text = draft.wording.object_name(each.supported.statement)
        name = draft.wording.name(about)
        if named != {about} and name.lower() not in text.lower():
            text = draft.wording.say("in_practice", drug=name, text=text)
        with draft.topic(min(question.labels, default="description"), about):
            draft.add_sentence(text, [each.supported])
    if likely and likely[0].first:
        draft.sentences[:] = [*draft.sentences[before:], *draft.sentences[:before]]
    return bool(likely)


def _may_be_told(draft: Draft, supported: SupportedStatement) -> bool:
    known = supported.statement.id in draft.statements
    return not known and not _is_of_stopped(draft, supported.statement.subject)


def _is_of_stopped(draft: Draft, subject: str) -> bool:
    """Whether a text is of a medicine that is excluded here, or of a class of it."""
    stopped = {s.entity.id for s in draft.stops if s.hard and s.status == "applies"}
    knowledge = draft.wording.knowledge
    return any(subject == one or subject in classes_of(one, knowledge) for one in stopped)
