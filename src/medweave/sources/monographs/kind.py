"""The kind of monographs: one record about one disease, drug or other thing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from medweave.language.sentences import sentences
from medweave.model.identifiers import is_curie, normalise_name
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.statement import Literal
from medweave.sources.files.columns import folded, guess_words
from medweave.sources.kinds import Extracted, Kind, register
from medweave.sources.mapping.guess import Guess, guessed, meaning_of
from medweave.sources.mapping.layouts import shipped_mappings
from medweave.sources.mapping.sample import Sample, is_naming, is_prose, list_marks
from medweave.sources.monographs.reading import NAME, Item, Monograph, monographs
from medweave.sources.names import MAX_NAME, Naming, Thing
from medweave.sources.prose.templates import Found, read_sentence, templates_version
from medweave.sources.statements import Provenance, StatementReader
from medweave.vocabulary.vocabulary import PredicateUse, Vocabulary

_FIRST = ("disease", "drug")
"""Where several concepts fit the columns equally, the first of these."""
_ROLES = {
    "concept": "concept_field", "synonyms": "synonym_field", "url": "url_field",
    "key": "key_field", "language": "language_field",
}  # fmt: skip
_EMPTY = "it is empty in the rows looked at"
_UNNAMED = 0.5
"""How sure a column is the name of things if only its contents say so."""


def guess(sample: Sample, vocabulary: Vocabulary) -> Guess | None:
    """A file with a row for each thing; None where no column can be its name."""
    name = _name_column(sample, vocabulary)
    if not name:
        return None
    roles, left_out = _roles(sample, name, vocabulary)
    rest = [c for c in sample.columns if c not in (name, *roles.values(), *left_out)]
    meanings = {column: meaning_of(column, vocabulary) for column in rest}
    concept = "" if "concept_field" in roles else _concept(name, meanings.values(), vocabulary)
    fields: dict[str, dict[str, str]] = {}
    for column, meaning in meanings.items():
        rule, reason = _field(sample.texts(column), meaning, concept, vocabulary)
        if rule:
            fields[column] = rule
        else:
            left_out[column] = reason
    content = {
        "kind": NAME,
        "evidence_class": "database",
        "name_field": name,
        **({"concept": concept} if concept else {}),
        **roles,
        "fields": fields,
    }
    if "synonym_field" in roles:
        content["synonym_marks"] = list_marks(sample.texts(roles["synonym_field"]))
    share = (1 + len(roles) + len(fields)) / (1 + len(roles) + len(fields) + len(left_out))
    by_name = 1.0 if folded(name) in guess_words()["name"] else _UNNAMED
    return guessed(sample, content, left_out.items(), share * by_name if fields else 0.0)


def _name_column(sample: Sample, vocabulary: Vocabulary) -> str:
    """A column called like a name, the one that differs most from row to row; else one whose
    texts are short and all different; '' where there is none."""
    words: list[str] = guess_words()["name"]
    called = [c for c in sample.columns if folded(c) in words and sample.texts(c)]
    if called:
        return min(called, key=lambda c: (-_distinct(sample.texts(c)), words.index(folded(c))))
    for column in sample.columns:
        if meaning_of(column, vocabulary) is None and is_naming(sample.texts(column)):
            return column
    return ""


def _distinct(texts: list[str]) -> float:
    """The share of different texts, in tenths."""
    return round(len(set(texts)) / len(texts), 1)


def _roles(
    sample: Sample, name: str, vocabulary: Vocabulary
) -> tuple[dict[str, str], dict[str, str]]:
    """Columns that say something of the record itself, and columns that only seem to."""
    found: dict[str, str] = {}
    refused: dict[str, str] = {}
    for role, entry in _ROLES.items():
        for column in sample.columns:
            if column == name or folded(column) not in guess_words()[role]:
                continue
            reason = _unfit(role, sample.texts(column), vocabulary)
            if not reason and entry not in found:
                found[entry] = column
            else:
                refused[column] = reason or f"'{found[entry]}' is taken for this"
    if "key_field" in found and all(map(is_curie, sample.texts(found["key_field"]))):
        found["identifier_field"] = found["key_field"]
    return found, refused


def _unfit(role: str, texts: list[str], vocabulary: Vocabulary) -> str:
    """Why the contents of a column do not fit its role, '' where they do."""
    values = {text.strip().lower() for text in texts}
    if not texts:
        return _EMPTY
    if role == "concept" and not values <= set(vocabulary.concepts):
        return "its values are no concepts of the vocabulary"
    if role == "url" and not all("/" in value for value in values):
        return "its values are no addresses"
    if role == "key" and len(set(texts)) < len(texts):
        return "its values repeat"
    if role == "language" and not values <= {"en", "zh"}:
        return "its values are neither 'en' nor 'zh'"
    return ""


def _concept(name: str, meanings: Iterable[str | None], vocabulary: Vocabulary) -> str:
    """What the records are about: by the word for the name, else by what the predicates take."""
    by_word: dict[str, str] = guess_words()["concept_of_name"]
    if folded(name) in by_word:
        return by_word[folded(name)]
    votes: Counter[str] = Counter()
    for meaning in meanings:
        use = vocabulary.find(meaning) if meaning else None
        votes.update(_ends(use)[0] if use else ())
    best = [concept for concept, count in votes.items() if count == max(votes.values())]
    first = [concept for concept in _FIRST if concept in best]
    return [*first, *best, *_FIRST][0]


def _ends(use: PredicateUse) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Concepts of the record's own thing, and of what its field names."""
    ends = (use.predicate.domain, use.predicate.range)
    return (ends[1], ends[0]) if use.inverted else ends


def _field(
    texts: list[str], meaning: str | None, concept: str, vocabulary: Vocabulary
) -> tuple[dict[str, str], str]:
    """The rule for a column, or the reason why there is none. `concept` '' is not known yet."""
    use = vocabulary.find(meaning) if meaning else None
    if meaning is None or use is None:
        return {}, "no predicate is called like this column"
    if not texts:
        return {}, _EMPTY
    own, others = _ends(use)
    if concept and concept not in own:
        return {}, f"'{meaning}' does not take a {concept}"
    if use.predicate.takes_text:
        return {"predicate": meaning, "reading": "text"}, ""
    if is_prose(texts):
        described = not concept or concept in vocabulary.predicate("described_as").domain
        return {"predicate": "described_as" if described else meaning, "reading": "text"}, ""
    rule = {"predicate": meaning, "concept": others[0], **_usual(meaning)}
    marks = list_marks(texts)
    return ({**rule, "marks": marks} if marks else rule), ""


def _usual(predicate: str) -> dict[str, str]:
    """How our own layout reads this predicate, if it does."""
    for rule in shipped_mappings()[NAME].fields:
        if rule.predicate == predicate:
            return {"concept": rule.concept, "reading": rule.reading}
    return {}


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
        elif item.rule.reading == "passages":
            self._passage(subject, item)
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

    def _passage(self, subject: Thing, item: Item) -> None:
        predicate = self.use(item.rule.predicate).predicate
        value = Literal(item.text, self.language)
        self.say(subject, predicate, value, _provenance(item), dict(item.qualifiers))

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
        polarity=-1 if item.denied else 1,
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
