"""The kind of monographs: one record about one disease, drug or other thing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from medweave.language.sentences import sentences
from medweave.model.identifiers import normalise_name
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.statement import Literal
from medweave.sources.kinds import Extracted, Kind, register
from medweave.sources.monographs.guess import guess
from medweave.sources.monographs.reading import NAME, Item, Monograph, monographs
from medweave.sources.names import MAX_NAME, Naming, Thing
from medweave.sources.prose.templates import Found, read_sentence, templates_version
from medweave.sources.statements import Provenance, StatementReader

VERSION = "6"
"""Raise it when this code reads the same record differently: documents are then read again."""
_OF_TEMPLATE = 0.9
"""How sure a reading by a template is: a convention."""
_NO_NAMES = frozenset(
    ["", "known", "unknown", "unclear", "clear", "uncertain", "未知", "不明", "不清楚", "不清"]
)
"""What stands where a template looks for a name, and names nothing: "the cause is not known"."""


def key(record: Record, naming: Naming) -> list[object]:
    """All that decides what is read out of a monograph, besides its text."""
    held: Monograph = record.content
    parts = [
        [
            item.rule.field,
            item.text,
            list(item.cites),
            item.identifier,
            item.strength,
            *item.qualifiers,
        ]
        for item in held.items
    ]
    about = [held.concept, held.identifier, list(held.synonyms), list(held.xrefs)]
    versions = [VERSION, record.mapping.version, templates_version(), naming.lexicon.version]
    return [about, parts, versions]


def extract(record: Record, naming: Naming, activity: str) -> Extracted:
    """What a monograph says of the thing it is about."""
    reader = _MonographReader(record, naming, activity)
    reader.read(record.content)
    return reader.extracted()


@dataclass
class _MonographReader(StatementReader):
    def read(self, held: Monograph) -> None:
        if held.concept not in self.vocabulary.concepts:
            self.skip(f"unknown concept '{held.concept}'")
            return
        if len(held.subject) > MAX_NAME:
            self.skip(f"'{held.subject[:40]}…' is no name")
            return
        subject = self.thing(
            held.subject,
            held.concept,
            identifier=held.identifier,
            synonyms=held.synonyms,
            xrefs=held.xrefs,
        )
        self.mentions += subject.mentions
        names = frozenset(normalise_name(mention.name) for mention in subject.mentions)
        for item in held.items:
            self._item(subject, names, item)

    def _item(self, subject: Thing, names: frozenset[str], item: Item) -> None:
        if item.rule.reading == "text":
            self._text(subject, names, item)
        elif item.rule.reading == "phrases":
            self._phrase(subject, item)
        else:
            self._name(subject, item)

    def _name(self, subject: Thing, item: Item) -> None:
        use = self.use(item.rule.predicate)
        allowed = use.predicate.domain if use.inverted else use.predicate.range
        other = self.named(item.text, item.rule.concept, allowed, identifier=item.identifier)
        if other is not None:
            self.relate(
                subject,
                use.predicate,
                other,
                _provenance(item),
                inverted=use.inverted,
                qualifiers=dict(item.qualifiers),
            )

    def _phrase(self, subject: Thing, item: Item) -> None:
        use = self.use(item.rule.predicate)
        phrases = self.phrases(item.text, use.predicate)
        if not phrases:
            self._name(subject, item)
        for phrase in phrases:
            with_own = replace(phrase, qualifiers={**phrase.qualifiers, **dict(item.qualifiers)})
            self.relate_phrase(subject, use.predicate, with_own, _provenance(item))

    def _text(self, subject: Thing, names: frozenset[str], item: Item) -> None:
        use = self.use(item.rule.predicate)
        for start, end, sentence in sentences(item.text):
            provenance = replace(
                _provenance(item), start=item.start + start, end=item.start + end, quote=sentence
            )
            if use.predicate.takes_text or self.is_own(use):
                value = Literal(sentence, self.language)
                self.say(subject, use.predicate, value, provenance)
            for found in read_sentence(sentence, names, self.rules):
                self._found(subject, found, provenance)

    def _found(self, subject: Thing, found: Found, provenance: Provenance) -> None:
        if normalise_name(found.name) in _NO_NAMES:
            return
        predicate = self.vocabulary.predicate(found.template.predicate)
        read = replace(
            provenance,
            method=f"template {self.rules.language} {predicate.name}",
            polarity=found.polarity,
            strength=found.template.strength,
            confidence=_OF_TEMPLATE,
        )
        if found.template.reading == "phrases":
            for phrase in self.phrases(found.name, predicate):
                self.relate_phrase(subject, predicate, phrase, read)
            return
        other = self.named(found.name, found.template.concept, predicate.range)
        known = other is not None and other.id in self.naming.lexicon.terms
        if other is not None and (known or not found.template.known_only):
            self.relate(subject, predicate, other, read)


def _provenance(item: Item) -> Provenance:
    method = f"field {item.rule.field}"
    return Provenance(
        item.rule.field,
        item.start,
        item.end,
        item.text,
        method,
        cites=item.cites,
        strength=item.strength,
    )


def _columns(mapping: Mapping) -> set[str]:
    used = {rule.field for rule in mapping.fields} | {field for field, _ in mapping.xrefs}
    used |= {mapping.name_field, mapping.key_field, mapping.concept_field, mapping.synonym_field}
    return used | {mapping.language_field, mapping.url_field, mapping.identifier_field}


register(
    Kind(
        name=NAME,
        read=monographs,
        extract=extract,
        key=key,
        columns=_columns,
        guess=guess,
        last=True,
        ontology="",
    )
)
