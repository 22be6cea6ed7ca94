"""The kind of triples: one row, one relation."""

from __future__ import annotations

from dataclasses import replace

from medweave.model.mapping import EndRule, Mapping
from medweave.model.record import Record
from medweave.sources.kinds import Kind, register
from medweave.sources.triples.extraction import extract, key
from medweave.sources.triples.guess import guess
from medweave.sources.triples.reading import EXTRAS, NAME, triples


def _columns(mapping: Mapping) -> set[str]:
    used = {mapping.predicate_column, mapping.document_column, *EXTRAS}
    used |= _columns_of(mapping.subject, mapping.subject_column)
    return used | _columns_of(mapping.object, mapping.object_column)


def _columns_of(end: EndRule | None, column: str) -> set[str]:
    return {end.name, end.identifier, end.concept} if end else {column}


def _beginning(record: Record, rows: int) -> Record:
    return replace(record, content=record.content[:rows])


register(
    Kind(
        name=NAME,
        read=triples,
        extract=extract,
        key=key,
        columns=_columns,
        guess=guess,
        beginning=_beginning,
        ontology="",
    )
)
