"""A guideline as values: what is observed, what follows from it, and what is then done.

Ages are in days, weights in kg. Everything names where it was taken from; `unsourced` where it
names nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal as OneOf

from medweave.model.logic import Expression

ObservationKind = OneOf["boolean", "number", "choice", "choices", "text", "date"]
Severity = OneOf["severe", "moderate", "mild", "none"]
SEVERITIES: tuple[Severity, ...] = ("severe", "moderate", "mild", "none")
"""The gravest first."""
Colour = OneOf["pink", "yellow", "green"]
Unasked = OneOf["impossible", "needless"]
Means = OneOf["", "true", "false", "unavailable"]
StepKind = OneOf["drug", "advice", "referral", "test", "management"]
DAYS_OF_A_MONTH = 30.4375
UNSOURCED = "unsourced"
GUIDELINE_DEFINITION = "guideline_definition"
"""The predicate under which a base keeps the parts of a guideline."""


@dataclass(frozen=True, slots=True)
class AgeBand:
    """At least `from_days` old and younger than `to_days`; None is no limit."""

    from_days: int | None = None
    to_days: int | None = None

    def has(self, age_days: int | None) -> bool | None:
        """Whether somebody of this age belongs to it; None where that is not known.

        >>> AgeBand(60, 1826).has(60), AgeBand(60, 1826).has(1826), AgeBand(None, 60).has(None)
        (True, False, None)
        """
        if self.from_days is None and self.to_days is None:
            return True
        if age_days is None:
            return None
        return (self.from_days is None or age_days >= self.from_days) and (
            self.to_days is None or age_days < self.to_days
        )


ANY_AGE = AgeBand()


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """One of the exclusive answers to a question, or one band of a number.

    `means` makes it true, false or "cannot be had"; a band holds numbers from `low` on that are
    below `high`.
    """

    id: str
    label: str
    aliases: tuple[str, ...] = ()
    means: Means = ""
    low: float | None = None
    high: float | None = None
    value: float | None = None
    """The number it is calculated with where it is given instead of a number ("feels hot": 38)."""
    implies: tuple[str, ...] = ()
    """Two-valued observations that are there by its very meaning where a text tells it."""

    @property
    def is_band(self) -> bool:
        """Whether it is chosen by a number."""
        return self.low is not None or self.high is not None


YES = AnswerOption("yes", "Yes", means="true")
NO = AnswerOption("no", "No", means="false")


@dataclass(frozen=True, slots=True)
class RuleValue:
    """A two-valued observation that is worked out by a rule: its answer is yes or no by it."""

    rule: Expression


@dataclass(frozen=True, slots=True)
class AgeValue:
    """A number: the age in a unit ("d" or "mo"; whole months of 30.4375 days)."""

    unit: OneOf["d", "mo"]


@dataclass(frozen=True, slots=True)
class SameValue:
    """A number: that of another observation, times a factor."""

    observation: str
    factor: float = 1.0


@dataclass(frozen=True, slots=True)
class FormulaValue:
    """A number: calculated from numbers of other observations, named by id in brackets."""

    formula: str
    """Of numbers, [ids], + - * / ^ and brackets: `[weight] / ([height] / 100) ^ 2`."""


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """An answer worked out by rules: the first whose rule is true, if all before it are false."""

    rules: tuple[tuple[str, Expression], ...]
    """(answer, rule), in order."""


@dataclass(frozen=True, slots=True)
class TableValue:
    """A z-score, read from a reference table by sex: the number of table[x] that y falls under.

    `down`: the greatest z whose reference value `y` reaches, below the least by one less. Values
    between those of −3 and −2 give −3.
    `to_zero`, as medAL-reader does it: between two, the one nearer to 0, and beyond the ends the
    end. Values between those of −3 and −2 give −2, and so does −2 itself; what is below −2 by more
    gives −3.
    """

    male: str
    female: str
    x: str
    """The observation whose number chooses the row; "age" for the age in days."""
    y: str
    """The observation whose number is compared with the row."""
    rounding: OneOf["down", "to_zero"] = "down"


@dataclass(frozen=True, slots=True)
class PersonValue:
    """What is said of the person beside the observations: the weight (kg), or the sex."""

    what: OneOf["weight", "sex"]


def rules_of(derived: Derivation | None) -> tuple[tuple[str, Expression], ...]:
    """(answer, rule) of what is worked out by rules; a two-valued observation's rule is for ''."""
    match derived:
        case RuleValue(rule):
            return (("", rule),)
        case ChosenValue(rules):
            return rules
        case _:
            return ()


