"""A question as a graph: things that are named or sought, and the relations between them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

NETWORKS = frozenset(
    {"gene", "pathway", "biological_process", "molecular_function", "cellular_component"}
)
"""Concepts of which nothing but relations is asked."""


@dataclass(frozen=True, slots=True)
class Node:
    """A thing of a question: named, or sought as one of a kind."""

    concepts: tuple[str, ...]
    """What it may be; none where nothing says so."""
    name: str = ""
    """What it is called in the question; of what is sought, the noun for it."""
    entities: tuple[str, ...] = ()
    """All that the name may mean; none of what is sought."""
    within: tuple[str, ...] = ()
    """Of what is sought: what it must be a kind or a member of, "which antibiotics"."""

    @property
    def sought(self) -> bool:
        """Whether it is unknown."""
        return not self.entities


@dataclass(frozen=True, slots=True)
class Side:
    """Nodes at one end of a relation, by their places: all of them, or `any`."""

    nodes: tuple[int, ...]
    any: bool = False


@dataclass(frozen=True, slots=True)
class Relation:
    """That the nodes of one side stand in a relation to those of the other."""

    subjects: Side
    predicates: tuple[str, ...]
    """Any of them is enough."""
    objects: Side
    denied: bool = False
    weak: bool = False
    """No word says it: it is what such things usually are."""
    jointly: bool = False
    """Denied of all that a side names together: some of them may have it."""
    otherwise: tuple[str, ...] = ()
    """Predicates that say the same from the other side, of which one is enough as well: what X
    causes is `caused_by` it."""
    directed: bool = False
    """A word says which comes first: what is recorded the other way round is another claim."""

    @property
    def reversed(self) -> Relation:
        """The same of the other end."""
        return replace(self, subjects=self.objects, objects=self.subjects)


@dataclass(frozen=True, slots=True)
class Option:
    """An answer that the question itself offers."""

    label: str
    """Its letter or number; '' where it is only named: then as many may hold as do."""
    text: str
    entities: tuple[str, ...] = ()
    none: bool = False
    """Whether it says that none of the others holds."""


GraphForm = Literal["list", "yes_no", "choice"]


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A question whose every word of weight was read as part of a graph."""

    form: GraphForm
    nodes: tuple[Node, ...]
    relations: tuple[Relation, ...]
    target: int = -1
    """The place of the node that is asked for; -1 in a yes/no question."""
    options: tuple[Option, ...] = ()
    denied: bool = False
    """Of yes/no: "is it false that"; of a choice: which of them is not."""
    lacking: tuple[str, ...] = ()
    """Words for a relation that is not known, or that such things do not have."""
    language: str = "en"
    chained: bool = False
    """Whether a later clause asks on, of what an earlier one seeks: "and which drugs treat it?"."""

    @property
    def labelled(self) -> bool:
        """Whether the answers that it offers have labels, of which one is wanted."""
        return any(option.label for option in self.options)

    @property
    def simple(self) -> bool:
        """Whether it is one relation between one thing and another, both ways round."""
        one = len(self.relations) == 1 and len(self.nodes) <= _PAIR
        return one and self.form != "choice" and not self.relations[0].denied


_PAIR = 2
