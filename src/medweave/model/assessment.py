"""What a guideline says of one child, and why: the result of evaluating it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from medweave.model.guideline import Colour, Observation, Severity
from medweave.model.json_form import json_of

if TYPE_CHECKING:
    from medweave.model.answer import Answer, Danger
    from medweave.model.question import Unread

ClassificationStatus = OneOf["confirmed", "provisional", "possible", "excluded", "not_applicable"]
STANDS: frozenset[ClassificationStatus] = frozenset({"confirmed", "provisional"})
"""The statuses that are acted on."""


@dataclass(frozen=True, slots=True)
class ClassificationResult:
    """One classification, in one of five statuses.

    `confirmed` rests on what is known; `provisional` stands and is acted on while something that
    it yields to could not be excluded (`open`); `possible` waits for what `missing` lists;
    `unavailable` are those of its observations that cannot be had.
    """

    id: str
    label: str
    condition: str
    severity: Severity
    colour: Colour | None
    status: ClassificationStatus
    why: str
    missing: tuple[str, ...] = ()
    unavailable: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """One of `classifications` of an Assessment."""
        return json_of(
            self,
            "id label aliases condition severity colour status missing unavailable open why",
        )


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit."""

    value: float
    unit: str

    def to_json(self) -> dict[str, Any]:
        """Whole numbers without a point."""
        value = int(self.value) if float(self.value).is_integer() else self.value
        return {"value": value, "unit": self.unit}


@dataclass(frozen=True, slots=True)
class TreatmentRow:
    """A treatment of a classification that stands; for a drug, a row for each formulation.

    `dose` and `amount` are for one administration; None where the weight is not known or not
    plausible, which `note` then says. `missing` is what its own condition waits for.
    """

    classification: str
    step: str
    kind: str
    label: str
    text: str = ""
    drug: str | None = None
    drug_id: str | None = None
    aliases: tuple[str, ...] = ()
    formulation_id: str = ""
    formulation: str = ""
    dose: Quantity | None = None
    amount: Quantity | None = None
    route: str = ""
    times_per_day: float | None = None
    days: float | None = None
    duration: str = ""
    missing: tuple[str, ...] = ()
    source: str = ""
    note: str = ""
    also_for: tuple[str, ...] = ()
    """Further classifications that it is given for: nothing is given twice to one child."""
    alternative: str = ""
    """Rows with the same word here are alternatives: one of them is given."""
    sites: int = 1
    """Into so many places the amount is divided."""

    @property
    def classifications(self) -> tuple[str, ...]:
        """All that it is given for, the one it is listed under first."""
        return (self.classification, *self.also_for)

    def to_json(self) -> dict[str, Any]:
        """One of `treatments` of an Assessment."""
        named = {"id": self.formulation_id, "label": self.formulation}
        return json_of(
            self,
            "classification classifications or=alternative? id=step kind label text drug drug_id "
            "aliases formulation dose amount sites route? times_per_day days duration? missing "
            "source note?",
        ) | {"formulation": named if self.formulation_id else None}


@dataclass(frozen=True, slots=True)
class FollowUpRow:
    """When to come back for a classification: in which case, in the guideline's words; `missing` is
    what it waits for where that is not known yet."""

    days: int
    classification: str
    when: str = ""
    step: str = ""
    """The treatment step that says so; '' for the classification itself."""
    missing: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """One of `follow_ups` of an Assessment."""
        return json_of(self, "days classification if=when? id=step? missing")


@dataclass(frozen=True, slots=True)
class NextQuestion:
    """What to ask next, and why.

    `together`: further yes-or-no signs that are asked in the same breath, as one list ("any of
    these?"); each is a finding of its own, and may be asked alone as well.
    """

    observation: str
    text: str
    why: str
    together: tuple[str, ...] = ()

    @classmethod
    def about(cls, observation: Observation, why: str) -> NextQuestion:
        """The question for an observation, in its own words."""
        return cls(observation.id, observation.question or observation.label, why)

    def to_json(self) -> dict[str, Any]:
        """`next_question` of an Assessment; `together` is left out where it is empty."""
        return json_of(self, "observation text why [together]")


@dataclass(frozen=True, slots=True)
class UnderstoodFinding:
    """What the free text of a case was understood to say of an observation, where, and why.

    `value` is None where the text says that it is not known. `used` is False where a finding that
    was given by name goes before it, or it cannot be.
    """

    observation: str
    value: Any
    start: int
    end: int
    text: str
    why: str
    used: bool = True
    label: str = ""
    """The observation's own name."""
    implied: bool = False
    """The text does not say it; what it says implies it."""

    shown: str = ""
    """The value in words, where it has others than its own."""

    def value_in_words(self) -> str:
        """What was understood of it.

        >>> UnderstoodFinding("movement", "on_its_own", 3, 11, "moves", "").value_in_words()
        'on its own'
        """
        told = self.shown or value_in_words(self.value)
        return told if isinstance(self.value, dict) else told.replace("_", " ")

    def to_json(self) -> dict[str, Any]:
        """One of `understood` of an Assessment."""
        return json_of(self, "observation label implied value start end text why used")


def value_in_words(value: Any) -> str:
    """An understood value as it is shown; an answer by its id.

    >>> value_in_words(None), value_in_words(True), value_in_words({"value": 38.5, "unit": "Cel"})
    ('not known', 'yes', '38.5 Cel')
    """
    if value is None:
        return "not known"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return f"{value['value']:g} {value['unit']}"
    return f"{value:g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Assessment:
    """Every classification of a guideline in its status, and what follows."""

    guideline: str
    version: str
    classifications: tuple[ClassificationResult, ...]
    treatments: tuple[TreatmentRow, ...] = ()
    next_question: NextQuestion | None = None
    follow_up_days: int | None = None
    """The earliest of `follow_ups`."""
    refer: str | None = None
    """Why to refer; None where nothing asks for it."""
    warnings: tuple[str, ...] = ()
    contradictions: tuple[str, ...] = ()
    follow_ups: tuple[FollowUpRow, ...] = ()
    """The earliest first."""
    understood: tuple[UnderstoodFinding, ...] | None = None
    """What free text was understood to say; None where there was none."""
    danger: tuple[Danger, ...] | None = None
    """Danger signs of the text, and those of the guideline at an age that it does not ask at; None
    where nobody looked."""
    not_understood: tuple[Unread, ...] = ()
    """Words of the text that no observation took."""

    safety: Answer | None = None
    """What stops drugs that the treatments name, for this child; None where nothing does, or where
    nobody looked."""

    @property
    def in_crisis(self) -> bool:
        """Whether a sign is there beside which nothing else is told: thoughts of suicide."""
        return any(sign.kind == "crisis" for sign in self.danger or ())

    @property
    def in_danger(self) -> bool:
        """Whether a danger sign is there."""
        return any(sign.status == "present" for sign in self.danger or ())

    def to_json(self) -> dict[str, Any]:
        """The stable form; `understood` is left out where there was no text.

        Beside thoughts of suicide or violence, only these are held.
        """
        if self.in_crisis:
            alone = Assessment(self.guideline, self.version, ()).to_json()
            return {**alone, "danger": [each.to_json() for each in self.danger or ()]}
        of_text = "" if self.understood is None else "understood not_understood"
        return json_of(
            self,
            "guideline danger classifications treatments next_question follow_up_days follow_ups "
            f"refer warnings contradictions stops=safety {of_text}",
        ) | {
            "guideline": json_of(self, "id=guideline version"),
            "stops": self.safety.stops_to_json() if self.safety else [],
        }
