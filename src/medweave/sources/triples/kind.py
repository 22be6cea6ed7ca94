"""The kind of triples: one row, one relation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from medweave.model.mapping import EndRule, Mapping
from medweave.model.record import Record
from medweave.sources.files.columns import folded, guess_words
from medweave.sources.kinds import Kind, register
from medweave.sources.mapping.guess import Guess, guessed, meaning_of
from medweave.sources.mapping.sample import Sample
from medweave.sources.triples.extraction import extract, key
from medweave.sources.triples.reading import EXTRAS, NAME, triples
from medweave.vocabulary.vocabulary import Vocabulary


def guess(sample: Sample, vocabulary: Vocabulary) -> Guess | None:
    """A file with a head, a relation and a tail, whatever they are called; None for any other."""
    found: dict[str, Any] = {}
    for role, names in guess_words()["triples"].items():
        column = next((column for column in sample.columns if folded(column) in names), None)
        if column is not None:
            found[role] = column
    if len(found) < len(guess_words()["triples"]):
        return None
    relations = list(dict.fromkeys(sample.texts(found["predicate_column"])))
    meanings = {relation: meaning_of(relation, vocabulary) for relation in relations}
    understood = {relation: name for relation, name in meanings.items() if name}
    used = {*found.values(), *EXTRAS}
    left_out = [(c, "it is no part of a relation") for c in sample.columns if c not in used]
    content = {
        "kind": NAME,
        "evidence_class": "database",
        **found,
        "relations": {relation: {"predicate": name} for relation, name in understood.items()},
    }
    return guessed(sample, content, left_out, len(understood) / max(1, len(relations)))


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
