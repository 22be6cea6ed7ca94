"""What a question that was read as a graph led to: its steps, and the answer in one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from medweave.model.entity import Entity
from medweave.model.graph_question import GraphQuestion, Relation
from medweave.model.statement import SupportedStatement
from medweave.model.steps import IN_WORDS, NO_SUBGRAPH, Result, Subgraph
from medweave.model.triple_query import Triple


@dataclass(frozen=True, slots=True)
class FoundStep:
    """What one step sought, how, and what it found."""

    node: int
    """What was sought; -1 where it was held whether all that is named is so."""
    relations: tuple[Relation, ...]
    queries: tuple[Triple, ...]
    things: tuple[Entity, ...]
    statements: Mapping[str, SupportedStatement]
    core: tuple[str, ...] = ()
    """What is named in it, and what earlier steps found."""
    holds: bool = False
    around: Subgraph = NO_SUBGRAPH
    """Around the core, pruned."""


@dataclass(frozen=True, slots=True)
class FoundGraph:
    """All steps of one question, and its answer in one value."""

    question: GraphQuestion
    steps: tuple[FoundStep, ...] = ()
    result: Result = IN_WORDS
    lacking: tuple[str, ...] = ()
    """Relations that are asked for and that the base does not have."""
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By name: the kinds of a thing of which itself nothing is recorded."""
    denied: tuple[SupportedStatement, ...] = ()
    """What sources deny of what a yes/no question claims."""

    turned: Mapping[str, SupportedStatement] = field(default_factory=dict)
    """What is recorded the other way round than it is claimed."""
    takes_over: bool = True
    """Whether it is the answer, and not only a value beside one that is worded otherwise."""

    @property
    def statements(self) -> dict[str, SupportedStatement]:
        """What all steps rest on."""
        found = {key: each for step in self.steps for key, each in step.statements.items()}
        return found | dict(self.turned)
