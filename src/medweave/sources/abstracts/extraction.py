"""From the text of an abstract to its things and what it says of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from medweave.language.abbreviations import abbreviations
from medweave.model.document import Document
from medweave.model.ontology import Ontology, term
from medweave.model.record import Record
from medweave.sources.abstracts.entities.spans import Span
from medweave.sources.abstracts.entities.tokens import name_key
from medweave.sources.abstracts.extracted import Dropped, Entity, ReadAbstract, Relation
from medweave.sources.abstracts.readers import AbstractReader
from medweave.sources.abstracts.reading import TEXT
from medweave.sources.abstracts.relations.rules import TextRelation
from medweave.sources.names import Naming, Thing, clean_name

ROLES = {
    "complication": "disease",
    "comorbidity": "disease",
    "progression": "disease",
    "prognosis": "symptom",
    "risk_factor": "risk_factor",
}
"""The types that say which part a thing plays, and what it is where no known name says more."""
_ALSO = {
    "treatment": ("drug", "drug_class"),
    "risk_factor": ("disease", "symptom", "drug", "drug_class", "food", "organism"),
    "disease": ("symptom",),
    "symptom": ("disease",),
    "complication": ("symptom",),
    "comorbidity": ("symptom",),
    "prognosis": ("disease",),
}
"""What else the lexicon may know that a thing of a type is."""


def read_abstract(
    document: Document, reader: AbstractReader, naming: Naming, ontology: Ontology | None = None
) -> ReadAbstract:
    """What a reader finds in an abstract; with an ontology, what this allows of it."""
    text = document.text(TEXT)
    spans = reader.entities(text)
    entities = entities_of(text, spans, reader, naming)
    names = [entity.name for entity in entities]
    relations: list[Relation] = []
    dropped: list[Dropped] = []
    seen: set[tuple[str, str, str, int]] = set()
    places: dict[Span, int] = {}
    for place, span in enumerate(spans):
        places.setdefault(span, place)
    for said in reader.relations(text, spans):
        made = _relation(said, places)
        said_once = (names[made.subject], made.predicate, names[made.object], made.start)
        reason = wrong(made, entities, ontology)
        if said_once in seen:
            continue
        seen.add(said_once)
        if reason:
            ends = entities[made.subject], entities[made.object]
            dropped.append(Dropped(reason, f"{ends[0].text} {made.predicate} {ends[1].text}"))
        else:
            relations.append(made)
    return ReadAbstract(
        document.name, document.title, text, entities, tuple(relations), tuple(dropped)
    )


def read_record(
    record: Record, reader: AbstractReader, naming: Naming, ontology: Ontology | None = None
) -> ReadAbstract:
    """What a model has read in an abstract, if one has; else what a reader finds."""
    if isinstance(record.content, ReadAbstract):
        return record.content
    read = read_abstract(record.document, reader, naming, ontology)
    return replace(read, dropped=(*(record.content or ()), *read.dropped))


def thing_of(name: str, type_: str, naming: Naming, written: Iterable[str] = ()) -> Thing:
    """What is called so, with what it is called; of a type that the vocabulary lacks, a thing.

    >>> from medweave.vocabulary.lexicon import shipped_lexicon
    >>> from medweave.vocabulary.vocabulary import shipped_vocabulary
    >>> found = thing_of("Lucentis", "treatment", Naming(shipped_vocabulary(), shipped_lexicon()))
    >>> found.id, found.concept
    ('mw.substance:ranibizumab', 'drug')
    """
    concept = ROLES.get(type_, type_)
    concept = concept if concept in naming.vocabulary.concepts else "thing"
    return naming.thing(name, concept, "en", allowed=_ALSO.get(type_, ()), synonyms=written)


def entities_of(
    text: str, spans: Sequence[Span], reader: AbstractReader, naming: Naming
) -> tuple[Entity, ...]:
    """The things that a text names at these places, in their order."""
    return tuple(
        Entity(span.start, span.end, text[span.start : span.end], span.type, name,
               thing_of(name, span.type, naming).id)
        for span, name in zip(spans, _names(text, spans, reader), strict=True)
    )  # fmt: skip


def _names(text: str, spans: Sequence[Span], reader: AbstractReader) -> list[str]:
    """For each span the name of what it means: an abbreviation's long form, the preferred one."""
    long_forms = {
        name_key(text[each.short_start : each.short_end]): text[each.long_start : each.long_end]
        for each in abbreviations(text)
    }
    written = [text[span.start : span.end] for span in spans]
    whole = [long_forms.get(name_key(name), name) for name in written]
    return [clean_name(reader.preferred(name)).lower() for name in whole]


def _relation(said: TextRelation, places: Mapping[Span, int]) -> Relation:
    return Relation(
        subject=places[said.subject],
        predicate=said.predicate,
        object=places[said.object],
        polarity=said.certainty.polarity,
        strength=said.certainty.strength,
        confidence=round(said.confidence, 3),
        start=said.start,
        end=said.end,
        method=said.method,
    )


def wrong(relation: Relation, entities: Sequence[Entity], ontology: Ontology | None) -> str:
    """Why a relation cannot be kept, '' where it can."""
    subject, object_ = entities[relation.subject], entities[relation.object]
    if subject.name == object_.name or (subject.id and subject.id == object_.id):
        return "self"
    if ontology is None:
        return ""
    predicate = ontology.predicate_by_term.get(relation.predicate)
    if predicate is None:
        return "label"
    if not _fits(subject.type, predicate.domain, ontology):
        return "domain"
    return "" if _fits(object_.type, predicate.range, ontology) else "range"


def _fits(type_: str, allowed: Iterable[str], ontology: Ontology) -> bool:
    terms = {term(label) for label in allowed}
    return not terms or bool(terms & ontology.kinds_above(type_))
