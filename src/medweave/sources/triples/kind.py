"""The kind of triples: one row, one relation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from medweave.model.mapping import EndRule, Mapping
from medweave.model.record import Record
from medweave.sources.files.columns import column_of_part, guess_words, may_be_else
from medweave.sources.kinds import Kind, register
from medweave.sources.mapping.guess import Guess, guessed, meaning_of
from medweave.sources.mapping.sample import Sample
from medweave.sources.triples.extraction import extract, key
from medweave.sources.triples.reading import EXTRAS, NAME, triples
from medweave.vocabulary.vocabulary import Vocabulary

_NUMBER = re.compile(r"[-+]?\d+([.,]\d+)?")


def guess(sample: Sample, vocabulary: Vocabulary) -> Guess | None:
    """A file with a head, a relation and a tail, whatever they are called; None for any other."""
    named = [column for column in sample.columns if not _only_numbers(sample.texts(column))]
    found: dict[str, Any] = {role: column_of_part(role, named) for role in guess_words()["triples"]}
    if not all(found.values()) or len(set(found.values())) < len(found):
        return None
    relations = list(dict.fromkeys(sample.texts(found["predicate_column"])))
    meanings = {relation: meaning_of(relation, vocabulary) for relation in relations}
    understood = {relation: name for relation, name in meanings.items() if name}
    if not understood and may_be_else(found["predicate_column"]):
        return None
    used = {*found.values(), *EXTRAS}
    left_out = [(c, "it is no part of a relation") for c in sample.columns if c not in used]
    content = {
        "kind": NAME,
        "evidence_class": "database",
        **found,
        "relations": {relation: {"predicate": name} for relation, name in understood.items()},
    }
    return guessed(sample, content, left_out, len(understood) / max(1, len(relations)))


def _only_numbers(texts: Sequence[str]) -> bool:
    """Whether a column holds numbers, as of rows of some other table: they are nobody's names."""
    return bool(texts) and all(_NUMBER.fullmatch(text.strip()) for text in texts)


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
