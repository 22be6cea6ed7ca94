"""Edges: a graph's statements as ranking walks them, without their evidence.

Ranking reads tens of thousands of edges for one question, and shows a handful. So things and
statements go by their *numbers* here: the first 63 bits of a digest of what they are, the same in
every base and every store. `StoreView.identifiers` leads back to names people can read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from medweave.model.statement import SupportedStatement


class Edge(NamedTuple):
    """One statement between two things."""

    subject: int
    object: int
    statement: int
    strength: float
    """The greatest strength a source that affirms it gives; 0 where none does."""
    denied: bool
    """Whether any source denies it."""

    @property
    def weight(self) -> float:
        """What it is walked by: its strength, half of it where sources disagree."""
        return self.strength / 2 if self.denied else self.strength


def edge_of(supported: SupportedStatement) -> Edge | None:
    """A statement as an edge; None where its object is a literal."""
    statement = supported.statement
    if statement.object_entity is None:
        return None
    return Edge(
        thing_number(statement.subject),
        thing_number(statement.object_entity),
        statement_number(statement.id),
        max((item.strength for item in supported.affirmed), default=0),
        bool(supported.denied),
    )


def edges_of(found: Iterable[SupportedStatement]) -> list[Edge]:
    """Those statements that are edges, by their numbers."""
    edges = (edge_of(supported) for supported in found)
    return sorted((e for e in edges if e is not None), key=lambda edge: edge.statement)


@lru_cache(maxsize=1 << 16)
def thing_number(identifier: str) -> int:
    """The number of a thing, from its identifier.

    >>> 0 <= thing_number("mw.condition:cough") < 2**63
    True
    """
    digest = hashlib.blake2b(identifier.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def statement_number(identifier: str) -> int:
    """The number of a statement, from its identifier; numbers are in the order of identifiers.

    >>> statement_number("st:ffffffffffffffff00000000") == 2**63 - 1
    True
    """
    return int(identifier[3:19], 16) >> 1


def asked_number(identifier: str | int) -> int:
    """The number of a statement that somebody names, by that or by its identifier; -1, which none
    has, where it is no identifier."""
    if isinstance(identifier, int):
        return identifier
    try:
        return statement_number(identifier)
    except ValueError:
        return -1
