"""What the statements of a base say: properties, drugs held against the person, a diagnosis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from time import perf_counter

from medweave.answering.compose import say_statements
from medweave.answering.draft import Draft
from medweave.answering.practical import Advice
from medweave.contributors.contributor import QuestionState
from medweave.contributors.graph_answers import graph_answer, in_place_of
from medweave.contributors.tests_of_candidates import with_tests
from medweave.inference.infer import infer
from medweave.model.advised import Advised
from medweave.model.configuration import Configuration
from medweave.retrieval.advice.practical import practical_advice
from medweave.retrieval.joined import joined_material, with_bound
from medweave.retrieval.retrieve import retrieve
from medweave.understanding.advice.reading import aspects_of


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of a base, ranked as a configuration says."""

    configuration: Configuration

    def find(self, asked: QuestionState) -> None:
        """Look up what is asked for, rank it, and hold every drug in sight against the person."""
        question = asked.question
        if asked.parts:
            parts = tuple((part, retrieve(part, asked.knowledge)) for part in asked.parts)
            asked.found_of_parts = parts
            asked.material = joined_material(parts)
            question = asked.question = with_bound(question, parts)
        else:
            asked.material = retrieve(question, asked.knowledge)
            asked.graph = graph_answer(question, asked.material, asked.knowledge)
        if asked.graph is not None and asked.graph.takes_over:
            asked.material, question = in_place_of(asked.material, asked.graph, question)
        asked.retrieved = perf_counter()
        asked.inferred = infer(question, asked.material, asked.knowledge, self.configuration)
        asked.fed, asked.inferred = with_tests(asked)

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """Stops first, then what was asked."""
        if not asked.question.helps_first:
            draft.rest_on(supported for looked in asked.fed for supported in looked.statements)
        say_statements(
            draft,
            asked.question,
            asked.material,
            asked.inferred,
            cases=asked.cases,
            candidates=asked.candidates,
            graph=asked.graph,
            parts=asked.found_of_parts,
            advice=_advice(asked),
        )


def _advice(asked: QuestionState) -> Advice:
    """What practical advice answers a question: looked for once, however often it is wanted."""
    question, vectors = asked.question, asked.vectors
    aspects = cache(partial(aspects_of, question, vectors))
    nearest = asked.material.nearest_names

    @cache
    def advice(*, beside: bool) -> Sequence[Advised]:
        return practical_advice(
            question, asked.knowledge, vectors, aspects, nearest=nearest, beside=beside
        )

    return advice
