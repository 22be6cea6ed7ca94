"""Past dialogues that bear on a question: what is quoted of them, and where they disagree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from medweave.model.json_form import json_of
from medweave.model.statement import Evidence, SupportedStatement

if TYPE_CHECKING:  # an answer without cases is sooner without
    from medweave.model.similar import SimilarBy, Why

TOPIC = "similar_cases"
"""What sentences about past dialogues are kept as answers to."""
Nearness = OneOf["near", "somewhat", "named"]
"""How a case was come by: it is like the message, or only somewhat, or the message names it."""


@dataclass(frozen=True, slots=True)
class SectionOfCase:
    """One section of a case: its statement, and the parts that one document gives of it."""

    section: str
    supported: SupportedStatement
    parts: tuple[Evidence, ...]
    """In the order of the dialogue."""
    weight: float = 0.0
    """That of its weightiest link, from 0 to 1."""

    @property
    def by_doctor(self) -> bool:
        """Whether a doctor says all of it."""
        return all(part.place.field.endswith(" doctor") for part in self.parts)


@dataclass(frozen=True, slots=True)
class Case:
    """A past dialogue with what is quoted of it, in the order in which it is said."""

    id: str
    root: str
    document: str
    nearness: Nearness
    date: str = ""
    score: float = 0.0
    why: tuple[Why, ...] = ()
    about: SectionOfCase | None = None
    """What the patient told; None where the message names the case."""
    sections: tuple[SectionOfCase, ...] = ()
    lacking: tuple[str, ...] = ()
    """Sections that were asked for and that it does not have."""

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `cases` in an Answer."""
        return json_of(self, "id score nearness why")


@dataclass(frozen=True, slots=True)
class CaseConflict:
    """Two cases of one issue in which opposite things were advised."""

    ids: tuple[str, str]
    sides: tuple[SectionOfCase, SectionOfCase]
    words: tuple[str, ...]
    """What they disagree about."""
    quotes: tuple[str, str]
    """The sentence of each that shows it."""


@dataclass(frozen=True, slots=True)
class Cases:
    """All that past dialogues bring to an answer."""

    cases: tuple[Case, ...] = ()
    conflicts: tuple[CaseConflict, ...] = ()
    ranking: SimilarBy = "text"
    named: bool = False
    """Whether the message names the cases that are to be its context."""
    unknown: tuple[str, ...] = ()
    """Ids that the message names and the base does not hold."""
    nearest: str = ""
    """The id of the best case, where none is near enough to be quoted."""
    withheld: bool = False
    """Whether none is quoted because the message tells of danger."""
    alone: bool = False
    """Whether the base holds dialogues and nothing else."""
    missing: tuple[str, ...] = ()
    """What could not be done, in the language of the message."""

    @property
    def only(self) -> bool:
        """Whether nothing but cases is to answer."""
        return self.named or bool(self.unknown) or self.alone

    @property
    def answer(self) -> bool:
        """Whether cases alone answer: those named, with all that was asked; or one that is near."""
        if self.named:
            lacking = any(case.lacking for case in self.cases)
            return bool(self.cases) and not self.unknown and not lacking
        return any(case.nearness == "near" for case in self.cases)


NO_CASES = Cases()
"""Where no past dialogue was looked for, or there is none."""
