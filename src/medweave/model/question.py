"""A question as understood: what it mentions, of whom, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args
from typing import Literal as OneOf

from medweave.model.json_form import json_of
from medweave.model.value import Value

Status = OneOf["present", "absent", "unknown", "hypothetical"]
Role = OneOf["", "allergy", "taken", "past", "denied", "asked"]
"""What a substance is to the person: "" where it is none, or nothing is said of it. What was taken
once is "past"; "denied" is what is only said not to be taken."""
NOT_NOW = ("past", "denied")
"""The roles of what is not taken now."""
OF_THE_PERSON = ("taken", "allergy", *NOT_NOW)
"""The roles of what is told of the person, and not asked about."""
SOUGHT = ""
"""In place of a substance: whatever is found for it."""
SUBSTANCES = ("drug", "drug_class")
"""The concepts of what is taken, and can be stopped."""
ALCOHOL = "mw.substance:alcohol"
BY_HABIT = (ALCOHOL, "mw.substance:grapefruit_juice")
"""What is no medicine, and beside one is what somebody takes: "cephalosporins and wine?"."""
PREGNANCY = "mw.population:pregnancy"
BREASTFEEDING = "mw.population:breastfeeding"
ALLERGY = "mw.condition:allergy"
"""The name alone, of nothing that somebody does not bear."""
FINDINGS = ("symptom", "disease")
"""The concepts of what a person can have."""
IMPLIED = "implied"
"""How what is told without its name is linked, by what goes with it: "INR clinic"."""
UNNAMED = ("value", IMPLIED)
"""How what a text does not name is linked: it is measured, or told by what goes with it."""
GUESS = 0.25
"""The score of an intent that is only guessed."""


@dataclass(frozen=True, slots=True)
class Link:
    """How a piece of text was linked to an entity, and how sure (0 to 1)."""

    how: str = "exact"
    score: float = 1.0
    read_as: str = ""
    """What is meant by a text that is misspelt."""
    slips: int = 0
    """How many slips a misspelt text has; see `language.slips`."""

    def to_json(self) -> dict[str, Any]:
        """The form of `link` in a mention, where what is misspelt is a spelling with slips."""
        if not self.read_as:
            return {"how": self.how, "score": self.score}
        return json_of(self, "how score read_as slips") | {"how": "spelling"}


@dataclass(frozen=True, slots=True)
class Meaning:
    """A thing that a name may mean, and what kind of thing it is."""

    entity: str
    concept: str


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a text. Offsets count characters of the text as given."""

    start: int
    end: int
    text: str
    entity: str
    name: str
    concept: str
    link: Link = Link()
    status: Status = "unknown"
    experiencer: OneOf["patient", "other"] = "patient"
    temporality: OneOf["recent", "historical"] = "recent"
    doubted: bool = False
    """Unknown because the text itself doubts it."""
    suspected: bool = False
    """Doubted because it is feared, suspected or asked about."""
    asked: bool = False
    """It stands in a question whether it is there; the status is what the answer says, if any."""
    role: Role = ""
    """Of a substance: what it is to the person."""
    gives_way_to: tuple[str, ...] = ()
    """Of a substance that is to be replaced: what is to come in its place, or `SOUGHT`."""
    beside: bool = False
    """Of a condition: by what was learned, somebody has it, and what is wanted is not for it."""
    alternatives: tuple[Meaning, ...] = ()
    """Further things of the base that bear this very name."""

    @property
    def entities(self) -> tuple[str, ...]:
        """All entities the name may mean, the first choice first."""
        return (self.entity, *(meaning.entity for meaning in self.alternatives))

    def to_json(self) -> dict[str, Any]:
        """The form of `mentions` in a Question."""
        return json_of(
            self, "start end text id=entity name concept link status experiencer temporality"
        )


@dataclass(frozen=True, slots=True)
class Word:
    """A single word reported as present; `stem` is what it is compared by."""

    start: int
    end: int
    text: str
    stem: str
    findings: int
    """How many findings of the base have it in a name."""
    name: frozenset[str] = frozenset()
    """All stems of the name that it stands in, where that was recognised."""


