"""What past dialogues bring to an answer; most questions about monographs need none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.model.cases import NO_CASES
from medweave.model.question import Question
from medweave.model.similar import Message
from medweave.retrieval.dialogues.case_gate import cases_wanted
from medweave.retrieval.dialogues.similar import PastDialogues


@dataclass(frozen=True, slots=True)
class PastCases:
    """The dialogues of a base; `past` opens them, `read` finds the sections of a message."""

    past: Callable[[], PastDialogues]
    read: Callable[[Question], Message]

    def find(self, asked: QuestionState) -> None:
        """The cases that are named, or are like the question, where any are wanted."""
        if asked.graph is not None and asked.graph.takes_over:
            return
        store = asked.knowledge.store
        wanted = cases_wanted(asked.question, asked.material, asked.inferred, store)
        if wanted is None:
            return
        from medweave.retrieval.dialogues.cases import past_cases

        asked.cases = past_cases(asked.question, self.past(), store, wanted, self.read)

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """Quote them; where nothing but cases says anything, they are the answer or part of it."""
        cases = asked.cases
        if cases is NO_CASES or asked.question.in_crisis:
            return
        from medweave.answering.cases import say_cases  # a plain answer is sooner without
        from medweave.contributors.named_drugs import hold_against

        besides = bool(draft.sentences)
        quoted = (part.quote for case in cases.cases for s in case.sections for part in s.parts)
        hold_against(quoted, draft, asked.inferred.facts, asked.knowledge)
        say_cases(draft, cases)
        if cases.cases and not besides:
            draft.unmet = 0 if cases.only and cases.answer else max(draft.unmet, 1)
