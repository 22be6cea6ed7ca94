"""An answer, each sentence of which leads to statements, evidence, documents and places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from typing import Literal as OneOf

from medweave.model.cases import Case
from medweave.model.document import Document
from medweave.model.drug_list import DrugList
from medweave.model.entity import Entity
from medweave.model.facts import TakenHow
from medweave.model.inferred import Level
from medweave.model.json_form import json_of
from medweave.model.question import (
    UNNAMED_DANGER,
    DangerGrade,
    DangerKind,
    DangerSeen,
    Question,
    Unread,
)
from medweave.model.statement import Evidence, SupportedStatement
from medweave.model.steps import IN_WORDS, Result, Step
from medweave.model.weighing import Weighing

if TYPE_CHECKING:  # most answers have none
    from medweave.model.generated import Generated
    from medweave.model.guideline_answer import GuidelineAnswer

AnswerStatus = OneOf["answered", "partial", "abstained"]


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """Which base, at which revision, an answer was read from."""

    id: str
    revision: int
    hash: str
    in_place: bool = False
    """Whether it is no base of medweave's, but a database asked where it is: that has neither
    revision nor hash, and the number here only tells whether it changed while it was read."""

    def to_json(self) -> dict[str, str | int | None]:
        """Its form in an answer."""
        known = not self.in_place
        return {
            "id": self.id,
            "revision": self.revision if known else None,
            "hash": self.hash if known else None,
        }


@dataclass(frozen=True, slots=True)
class StoreAnswer:
    """What became of one of several stores that were asked together."""

    name: str
    status: OneOf["answered", "failed", "late"]
    message: str = ""
    milliseconds: float = 0.0
    base: BaseVersion | None = None
    """What it was at; None where it never told."""

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `stores`."""
        version = self.base.to_json() if self.base else None
        return json_of(self, "name status message milliseconds") | {"base": version}


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of several stores that were asked together; nothing is told of one alone."""

    stores: tuple[StoreAnswer, ...] = ()
    missing: tuple[str, ...] = ()
    """Those of them that were not heard, in words."""

    def to_json(self) -> dict[str, Any]:
        """What a form tells of the stores that it was put together from."""
        if not self.stores:
            return {}
        return {"stores": [each.to_json() for each in self.stores], "missing": list(self.missing)}


ALL_HEARD = Heard()
"""Where a base is one store."""
SAID_BY_MODEL = "model"
"""What a sentence of a language model is kept as an answer to,"""
RETRIEVED = "retrieved"
"""and one that says a statement as another strategy than ours found it."""


@dataclass(frozen=True, slots=True)
class Term:
    """A thing that a language model added, as it named it; its identifier, or its name where the
    base has none of it."""

    thing: str
    name: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer and the statements it rests on."""

    text: str
    statements: tuple[str, ...]
    intent: str = ""
    """What it answers: the label of an intent, a form ("comparison", "yes_no"), "stop" where it
    says what the stops say, or "model" where a language model says it."""
    about: str = ""
    """The entity it is about; '' where it is about several."""
    unsupported: bool = False
    """Whether a language model said it, and nothing in the base supports it."""
    added: tuple[Term, ...] = ()
    """Things that a language model added, which it may name."""


CellKind = OneOf[
    "stops", "depends", "caution", "unknown", "uses", "shared", "only", "alone", "said"
]


@dataclass(frozen=True, slots=True)
class Cell:
    """One thing a comparison says of one of those compared, and what it rests on.

    Of drugs: `stops`, what `depends` on a detail of what was said, `caution`, what is `unknown` and
    must be asked, recorded `uses`. Of diseases: what is `shared` with another, what `only` it has,
    what it has where nothing is recorded for the others (`alone`), and which findings the person
    `said` are recorded for it.
    """

    kind: CellKind
    text: str
    statements: tuple[str, ...]


RowStatus = OneOf["stopped", "depends", "caution", "open", "no_data", "recorded"]


