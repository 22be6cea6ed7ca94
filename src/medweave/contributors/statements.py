"""What the statements of a base say: properties, drugs held against the person, a diagnosis."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from medweave.answering.compose import say_statements
from medweave.answering.draft import Draft
from medweave.contributors.contributor import QuestionState
from medweave.inference.infer import infer
from medweave.model.configuration import Configuration
from medweave.retrieval.retrieve import retrieve


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a base, ranked as a configuration says."""

    configuration: Configuration

    def find(self, asked: QuestionState) -> None:
        """Look up what is asked for, rank it, and hold every drug in sight against the person."""
        asked.material = retrieve(asked.question, asked.knowledge)
        asked.retrieved = perf_counter()
        asked.inferred = infer(asked.question, asked.material, asked.knowledge, self.configuration)

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """Stops first, then what was asked."""
        say_statements(
            draft,
            asked.question,
            asked.material,
            asked.inferred,
            cases=asked.cases,
            candidates=asked.candidates,
        )
