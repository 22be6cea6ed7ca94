"""The interface of a contributor, and what contributors share of one question."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from medweave.answering.draft import Draft
from medweave.model.cases import NO_CASES, Cases
from medweave.model.inferred import Inferred
from medweave.model.material import Looked, Material
from medweave.model.question import Question
from medweave.ports import SentenceVectors
from medweave.vocabulary.knowledge import Knowledge

if TYPE_CHECKING:  # most questions are no graphs
    from medweave.model.found_graph import FoundGraph


@dataclass
class QuestionState:
    """One question, and what was found on it so far."""

    question: Question
    knowledge: Knowledge
    candidates: int
    """How many candidates an answer lists."""
    vectors: SentenceVectors | None = None
    """What reads sentences by meaning, where there is anything that does."""
    material: Material = field(default_factory=Material)
    inferred: Inferred = field(default_factory=Inferred)
    cases: Cases = NO_CASES
    parts: tuple[Question, ...] = ()
    """What a text asks that asks several things, each as a question of its own."""
    found_of_parts: tuple[tuple[Question, Material], ...] = ()
    """Each of these, with what was found of it."""
    graph: FoundGraph | None = None
    """What the question led to, where it was read as a graph."""
    fed: tuple[Looked, ...] = ()
    """What a first step led to: the tests of the diseases that fit what was told."""
    retrieved: float = 0.0
    """When statements were looked up, by the clock of the machine."""


class Contributor(Protocol):
    """Something that answers: statements, past cases, guidelines.

    All find before any says, so that each knows what the others have.
    """

    def find(self, asked: QuestionState) -> None:
        """Retrieve and infer; what others need of it is put into `asked`."""

    def say(self, draft: Draft, asked: QuestionState) -> None:
        """Put what was found into the answer in the making."""
