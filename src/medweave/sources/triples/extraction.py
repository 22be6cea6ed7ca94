"""From rows of triples to statements."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from medweave.model.mapping import RelationRule
from medweave.model.record import Record
from medweave.model.refinement import plain_name
from medweave.model.statement import Literal
from medweave.sources.kinds import Extracted
from medweave.sources.names import Naming, Thing
from medweave.sources.prose.phrases import Phrase
from medweave.sources.prose.templates import templates_version
from medweave.sources.refining import without_repeat
from medweave.sources.statements import ROLES, Provenance, StatementReader
from medweave.sources.triples.reading import TripleRow, Triples
from medweave.vocabulary.vocabulary import OPEN, Predicate, PredicateUse

VERSION = "7"
"""Raise it when this code reads the same record differently: documents are then read again."""
_PHRASES_OF = {"disease": "condition", "symptom": "condition", "population": "population"}
"""What a condition in words may name, by the concept that a row gives its object."""


def key(record: Record, naming: Naming) -> list[object]:
    """All that decides what is read out of rows, besides their text."""
    rows: Triples = record.content
    parts = [
        [row.predicate, row.polarity, row.strength, row.subject_concept, row.object_concept,
         row.subject_identifier, row.object_identifier, *row.qualifiers]
        for row in rows
    ]  # fmt: skip
    return [parts, VERSION, record.mapping.version, templates_version(), naming.lexicon.version]


def extract(record: Record, naming: Naming, activity: str) -> Extracted:
    """What the rows of a page say."""
    reader = _TripleReader(record, naming, activity)
    reader.read(record.content)
    return reader.extracted(refined=record.mapping.refined)


@dataclass
class _TripleReader(StatementReader):
    counts_relations: ClassVar[bool] = False

    def read(self, rows: Triples) -> None:
        rows = self._refined(rows) if self.record.mapping.refined else rows
        relations = dict(self.record.mapping.relations)
        ruled = [(row, relations.get(row.predicate)) for row in rows]
        used = [(row, rule, self._use(row, rule)) for row, rule in ruled]
        for row, rule, use in (each for each in used if not self.is_own(each[2])):
            first, second = _ends(use)
            self._relate_row(row, rule, use, (first[0], second[0]))
        # A relation of the source's own says nothing of its ends; other rows of the page may.
        known = {mention.name: mention.concept for mention in self.mentions}
        for row, rule, use in (each for each in used if self.is_own(each[2])):
            usual = _ends(use)[0][0]
            concepts = (known.get(row.subject, usual), known.get(row.object, usual))
            self._relate_row(row, rule, use, concepts)

    def _use(self, row: TripleRow, rule: RelationRule | None) -> PredicateUse:
        """The predicate of a row; where relations are open, one called as the source calls it."""
        if rule is None and self.record.mapping.open_relations:
            return self.use(OPEN + row.predicate)
        return self.use(rule.predicate if rule else row.predicate, row.line)

    def _refined(self, rows: Triples) -> Triples:
        """The rows without repeats, by names that repeat nothing and types that do not clash."""
        text, seen, kept = self.record.document.text("rows"), set[tuple[object, ...]](), []
        for row in rows:
            self.typed.update(row.typed)
            said = text[row.start : row.end]
            key = (said, row.typed, row.polarity, row.strength, row.qualifiers)
            if key in seen:
                self.counted["repeated"] += 1
                self.change("repeated", said, "", "the document says it in the same words")
                continue
            seen.add(key)
            kept.append(self._renamed(row))
        return tuple(kept)

    def _renamed(self, row: TripleRow) -> TripleRow:
        subject, object_ = without_repeat(row.subject), without_repeat(row.object)
        for before, after in ((row.subject, subject), (row.object, object_)):
            if before != after:
                self.change("trailing", before, after, "the rest is the same in other words")
        for name, before, after in row.retyped:
            if after not in self.vocabulary.concepts:  # a type that nobody knows wins over none
                row = _typed_as(row, name, before)
                continue
            self.change("type", f"{name} ({before})", f"{name} ({after})", "its usual type")
        return replace(row, subject=subject, object=object_)

    def _tell_synonym(self, name: str, thing: Thing) -> None:
        """A line of the log where the lexicon calls a thing otherwise."""
        term = self.naming.lexicon.terms.get(thing.id)
        names = term.names.get(self.language, ()) if term else ()
        if names and plain_name(names[0]) != plain_name(name):
            self.change("synonym", name, names[0], "a name of the same thing")

    def _relate_row(
        self, row: TripleRow, rule: RelationRule | None, use: PredicateUse, usual: tuple[str, str]
    ) -> None:
        if not self.record.mapping.refined and self.conformity is None:
            self._relate_ends(row, rule, use, usual)
            return
        before, self.refused = len(self.evidence), "broken"
        self._relate_ends(row, rule, use, usual)
        self.count(before, f"{row.subject} | {row.predicate} | {row.object}")

    def _relate_ends(
        self, row: TripleRow, rule: RelationRule | None, use: PredicateUse, usual: tuple[str, str]
    ) -> None:
        """A row as a statement; `usual` are the concepts of its ends where nothing says them."""
        row = _as_the_rule_says(row, rule)
        concepts = (
            row.subject_concept or (rule.subject if rule else "") or usual[0],
            row.object_concept or (rule.object if rule else "") or usual[1],
        )
        predicate, inverted = use.predicate, use.inverted
        conditional = predicate.valence < 0 and not predicate.symmetric
        if inverted and conditional:
            # "asthma contraindicates X": the condition is read in words from either side.
            row, inverted, concepts = _turned(row), False, concepts[::-1]
        provenance = self._provenance(row)
        allowed = _ends(PredicateUse(predicate, inverted))
        subject = self._end(row.subject, concepts[0], allowed[0], row, row.subject_identifier)
        if subject is None:
            return
        if conditional:
            self._relate_condition(subject, predicate, row, provenance)
            return
        if predicate.takes_text:
            self.say(subject, predicate, Literal(row.object, self.language), provenance)
            return
        other = self._end(row.object, concepts[1], allowed[1], row, row.object_identifier)
        if other is not None:
            self.mentions += subject.mentions
            graded = (
                dict[str, str | int | float | bool](row.qualifiers) if predicate.graded else None
            )
            if rule and rule.otherwise and not self._fits(subject, predicate, other):
                predicate = self.vocabulary.predicate(rule.otherwise)
            if roles := self._roles(row, inverted=inverted):
                graded = {**(graded or {}), **roles}
            self.relate(subject, predicate, other, provenance, inverted=inverted, qualifiers=graded,
                        types=_types(row))  # fmt: skip

    def _roles(self, row: TripleRow, *, inverted: bool) -> dict[str, str | int | float | bool]:
        """The types of a row that the ontology has and the vocabulary lacks, by their ends."""
        ends = (row.subject_concept, row.object_concept)
        named = zip(ROLES, ends[::-1] if inverted else ends, strict=True)
        return {name: type_ for name, type_ in named if self._is_type_of_ontology(type_)}

    def _is_type_of_ontology(self, concept: str) -> bool:
        known = not concept or concept in self.vocabulary.concepts
        return not known and self.conformity is not None and self.conformity.has_type(concept)

    def _fits(self, subject: Thing, predicate: Predicate, other: Thing) -> bool:
        return subject.concept in predicate.domain and other.concept in predicate.range

    def _provenance(self, row: TripleRow) -> Provenance:
        document = self.record.document
        text = document.text("rows")[row.start : row.end]
        published = document.evidence_class == "publication" and document.url
        cites = (document.name,) if published else ()
        return Provenance("rows", row.start, row.end, text, "row", cites,
                    polarity=row.polarity, strength=row.strength, line=row.line)  # fmt: skip

    def _relate_condition(
        self, subject: Thing, predicate: Predicate, row: TripleRow, provenance: Provenance
    ) -> None:
        """What speaks against a drug is a condition in words, in a table as in a monograph."""
        phrases = self.phrases(row.object, predicate)
        if row.object_concept and row.object_concept not in _PHRASES_OF:
            phrases = (Phrase("substance", row.object, {"allergy": True}),)
        for phrase in phrases or (Phrase("condition", row.object, {}),):
            self.relate_phrase(subject, predicate, phrase, provenance)

    def _end(
        self, name: str, concept: str, allowed: tuple[str, ...], row: TripleRow, identifier: str
    ) -> Thing | None:
        if self._is_type_of_ontology(concept):
            concept = "thing"
        if concept not in self.vocabulary.concepts:
            self.refused = "label"
            self.skip(f"unknown concept '{concept}'", row.line)
            return None
        # Types that a model guessed give way to those of known names.
        curated = self.record.document.evidence_class != "model"
        known = () if curated and row.subject_concept and row.object_concept else allowed
        thing = self.named(name, concept, known, row.line, identifier=identifier)
        if thing and self.record.mapping.refined:
            self._tell_synonym(name, thing)
        return thing


def _types(row: TripleRow) -> tuple[tuple[str, ...], tuple[str, ...]]:
    told = ((row.subject, row.subject_concept), (row.object, row.object_concept))
    subject, object_ = (
        (concept, *(type_ for named, type_ in row.typed if named == plain_name(name)))
        for name, concept in told
    )
    return subject, object_


def _ends(use: PredicateUse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The concepts that a row's subject and object may be."""
    ends = (use.predicate.domain, use.predicate.range)
    return ends[::-1] if use.inverted else ends


def _as_the_rule_says(row: TripleRow, rule: RelationRule | None) -> TripleRow:
    """A row with the polarity and strength that its relation means."""
    if rule is None:
        return row
    strength = rule.strength if row.strength is None else row.strength
    return replace(row, polarity=row.polarity * rule.polarity, strength=strength)


def _typed_as(row: TripleRow, name: str, concept: str) -> TripleRow:
    """A row whose ends of this name have this concept."""
    return replace(
        row,
        subject_concept=concept if row.subject == name else row.subject_concept,
        object_concept=concept if row.object == name else row.object_concept,
    )


def _turned(row: TripleRow) -> TripleRow:
    """A row read from its other end."""
    return replace(
        row,
        subject=row.object,
        subject_concept=row.object_concept,
        subject_identifier=row.object_identifier,
        object=row.subject,
        object_concept=row.subject_concept,
        object_identifier=row.subject_identifier,
    )
