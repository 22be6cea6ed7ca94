"""From a record to statements with their evidence, by mapping rules and semantic templates.

What a document yields depends on the document, its mapping, the templates, the vocabulary and the
lexicon, and on nothing else: so any order of building ends in the same base.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from medweave.errors import StatementError
from medweave.language.sentences import sentences
from medweave.model.document import Extraction, Skipped
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest, normalise_name
from medweave.model.mapping import Mapping, RelationRule
from medweave.model.record import Item, Record, TripleRow
from medweave.model.statement import Activity, Evidence, Literal, Place, Statement, qualifiers_of
from medweave.sources.dialogues.tree import DialogueReader, content_of, dialogue_version
from medweave.sources.names import MAX_NAME, Naming, Thing
from medweave.sources.prose.phrases import Phrase, read_phrase
from medweave.sources.prose.templates import (
    Found,
    TemplateSet,
    read_sentence,
    template_set,
    templates_version,
)
from medweave.vocabulary.vocabulary import OPEN, Predicate, PredicateUse, Vocabulary

VERSION = "3"
"""Raise it when this code reads the same record differently: documents are then read again."""
UNSOURCED = "unsourced"
"""Stands in `cites` of a sample's facts that name no record."""
_NO_NAMES = frozenset(
    ["", "known", "unknown", "unclear", "clear", "uncertain", "未知", "不明", "不清楚", "不清"]
)
"""What stands where a template looks for a name, and names nothing: "the cause is not known"."""
_FAMILY_OF_PHRASE = {"population": "population", "substance": "drug", "condition": "disease"}


def build_key(record: Record, naming: Naming) -> str:
    """Content plus everything that decides how it is read."""
    versions = [VERSION, record.mapping.version, templates_version()]
    versions += [naming.vocabulary.version, naming.lexicon.version]
    said = [
        [item.rule.field, item.text, list(item.cites), item.identifier] for item in record.items
    ]
    rows = [
        [row.predicate, row.polarity, row.strength, row.subject_concept, row.object_concept,
         row.subject_identifier, row.object_identifier]
        for row in record.triples
    ]  # fmt: skip
    about = [record.concept, record.identifier, list(record.synonyms), list(record.xrefs)]
    if record.dialogue is not None:
        told = [*content_of(record.dialogue), dialogue_version()]
        return digest([record.document.content_key(), told, VERSION, naming.vocabulary.version])
    return digest([record.document.content_key(), about, said, rows, versions])


def extract(record: Record, naming: Naming, *, time: str = "") -> Extraction:
    """Everything a record says, each piece with its place and quote."""
    method = f"mapping {record.mapping.name}"
    model = record.dialogue.reader if record.dialogue else ""
    activity = Activity(method, VERSION, naming.vocabulary.version, model, time)
    reader = _read(record, naming, activity.id)
    return Extraction(
        document=record.document,
        build_key=build_key(record, naming),
        statements=tuple(dict.fromkeys(reader.statements)),
        evidence=tuple(dict.fromkeys(reader.evidence)),
        mentions=tuple(sorted(set(reader.mentions), key=_mention_order)),
        activity=activity,
        skipped=tuple(reader.skipped),
    )


def _read(record: Record, naming: Naming, activity: str) -> _RecordReader | DialogueReader:
    if record.dialogue is not None:
        dialogue = DialogueReader(record.document, record.dialogue, activity)
        dialogue.read()
        return dialogue
    reader = _RecordReader(record, naming, activity)
    if record.triples:
        reader.read_triples()
    else:
        reader.read_monograph()
    return reader


def _mention_order(mention: NameMention) -> tuple[str, ...]:
    return (mention.entity, mention.name, mention.language, mention.concept, mention.xref)


