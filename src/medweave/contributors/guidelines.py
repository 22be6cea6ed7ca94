"""What guidelines say of a child that a question describes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.understanding.case.person import may_be_of_a_child
from medweave.understanding.context_disambiguation import Nearness

if TYPE_CHECKING:
    from medweave.guideline.contribution import OpenGuideline
    from medweave.model.assessment import TreatmentRow


@dataclass(frozen=True, slots=True)
class Guidelines:
    """The guidelines that may be asked; `guidelines` makes them ready.

    `named` are those that somebody asked for; `beside` says that they are not of the base, and are
    heard only where they have something to say.
    """

    guidelines: Callable[[], Sequence[OpenGuideline]]
    named: bool = False
    beside: bool = False
    nearness: Nearness | None = None

    def find(self, asked: QuestionState) -> None:
        """Nothing is shared with others: the text is read where it is said."""

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """What stands of the child comes before what statements say."""
        question = asked.question
        if question.in_crisis or not (self.named or may_be_of_a_child(question.text)):
            return
        from medweave.guideline.contribution import contribute

        contribute(
            draft,
            question,
            self.guidelines(),
            named=self.named,
            beside=self.beside,
            nearness=self.nearness,
        )
        if draft.assessment is not None:
            from medweave.contributors.named_drugs import hold_against

            rows = draft.assessment.assessment.treatments
            facts, local = asked.inferred.facts, drugs_put_on(rows)
            hold_against(drugs_of(rows), draft, facts, asked.knowledge, local=local)


def drugs_of(rows: Iterable[TreatmentRow]) -> Iterator[str]:
    """Where treatments of a guideline name drugs that reach all of the body: in what they give,
    their titles and texts."""
    return _named(row for row in rows if not _is_put_on(row))


def drugs_put_on(rows: Iterable[TreatmentRow]) -> Iterator[str]:
    """The same of what is put into an eye or an ear, or on the skin, and stays there."""
    return _named(row for row in rows if _is_put_on(row))


def _named(rows: Iterable[TreatmentRow]) -> Iterator[str]:
    for row in rows:
        yield from filter(None, (row.drug, row.label, row.text))


def _is_put_on(row: TreatmentRow) -> bool:
    return row.dose is not None and row.dose.unit == "application"
