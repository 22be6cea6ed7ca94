"""A mapping: how the records of a source are to be read, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as OneOf

from medweave.model.statement import EvidenceClass


@dataclass(frozen=True, slots=True)
class FieldRule:
    """What one field of a record says about the thing the record is about.

    `reading` is `names` (a list of things), `phrases` (a list of conditions such as "children
    under 8 years"), `text` (sentences kept as literals, and read by templates), or `passages` (each
    entry kept as one literal, whole: what is harmless stands beside what is not).
    `predicate` may be any name the vocabulary knows, inverse names included.
    """

    field: str
    predicate: str
    concept: str = ""
    reading: OneOf["names", "phrases", "text", "passages"] = "names"
    marks: str = ""
    """The characters at which a text of names or phrases parts; semicolons where none are given."""
    strip: tuple[str, ...] = ()
    """Texts of the page around it that a value may carry ("[more]") and that are taken off."""
    none: tuple[str, ...] = ()
    """Texts that only say that there is nothing ("no data")."""
    cut: str = ""
    """The sign at the end of a name that was cut short ("..."); such names are left out."""
    table: str = ""
    """The table in which the entries are keys; `name` is the column with what they mean."""
    name: str = ""
    prefixes: tuple[tuple[str, str], ...] = ()
    """How the keys become identifiers; see `EndRule.prefixes`."""


@dataclass(frozen=True, slots=True)
class RelationRule:
    """What one relation of a triple source means: predicate and concepts of both ends."""

    predicate: str
    subject: str = ""
    object: str = ""
    polarity: int = 1
    strength: float | None = None
    otherwise: str = ""
    """The predicate where the first does not take such things: a gene is not used to prevent."""


@dataclass(frozen=True, slots=True)
class EndRule:
    """Where the subject or object of a row of triples is found. All but `concepts` are columns."""

    name: str
    identifier: str = ""
    concept: str = ""
    concepts: tuple[tuple[str, str], ...] = ()
    """The concept for each value of the column `concept`; as it is where there is none."""
    prefixes: tuple[tuple[str, str], ...] = ()
    """How an identifier begins in the source, and how its CURIE begins: the first that fits."""


@dataclass(frozen=True, slots=True)
class TableRule:
    """A file beside the source that says what its keys mean."""

    name: str
    file: str
    """The file's name without suffixes."""
    key: str
    """The column with the keys."""


@dataclass(frozen=True, slots=True)
class JoinRule:
    """A column whose values are keys of a table: its columns are added as `column.its_name`."""

    column: str
    table: str
    key: str = "{}"
    """How the key is made from the value."""
    optional: bool = False
    """Rows without an entry in the table are kept; otherwise they are left out, and counted."""


@dataclass(frozen=True, slots=True)
class CollectRule:
    """A list made from all columns that no rule names: their values, or where `equal` is given the
    names of those that have this value."""

    field: str
    equal: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """How to read one layout. Field names are those of the source."""

    name: str
    kind: str
    """The kind of source that reads the records; '' where `parts` say that for several files."""
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
    files: tuple[str, ...] = ()
    """Only files of these names, without suffixes."""
    header: bool = True
    """Whether the first row names the columns; otherwise they are called "0", "1" and so on."""
    quoted: bool = False
    """Whether cells between tabs may stand in quotes, and so span lines."""
    subject_column: str = "subject"
    predicate_column: str = "predicate"
    object_column: str = "object"
    document_column: str = "document"
    relation: str = ""
    """The relation of every row, where it is not a column."""
    subject: EndRule | None = None
    object: EndRule | None = None
    tables: tuple[TableRule, ...] = ()
    join: tuple[JoinRule, ...] = ()
    keep: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Only rows with one of these values in this column; the rest is left out, and counted."""
    without: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Rows with one of these texts within this column are left out, and counted."""
    collect: tuple[CollectRule, ...] = ()
    cut: str = ""
    """The sign at the end of a name of a record that was cut short; see `FieldRule.cut`."""
    gather: bool = False
    """Rows of one name are one record."""
    questions: tuple[tuple[str, str], ...] = ()
    """Ways of asking about `{name}`, and the field that the answer belongs to."""
    question_field: str = "question"
    answer_field: str = "answer"
    identifier_prefixes: tuple[tuple[str, str], ...] = ()
    xrefs: tuple[tuple[str, str], ...] = ()
    """Fields with further identifiers, and how their CURIEs begin."""
    xref_marks: str = ""
    open_relations: bool = False
    """Relations that the vocabulary does not know are kept as they are called."""
    refined: bool = False
    """Relations that a program read: repeats go, clashing types are settled, all is counted."""
    transcript_field: str = ""
    """A field with all turns of a dialogue: a transcript, or a list of turns."""
    turns: tuple[tuple[str, str], ...] = ()
    """Fields that are turns, in this order, and who speaks: `patient`, `doctor` or `other`."""
    speaker_field: str = ""
    """Where one row is one turn, the column that says who speaks; `text_field` is what is said."""
    text_field: str = ""
    title_field: str = ""
    sections: tuple[tuple[str, str], ...] = ()
    """Fields that hold a section of a dialogue's tree, and which; "@header": the field "header"
    tells. What the template has no section for is kept in the document."""
    sections_field: str = ""
    """A field with a mapping of sections to their texts."""
    section_field: str = ""
    """A field that tells which section the doctor's turns are; `section_values` say what its values
    mean."""
    section_values: tuple[tuple[str, str], ...] = ()
    references: tuple[tuple[str, str], ...] = ()
    """Fields that name other dialogues, and how these are related; '' where the entries tell."""
    also: tuple[str, ...] = ()
    """Fields of a dialogue that are kept in the document and read for nothing."""
    namespace: str = ""
    """Goes before the ids of dialogues that mean nothing outside of their source."""
    domain: str = "medical"
    """What the source is about; sources of two domains are not brought into one base."""
    parts: tuple[Mapping, ...] = ()

    @property
    def everything(self) -> tuple[Mapping, ...]:
        """The mapping itself, or its parts."""
        return self.parts or (self,)

    @property
    def names_kind(self) -> bool:
        """Whether it only names a kind, and the file itself tells all else."""
        return self == Mapping(
            self.name, self.kind, self.version, evidence_class=self.evidence_class
        )
