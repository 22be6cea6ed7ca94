"""Statements and the evidence they rest on: the heart of medweave.

A statement is (subject, predicate, object, qualifiers) and nothing else; its identifier is derived
from those four. Everything a *source* contributes (does it affirm or deny, how strongly, where it
says so) sits on the evidence. Nothing here is a single overloaded weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from typing import Literal as OneOf

from medweave.model.identifiers import digest

EvidenceClass = OneOf["guideline", "publication", "monograph", "database", "dialogue", "model"]

EVIDENCE_CLASSES: tuple[EvidenceClass, ...] = (
    "guideline",
    "publication",
    "monograph",
    "database",
    "dialogue",
    "model",
)
"""From the class that outranks all others to the one that outranks none."""

Qualifiers = tuple[tuple[str, str | int | float | bool], ...]
"""Sorted (name, value) pairs; see `QUALIFIER_NAMES`."""

QUALIFIER_NAMES = {
    "age_min_days": "the patient is at least this old (days)",
    "age_max_days": "the patient is younger than this (days)",
    "sex": "'female' or 'male'",
    "pregnancy": "the patient is pregnant",
    "pregnancy_weeks_min": "from this completed week of pregnancy",
    "pregnancy_weeks_max": "before this completed week of pregnancy",
    "breastfeeding": "the patient breastfeeds",
    "allergy": "the patient is allergic to the object",
    "severity": "only a case this grave ('severe', 'active', …); of an interaction, its grade",
    "line": "how early a use is chosen: 'first', or 'reserve' where others failed or cannot be had",
    "action": "what is to be done about an interaction, in English",
    "action_zh": "the same in Chinese",
    "history": "the patient has it, or once had it",
    "within_days": "at most so many days ago",
    "gfr_max": "the kidneys filter less than this (mL/min)",
    "weight_max_kg": "the patient weighs less than this (kg)",
    "mentions": "what the words of a condition name (identifiers, with spaces between)",
    "dose_context": "only this way of using the drug ('pain_relief', 'low')",
    "purpose": "only when used for this (an entity)",
    "except_purpose": "not when used for this (an entity)",
    "subject_role": "the part that the subject plays ('risk_factor', 'complication', …)",
    "object_role": "the part that the object plays",
    "section": "the part of a dialogue's tree that the text is",
    "order": "the place of a member in its logic group",
    "negated": "the member of a logic group is denied there",
    "answer": "the answer to an observation that a rule looks for",
    "comparator": "how a rule compares an observation's number with `value`",
    "value": "the limit that a rule compares with",
    "at_least": "so much the true members of a logic group must add up to",
    "score": "what a member of a logic group counts",
    "if_unavailable": "what a rule takes for an observation that cannot be had",
    "if_unanswered": "what a rule takes for an observation that nobody answered",
}


INTERACTION_GRADES = ("contraindicated", "avoid", "monitor", "minor", "unrated")
"""How grave an interaction is, the gravest first; `unrated` where its source does not say."""
NO_SEVERITY = "none"
"""What a record writes in place of a grade where two do not interact: the statement is denied."""
TREATMENT_LINES = ("first", "", "reserve")
"""How early a use is chosen, the earliest first; '' where its source does not say."""
UNSOURCED = "unsourced"
"""Stands in `cites` of a fact whose author names no record for it."""


@dataclass(frozen=True, slots=True)
class Literal:
    """An object that is a value, not a thing: text with its language, a quantity, a date.

    `unit` is a UCUM code for numbers, '' otherwise; `language` is '' where it has none.
    """

    value: str | int | float | bool
    language: str = ""
    unit: str = ""

    def key(self) -> list[Any]:
        """What makes two literals the same literal."""
        return [self.value, self.language, self.unit]


def qualifiers_of(values: Mapping[str, str | int | float | bool | None]) -> Qualifiers:
    """Sorted pairs without the empty ones.

    >>> qualifiers_of({"sex": None, "pregnancy": True})
    (('pregnancy', True),)
    """
    return tuple(sorted((name, value) for name, value in values.items() if value is not None))


@dataclass(frozen=True, slots=True)
class Statement:
    """(subject, predicate, object, qualifiers).

    `subject` is an entity's identifier; `object` is an entity's identifier or a `Literal`.

    >>> Statement("mw.condition:cold", "has_symptom", "mw.condition:cough").id[:3]
    'st:'
    """

    subject: str
    predicate: str
    object: str | Literal
    qualifiers: Qualifiers = ()
    id: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object_key = self.object.key() if isinstance(self.object, Literal) else self.object
        key = [self.subject, self.predicate, object_key, [list(pair) for pair in self.qualifiers]]
        object.__setattr__(self, "id", "st:" + digest(key))

    @property
    def object_entity(self) -> str | None:
        """The object's identifier, or None where it is a literal."""
        return self.object if isinstance(self.object, str) else None

    @property
    def language(self) -> str:
        """The language that the object is written in; "" where it is no literal."""
        return self.object.language if isinstance(self.object, Literal) else ""

    @property
    def text(self) -> str:
        """What the object says in words; "" where it is no literal."""
        return str(self.object.value) if isinstance(self.object, Literal) else ""

    @property
    def entities(self) -> tuple[str, ...]:
        """Every thing the statement names: subject, object, and things among the qualifiers."""
        ends = (self.subject, self.object) if isinstance(self.object, str) else (self.subject,)
        if not self.qualifiers:  # most have none, and a question looks at thousands
            return ends
        purposes = [self.qualifier("purpose"), self.qualifier("except_purpose")]
        return (*ends, *(str(purpose) for purpose in purposes if purpose is not None))

    def qualifier(self, name: str) -> str | int | float | bool | None:
        """The value of one qualifier, or None."""
        for key, value in self.qualifiers:
            if key == name:
                return value
        return None


