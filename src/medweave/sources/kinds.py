"""Kinds of sources: what one is, and where they are registered.

A kind is a folder of this package. Its `kind.py` ends in `register(Kind(…))`, and nothing else
names it: every folder that has one is found. Recipe and example: CONTRIBUTING, "A kind of source".
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from medweave.model.document import Document, Skipped
from medweave.model.entity import NameMention
from medweave.model.mapping import Mapping
from medweave.model.record import Record
from medweave.model.refinement import Refinement
from medweave.model.statement import Evidence, Statement
from medweave.ports import Progress, no_progress
from medweave.sources.files.row import Cut, Rows

if TYPE_CHECKING:
    from medweave.ports import LanguageModel
    from medweave.sources.mapping.guess import Guess
    from medweave.sources.mapping.sample import Sample
    from medweave.sources.mapping.side_tables import Tables
    from medweave.sources.names import Naming
    from medweave.vocabulary.vocabulary import Vocabulary

Records = Iterator[Record | Skipped | Cut]


@dataclass(frozen=True, slots=True)
class Opened:
    """A file on its way to a kind that reads it."""

    path: Path
    mapping: Mapping
    rows: Rows
    """The rows of the file as the mapping wants them; none where the kind reads it as a whole."""
    tables: Tables
    """What keys in its fields mean."""
    keep_personal_data: bool = False
    progress: Progress = no_progress
    """For a kind that reads for long before it has its first record."""

    @property
    def source(self) -> str:
        """What its documents name as their source."""
        return str(self.path)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What a record says."""

    statements: Sequence[Statement] = ()
    evidence: Sequence[Evidence] = ()
    mentions: Sequence[NameMention] = ()
    skipped: Sequence[Skipped] = ()
    refinement: Refinement | None = None


@dataclass(frozen=True, slots=True)
class Filled:
    """A record with what a language model read in it."""

    record: Record
    dropped: int
    """Answers that did not rest on the record."""
    by_rules: str = ""
    """Why rules have to read it, where nothing of what the model said can be used."""


@dataclass(frozen=True, slots=True)
class ByModel:
    """How records of a kind are read by a language model before extraction."""

    reader: Callable[[str], str]
    """A model by its id, with everything that it is asked: what it reads depends on no more."""
    filled: Callable[[Record, LanguageModel, Naming], Filled]
    """The record with what the model finds. Raises `LanguageModelError`."""
    requests: int
    """For one record at most, where none fails."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """How sources of one kind are recognised, read and extracted.

    A file is read by the mapping that fits its columns (`layouts/*.yaml` in the folder of any
    kind), else by the first kind whose `layout` knows them. Where it is not made of rows, `file`
    recognises it as a whole.
    """

    name: str
    """As `kind:` in a mapping and `medweave add` call it."""
    read: Callable[[Opened], Records]
    extract: Callable[[Record, Naming, str], Extracted]
    """What a record says; the text is the id of the activity, for its evidence."""
    key: Callable[[Record, Naming], Sequence[object]]
    """All that decides what is extracted, besides the text of the document: a change of it means
    that the record is read again."""
    columns: Callable[[Mapping], Iterable[str]] | None = None
    """The columns of a file that a mapping of this kind uses."""
    layout: Callable[[Collection[str], bool], Mapping | None] | None = None
    """How to read a file with these columns, if their names tell; `asked`: somebody says that it
    is of this kind."""
    file: Callable[[Path, bool], Mapping | None] | None = None
    """How to read a file or folder as a whole; None where it is not of this kind, which is not so
    where it is `asked` for as one. Never raises."""
    is_record: Callable[[dict[str, Any]], bool] | None = None
    """Whether an object in JSON is one record, and no list of records with something around it."""
    guess: Callable[[Sample, Vocabulary], Guess | None] | None = None
    """How a file that nobody has described may be read, for a person to look over."""
    last: bool = False
    """Asked after all other kinds: whatever else a file could be, it is that."""
    beginning: Callable[[Record, int], Record] | None = None
    """A record cut to so many rows, to show how it is read."""
    by_model: ByModel | None = None
    ontology: str | None = None
    """By which ontology its sources are read where nobody names one; '' where they are held against
    one only if it is named, None where no ontology means anything to them."""
    again: Callable[[Document], Record] | None = None
    """The record that a document was, where it holds all that was read."""


_registered: dict[str, Kind] = {}


def register(kind: Kind) -> None:
    """Make a kind known; the last line of its folder's `kind.py`."""
    _registered[kind.name] = kind


@cache
def kinds() -> tuple[Kind, ...]:
    """All kinds by name, those behind the others that are asked last.

    >>> [kind.name for kind in kinds()][:3]
    ['abstracts', 'dialogues', 'guideline']
    """
    for file in sorted(Path(__file__).parent.glob("*/kind.py")):
        import_module(f"medweave.sources.{file.parent.name}.kind")
    return tuple(sorted(_registered.values(), key=lambda kind: (kind.last, kind.name)))


def first_rows(record: Record, rows: int) -> Record:
    """A record cut to so many rows, where its kind has many in one."""
    cut = kind_called(record.kind).beginning
    return cut(record, rows) if cut else record


def kind_called(name: str) -> Kind:
    """The kind of this name, which must be one.

    >>> kind_called("triples").name
    'triples'
    """
    return next(kind for kind in kinds() if kind.name == name)


def used_columns(mapping: Mapping) -> frozenset[str]:
    """The columns that a mapping names, as the file has them."""
    used = {column for column, _ in (*mapping.keep, *mapping.without)}
    used |= {rule.column for rule in mapping.join}
    columns = kind_called(mapping.kind).columns
    used |= set(columns(mapping)) if columns else set()
    if mapping.questions:
        used |= {mapping.question_field, mapping.answer_field}
    return frozenset(used - {""})


def layout_of(columns: Collection[str], named: str = "") -> Mapping | None:
    """How to read a file that some kind knows by what its columns are called; `asked` names the
    only one, which is then told that it is."""
    found = (
        kind.layout(columns, bool(named))
        for kind in kinds()
        if kind.layout and named in ("", kind.name)
    )
    return next((mapping for mapping in found if mapping), None)


def known_record(value: dict[str, Any]) -> bool:
    """Whether some kind takes an object in JSON for one record."""
    return any(kind.is_record(value) for kind in kinds() if kind.is_record)


def whole_file(path: Path, named: str = "") -> Mapping | None:
    """How to read a file or folder that some kind reads as a whole; `asked` names the only one."""
    found = (
        kind.file(path, bool(named)) for kind in kinds() if kind.file and named in ("", kind.name)
    )
    return next((mapping for mapping in found if mapping), None)
