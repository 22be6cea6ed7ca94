"""The kind of abstracts: papers and trials, in the layouts of registries and search sites."""

from __future__ import annotations

from collections.abc import Iterable

from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.refinement import plain_name
from medweave.ontology.loading import SHIPPED
from medweave.ontology.meaning import predicates_of
from medweave.sources.abstracts.by_model import REQUESTS, AbstractsByModel, reader
from medweave.sources.abstracts.entities.known_names import names_version
from medweave.sources.abstracts.extracted import Entity, ReadAbstract, Relation
from medweave.sources.abstracts.extraction import ROLES, read_record, thing_of
from medweave.sources.abstracts.layouts import COLUMNS, NAME, file_mapping, table_mapping
from medweave.sources.abstracts.readers import abstract_ontology, rule_reader
from medweave.sources.abstracts.reading import TEXT, abstracts, again
from medweave.sources.abstracts.relations.certainty import certainty_version
from medweave.sources.abstracts.relations.rules import relations_version
from medweave.sources.kinds import ByModel, Extracted, Kind, register
from medweave.sources.names import Naming, Thing
from medweave.sources.statements import Provenance, StatementReader
from medweave.vocabulary.vocabulary import Predicate

VERSION = "2"
"""Raise it when this code reads the same abstract differently: documents are then read again."""
_WHY = {
    "self": "it relates a thing to itself",
    "label": "the ontology has no such relation",
    "domain": "the ontology does not allow such a subject",
    "range": "the ontology does not allow such an object",
    "not_in_text": "its names, or its quote, do not stand in the abstract",
    "broken": "the model's reply is broken there",
}


def extract(record: Record, naming: Naming, activity: str) -> Extracted:
    """What an abstract says, read by a model before, or by rules and the names of the lexicon."""
    ontology = abstract_ontology(naming)
    read = read_record(record, rule_reader(ontology), naming, ontology)
    made = _AbstractStatements(record, naming, activity)
    made.read_all(read)
    return made.extracted(refined=True)


def key(_record: Record, naming: Naming) -> list[object]:
    """All that decides what is read in an abstract, besides its text and a model."""
    versions = [VERSION, names_version(), relations_version(), certainty_version()]
    return [*versions, naming.lexicon.version]


class _AbstractStatements(StatementReader):
    """Collects what one abstract says; what the ontology allows is decided before."""

    counts_relations = False

    @property
    def conformity(self) -> None:
        """Nothing: a relation that the ontology does not allow is not among those read."""

    def read_all(self, read: ReadAbstract) -> None:
        """All its relations, each with the sentence that says it."""
        self.typed.update((plain_name(each.name), each.type) for each in read.entities)
        for relation in read.relations:
            ends = read.entities[relation.subject], read.entities[relation.object]
            before = len(self.evidence)
            self._read(relation, *ends, read.text)
            self._count(before, f"{ends[0].name} | {relation.predicate} | {ends[1].name}")
        self.counted["repeated"] += read.repeated
        for dropped in read.dropped:
            self.counted[dropped.reason] += 1
            self.change("dropped", dropped.what, "", dropped.reason)
            self.skip(f"'{dropped.what}' is left out: {_WHY[dropped.reason]}")

    def _count(self, before: int, said: str) -> None:
        made = self.evidence[before:]
        repeated = bool(made) and self._made.issuperset(made)
        self._made.update(made)
        if repeated:
            self.counted["repeated"] += 1
            self.change("repeated", said, "", "the same place says the same")
        else:
            self.count(before, said)

    def _read(self, relation: Relation, first: Entity, second: Entity, text: str) -> None:
        subject, object_ = self._thing(first), self._thing(second)
        roles = {"subject_role": _role(first, subject), "object_role": _role(second, object_)}
        provenance = Provenance(
            TEXT,
            relation.start,
            relation.end,
            text[relation.start : relation.end],
            relation.method,
            cites=(self.record.document.name,),
            polarity=relation.polarity,
            strength=relation.strength,
            confidence=relation.confidence,
            evidence_class="model" if self.record.reader else None,
        )
        predicate = self._predicate(relation, subject.concept, object_.concept)
        qualifiers = {name: role for name, role in roles.items() if role}
        self.relate(subject, predicate, object_, provenance, qualifiers=dict(qualifiers))

    def _thing(self, entity: Entity) -> Thing:
        return thing_of(entity.name, entity.type, self.naming, (entity.text,))

    def _predicate(self, relation: Relation, subject: str, object_: str) -> Predicate:
        """What says it in the vocabulary; a relation of the ontology's own under its label."""
        names = predicates_of(relation.predicate)
        first = self.use(names[0]).predicate
        fits = subject in first.domain and object_ in first.range and relation.strength == 1
        return first if fits or len(names) == 1 else self.vocabulary.predicate(names[-1])


def _role(entity: Entity, thing: Thing) -> str:
    """The part that a thing plays, where its concept does not say it."""
    plays = entity.type in ROLES or thing.concept == "thing"
    return entity.type if plays and thing.concept != entity.type else ""


def _columns(_mapping: Mapping) -> Iterable[str]:
    return COLUMNS


register(
    Kind(
        name=NAME,
        read=abstracts,
        extract=extract,
        key=key,
        columns=_columns,
        layout=table_mapping,
        file=file_mapping,
        ontology=SHIPPED,
        again=again,
        by_model=ByModel(reader, AbstractsByModel().filled, REQUESTS),
    )
)
