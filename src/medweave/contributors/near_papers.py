"""What papers say that is near in meaning to a question that nothing else answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.model.question import Patient, Question
from medweave.retrieval.literature.listed import may_ask_papers

if TYPE_CHECKING:
    from medweave.model.statement import SupportedStatement
    from medweave.retrieval.literature.semantic_context import SemanticContext

TOPIC = "near_papers"
"""What its sentences are kept as answers to."""
LEAST, LEAST_BESIDE_NAMES = 0.5, 0.6
"""The least cosine of a relation that is told: where no name was recognised, and where one was, of
which nothing is recorded. Measured, see decision 155."""
_OF_USE = frozenset({"dose", "contraindication", "interaction", "avoid", "side_effect"})
"""What is asked before somebody takes something: what is merely near is no answer."""


@dataclass(frozen=True, slots=True)
class NearPapers:
    """The relations of papers; `near` finds those that are near to a text in a language."""

    near: Callable[[str, str], SemanticContext]

    def find(self, asked: QuestionState) -> None:
        """Nothing is shared: it is looked for where all others have nothing to say."""

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """Each relation as what it is; that it was found by its meaning is told."""
        question = asked.question
        if draft.sentences or draft.stops or not _wanted(question):
            return
        least = LEAST_BESIDE_NAMES if question.mentions else LEAST
        near = self.near(question.text, question.language).relations
        found = [each.supported for each in near if each.score >= least]
        with draft.topic(TOPIC):
            for supported in found:
                draft.add_sentence(_in_words(draft, supported), [supported])
        if found:
            draft.add_missing("near_papers")
            draft.unmet += 1


def _wanted(question: Question) -> bool:
    """Whether it may be a question about papers: what tells of a person is none, nor what asks for
    leave to take something."""
    told = question.danger or question.aside or question.patient != Patient()
    of_use = _OF_USE.intersection(intent.label for intent in question.intents)
    return not told and not of_use and question.asks and may_ask_papers(question)


def _in_words(draft: Draft, supported: SupportedStatement) -> str:
    statement = supported.statement
    subject, other = draft.wording.name(statement.subject), draft.wording.object_name(statement)
    clause = draft.wording.recorded_clause(statement.predicate, subject=subject, other=other)
    surely = any(item.strength == 1 for item in supported.affirmed)
    kind = "affirmed" if surely else "hedged" if supported.affirmed else "denied"
    return draft.wording.say(f"near_papers.{kind}", clause=clause)
