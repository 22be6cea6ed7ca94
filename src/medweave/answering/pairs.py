"""What is recorded of two drugs together, by whichever of their names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from medweave.model.statement import SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

Pair = frozenset[str]


def said_of(drug: str, other: str, knowledge: Knowledge) -> list[SupportedStatement]:
    """The statements on a drug that name another as what it interacts with, or does not."""
    others = knowledge.same(other)
    return [
        supported
        for name in knowledge.same(drug)
        for supported in knowledge.store.match(name, "interacts_with")
        if supported.statement.object_entity in others
    ]


def interactions(first: str, second: str, knowledge: Knowledge) -> list[SupportedStatement]:
    """The interactions of two drugs, of whichever of them they are recorded."""
    found = (*said_of(first, second, knowledge), *said_of(second, first, knowledge))
    return [supported for supported in found if supported.affirmed]


def interacting(drugs: Sequence[str], knowledge: Knowledge) -> frozenset[Pair]:
    """Which two of some drugs interact."""
    return frozenset(
        frozenset(pair)
        for pair in combinations(dict.fromkeys(drugs), 2)
        if interactions(*pair, knowledge)
    )
