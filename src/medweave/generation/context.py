"""What a model may speak of: the statements of the answer by rule, and what was found besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from medweave.answering.wording import Wording
from medweave.model.answer import Answer, Stop
from medweave.model.belief import belief
from medweave.model.document import Document
from medweave.model.entity import Entity
from medweave.model.statement import Literal, SupportedStatement
from medweave.vocabulary.knowledge import Knowledge

_MOST_LISTED = 80
_FORMS = {
    "contraindicated_in": {
        "en": "{subject} is contraindicated in {object}", "zh": "{object}禁用{subject}"},
    "caution_in": {
        "en": "{subject} is used with caution in {object}", "zh": "{object}慎用{subject}"},
    "interacts_with": {
        "en": "{subject} interacts with {object}", "zh": "{subject}与{object}有相互作用"},
}  # fmt: skip
"""How relations are told that rules tell in other ways: as sentences that a model may take over."""
_QUALIFIERS = (
    "line",
    "dose_context",
    "purpose",
    "sex",
    "pregnancy",
    "age_min_days",
    "age_max_days",
)
"""Conditions that belong to what is said."""
_LONGEST = 400
"""Characters of a text that is listed."""


@dataclass
class Context:
    """Statements by number, with all that they name; it only grows.

    Statement `n` is cited as `[sn]`, and is `sn` in the JSON form of the answer.
    """

    knowledge: Knowledge
    language: str
    statements: dict[str, SupportedStatement] = field(default_factory=dict)
    beliefs: dict[str, float] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    stops: list[Stop] = field(default_factory=list)
    reviewed: set[str] = field(default_factory=set)
    """Things that rules held against the person."""
    added: dict[str, str] = field(default_factory=dict)
    """Things that a model named, with how it named them."""

    beside: set[str] = field(default_factory=set)
    """Things that only lie around what is asked."""

    def take_answer(self, answer: Answer) -> None:
        """All that an answer by rule rests on, and what it stops."""
        for identifier, each in answer.statements.items():
            self.statements.setdefault(identifier, each)
        self.beliefs.update(answer.beliefs)
        self.entities.update(answer.entities)
        self.documents.update(answer.documents)
        self.stops += answer.stops
        self.reviewed |= answer.entities.keys()

    def take(
        self, found: Iterable[SupportedStatement], documents: Mapping[str, Document] | None = None
    ) -> None:
        """Statements of the base, or of a guideline beside it, whose `documents` are given."""
        new = [each for each in found if each.statement.id not in self.statements]
        things = {entity for each in new for entity in each.statement.entities}
        if things := things - self.entities.keys():
            self.entities.update(self.knowledge.entities.all(sorted(things)))
        self.documents.update(documents or {})
        cited = {item.document for each in new for item in each.evidence}
        if cited := cited - self.documents.keys():
            held = self.knowledge.store.documents(sorted(cited))
            self.documents.update({each.id: each for each in held})
        for each in new:
            self.statements[each.statement.id] = each
            self.beliefs[each.statement.id] = belief(each.evidence)

    def take_around(self, found: Iterable[SupportedStatement]) -> None:
        """What lies around what is asked: it may be said, but is not what is asked about."""
        known = set(self.entities)
        self.take(found)
        self.beside |= self.entities.keys() - known

    def listed(self) -> Iterator[str]:
        """The statements in words, each with its mark."""
        wording = Wording(self.language, self.knowledge)
        for number, each in enumerate(list(self.statements.values())[:_MOST_LISTED], 1):
            yield f"[s{number}] {in_words(each, wording, self.entities)}"

    def texts(self) -> Iterator[str]:
        """What is recorded in words of sources, and may be quoted."""
        for each in self.statements.values():
            classes = {item.evidence_class for item in each.evidence}
            if isinstance(each.statement.object, Literal) and classes - {"dialogue", "model"}:
                yield str(each.statement.object.value)


def in_words(each: SupportedStatement, wording: Wording, entities: dict[str, Entity]) -> str:
    """A statement as a clause, with the conditions that belong to it."""
    statement = each.statement

    def name(thing: str) -> str:
        return entities[thing].name(wording.language) if thing in entities else thing

    subject, form = name(statement.subject), _FORMS.get(statement.predicate, {})
    if isinstance(statement.object, Literal):
        text = str(statement.object.value)[:_LONGEST]
        said = f"{subject}, {wording.property_words(statement.predicate)}: {text}"
    elif form:
        action = statement.qualifier("action_zh" if wording.language == "zh" else "action")
        said = form["zh" if wording.language == "zh" else "en"].format(
            subject=subject, object=wording.condition(statement)
        )
        said += f" ({action})" if action else ""
    else:
        other = name(statement.object)
        said = wording.recorded_clause(statement.predicate, subject=subject, other=other)
        told = (f"{key}: {value}" for key, value in statement.qualifiers if key in _QUALIFIERS)
        said += "".join(f" ({one})" for one in told)
    if each.conflicting:
        return f"{said} - sources disagree"
    return f"{said} - a source denies this" if each.denied else said