@dataclass(frozen=True, slots=True)
class Unread:
    """Words that could name a drug, a condition or a state, and were not recognised."""

    start: int
    end: int
    text: str
    nearest: tuple[str, ...] = ()
    """Names of drugs that are written nearly so; none of them was taken for it."""

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `not_understood`."""
        return json_of(self, "start end text")


DescribedKind = OneOf["condition", "drug", "allergy"]


@dataclass(frozen=True, slots=True)
class Described:
    """Words that may tell what the person has, takes or does not bear, without its name."""

    start: int
    end: int
    text: str
    kind: DescribedKind
    entity: str
    confidence: float
    """Between 0 and 1; never enough to be taken as said."""


@dataclass(frozen=True, slots=True)
class Supposed:
    """A finding that a clause may tell in words of its own. Diseases alone are ranked by it: no
    medicine is held against it, and none is free for it."""

    start: int
    end: int
    text: str
    entities: tuple[str, ...]
    """All that its name may mean, the best first."""
    certainty: float
    """Between 0 and 1."""
    counts: bool
    """Whether diseases are ranked by it; what is less sure is asked about."""


@dataclass(frozen=True, slots=True)
class Likened:
    """A disease that a complaint as a whole is told like, and how surely (0 to 1)."""

    entities: tuple[str, ...]
    share: float


@dataclass(frozen=True, slots=True)
class Patient:
    """What a question says about the person it is about. None means unknown, never "no"."""

    age_days: int | None = None
    age_max_days: int | None = None
    """Where only a range is known ("my toddler"): `age_days` is its lower end, this its upper."""
    sex: str | None = None
    pregnant: bool | None = None
    pregnancy_weeks: int | None = None
    pregnancy_weeks_max: int | None = None
    breastfeeding: bool | None = None
    weight_kg: float | None = None
    allergies: tuple[str, ...] = ()
    """Entities the person is allergic to."""
    no_allergies: bool = False
    """The person said that there are none."""
    drugs: tuple[str, ...] = ()
    """Drugs the person takes now."""
    conditions: tuple[str, ...] = ()
    """Findings and diseases present now."""
    severe: tuple[str, ...] = ()
    """Those of `conditions` said to be severe, active or acute, and of `allergies` to be severe."""
    absent: tuple[str, ...] = ()
    """Findings and diseases the person does not have."""

    def to_json(self) -> dict[str, Any]:
        """The form of `patient` in a Question."""
        form = "sex pregnant pregnancy_weeks breastfeeding weight_kg allergies drugs"
        sure = self.age_days == self.age_max_days
        return {"age_days": self.age_days if sure else None} | json_of(self, form)


@dataclass(frozen=True, slots=True)
class Intent:
    """Something the question asks for, and how sure we are of it (0 to 1)."""

    label: str
    score: float = 1.0

    @property
    def sure(self) -> bool:
        """Whether it was asked for in words, and not guessed from what is named."""
        return self.score > GUESS

    def to_json(self) -> dict[str, Any]:
        """One of `intents` of a Question."""
        return json_of(self, "label score")


ADVISED = frozenset(
    {"treatment", "drug", "urgent_care", "description", "diagnosis", "symptom", "outlook", "cause"}
)
"""What somebody asks who wants to know what a complaint is, and what to do."""
UNNAMED_DANGER = "unnamed"
"""The sign of a text that is like messages in danger, and has no sign of the table."""
DangerSeen = OneOf["rule", "learned"]
"""By whom: the checked table of signs, or weights learned from messages."""
DangerKind = OneOf["emergency", "crisis"]
"""A crisis is met by a warm word and a person to call, and by nothing else."""
DangerGrade = OneOf["now", "today", "soon"]
"""How soon somebody must be seen: an emergency department or an ambulance now, a doctor the same
day, or one within days."""


@dataclass(frozen=True, slots=True)
class DangerSign:
    """A sign that needs a doctor: there by the text, or to be asked for before all else."""

    sign: str
    """Its identifier in the table of signs; `UNNAMED_DANGER` where no sign of it was seen."""
    status: OneOf["present", "ask"]
    name: str = ""
    """In the language of the question."""
    words: tuple[str, ...] = ()
    """The words of the text that tell of it, or that call for it to be asked about."""
    sources: tuple[str, ...] = ()
    """Records that say it is urgent, or 'unsourced'."""
    kind: DangerKind = "emergency"
    advice: str = ""
    """What to do, in the language of the question; empty for a sign that has no name."""
    how: DangerSeen = "rule"
    confidence: float | None = None
    """Of what is learned: how alike the text is to messages in danger, between 0 and 1."""
    of_another: bool = False
    """Told of somebody else, to whom the advice is another: in a crisis."""
    before_medicines: bool = False
    """To be ruled out before any medicine is listed for what calls for it."""
    grade: DangerGrade = "now"

    @property
    def has_name(self) -> bool:
        """Whether it is a sign of the table, by whomever it was seen."""
        return self.sign != UNNAMED_DANGER

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `danger` in a Question."""
        return json_of(self, "sign status kind grade words how confidence")