@dataclass(frozen=True, slots=True)
class Row:
    """One of the things compared. No row is ever said to be better than another.

    `status` of a drug is the gravest that applies: `stopped`, `depends`, `caution`; else `open`
    (there are stops that may apply) or `no_data`. A disease is `recorded` or `no_data`.
    """

    entity: Entity
    status: RowStatus
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One ranked candidate. `score` ranks candidates of one question and means nothing else."""

    entity: Entity
    score: float
    status: OneOf["likely", "possible", "excluded"] = "possible"
    why: tuple[str, ...] = ()
    name: str = ""
    words: tuple[tuple[str, str], ...] = ()
    """Words of the question, each with the statement in which a finding has it in its name."""
    how_common: tuple[str, ...] = ()
    """The statements of how common it is, where these count."""


@dataclass(frozen=True, slots=True)
class Stop:
    """What speaks against a drug for the person asked about, or may and must be asked for."""

    entity: Entity
    status: OneOf["applies", "ask"]
    reason: str
    statements: tuple[str, ...]
    name: str = ""
    level: Level = "stop"
    """A contraindication, an interaction that its source grades as to be avoided, or what calls for
    care and excludes nothing."""
    action: str = ""
    """What is to be done about an interaction, as its source says."""
    others: tuple[str, ...] = ()
    """The entities of the drugs that it interacts with here."""
    allergens: tuple[str, ...] = ()
    """What the person does not bear, by name, where that alone stops it."""
    taken: bool = False
    """Whether the person takes it already: nobody is told to stop what they take."""
    must_go_on: bool = False
    """Whether it is of a kind that nobody ends on their own."""

    @property
    def hard(self) -> bool:
        """Whether the drug is excluded from every list and ranking where this applies."""
        return self.level != "care"

    def to_json(self, language: str) -> dict[str, Any]:
        """The form of an entry of `stops`; statements by their identifiers."""
        form = "id=entity.id name status reason hard level action taken statements"
        return json_of(self, form) | {"name": self.name or self.entity.name(language)}


@dataclass(frozen=True, slots=True)
class Taken:
    """A fact that the answer took to hold of the person: said, supposed ("if I have an ulcer"), or
    said earlier in the conversation."""

    text: str
    """In words: "takes warfarin", "has a stomach ulcer"."""
    entity: str = ""
    """What the fact is about; '' for an age or a sex."""
    how: TakenHow = "said"


@dataclass(frozen=True, slots=True)
class ToFindOut:
    """One question to the person, and what hangs on it.

    `about` is a topic ("allergy", "pregnancy", "age", "drugs" …), or the identifier of a condition.
    """

    about: str
    text: str
    """In a word or two: "allergy", "pregnancy", "kidneys"."""
    drugs: tuple[str, ...] = ()
    """Entities of the drugs that it may stop."""
    details: tuple[str, ...] = ()
    """What stands behind it, a line for each drug: "ibuprofen: contraindicated in pregnancy"."""
    statements: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Danger:
    """A danger sign in words: there, or to be asked for before all else."""

    sign: str
    """Its identifier in the table of signs."""
    status: OneOf["present", "ask"]
    text: str
    """A sentence."""
    sources: tuple[str, ...] = ()
    """Records that say it is urgent, or 'unsourced'."""
    how: DangerSeen = "rule"
    confidence: float | None = None
    """Of what is learned: how alike the text is to messages in danger, between 0 and 1."""
    kind: DangerKind = "emergency"
    advice: str = ""
    """What to do; '' for a sign without a name."""
    grade: DangerGrade = "now"

    @property
    def head(self) -> str:
        """Under which head of the texts of a page it is told: of a crisis none, of a sign without a
        name that it is to be checked, else how soon somebody must be seen."""
        if self.kind == "crisis":
            return ""
        return "check" if self.sign == UNNAMED_DANGER else self.grade

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `danger` in an Answer."""
        form = "sign status kind grade text advice? source=sources how confidence"
        return json_of(self, form) | {"source": "; ".join(self.sources)}