def treatment_line(statements: Iterable[Statement]) -> str:
    """How early what these statements record is chosen: the earliest that any of them says.

    >>> treatment_line([Statement("a", "used_for", "b", (("line", "reserve"),))])
    'reserve'
    """
    lines = {str(statement.qualifier("line") or "") for statement in statements}
    marked = sorted(lines - {""}, key=TREATMENT_LINES.index)
    return marked[0] if marked else ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a document: a field of the record, and the span of characters within its text."""

    field: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Activity:
    """One extraction or import run, as PROV-O understands it. Outside every hash."""

    method: str
    version: str
    vocabulary: str = ""
    model: str = ""
    time: str = ""
    """ISO 8601, UTC."""
    id: str = field(init=False, compare=False)

    def __post_init__(self) -> None:
        key = [self.method, self.version, self.vocabulary, self.model, self.time]
        object.__setattr__(self, "id", "ac:" + digest(key))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one place in one document contributes to one statement.

    `polarity` is +1 where the source affirms the statement and -1 where it denies it; `strength`
    (0 to 1) is how much the source makes of it; `confidence` (0 to 1) how sure the reading is.
    `cites` are the records the document itself names for this fact. `premises` are the documents
    or statements it was inferred from: when one goes, it goes.
    """

    statement: str
    document: str
    place: Place
    quote: str
    evidence_class: EvidenceClass
    polarity: int = 1
    strength: float = 1.0
    confidence: float = 1.0
    knowledge_level: str = "knowledge_assertion"
    agent_type: str = "manual_agent"
    method: str = ""
    cites: tuple[str, ...] = ()
    premises: tuple[str, ...] = ()
    activity: str = ""
    _id: str = field(init=False, default="", compare=False, repr=False)

    @property
    def id(self) -> str:
        """Its identifier, worked out when it is first asked for: most evidence is only shown."""
        if not self._id:
            object.__setattr__(self, "_id", "ev:" + digest([self.document, *self.content()]))
        return self._id

    @property
    def vote(self) -> str:
        """Whose word it is: of a publication by its id, whoever read whichever copy of it."""
        published = self.evidence_class in ("publication", "model") and len(self.cites) == 1
        return self.cites[0] if published else self.document

    @property
    def inferred(self) -> bool:
        """Whether it was derived rather than read."""
        return bool(self.premises)

    def content(self) -> list[Any]:
        """What the evidence says, without which copy of the document says it: the hashed part."""
        return [
            self.statement,
            [self.place.field, self.place.start, self.place.end],
            self.quote,
            self.evidence_class,
            self.polarity,
            self.strength,
            self.confidence,
            self.knowledge_level,
            self.agent_type,
            self.method,
            list(self.cites),
            list(self.premises),
        ]


@dataclass(frozen=True, slots=True)
class SupportedStatement:
    """A statement with all its evidence, as a store returns it."""

    statement: Statement
    evidence: tuple[Evidence, ...]

    @property
    def affirmed(self) -> tuple[Evidence, ...]:
        """The evidence that speaks for it."""
        return tuple(item for item in self.evidence if item.polarity > 0)

    @property
    def denied(self) -> tuple[Evidence, ...]:
        """The evidence that denies it."""
        return tuple(item for item in self.evidence if item.polarity < 0)

    @property
    def place(self) -> tuple[str, str, int]:
        """Where it is first said: sentences of one document sort by it in their order."""
        first = self.evidence[0]
        return first.document, first.place.field, first.place.start

    @property
    def first_affirmed(self) -> int:
        """Where within their texts its sources affirm it first: they begin with what is typical."""
        return min(item.place.start for item in self.affirmed)

    @property
    def conflicting(self) -> bool:
        """Whether its sources disagree."""
        return bool(self.affirmed) and bool(self.denied)
