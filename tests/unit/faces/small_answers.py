"""Small answers for tests of what is shown."""

from __future__ import annotations

from typing import Any

from medweave.model.answer import Answer, BaseVersion, Sentence
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.question import Question
from medweave.model.statement import Evidence, Place, Statement, SupportedStatement


def document(**changes: Any) -> Document:
    text = "A long story. " * 30 + "Common signs are cough and fever." + " And so on." * 40
    given: dict[str, Any] = {
        "title": "flu",
        "fields": (("signs", text),),
        "sample": True,
        **changes,
    }
    return Document("a/b.json", "b#flu", **given)


def evidence(
    statement: Statement, found: Document, quote: str = "cough", **changes: Any
) -> Evidence:
    field, text = found.fields[0]
    start = max(0, text.find(quote))
    place = Place(field, start, start + len(quote))
    return Evidence(statement.id, found.id, place, quote, "monograph", **changes)


def entity(name: str, concept: str = "disease") -> Entity:
    return Entity(f"x:{name}", concept, {"en": (name,)})


def answer_of(
    *found: SupportedStatement,
    documents: tuple[Document, ...] = (),
    question: Question | None = None,
    **parts: Any,
) -> Answer:
    identifiers = tuple(item.statement.id for item in found)
    ends = [e for i in found for e in (i.statement.subject, i.statement.object_entity) if e]
    given: dict[str, Any] = {
        "sentences": (Sentence("Cough is recorded.", identifiers),) if found else (),
        "statements": {item.statement.id: item for item in found},
        "beliefs": dict.fromkeys(identifiers, 0.8),
        "entities": {e: entity(e.removeprefix("x:")) for e in ends},
        "documents": {item.id: item for item in documents},
        "status": "answered" if found else "abstained",
        "base": BaseVersion("base", 3, "abc"),
        **parts,
    }
    return Answer(question or Question("What is flu?", "en"), **given)


FLU = document()
COUGH = Statement("x:flu", "has_symptom", "x:cough")
AFFIRMED = SupportedStatement(COUGH, (evidence(COUGH, FLU),))
DISPUTED = SupportedStatement(
    COUGH, (evidence(COUGH, FLU), evidence(COUGH, FLU, "fever", polarity=-1, cites=("unsourced",)))
)