@dataclass(frozen=True, slots=True)
class Conflict:
    """What sources disagree about: the statements of each side."""

    about: str
    sides: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class PassageRank:
    """How a passage of a text was found: its places among the candidates, from 1, and scores."""

    document: str
    by_words: int
    by_meaning: int | None
    """None where passages have no vectors."""
    taken: int
    """By both together, and by what of the question those before it leave open."""
    words: float
    """As a share of the best by words."""
    meaning: float | None
    """The cosine with the question."""

    def to_json(self) -> dict[str, Any]:
        """All of it; a passage is found by its document."""
        return json_of(self, "document by_words by_meaning taken words meaning")


@dataclass(frozen=True, slots=True)
class Path:
    """A chain of statements from a thing in the question to a candidate."""

    source: str
    target: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, what can be said, and everything that it rests on.

    `statements`, `entities` and `documents` are keyed by identifier and closed: whatever a
    sentence, candidate, stop or conflict names is in them.
    """

    question: Question
    status: AnswerStatus
    base: BaseVersion
    danger: tuple[Danger, ...] | None = None
    """Danger signs, which come before all else; None where they were not looked for."""
    emergency: str = ""
    """What to do at once; '' where no danger sign is present."""
    taken: tuple[Taken, ...] = ()
    """What was assumed of the person."""
    not_understood: tuple[Unread, ...] = ()
    result: Result = IN_WORDS
    """What was asked for, in one value."""
    steps: tuple[Step, ...] = ()
    """What was asked of the base, a part of the question each: one for a simple question."""
    sentences: tuple[Sentence, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    stops: tuple[Stop, ...] = ()
    drugs: tuple[DrugList, ...] = ()
    weighing: Weighing | None = None
    """The diseases that fit, where that was asked."""
    find_out: tuple[ToFindOut, ...] = ()
    """Questions to the person, the most telling first."""
    comparison: tuple[Row, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    missing: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    """Of `missing`, what answers just what was asked: it is read before all else."""
    limits: tuple[str, ...] = ()
    """What this answer is not, in short sentences, each for itself."""
    paths: tuple[Path, ...] = ()
    cases: tuple[Case, ...] = ()
    """Past dialogues that are quoted, with why each was found."""
    passages: tuple[PassageRank, ...] = ()
    """The passages that are quoted, with how each was found."""
    statements: dict[str, SupportedStatement] = field(default_factory=dict)
    beliefs: dict[str, float] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    timing: dict[str, float] = field(default_factory=dict)
    assessment: GuidelineAnswer | None = None
    """What a guideline says of the child that the question describes, where it describes one."""
    who: str = ""
    """For whom it was asked, where a letter asks for several; '' for whoever writes."""
    others: tuple[Answer, ...] = ()
    """What is answered for the others for whom a letter asks."""
    heading: str = ""
    """Of one question of a letter: the question in few words."""
    parts: tuple[Answer, ...] = ()
    """The answers to the questions of a letter, in its order; all that they say is said in this
    answer, too."""
    stores: tuple[StoreAnswer, ...] = ()
    """The stores that were asked together; none where there is only one."""
    strategy: str = "ours"
    """How what is said was found."""
    generated: Generated | None = None
    """What a language model had to do with it; None where none was asked."""

    @property
    def text(self) -> str:
        """The sentences as one paragraph."""
        between = "" if self.question.language == "zh" else " "
        return between.join(sentence.text for sentence in self.sentences)

    def evidence_of(self, statement: str) -> tuple[Evidence, ...]:
        """All evidence of one statement: what affirms first, then by the question's language."""
        language = self.question.language
        return tuple(
            sorted(
                self.statements[statement].evidence,
                key=lambda e: (-e.polarity, self.documents[e.document].language != language),
            )
        )

    def stops_to_json(self) -> list[dict[str, Any]]:
        """`stops` where nothing else of an answer is given."""
        return [stop.to_json(self.question.language) for stop in self.stops]

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form; statements and evidence get short keys (s1, e1) in order of use."""
        from medweave.model.answer_json import AnswerForm  # most answers are never written so

        return AnswerForm(self).to_json()
