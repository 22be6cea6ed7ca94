"""How a question was answered: one value, and the steps that led to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from medweave.model.entity import Entity
from medweave.model.statement import SupportedStatement

if TYPE_CHECKING:  # most answers are read, and not built of triples
    from medweave.model.triple_query import Triple

ResultKind = Literal["entities", "yes_no", "choice", "text"]
RemovedBy = Literal["cosine", "distance", "pagerank", "relation", "model", "budget"]
MOST_STEPS = 3
"""Sub-questions of one question."""


@dataclass(frozen=True, slots=True)
class Result:
    """The answer in one value, which depends on the kind.

    `entities`: what was asked for, best first and complete. `yes_no`: `True`, `False`, or `None`
    where the base does not say. `choice`: the label of an option, or `None`. `text`: `None`, as the
    sentences are the answer.
    """

    kind: ResultKind = "text"
    value: tuple[Entity, ...] | bool | str | None = None


IN_WORDS = Result()
"""What is answered in sentences alone."""


@dataclass(frozen=True, slots=True)
class Removed:
    """A statement that was taken out of a sub-graph, by what, and why in words."""

    statement: str
    by: RemovedBy
    reason: str


@dataclass(frozen=True, slots=True)
class Subgraph:
    """Statements around what a step is about: what is left, and what went."""

    statements: tuple[SupportedStatement, ...] = ()
    removed: tuple[Removed, ...] = ()

    @property
    def before(self) -> int:
        """How many there were."""
        return len(self.statements) + len(self.removed)


NO_SUBGRAPH = Subgraph()


def joint_subgraph(some: Iterable[Subgraph]) -> Subgraph:
    """Several sub-graphs as one: what any of them holds stays."""
    every = list(some)
    held = {each.statement.id: each for one in every for each in one.statements}
    out = {each.statement: each for one in every for each in one.removed}
    removed = tuple(each for key, each in out.items() if key not in held)
    return Subgraph(tuple(held.values()), removed)


@dataclass(frozen=True, slots=True)
class Step:
    """One sub-question: what was asked of the base, what it rests on, and what came of it."""

    question: str
    type: str
    """The label of an intent, or a form: "yes_no", "choice", "list"."""
    queries: tuple[Triple, ...] = ()
    statements: tuple[str, ...] = ()
    answer: str = ""
    subgraph: Subgraph = NO_SUBGRAPH
    by: Literal["rules", "model"] = "rules"


def joint_step(steps: Sequence[Step]) -> Step:
    """Several steps as one, of the type of the first."""
    return replace(
        steps[0],
        question=" ".join(step.question for step in steps),
        queries=tuple(dict.fromkeys(q for step in steps for q in step.queries)),
        statements=tuple(dict.fromkeys(s for step in steps for s in step.statements)),
        answer=" ".join(dict.fromkeys(filter(None, (step.answer for step in steps)))),
        subgraph=joint_subgraph(step.subgraph for step in steps),
    )