@dataclass
class _RecordReader:
    """Collects what one record yields."""

    record: Record
    naming: Naming
    activity: str
    statements: list[Statement] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    mentions: list[NameMention] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)

    @property
    def _vocabulary(self) -> Vocabulary:
        return self.naming.vocabulary

    @property
    def _mapping(self) -> Mapping:
        return self.record.mapping

    def read_monograph(self) -> None:
        """The fields of a record about one thing."""
        record = self.record
        if record.concept not in self._vocabulary.concepts:
            self._skip(f"unknown concept '{record.concept}'")
            return
        if len(record.subject) > MAX_NAME:
            self._skip(f"'{record.subject[:40]}…' is no name")
            return
        subject = self._thing(
            record.subject,
            record.concept,
            identifier=record.identifier,
            synonyms=record.synonyms,
            xrefs=record.xrefs,
        )
        self.mentions += subject.mentions
        names = frozenset(normalise_name(mention.name) for mention in subject.mentions)
        for item in record.items:
            self._read_item(subject, names, item)

    def _read_item(self, subject: Thing, names: frozenset[str], item: Item) -> None:
        if item.rule.reading == "text":
            self._read_text(subject, names, item)
        elif item.rule.reading == "phrases":
            self._read_phrase(subject, item)
        else:
            self._read_name(subject, item)

    def _read_name(self, subject: Thing, item: Item) -> None:
        use = self._vocabulary.find(item.rule.predicate)
        if use is None:
            self._skip_predicate(item)
            return
        allowed = use.predicate.domain if use.inverted else use.predicate.range
        other = self._named(item.text, item.rule.concept, allowed, identifier=item.identifier)
        if other is not None:
            self._relate(
                subject, use.predicate, other, self._item_place(item), inverted=use.inverted
            )

    def _skip_predicate(self, item: Item) -> None:
        self._skip(f"unknown predicate '{item.rule.predicate}' for the field '{item.rule.field}'")

    def _item_place(self, item: Item) -> _Source:
        method = f"field {item.rule.field}"
        return _Source(item.rule.field, item.start, item.end, item.text, item.cites, method)

    def _read_phrase(self, subject: Thing, item: Item) -> None:
        use = self._vocabulary.find(item.rule.predicate)
        phrase = self._phrase(item.text, template_set(self.record.document.language))
        if use is None or phrase is None:
            self._read_name(subject, item)
            return
        self._relate_phrase(subject, use.predicate, phrase, self._item_place(item))

    def _phrase(self, text: str, rules: TemplateSet) -> Phrase | None:
        """A phrase; a name the lexicon knows as a whole ("acute liver failure") stays whole."""
        if self.naming.lexicon.find(text, [self._vocabulary.family("disease")]):
            return Phrase("condition", text, {})
        return read_phrase(text, rules)

    def _relate_phrase(
        self, subject: Thing, predicate: Predicate, phrase: Phrase, source: _Source
    ) -> None:
        if phrase.predicate:
            predicate = self._vocabulary.predicate(phrase.predicate)
        concept = _FAMILY_OF_PHRASE[phrase.kind]
        other = self._named(phrase.name, concept, predicate.range)
        if other is None:
            return
        qualifiers = dict(phrase.qualifiers)
        for purpose in {"purpose", "except_purpose"} & set(qualifiers):
            thing = self._named(str(qualifiers[purpose]), "disease", ())
            if thing is None:
                return
            qualifiers[purpose] = thing.id
            self.mentions += thing.mentions
        self._relate(subject, predicate, other, source, qualifiers=qualifiers)

    def _read_text(self, subject: Thing, names: frozenset[str], item: Item) -> None:
        use = self._vocabulary.find(item.rule.predicate)
        if use is None:
            self._skip_predicate(item)
            return
        rules = template_set(self.record.document.language)
        for start, end, sentence in sentences(item.text):
            span = (item.start + start, item.start + end)
            source = _Source(
                item.rule.field, *span, sentence, item.cites, f"field {item.rule.field}"
            )
            if use.predicate.takes_text:
                literal = Literal(sentence, self.record.document.language)
                self._add(Statement(subject.id, use.predicate.name, literal), use.predicate, source)
            for found in read_sentence(sentence, names, rules):
                self._relate_found(subject, found, source, rules.language)

    def _relate_found(self, subject: Thing, found: Found, source: _Source, language: str) -> None:
        if normalise_name(found.name) in _NO_NAMES:
            return
        predicate = self._vocabulary.predicate(found.template.predicate)
        read = source.read_by(f"template {language} {predicate.name}", found)
        if found.template.reading == "phrases":
            phrase = self._phrase(found.name, template_set(language))
            if phrase is not None:
                self._relate_phrase(subject, predicate, phrase, read)
            return
        other = self._named(found.name, found.template.concept, predicate.range)
        known = other is not None and other.id in self.naming.lexicon.terms
        if other is not None and (known or not found.template.known_only):
            self._relate(subject, predicate, other, read)

    def read_triples(self) -> None:
        """The rows of a page of triples."""
        relations = dict(self._mapping.relations)
        for row in self.record.triples:
            rule = relations.get(row.predicate)
            use = self._use(row, rule)
            if use is None:
                self._skip(f"unknown predicate '{row.predicate}': add it to a vocabulary", row.line)
                continue
            ends = (use.predicate.range, use.predicate.domain) if use.inverted else (
                use.predicate.domain, use.predicate.range)  # fmt: skip
            subject_concept = row.subject_concept or (rule.subject if rule else "") or ends[0][0]
            object_concept = row.object_concept or (rule.object if rule else "") or ends[1][0]
            self._relate_row(
                _as_the_rule_says(row, rule),
                use.predicate,
                use.inverted,
                subject_concept,
                object_concept,
            )

    def _use(self, row: TripleRow, rule: RelationRule | None) -> PredicateUse | None:
        """The predicate of a row; where relations are open, one called as the source calls it."""
        if rule is None and self._mapping.open_relations:
            return self._vocabulary.find(OPEN + row.predicate)
        return self._vocabulary.find(rule.predicate if rule else row.predicate)

    def _relate_row(
        self, row: TripleRow, predicate: Predicate, inverted: bool, *concepts: str
    ) -> None:
        if inverted and predicate.valence < 0 and not predicate.symmetric:
            # "asthma contraindicates X": the condition is read in words from either side.
            row, inverted, concepts = _turned(row), False, concepts[::-1]
        text = self.record.document.text("rows")[row.start : row.end]
        source = _Source(
            "rows", row.start, row.end, text, (), "row", row.polarity, row.strength, row.line
        )
        ends = (predicate.domain, predicate.range)
        allowed = ends[::-1] if inverted else ends
        subject = self._row_thing(row.subject, concepts[0], allowed[0], row, row.subject_identifier)
        if subject is None:
            return
        if predicate.valence < 0 and not predicate.symmetric:
            self._relate_condition(subject, predicate, row, source)
            return
        if predicate.takes_text:
            literal = Literal(row.object, self.record.document.language)
            self.mentions += subject.mentions
            self._add(Statement(subject.id, predicate.name, literal), predicate, source)
            return
        other = self._row_thing(row.object, concepts[1], allowed[1], row, row.object_identifier)
        if other is not None:
            self.mentions += subject.mentions
            self._relate(subject, predicate, other, source, inverted=inverted)

    def _relate_condition(
        self, subject: Thing, predicate: Predicate, row: TripleRow, source: _Source
    ) -> None:
        """What speaks against a drug is a condition in words, in a table as in a monograph."""
        concepts = {"disease": "condition", "symptom": "condition", "population": "population"}
        phrase = self._phrase(row.object, template_set(self.record.document.language))
        if row.object_concept and row.object_concept not in concepts:
            phrase = Phrase("substance", row.object, {"allergy": True})
        self._relate_phrase(
            subject, predicate, phrase or Phrase("condition", row.object, {}), source
        )

    def _row_thing(
        self,
        name: str,
        concept: str,
        allowed: tuple[str, ...],
        row: TripleRow,
        identifier: str,
    ) -> Thing | None:
        if concept not in self._vocabulary.concepts:
            self._skip(f"unknown concept '{concept}'", row.line)
            return None
        known = () if row.subject_concept and row.object_concept else allowed
        return self._named(name, concept, known, row.line, identifier=identifier)

    def _named(
        self,
        name: str,
        concept: str,
        allowed: tuple[str, ...],
        line: int = 0,
        *,
        identifier: str = "",
    ) -> Thing | None:
        wanted = concept or (allowed[0] if allowed else "thing")
        if not normalise_name(name) or len(name) > MAX_NAME:
            self._skip(f"'{name[:40]}' is no name", line)
            return None
        return self._thing(name, wanted, allowed=allowed, identifier=identifier)

    def _thing(
        self,
        name: str,
        concept: str,
        *,
        allowed: tuple[str, ...] = (),
        identifier: str = "",
        synonyms: tuple[str, ...] = (),
        xrefs: tuple[str, ...] = (),
    ) -> Thing:
        known = tuple(name for name in allowed if name in self._vocabulary.concepts)
        return self.naming.thing(
            name,
            concept,
            self.record.document.language,
            allowed=known,
            identifier=identifier,
            synonyms=synonyms,
            xrefs=xrefs,
            parentheses=self._mapping.parentheses,
        )

    def _relate(
        self,
        subject: Thing,
        predicate: Predicate,
        other: Thing,
        source: _Source,
        *,
        inverted: bool = False,
        qualifiers: dict[str, str | int | float | bool] | None = None,
    ) -> None:
        if inverted:
            subject, other = other, subject
        try:
            self._vocabulary.check(subject.concept, predicate, other.concept)
        except StatementError as error:
            self._skip(f"'{source.quote[:60]}': {error}", source.line)
            return
        if subject.id == other.id and not qualifiers:  # an allergy to a drug forbids that drug
            self._skip(f"'{source.quote[:60]}' relates a thing to itself", source.line)
            return
        self.mentions += [*subject.mentions, *other.mentions]
        statement = Statement(subject.id, predicate.name, other.id, qualifiers_of(qualifiers or {}))
        self._add(statement, predicate, source)

    def _add(self, statement: Statement, predicate: Predicate, source: _Source) -> None:
        document = self.record.document
        cites = source.cites or ((UNSOURCED,) if document.sample else ())
        by_template = source.method.startswith("template")
        self.statements.append(statement)
        self.evidence.append(
            Evidence(
                statement=statement.id,
                document=document.id,
                place=Place(source.field, source.start, source.end),
                quote=source.quote,
                evidence_class=document.evidence_class,
                polarity=source.polarity,
                strength=predicate.strength if source.strength is None else source.strength,
                confidence=0.9 if by_template else 1.0,
                knowledge_level="not_provided" if by_template else "knowledge_assertion",
                agent_type="text_mining_agent" if by_template else "manual_agent",
                method=source.method,
                cites=cites,
                activity=self.activity,
            )
        )

    def _skip(self, reason: str, line: int = 0) -> None:
        document = self.record.document
        self.skipped.append(Skipped(document.source, line or document.line, reason))


def _as_the_rule_says(row: TripleRow, rule: RelationRule | None) -> TripleRow:
    """A row with the polarity and strength that its relation means."""
    if rule is None:
        return row
    strength = rule.strength if row.strength is None else row.strength
    return replace(row, polarity=row.polarity * rule.polarity, strength=strength)


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


@dataclass(frozen=True, slots=True)
class _Source:
    """Where in a document something is said, and how it was read."""

    field: str
    start: int
    end: int
    quote: str
    cites: tuple[str, ...]
    method: str
    polarity: int = 1
    strength: float | None = None
    line: int = 0

    def read_by(self, method: str, found: Found) -> _Source:
        return _Source(self.field, self.start, self.end, self.quote, self.cites, method,
                       found.polarity, found.template.strength)  # fmt: skip