Derivation = (
    PersonValue | RuleValue | AgeValue | SameValue | FormulaValue | ChosenValue | TableValue
)


@dataclass(frozen=True, slots=True)
class Observation:
    """A question with exclusive answers, or a number with its unit (UCUM)."""

    id: str
    label: str
    kind: ObservationKind = "boolean"
    aliases: tuple[str, ...] = ()
    question: str = ""
    """How to ask for it; the label where it is ''."""
    help: str = ""
    unit: str = ""
    range: tuple[float | None, float | None] = (None, None)
    """Numbers outside it cannot be true and are refused."""
    warn: tuple[float | None, float | None] = (None, None)
    """Numbers outside it are taken, and questioned."""
    answers: tuple[AnswerOption, ...] = ()
    ages: AgeBand = ANY_AGE
    danger_sign: bool = False
    main_symptom: bool = False
    routine: bool = False
    """It is checked in every child, whatever brings it: after the complaint is settled."""
    group: str = ""
    """The step of the form it belongs to ("danger signs", "fever", "tests")."""
    asked_if: Expression | None = None
    """The form's own skip logic; None where it is always asked."""
    unasked: Unasked = "impossible"
    """What it means that `asked_if` is false: no such finding can be (an age of a cough that is not
    there), or the form needs none."""
    resources: tuple[str, ...] = ()
    """What must be at hand to observe it ("oximeter", "HIV PCR")."""
    derived: Derivation | None = None
    default: str = ""
    """The answer it has where nobody gave one (a complaint category nobody named: no)."""
    concept: str = ""
    """The entity of the shared vocabulary it stands for, where there is one (a CURIE)."""
    source: str = UNSOURCED

    def option(self, meaning: Means) -> AnswerOption | None:
        """The answer that means true, false or unavailable, if it has one.

        >>> Observation("cough", "Cough", answers=(YES, NO)).option("false").id
        'no'
        """
        return next((answer for answer in self.answers if answer.means == meaning), None)


def answers_of(observation: Observation) -> tuple[AnswerOption, ...]:
    """The answers there are; yes and no where a two-valued question lists none.

    >>> [answer.id for answer in answers_of(Observation("cough", "Cough"))]
    ['yes', 'no']
    """
    if observation.answers or observation.kind != "boolean":
        return observation.answers
    return (YES, NO)


@dataclass(frozen=True, slots=True)
class Band:
    """A row of a dose table: weights (kg) and ages (days) from the first on, below the second."""

    value: float
    """For one administration, in the dose's unit."""
    weight: tuple[float | None, float | None] = (None, None)
    ages: AgeBand = ANY_AGE
    source: str = UNSOURCED


@dataclass(frozen=True, slots=True)
class BandDose:
    """A dose looked up by weight or age."""

    unit: str
    bands: tuple[Band, ...]


@dataclass(frozen=True, slots=True)
class WeightDose:
    """A dose by weight: `least` to `most` (unit / kg / day), never above `cap` (unit / day)."""

    unit: str
    least: float
    most: float
    cap: float


@dataclass(frozen=True, slots=True)
class FixedDose:
    """The same for everybody, in pieces, drops, puffs, mL …"""

    unit: str
    value: float


