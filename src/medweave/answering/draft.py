"""An answer in the making: sentences with what they rest on, stops, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from medweave.answering.wording import Wording
from medweave.model.answer import (
    Candidate,
    Conflict,
    Danger,
    PassageRank,
    Path,
    Row,
    Sentence,
    Stop,
    Taken,
    ToFindOut,
)
from medweave.model.cases import Case, SectionOfCase
from medweave.model.document import Document
from medweave.model.drug_list import DrugList
from medweave.model.entity import Entity
from medweave.model.statement import SupportedStatement
from medweave.model.weighing import Weighing

if TYPE_CHECKING:  # most answers have none
    from medweave.model.guideline_answer import GuidelineAnswer


@dataclass
class Draft:
    """Collects the parts of an answer; remembers every statement that any of them names."""

    wording: Wording
    sentences: list[Sentence] = field(default_factory=list)
    candidates: list[Candidate] = field(default_factory=list)
    stops: list[Stop] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    drugs: list[DrugList] = field(default_factory=list)
    weighing: Weighing | None = None
    find_out: list[ToFindOut] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    conflicts: list[Conflict] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    direct: list[str] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    statements: dict[str, SupportedStatement] = field(default_factory=dict)
    cases: list[Case] = field(default_factory=list)
    passages: list[PassageRank] = field(default_factory=list)
    signs: list[Danger] = field(default_factory=list)
    """Danger signs to be asked for, beside those of the question."""
    assessment: GuidelineAnswer | None = None
    entities: dict[str, Entity] = field(default_factory=dict)
    documents: dict[str, Document] = field(default_factory=dict)
    """Entities and documents that statements name and the base does not hold."""
    unmet: int = 0
    """How many intents found nothing."""
    _topic: tuple[str, str] = ("", "")

    @property
    def stopped(self) -> set[str]:
        """The drugs that are excluded for this person: how they are taken is not told. Not what
        nobody ends on their own."""
        hard = (stop for stop in self.stops if stop.status == "applies" and stop.hard)
        return {stop.entity.id for stop in hard if not stop.must_go_on}

    @contextmanager
    def topic(self, intent: str, about: str = "") -> Iterator[None]:
        """While this is open, sentences are kept as answers to this intent, about this thing."""
        before, self._topic = self._topic, (intent, about)
        try:
            yield
        finally:
            self._topic = before

    def rest_on(self, supported: Iterable[SupportedStatement]) -> tuple[str, ...]:
        """Remember statements; their identifiers."""
        found = list(supported)
        for item in found:
            self.statements.setdefault(item.statement.id, item)
        return tuple(dict.fromkeys(item.statement.id for item in found))

    def add_sentence(self, text: str, supported: Iterable[SupportedStatement]) -> None:
        """A sentence and the statements it rests on."""
        sentence = Sentence(text[:1].upper() + text[1:], self.rest_on(supported), *self._topic)
        if (sentence.text, sentence.statements) not in [
            (earlier.text, earlier.statements) for earlier in self.sentences
        ]:
            self.sentences.append(sentence)

    def says_of(self, sections: Iterable[SectionOfCase], about: SectionOfCase | None) -> bool:
        """Whether any sentence rests on one of these sections."""
        named = {section.supported.statement.id for section in (*sections, about) if section}
        return any(named.intersection(sentence.statements) for sentence in self.sentences)

    def add_missing(self, key: str, **slots: object) -> str:
        """Something that would be needed, said once; its words."""
        text = self.wording.say(f"missing.{key}", **slots)
        if text not in self.missing:
            self.missing.append(text)
        return text

    def add_direct(self, key: str, **slots: object) -> None:
        """That nothing is recorded of just what was asked: it is missing, and said first."""
        self.direct.append(self.add_missing(key, **slots))

    def add_conflict(self, supported: SupportedStatement) -> None:
        """Sources that disagree are shown side by side."""
        statement = supported.statement
        subject = self.wording.name(statement.subject)
        other = self.wording.object_name(statement)
        identifiers = self.rest_on([supported])
        conflict = Conflict(f"{subject} – {other}", (identifiers, identifiers))
        if conflict in self.conflicts:
            return
        self.conflicts.append(conflict)
        text = self.wording.say(
            "conflict",
            subject=subject,
            object=other,
            affirm=len({item.document for item in supported.affirmed}),
            deny=len({item.document for item in supported.denied}),
        )
        self.add_sentence(text, [supported])