EverydayUse = OneOf[
    "restart",
    "run_out",
    "missed_dose",
    "vomited",
    "doubled",
    "refused",
    "switching",
    "vaccination",
    "procedure",
    "ending",
    "dose_form",
    "course",
    "storage",
    "travel",
    "fasting",
    "posture",
    "activity",
    "sun",
    "shared",
    "time_of_day",
    "food",
    "onset",
    "lasting",
    "monitoring",
    "mechanism",
    "dependence",
    "weakened",
    "conception",
    "technique",
    "preparation",
]
"""A part of the everyday use of a medicine, or what else is asked of it that no list answers, on
which the texts of a source may have a word."""
EVERYDAY: tuple[EverydayUse, ...] = get_args(EverydayUse)
Aside = (
    OneOf[
        "",
        "greeting",
        "trade",
        "animal",
        "picture",
        "file",
        "ambulance",
        "errand",
        "service",
        "outlook",
        "decide",
        "result",
        "history",
        "prevalence",
        "unheld",
        "molecular",
        "grade",
    ]
    | EverydayUse
)
"""What a text asks that is no property of a thing: a greeting or a call for help, a price or where
to buy, an animal, a picture, which of several effects is grave, who or which book or country; and
the everyday use of a medicine."""
OF_NO_KIND: tuple[Aside, ...] = ("unheld", "molecular")
"""What is of no kind that a base holds: beside it nothing is told."""
FormKind = OneOf["plain", "comparison", "yes_no", "what_else"]


@dataclass(frozen=True, slots=True)
class Form:
    """How something is asked, beside what is asked: compared, claimed, or beyond what is named.

    A claim has a `relation` ("symptom", "use", …) of each of `first` to each of `second`; with
    `exists`, what is asked is whether there is any such thing of `second`.
    """

    kind: FormKind = "plain"
    compared: tuple[Mention, ...] = ()
    relation: str = ""
    first: tuple[Mention, ...] = ()
    second: tuple[Mention, ...] = ()
    exists: bool = False
    words: tuple[str, ...] = ()
    """Patterns one of which a text must hold to say that there is such a thing."""
    unnamed: tuple[str, ...] = ()
    """What stands, in the question's own words, where a name was expected that is not known."""
    left_out: tuple[Mention, ...] = ()
    """What was named and is not to be said again."""
    among: tuple[str, ...] = ()
    """The drugs that were listed before, where it is asked which of them do something."""
    answered_intents: frozenset[str] = frozenset()
    """Intents that are answered by answering in this form."""

    @property
    def compares_drugs(self) -> bool:
        """Whether what is compared is taken, and can be stopped."""
        return any(mention.concept in SUBSTANCES for mention in self.compared)

    @property
    def weighs_drugs(self) -> bool:
        """Whether drugs must be held against all conditions named, whoever has them."""
        claims_use = self.kind == "yes_no" and self.relation in ("use", "prevent")
        instead = any(mention.concept in SUBSTANCES for mention in self.left_out)
        return self.compares_drugs or claims_use or instead

    def to_json(self) -> dict[str, Any]:
        """The form of `form` in a Question."""
        form: dict[str, Any] = {"kind": self.kind}
        for name in ("compared", "first", "second", "left_out"):
            mentions: tuple[Mention, ...] = getattr(self, name)
            if mentions:
                form[name] = [mention.entity for mention in mentions]
        if self.relation:
            form |= {"relation": self.relation, "exists": self.exists}
        return form | ({"unnamed": list(self.unnamed)} if self.unnamed else {})


EFFECT_OF_DRUG = "effect_of_drug"
"""The label of what asks whether a medicine brings something on that is named."""
WHICH_DRUGS_CAUSE = "which_drugs_cause"
"""The label of what asks which medicines do."""


SURELY_ASKED = 0.8
"""From this certainty on what was learned is taken without any word beside it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a question asks, by what was learned: a label, and how surely, between 0 and 1."""

    label: str = ""
    certainty: float = 0.0

    def surely(self, *labels: str) -> bool:
        """Whether it is one of these, so surely that a finding stands for nothing else."""
        return self.label in labels and self.certainty >= SURELY_ASKED


