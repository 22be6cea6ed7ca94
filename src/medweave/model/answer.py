"""An answer, each sentence of which leads to statements, evidence, documents and places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from typing import Literal as OneOf

from medweave.model.cases import Case
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.guideline_answer import GuidelineAnswer
from medweave.model.question import DangerSeen, Question
from medweave.model.statement import Evidence, Literal, Statement, SupportedStatement

AnswerStatus = OneOf["answered", "partial", "abstained"]


@dataclass(frozen=True, slots=True)
class BaseVersion:
    """Which base, at which revision, an answer was read from."""

    id: str
    revision: int
    hash: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of an answer and the statements it rests on."""

    text: str
    statements: tuple[str, ...]
    intent: str = ""
    """What it answers: the label of an intent, or a form ("comparison", "yes_no")."""
    about: str = ""
    """The entity it is about; '' where it is about several."""


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


@dataclass(frozen=True, slots=True)
class Stop:
    """A contraindication that applies to the person asked about, or may and must be asked for."""

    entity: Entity
    status: OneOf["applies", "ask"]
    reason: str
    statements: tuple[str, ...]
    name: str = ""
    hard: bool = True
    """False for a caution: professional advice is needed, but nothing is excluded."""


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

    def to_json(self) -> dict[str, Any]:
        """The form of an entry of `danger` in an Answer."""
        return {
            "sign": self.sign,
            "status": self.status,
            "text": self.text,
            "source": "; ".join(self.sources),
            "how": self.how,
            "confidence": self.confidence,
        }