@dataclass(frozen=True, slots=True)
class Formulation:
    """A form a drug comes in, and how much of it is given at a time.

    Liquids: `strength` (in the dose's unit) in `volume` mL. Solids: `strength` in a piece that
    can be broken into `breakable` parts (1: not at all).
    """

    id: str
    label: str
    form: str
    """tablet, capsule, syrup, suspension, solution, powder for injection, drops, cream …"""
    dose: BandDose | WeightDose | FixedDose
    route: str = ""
    times_per_day: float = 1
    strength: float | None = None
    volume: float | None = None
    breakable: int = 1
    instructions: str = ""
    sites: int = 1
    """Into so many places it is divided at least."""
    per_site: float | None = None
    """The most (mL) that is injected at one place; a larger volume is divided."""
    source: str = UNSOURCED


@dataclass(frozen=True, slots=True)
class FollowUp:
    """In how many days to come back, and in which case, in words ("if fever persists")."""

    days: int
    when: str = ""


@dataclass(frozen=True, slots=True)
class TreatmentStep:
    """One thing to do about a classification; its own condition, where it has one, is `when`."""

    id: str
    label: str
    kind: StepKind
    aliases: tuple[str, ...] = ()
    drug: str = ""
    """The drug's id, shared by all steps that give it."""
    text: str = ""
    when: Expression | None = None
    ages: AgeBand = ANY_AGE
    formulations: tuple[Formulation, ...] = ()
    days: float | None = None
    """For how long; None where the guideline says nothing in figures."""
    duration: str = ""
    """For how long, as the guideline words it."""
    excludes: tuple[str, ...] = ()
    """Drugs and steps that are not offered beside it."""
    follow_ups: tuple[FollowUp, ...] = ()
    """When to come back where the step applies."""
    substitutes: tuple[str, ...] = ()
    """Steps to take instead, in order, where it cannot be had."""
    resources: tuple[str, ...] = ()
    source: str = UNSOURCED


@dataclass(frozen=True, slots=True)
class Classification:
    """What a child may have, by a rule; `condition` is the table it stands in.

    It does not hold where one of those it yields to does: those are the severer ones of its
    condition, unless the guideline names them.
    """

    id: str
    label: str
    condition: str
    severity: Severity
    rule: Expression
    colour: Colour | None = None
    aliases: tuple[str, ...] = ()
    ages: AgeBand = ANY_AGE
    yields_to: tuple[str, ...] | None = None
    """None: all severer ones of its condition; (): none, whatever its condition holds."""
    treatments: tuple[TreatmentStep, ...] = ()
    refer: bool = False
    follow_up_days: int | None = None
    urgency: int = 0
    """Within a severity: the greater, the more urgent."""
    source: str = UNSOURCED


@dataclass(frozen=True, slots=True)
class Condition:
    """A table of classifications that are read together, the severest first."""

    id: str
    label: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Guideline:
    """All of it. `groups` are logic groups that several rules share, by name.

    `tables` are the reference tables its z-scores are read from: name → row → z → reference value.
    """

    id: str
    version: str
    title: str
    observations: tuple[Observation, ...]
    conditions: tuple[Condition, ...]
    classifications: tuple[Classification, ...]
    groups: Mapping[str, Expression] = field(default_factory=dict)
    ages: AgeBand = ANY_AGE
    country: str = ""
    language: str = "en"
    citation: str = ""
    developer: str = ""
    released: str = ""
    limits: str = ""
    """Known limits, in words."""
    sample: bool = False
    danger_signs_first: bool = False
    """Nothing harmless stands provisionally before every danger sign was asked for."""
    measurable_doses: bool = False
    """Doses by weight are rounded to what a spoon, a syringe or a piece of a tablet can measure,
    never above the most for the weight. Imported guidelines have a rounding of their own."""
    tables: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """`id@version`, under which it lives in a base."""
        return f"{self.id}@{self.version}"


def days_of_months(months: float) -> int:
    """An age in months as days: floor(n × 30.4375).

    >>> days_of_months(2), days_of_months(60)
    (60, 1826)
    """
    return int(months * DAYS_OF_A_MONTH)