@dataclass(frozen=True, slots=True)
class Question:
    """A question as understood."""

    text: str
    language: str
    mentions: tuple[Mention, ...] = ()
    patient: Patient = Patient()
    intents: tuple[Intent, ...] = ()
    values: tuple[Value, ...] = ()
    contradictions: tuple[str, ...] = ()
    form: Form = Form()
    earlier: tuple[Mention, ...] = ()
    """What was said of the same person before, in a conversation; places are in other texts."""
    earlier_fields: frozenset[str] = frozenset()
    """The fields of `patient` that only the conversation before tells."""
    earlier_values: tuple[Value, ...] = ()
    """What was measured then, for which findings of `earlier` stand."""
    bound: tuple[tuple[str, str], ...] = ()
    """(intent, disease) pairs, where not every disease is asked everything about."""
    words: tuple[Word, ...] = ()
    """Where a diagnosis is asked for: words that names of findings may share."""
    danger: tuple[DangerSign, ...] | None = None
    """Signs of danger, those present first; None where they were not looked for."""
    not_understood: tuple[Unread, ...] = ()
    described: tuple[Described, ...] = ()
    """What may be told by description, in a conversation also before; it is asked about."""
    supposed: tuple[Supposed, ...] = ()
    """Where a diagnosis is asked for: findings that clauses may tell without a name of them."""
    likened: tuple[Likened, ...] = ()
    """Where a diagnosis is asked for: the diseases that the whole is told like, likeliest first."""
    unread_clauses: tuple[str, ...] = ()
    """Where a diagnosis is asked for: clauses that may tell a finding, and nothing was read in."""
    aside: Aside = ""
    asks: bool = True
    """Whether anything is asked for in words: "gout, 74, on ramipril" only tells."""
    worded: frozenset[str] = frozenset()
    """Labels of intents for which the text has words of its own, whatever was understood of it."""
    asked: Asked = Asked()
    """What is asked, by what was learned."""
    effects: frozenset[str] = frozenset()
    """Findings that are asked about as what a medicine does: who is said to have one, has it."""
    candidates: frozenset[str] = frozenset()
    """Medicines of which one is chosen or each is judged: nobody takes them with each other."""
    judges: bool = False
    """Whether a verdict on each of the candidates is asked for."""
    repeated: bool = False
    """In a conversation: whether it is the last question, for another or knowing more."""
    as_written: str = ""
    """In a conversation: what was written, where `text` says in full what it takes up."""
    of_letter: bool = False
    """Whether it is one question of a letter: what is `earlier` is told in the same text."""

    @property
    def labels(self) -> frozenset[str]:
        """What it may ask for, by the labels of its intents."""
        return frozenset(intent.label for intent in self.intents)

    @property
    def sure_labels(self) -> frozenset[str]:
        """What it surely asks for; empty where it asks for nothing in words."""
        return frozenset(intent.label for intent in self.intents if intent.sure)

    @property
    def only_tells(self) -> bool:
        """Whether it tells what somebody takes or has, and asks for nothing: "I take lithium"."""
        who = self.patient
        told = who.drugs or who.allergies or who.conditions or who.pregnant or who.breastfeeding
        return bool(told) and not (self.asks or self.worded or self.not_understood)

    @property
    def danger_present(self) -> tuple[DangerSign, ...]:
        """The signs of danger that are present, of every grade."""
        return tuple(sign for sign in self.danger or () if sign.status == "present")

    @property
    def in_danger(self) -> tuple[DangerSign, ...]:
        """The signs that need help now, and what is like danger and has no name: who is to be seen
        today is answered besides."""
        present = self.danger_present
        return tuple(sign for sign in present if sign.grade == "now" or not sign.has_name)

    @property
    def helps_first(self) -> bool:
        """Whether help comes before any list: a danger with a name, or any danger in pregnancy of
        which no disease is known yet."""
        named = any(sign.has_name for sign in self.in_danger)
        known = any(m.status == "present" for m in self.of_concept("disease"))
        return named or bool(self.danger_present and self.patient.pregnant and not known)

    @property
    def advised(self) -> bool:
        """Whether what was told calls for a doctor by name, and no more was asked than what it is,
        or what to do: what is said of the danger answers it."""
        named = any(sign.has_name and sign.advice for sign in self.danger_present)
        asked = set(self.labels)
        by_name = "drug" in asked and "drug" in self.worded
        of_medicines = bool(self.of_concept(*SUBSTANCES))
        return named and asked <= ADVISED and not (by_name or of_medicines)

    @property
    def to_rule_out(self) -> tuple[DangerSign, ...]:
        """The signs to ask for, before which no medicine is listed for the complaint."""
        return tuple(s for s in self.danger or () if s.status == "ask" and s.before_medicines)

    @property
    def in_crisis(self) -> bool:
        """Whether somebody thinks of suicide or violence: then nothing medical is answered."""
        return any(sign.kind == "crisis" for sign in self.in_danger)

    def of_concept(self, *concepts: str) -> tuple[Mention, ...]:
        """The mentions of these concepts, in the order of the text."""
        return tuple(item for item in self.mentions if item.concept in concepts)

    def to_json(self) -> dict[str, Any]:
        """The form `medweave understand` prints."""
        return json_of(
            self,
            "text [as_written] language mentions values patient intents form danger contradictions",
        )
