"""A mapping: how the records of a source are to be read, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.model.statement import EvidenceClass


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What one field of a record says about the thing the record is about.

    `reading` is `names` (a list of things), `phrases` (a list of conditions such as "children
    under 8 years"), or `text` (sentences kept as literals, and read by templates).
    `predicate` may be any name the vocabulary knows, inverse names included.
    """

    field: str
    predicate: str
    concept: str = ""
    reading: OneOf["names", "phrases", "text"] = "names"
    marks: str = ""
    """The characters at which a text of names or phrases parts; semicolons where none are given."""


@dataclass(frozen=True, slots=True)
class RelationRule:
    """What one relation of a triple source means: predicate and concepts of both ends."""

    predicate: str
    subject: str = ""
    object: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """How to read one layout. Field names are those of the source."""

    name: str
    kind: OneOf["monographs", "triples"]
    version: str
    name_field: str = "name"
    key_field: str = ""
    """A field that names the record itself; its name otherwise."""
    concept: str = ""
    """The concept of every record, where it is not a field."""
    concept_field: str = ""
    synonym_field: str = ""
    synonym_marks: str = ""
    """The characters at which a text of synonyms parts; semicolons where none are given."""
    language: str = ""
    language_field: str = ""
    url_field: str = ""
    identifier_field: str = ""
    evidence_class: EvidenceClass = "monograph"
    parentheses: OneOf["keep", "synonym"] = "keep"
    fields: tuple[FieldRule, ...] = ()
    relations: tuple[tuple[str, RelationRule], ...] = ()
    columns: tuple[str, ...] = ()
    """All of these fields present: the layout is recognised."""
    folders: tuple[str, ...] = ()
    """A file or folder of this name: the layout is recognised."""
    subject_column: str = "subject"
    predicate_column: str = "predicate"
    object_column: str = "object"