@dataclass(frozen=True, slots=True)
class Conflict:
    """What sources disagree about: the statements of each side."""

    about: str
    sides: tuple[tuple[str, ...], tuple[str, ...]]


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
    sentences: tuple[Sentence, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    stops: tuple[Stop, ...] = ()
    comparison: tuple[Row, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    missing: tuple[str, ...] = ()
    paths: tuple[Path, ...] = ()
    cases: tuple[Case, ...] = ()
    """Past dialogues that are quoted, with why each was found."""
    statements: dict[str, SupportedStatement] = field(default_factory=dict)
    beliefs: dict[str, float] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    timing: dict[str, float] = field(default_factory=dict)
    assessment: GuidelineAnswer | None = None
    """What a guideline says of the child that the question describes, where it describes one."""

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

    def to_json(self) -> dict[str, Any]:
        """The stable JSON form; statements and evidence get short keys (s1, e1) in order of use."""
        return _AnswerForm(self).to_json()


class _AnswerForm:
    """Numbers statements and evidence of one answer, and writes its JSON form."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._language = answer.question.language
        self._statement_keys = {
            identifier: f"s{number}" for number, identifier in enumerate(answer.statements, 1)
        }
        every = [item for found in answer.statements.values() for item in found.evidence]
        self._evidence_keys = {item.id: f"e{number}" for number, item in enumerate(every, 1)}

    def to_json(self) -> dict[str, Any]:
        answer = self._answer
        return {
            "question": answer.question.text,
            "language": self._language,
            "status": answer.status,
            "base": {
                "id": answer.base.id,
                "revision": answer.base.revision,
                "hash": answer.base.hash,
            },
            "danger": None if answer.danger is None else [item.to_json() for item in answer.danger],
            "emergency": answer.emergency or None,
            "sentences": [self._sentence(item) for item in answer.sentences],
            "candidates": [self._candidate(item) for item in answer.candidates],
            "stops": [self._stop(item) for item in answer.stops],
            "comparison": [self._row(item) for item in answer.comparison],
            "conflicts": [
                {"about": item.about, "sides": [self._keys(side) for side in item.sides]}
                for item in answer.conflicts
            ],
            "missing": list(answer.missing),
            "paths": [
                {"from": item.source, "to": item.target, "statements": self._keys(item.statements)}
                for item in answer.paths
            ],
            "cases": [case.to_json() for case in answer.cases],
            "statements": {
                self._statement_keys[identifier]: self._statement(found)
                for identifier, found in answer.statements.items()
            },
            "evidence": {
                self._evidence_keys[item.id]: self._evidence(item)
                for found in answer.statements.values()
                for item in found.evidence
            },
            "interpretation": {
                "intents": [
                    {"label": item.label, "score": item.score} for item in answer.question.intents
                ],
                "mentions": [item.to_json() for item in answer.question.mentions],
                "patient": answer.question.patient.to_json(),
                "form": answer.question.form.to_json(),
            },
            "timing": answer.timing,
        } | ({"assessment": answer.assessment.to_json()} if answer.assessment else {})

    def _keys(self, statements: tuple[str, ...]) -> list[str]:
        return [self._statement_keys[identifier] for identifier in statements]

    def _sentence(self, sentence: Sentence) -> dict[str, Any]:
        evidence = [
            self._evidence_keys[item.id]
            for identifier in sentence.statements
            for item in self._answer.evidence_of(identifier)
        ]
        return {
            "text": sentence.text,
            "statements": self._keys(sentence.statements),
            "evidence": evidence,
            "intent": sentence.intent,
            "about": sentence.about or None,
        }

    def _row(self, row: Row) -> dict[str, Any]:
        return {
            "id": row.entity.id,
            "name": row.entity.name(self._language),
            "concept": row.entity.concept,
            "status": row.status,
            "cells": [
                {"kind": cell.kind, "text": cell.text, "statements": self._keys(cell.statements)}
                for cell in row.cells
            ],
        }

    def _candidate(self, candidate: Candidate) -> dict[str, Any]:
        return {
            "id": candidate.entity.id,
            "name": candidate.name or candidate.entity.name(self._language),
            "concept": candidate.entity.concept,
            "score": round(candidate.score, 6),
            "status": candidate.status,
            "why": self._keys(candidate.why),
            "words": [
                {"text": text, "statement": self._statement_keys[statement]}
                for text, statement in candidate.words
            ],
        }

    def _stop(self, stop: Stop) -> dict[str, Any]:
        return {
            "id": stop.entity.id,
            "name": stop.name or stop.entity.name(self._language),
            "status": stop.status,
            "reason": stop.reason,
            "hard": stop.hard,
            "statements": self._keys(stop.statements),
        }

    def _thing(self, identifier: str) -> dict[str, Any]:
        entity = self._answer.entities[identifier]
        return {"id": entity.id, "name": entity.name(self._language), "concept": entity.concept}

    def _object(self, statement: Statement) -> dict[str, Any]:
        if isinstance(statement.object, Literal):
            literal = statement.object
            return {
                "value": literal.value,
                "unit": literal.unit or None,
                "language": literal.language or None,
            }
        return self._thing(statement.object)

    def _statement(self, found: SupportedStatement) -> dict[str, Any]:
        statement = found.statement
        return {
            "id": statement.id,
            "subject": self._thing(statement.subject),
            "predicate": statement.predicate,
            "object": self._object(statement),
            "qualifiers": dict(statement.qualifiers),
            "belief": round(self._answer.beliefs.get(statement.id, 0.0), 4),
            "evidence": [self._evidence_keys[item.id] for item in found.evidence],
        }

    def _evidence(self, evidence: Evidence) -> dict[str, Any]:
        document = self._answer.documents[evidence.document]
        return {
            "document": document.name,
            "title": document.title,
            "place": {
                "start": evidence.place.start,
                "end": evidence.place.end,
                "field": evidence.place.field,
            },
            "quote": evidence.quote,
            "url": document.url or None,
            "class": evidence.evidence_class,
            "inferred": evidence.inferred,
            "knowledge_level": evidence.knowledge_level,
            "agent_type": evidence.agent_type,
            "polarity": evidence.polarity,
            "strength": evidence.strength,
            "confidence": evidence.confidence,
            "method": evidence.method,
            "cites": list(evidence.cites),
            "sample": document.sample,
            "source": document.source,
        }
