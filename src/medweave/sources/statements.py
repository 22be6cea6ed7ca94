"""Statements as kinds of sources write them: things named, conditions read, evidence kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import ClassVar

from medweave.errors import StatementError
from medweave.model.document import Skipped
from medweave.model.entity import NameMention
from medweave.model.identifiers import normalise_name
from medweave.model.record import Record
from medweave.model.refinement import Change, Refinement
from medweave.model.statement import (
    INTERACTION_GRADES,
    UNSOURCED,
    Evidence,
    EvidenceClass,
    Literal,
    Place,
    Statement,
    qualifiers_of,
)
from medweave.sources.conformity import REFUSED, Conformity, Verdict
from medweave.sources.kinds import Extracted
from medweave.sources.names import MAX_NAME, Naming, Thing
from medweave.sources.prose.phrases import Phrase, read_conditions, read_phrase
from medweave.sources.prose.templates import TemplateSet, template_set
from medweave.vocabulary.lexicon_names import lexicon_names
from medweave.vocabulary.vocabulary import OPEN, Predicate, PredicateUse, Vocabulary

_FAMILY_OF_PHRASE = {"population": "population", "substance": "drug", "condition": "disease"}
IN_WORDS = "circumstance"
"""The concept of a condition that is only kept in its words."""
ROLES = ("subject_role", "object_role")
"""Qualifiers that say what a thing is named for, and are no conditions."""
_GRADES = {"contraindicated_in": "contraindicated", "caution_in": "monitor"}
"""How grave it is to take together what a condition in words names as another drug."""
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where in a document something is said, and how it was read."""

    field: str
    start: int
    end: int
    quote: str
    method: str
    cites: tuple[str, ...] = ()
    polarity: int = 1
    strength: float | None = None
    line: int = 0
    confidence: float | None = None
    """How sure the reading is, where a program read prose; None for what a field states."""
    evidence_class: EvidenceClass | None = None
    """Where it is not that of the document."""


