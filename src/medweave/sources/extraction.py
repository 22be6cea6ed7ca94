"""From a record to all that it contributes to a base, by the kind of source that read it.

What a document yields depends on the document, its mapping, the templates, the vocabulary and the
lexicon, and on nothing else: so any order of building ends in the same base.
"""

from __future__ import annotations

from medweave.model.document import Extraction
from medweave.model.entity import NameMention
from medweave.model.identifiers import digest
from medweave.model.ontology import Ontology
from medweave.model.record import Record
from medweave.model.statement import Activity
from medweave.ontology.loading import ontology_in
from medweave.sources.kinds import kind_called
from medweave.sources.names import Naming

_VERSION = "4"
"""Of activities: how records become statements, whatever their kind."""


def build_key(record: Record, naming: Naming) -> str:
    """Content plus everything that decides how it is read."""
    parts = kind_called(record.kind).key(record, naming)
    key = digest(
        [record.document.content_key(), list(parts), record.reader, naming.vocabulary.version]
    )
    ontology = ontology_of(record.kind, naming)
    return f"{key} {record.kind} {ontology.digest()}" if ontology else key


def ontology_of(kind: str, naming: Naming) -> Ontology | None:
    """The ontology that sources of a kind are read by, or held against; None where by none."""
    usual = kind_called(kind).ontology
    if usual is None:
        return None
    return naming.ontology or (ontology_in(usual) if usual else None)


def kind_read_by(key: str, ontology: Ontology) -> str:
    """The kind of a document with this build key, where it was read by this ontology, else ''."""
    _, _, by = key.partition(" ")
    kind, _, name = by.partition(" ")
    return kind if name == ontology.digest() else ""


def extract(record: Record, naming: Naming, *, time: str = "") -> Extraction:
    """Everything a record says, each piece with its place and quote."""
    method = f"mapping {record.mapping.name}"
    activity = Activity(method, _VERSION, naming.vocabulary.version, record.reader, time)
    made = kind_called(record.kind).extract(record, naming, activity.id)
    return Extraction(
        document=record.document,
        build_key=build_key(record, naming),
        statements=tuple(dict.fromkeys(made.statements)),
        evidence=tuple(dict.fromkeys(made.evidence)),
        mentions=tuple(sorted(set(made.mentions), key=_mention_order)),
        activity=activity,
        skipped=tuple(made.skipped),
        refinement=made.refinement,
    )


def _mention_order(mention: NameMention) -> tuple[str, ...]:
    return (mention.entity, mention.name, mention.language, mention.concept, mention.xref)
