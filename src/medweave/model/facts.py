"""What counts of the person to be treated, and how it is known."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from typing import Literal as OneOf

from medweave.model.question import Patient

TakenHow = OneOf["said", "supposed", "earlier"]
"""Said in the question, only supposed in it ("if I have an ulcer"), or said before it."""
FactKind = OneOf["condition", "drug", "past_drug", "allergy"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One condition, drug or allergy, by all entities that its name may mean."""

    kind: FactKind
    entities: tuple[str, ...]
    how: TakenHow = "said"
    severe: bool = False
    """Said to be severe, active or acute."""
    past: bool = False
    """Once so; whether it still is, or a drug still acts, is not said."""
    words: str = field(default="", compare=False)
    """The words that tell it without its name."""
    reckoned: bool = field(default=False, compare=False)
    """Only reckoned with, for what else is so: how grave it is, nobody said."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that counts of one person, and what is denied."""

    patient: Patient
    held: tuple[Fact, ...] = ()
    absent: frozenset[str] = frozenset()
    earlier_fields: frozenset[str] = frozenset()
    """The fields of `patient` that only the conversation before tells."""
    kidney_filtration: float | None = None
    """In mL/min, where it was told of the person and is low."""
    of_others: tuple[str, ...] = ()
    """What somebody else has, takes or does not bear: it is held against no drug."""

    def of(self, kind: FactKind) -> tuple[Fact, ...]:
        """The facts of one kind."""
        return tuple(fact for fact in self.held if fact.kind == kind)

    def entities(self, kind: FactKind) -> tuple[str, ...]:
        """All entities of one kind."""
        return tuple(dict.fromkeys(e for fact in self.of(kind) for e in fact.entities))

    def with_drugs(self, taken: Iterable[Fact]) -> Facts:
        """These facts, and further drugs that are, or would be, taken."""
        return replace(self, held=(*self.held, *taken))

    def once_taken(self, drugs: Set[str]) -> Facts:
        """These facts, with what is taken of some drugs as what was taken: it is to be replaced."""
        held = (
            replace(f, kind="past_drug", past=True)
            if f.kind == "drug" and not drugs.isdisjoint(f.entities)
            else f
            for f in self.held
        )
        return replace(self, held=tuple(held))

    def beside(self, drug: Set[str]) -> Facts:
        """These facts without that a drug itself is taken: it is not taken with itself."""
        others = (f for f in self.held if f.kind != "drug" or drug.isdisjoint(f.entities))
        return replace(self, held=tuple(others))


NO_FACTS = Facts(Patient())
"""Of somebody of whom nothing is said."""