@dataclass
class StatementReader:
    """Collects what one record yields."""

    record: Record
    naming: Naming
    activity: str
    statements: list[Statement] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    mentions: list[NameMention] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    refused: str = "broken"
    """Why the last statement was refused: `self`, `domain`, `range`, `label` or `broken`."""
    counted: Counter[str] = field(default_factory=Counter)
    """Relations that became `evidence`, are `repeated`, or were left out by their reasons."""
    typed: set[tuple[str, str]] = field(default_factory=set)
    changes: list[Change] = field(default_factory=list)
    checked: Counter[str] = field(default_factory=Counter)
    """How what was kept stands to the ontology that somebody named."""
    _verdict: Verdict = "allowed"
    """The last of these."""
    _made: set[Evidence] = field(default_factory=set)
    counts_relations: ClassVar[bool] = True
    """Whether each relation is counted where it is made; no, where the kind counts its rows."""

    @property
    def conformity(self) -> Conformity | None:
        """What statements are held against, where somebody named an ontology."""
        return self.naming.conformity

    @property
    def vocabulary(self) -> Vocabulary:
        """The concepts and predicates in force."""
        return self.naming.vocabulary

    @property
    def language(self) -> str:
        """The language of the document."""
        return self.record.document.language

    @property
    def rules(self) -> TemplateSet:
        """The templates and phrases of the document's language."""
        return template_set(self.language)

    def use(self, name: str, line: int = 0) -> PredicateUse:
        """The predicate of a name. One that the vocabulary lacks is kept under its own name, speaks
        neither for nor against anything, and is reported once."""
        found = self.vocabulary.find(name)
        if found is not None:
            return found
        own = self.vocabulary.own_predicate(name)
        if self.conformity and self.conformity.has_relation(own.name):
            return PredicateUse(own, inverted=False)
        document, nearest = self.record.document, self.vocabulary.nearest(name)
        reason = f"rows are kept as '{name}', which is no predicate of the vocabulary and neutral"
        reason += f" (the nearest is '{nearest}')" if nearest else ""
        self.skipped.append(Skipped(document.source, line or document.line, reason, rows=1))
        return PredicateUse(own, inverted=False)

    def is_own(self, use: PredicateUse) -> bool:
        """Whether a predicate is the source's own, which the vocabulary does not have."""
        name = use.predicate.name
        return name not in self.vocabulary.predicates and not name.startswith(OPEN)

    def extracted(self, *, refined: bool = False) -> Extracted:
        """All that was collected; `refined`, or held against an ontology, with the count of what
        was read."""
        refinement = self._refinement() if refined or self.conformity else None
        return Extracted(self.statements, self.evidence, self.mentions, self.skipped, refinement)

    def _refinement(self) -> Refinement:
        kept = ("evidence", "repeated")
        return Refinement(
            read=self.counted.total(),
            evidence=self.counted["evidence"],
            repeated=self.counted["repeated"],
            dropped=tuple(sorted((k, n) for k, n in self.counted.items() if k not in kept)),
            types=frozenset(self.typed),
            changes=tuple(self.changes),
            checked=tuple(sorted(self.checked.items())),
        )

    def change(self, step: str, before: str, after: str, why: str) -> None:
        """A line of the log of refinement."""
        self.changes.append(Change(step, self.record.document.name, before, after, why))

    def _count_held(self, before: int, said: str) -> None:
        """Count a relation that is held against an ontology, where the kind counts no rows."""
        if self.conformity is None or not self.counts_relations:
            return
        made = self.evidence[before:]
        if made and self._made.issuperset(made):
            self.counted["repeated"] += 1
            self.change("repeated", said, "", "the same place says the same")
            self.checked[self._verdict] -= 1
        else:
            self.count(before, said)
        self._made.update(made)

    def count(self, before: int, said: str) -> None:
        """Count a relation by whether there is more evidence than `before` it was read."""
        if len(self.evidence) > before:
            self.counted["evidence"] += 1
            return
        self.counted[self.refused] += 1
        self.change("dropped", said, "", self.refused)

    def thing(
        self,
        name: str,
        concept: str,
        *,
        allowed: tuple[str, ...] = (),
        identifier: str = "",
        synonyms: tuple[str, ...] = (),
        xrefs: tuple[str, ...] = (),
    ) -> Thing:
        """The thing called `name`; see `Naming.thing`."""
        return self.naming.thing(
            name,
            concept,
            self.language,
            allowed=tuple(name for name in allowed if name in self.vocabulary.concepts),
            identifier=identifier,
            synonyms=synonyms,
            xrefs=xrefs,
            parentheses=self.record.mapping.parentheses,
        )

    def named(
        self,
        name: str,
        concept: str,
        allowed: tuple[str, ...],
        line: int = 0,
        *,
        identifier: str = "",
    ) -> Thing | None:
        """The thing of a name, of the first concept allowed where none is told; None for a text
        that is no name, which is reported."""
        first_concept = concept or (allowed[0] if allowed else "thing")
        if not normalise_name(name) or len(name) > MAX_NAME:
            self.refused = "broken"
            self.skip(f"'{name[:40]}' is no name", line)
            self._count_held(len(self.evidence), name[:_SHOWN])
            return None
        return self.thing(name, first_concept, allowed=allowed, identifier=identifier)

    def phrases(self, text: str, predicate: Predicate) -> tuple[Phrase, ...]:
        """What a text names under which conditions; a name the lexicon knows as a whole ("acute
        liver failure") stays whole."""
        if predicate.valence < 0:
            return read_conditions(text, self.rules, self._is_known)
        if self._is_known(text, "condition"):
            return (Phrase("condition", text, {}),)
        found = read_phrase(text, self.rules)
        return (found,) if found else ()

    def _is_known(self, name: str, kind: str) -> bool:
        family = self.vocabulary.family(_FAMILY_OF_PHRASE[kind])
        return self.naming.lexicon.find(name, [family]) is not None

    def relate_phrase(
        self, subject: Thing, predicate: Predicate, phrase: Phrase, provenance: Provenance
    ) -> None:
        """A statement about a condition in words."""
        qualifiers = dict(phrase.qualifiers)
        if phrase.predicate:
            grade = _GRADES.get(predicate.name)
            predicate = self.vocabulary.predicate(phrase.predicate)
            qualifiers |= {"severity": grade} if predicate.graded and grade else {}
        if phrase.kind == "in_words":
            self._relate_words(subject, predicate, phrase, provenance)
            return
        other = self.named(phrase.name, _FAMILY_OF_PHRASE[phrase.kind], predicate.range)
        if other is None:
            return
        for purpose in {"purpose", "except_purpose"} & set(qualifiers):
            thing = self.named(str(qualifiers[purpose]), "disease", ())
            if thing is None:
                return
            qualifiers[purpose] = thing.id
            self.mentions += thing.mentions
        self.relate(subject, predicate, other, provenance, qualifiers=qualifiers)

    def _relate_words(
        self, subject: Thing, predicate: Predicate, phrase: Phrase, provenance: Provenance
    ) -> None:
        """A condition that nothing computes: kept in its words, with what they name, and told."""
        named = sorted({found.entity for found in lexicon_names().find(phrase.name)})
        other = self.named(phrase.name, IN_WORDS, predicate.range)
        if other is None:
            return
        qualifiers = {"mentions": " ".join(named)} if named else {}
        self.relate(subject, predicate, other, provenance, qualifiers=dict(qualifiers))
        self.skip(
            f"kept in words, as nothing can compute it: '{phrase.name[:_SHOWN]}'", provenance.line
        )

    def relate(
        self,
        subject: Thing,
        predicate: Predicate,
        other: Thing,
        provenance: Provenance,
        *,
        inverted: bool = False,
        qualifiers: dict[str, str | int | float | bool] | None = None,
        types: tuple[Collection[str], Collection[str]] = ((), ()),
    ) -> None:
        """A statement about two things, if the vocabulary and the ontology allow it; else a line of
        the report. `types` are what the source says besides that its two ends are."""
        before = len(self.evidence)
        if inverted:
            subject, other, types = other, subject, types[::-1]
        self._relate(subject, predicate, other, provenance, qualifiers=qualifiers, types=types)
        self._count_held(before, f"{_called(subject)} | {predicate.name} | {_called(other)}")

    def _relate(
        self,
        subject: Thing,
        predicate: Predicate,
        other: Thing,
        provenance: Provenance,
        *,
        qualifiers: dict[str, str | int | float | bool] | None,
        types: tuple[Collection[str], Collection[str]],
    ) -> None:
        of_subject, of_other = (*types[0], subject.concept), (*types[1], other.concept)
        if self.conformity:
            ends = subject.concept, other.concept
            predicate = self.conformity.wide_enough(predicate, ends, of_subject, of_other)
        try:
            self.vocabulary.check(subject.concept, predicate, other.concept)
        except StatementError as error:
            self.refused = "range" if subject.concept in predicate.domain else "domain"
            self.skip(f"'{provenance.quote[:_SHOWN]}': {error}", provenance.line)
            return
        conditions = set(qualifiers or ()).difference(ROLES)
        if subject.id == other.id and not conditions:  # an allergy to a drug forbids that drug
            self.refused = "self"
            self.skip(f"'{provenance.quote[:_SHOWN]}' relates a thing to itself", provenance.line)
            return
        if not self._allowed(of_subject, predicate, of_other, provenance):
            return
        self.mentions += [*subject.mentions, *other.mentions]
        if predicate.graded and provenance.polarity > 0:
            qualifiers = {"severity": INTERACTION_GRADES[-1], **(qualifiers or {})}
        statement = Statement(subject.id, predicate.name, other.id, qualifiers_of(qualifiers or {}))
        self._add(statement, predicate, provenance)

    def _allowed(
        self,
        subject: Collection[str],
        predicate: Predicate,
        other: Collection[str] | None,
        provenance: Provenance,
    ) -> bool:
        """Whether the ontology allows a statement, which is counted or reported; any, where none
        is named."""
        if self.conformity is None:
            return True
        verdict = self.conformity.verdict(subject, predicate.name, other)
        if verdict not in REFUSED:
            self._verdict = verdict
            self.checked[verdict] += 1
            return True
        self.refused = verdict
        part, types = ("subject", subject) if verdict == "domain" else ("object", other or ())
        kind, name = " or ".join(dict.fromkeys(types)), self.conformity.ontology.id
        reason = f"the ontology {name} does not let '{predicate.name}' take a {kind} as its {part}"
        self.skip(f"'{provenance.quote[:_SHOWN]}': {reason}", provenance.line)
        return False

    def say(
        self,
        subject: Thing,
        predicate: Predicate,
        value: Literal,
        provenance: Provenance,
        qualifiers: dict[str, str | int | float | bool] | None = None,
    ) -> None:
        """A statement about a thing and a value, if the ontology allows it."""
        before = len(self.evidence)
        self.mentions += subject.mentions
        if self._allowed((subject.concept,), predicate, None, provenance):
            statement = Statement(
                subject.id, predicate.name, value, qualifiers_of(qualifiers or {})
            )
            self._add(statement, predicate, provenance)
        self._count_held(
            before, f"{_called(subject)} | {predicate.name} | {str(value.value)[:_SHOWN]}"
        )

    def _add(self, statement: Statement, predicate: Predicate, provenance: Provenance) -> None:
        document = self.record.document
        stated = provenance.confidence is None and document.evidence_class != "model"
        self.statements.append(statement)
        self.evidence.append(
            Evidence(
                statement=statement.id,
                document=document.id,
                place=Place(provenance.field, provenance.start, provenance.end),
                quote=provenance.quote,
                evidence_class=provenance.evidence_class or document.evidence_class,
                polarity=provenance.polarity,
                strength=predicate.strength if provenance.strength is None else provenance.strength,
                confidence=1.0 if provenance.confidence is None else provenance.confidence,
                knowledge_level="knowledge_assertion" if stated else "not_provided",
                agent_type="manual_agent" if stated else "text_mining_agent",
                method=provenance.method,
                cites=provenance.cites or ((UNSOURCED,) if document.sample else ()),
                activity=self.activity,
            )
        )

    def skip(self, reason: str, line: int = 0) -> None:
        """A line of the report."""
        document = self.record.document
        self.skipped.append(Skipped(document.source, line or document.line, reason))


def _called(thing: Thing) -> str:
    return thing.mentions[0].name if thing.mentions else thing.id
