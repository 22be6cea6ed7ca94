"""What retrieval hands on: properties looked up, and drugs at issue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from medweave.model.statement import SupportedStatement


@dataclass(frozen=True, slots=True)
class Focus:
    """A thing that a question is about: all entities that bear its name, the first choice first."""

    entities: tuple[str, ...]

    @property
    def entity(self) -> str:
        """The first choice."""
        return self.entities[0]


OWN = "own"
"""The intent of what is looked up by a relation that only the base has."""
DRUG_LISTS = ("used_for", "used_to_prevent", "in_class")
"""Predicates that, asked of what they are for, list drugs."""
LISTS_OF_PAPERS = ("improves", "studied_for", "protects_from", "affects", "aggravates")
"""Predicates that may list drugs among other things."""
BESIDE_A_HABIT = "habit"
"""The intent of what is told of a medicine for what somebody drinks beside it."""
BESIDE_A_STATE = "state"
"""The intent of what is told of a medicine for a pregnancy, or for breastfeeding."""
OVERVIEW = "overview"
"""The intent of what is told of a thing where it was not understood what is asked of it."""


@dataclass(frozen=True, slots=True)
class Looked:
    """One property of one thing, looked up for one intent; `statements` may be empty."""

    intent: str
    focus: Focus
    predicate: str
    from_object: bool
    statements: tuple[SupportedStatement, ...]
    scores: Mapping[str, float] = field(default_factory=dict)
    """Where they are ranked by a walk: the score of the thing at each statement's other end."""
    through: tuple[SupportedStatement, ...] = ()
    """Where the question does not name the thing: what joins it to the findings it names."""
    together: tuple[Focus, ...] = ()
    """Further things that are asked about with this one: the statements hold of all."""
    of_class: str = ""
    """The class of drugs that was asked for, to which the statements are narrowed."""
    left_out: tuple[SupportedStatement, ...] = ()
    """Found, but not to be said: the question names their other end to leave it out."""
    sold_freely: bool = False
    """Whether the statements are narrowed to what is sold without a prescription."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """What a base holds on one claim of a yes/no question: of `first`, of `second`.

    `found` says it of the very things; or of a kind of them, where nothing is said of themselves.
    An end is None where the question names nothing that is known.
    """

    relation: str
    first: Focus | None
    second: Focus | None
    found: tuple[SupportedStatement, ...]
    instead: Looked | None = None
    """Where nothing is found: what the base does record in its place."""
    narrower: Focus | None = None
    """Where what is found says it of what one end is a kind of: that end."""
    otherwise: tuple[SupportedStatement, ...] = ()
    """Where nothing is found: what papers say of the two things in other relations."""


@dataclass(frozen=True, slots=True)
class Material:
    """Everything the base holds that bears on a question."""

    looked: tuple[Looked, ...] = ()
    question_drugs: tuple[Focus, ...] = ()
    """Drugs the question asks about, classes opened into their members."""
    claimed: tuple[Claimed, ...] = ()
    compared: tuple[Looked, ...] = ()
    """What is compared: the properties of each disease, or the uses of each drug."""
    held_back: bool = False
    """Whether no drug is listed, because a danger is to be ruled out first."""
    nearest_names: tuple[str, ...] = ()
    """Titles of the records nearest in words, where nothing was recognised."""
    everyday: tuple[Looked, ...] = ()
    """What is said of the part of the everyday use of medicines that is asked about."""
    kinds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of what is answered for: its kinds, where the base describes several apart."""
