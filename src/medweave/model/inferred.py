"""What inference hands on: ranked diseases, and what stops which drug."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.model.facts import NO_FACTS, Fact, Facts
from medweave.model.material import Focus, Looked
from medweave.model.question import Word
from medweave.model.statement import SupportedStatement

Level = OneOf["stop", "avoid", "care"]
"""How grave something is that speaks against a drug: a contraindication, or an interaction graded
so; an interaction that is graded as to be avoided; all else. The first two exclude the drug."""
Topic = OneOf["pregnancy", "breastfeeding", "age", "sex", "allergy", "condition", "drugs"]

FEW = 4
"""So many diseases that fit alike are named; of more none is: decision 474."""


@dataclass(frozen=True, slots=True)
class Shared:
    """A word of the question that is in the name of a finding of a disease."""

    word: Word
    statement: int
    """That the disease has this finding, by number."""


LEAST_ALIKE = 3
"""So many are named where what the whole is told like is not sure."""
MUCH_RARER = 2.0
"""A disease so much rarer than another (twenty times) is not told as fitting alike."""
RARE = 4.0
"""What is so rare is told to be that where one finding alone speaks for it."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A disease with its score and the statements that join it to the findings."""

    entity: str
    score: float
    why: tuple[int, ...]
    """Statements, by number (`model.edge`)."""
    against: tuple[int, ...] = ()
    """Statements about symptoms it has and the person does not."""
    findings: int = 0
    """How many of the findings it shows."""
    by_name: int = 0
    """How many of these were recognised by a name, and not in other words."""
    words: tuple[Shared, ...] = ()
    """Words that join it to the question beside the findings."""
    likeness: float = 0.0
    """How surely the whole complaint is told as it is told, between 0 and 1."""
    ruled_out: bool = False
    """The person is said not to have it."""
    wider: bool = False
    """A kind of it fits as well, and is told in its place."""
    rarity: float = 0.0
    """How rare it is said to be: 0 where it is met most, or nothing is said."""
    how_common: tuple[int, ...] = ()
    """The statements that say so, by number."""


@dataclass(frozen=True, slots=True)
class Differential:
    """Ranked diseases, how clearly the first one leads, and findings that would settle it."""

    ranked: tuple[Ranked, ...] = ()
    margin: float = 0.0
    clear: bool = False
    """Whether the first one leads by enough to be named."""
    likened: bool = False
    """Whether they are ranked by how the whole is told, beside the findings."""
    settling: tuple[str, ...] = ()
    """Findings to ask about, the most telling first."""
    same_day: bool = False
    """Whether whoever has the first one should be seen by a doctor the same day."""

    @property
    def fitting(self) -> tuple[Ranked, ...]:
        """Those that show a finding or are told alike, and are neither ruled out nor told by a kind
        of theirs."""
        shown = (r for r in self.ranked if r.findings or r.likeness)
        return tuple(r for r in shown if not (r.ruled_out or r.wider))

    @property
    def alike(self) -> tuple[Ranked, ...]:
        """Those that show as many of the findings as the best and are not much rarer than the most
        common of these, or are told nearly as surely."""
        fitting = self.fitting
        if self.likened:
            near = sum(2 * r.score >= fitting[0].score for r in fitting)
            return fitting[: min(max(near, LEAST_ALIKE), FEW)]
        shown = [r for r in fitting if r.findings == fitting[0].findings]
        most_common = min((r.rarity for r in shown), default=0.0)
        return tuple(
            r for at, r in enumerate(shown) if not at or r.rarity - most_common < MUCH_RARER
        )

    @property
    def near(self) -> tuple[Ranked, ...]:
        """A few that show half as many of the findings as the best, at least."""
        fitting = self.fitting
        return tuple(r for r in fitting if 2 * r.findings >= fitting[0].findings)[:FEW]


@dataclass(frozen=True, slots=True)
class StopFinding:
    """One statement that may stop one drug.

    `holds` is True (it applies) or None (unknown: ask). `touched` says that the person spoke of it,
    so that only a detail is missing ("pregnant", but in which week?).
    """

    supported: SupportedStatement
    about: str
    """The drug itself, or the ingredient or class of it that the statement is about."""
    topic: Topic
    holds: bool | None
    level: Level
    touched: bool
    through: tuple[str, ...] = ()
    """Statements by which the drug belongs to what the statement is about."""
    facts: tuple[Fact, ...] = ()
    """What counts of the person, and makes it hold or touches it."""
    likely: bool = True
    """Whether what is unknown may well be so: "a kid" is hardly an infant of two months, of those
    who call themselves allergic few bore it so badly that its kin are forbidden, and "heart
    disease" is hardly the one kind that forbids a drug."""
    in_part: bool = False
    """Whether it hangs on a guess, and besides on which medicine exactly or how grave it is."""
    kin: str = ""
    """The drug of which nothing is recorded, where the statement is about another of its class."""

    @property
    def hard(self) -> bool:
        """Whether it excludes the drug where it holds."""
        return self.level != "care"


@dataclass(frozen=True, slots=True)
class DrugReview:
    """A drug held against what is known of the person."""

    drug: Focus
    findings: tuple[StopFinding, ...]
    has_data: bool
    """Whether the base names any contraindication of it at all."""
    taken: bool = False
    """Whether the person takes it already."""
    perhaps_taken: bool = False
    """Whether that is only supposed."""
    must_go_on: bool = False
    """Whether it is of a kind that nobody ends on their own: insulin, an anticonvulsant …"""
    bought: bool = False
    """Whether people buy it and may leave it off at any time."""
    rests_in_illness: bool = False
    """Whether it is one of those that are often paused while somebody is dried out, as now."""

    @property
    def excluded(self) -> bool:
        """Never to be offered: a hard stop applies, or hangs on a detail of what was said."""
        return any(f.hard and (f.holds or (f.touched and f.likely)) for f in self.findings)

    @property
    def needs_care(self) -> bool:
        """Something that excludes nothing applies to the person, or hangs on a detail."""
        return any(f.holds or f.touched for f in self.findings)


@dataclass(frozen=True, slots=True)
class Inferred:
    """Everything inferred for one question."""

    differential: Differential | None = None
    reviews: tuple[DrugReview, ...] = ()
    looked: tuple[Looked, ...] = ()
    """What is said of the things in question: what was looked up, ranked where that is set."""
    facts: Facts = NO_FACTS
    """What counts of the person."""
    guessed: tuple[tuple[Fact, str], ...] = ()
    """What may be meant besides, with the words that may mean it: it is asked about."""
