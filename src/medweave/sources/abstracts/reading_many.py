"""Abstracts of many files read at once, into no base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from medweave.errors import SourceError
from medweave.model.document import Skipped
from medweave.model.ontology import Ontology
from medweave.model.record import Record
from medweave.ontology.loading import SHIPPED, ontology_in
from medweave.sources.abstracts.entities.known_names import Lender
from medweave.sources.abstracts.extracted import ReadAbstract
from medweave.sources.abstracts.extraction import read_abstract
from medweave.sources.abstracts.labelled.documents import labelled_documents
from medweave.sources.abstracts.layouts import NAME
from medweave.sources.abstracts.readers import AbstractReader, LearnedReader, RuleReader
from medweave.sources.abstracts.reading import TEXT
from medweave.sources.mapping.layouts import kind_mapping
from medweave.sources.names import Naming
from medweave.sources.reading import read_records, source_files


@dataclass(frozen=True, slots=True)
class ReadAbstracts:
    """What was read in sources, and what could not be."""

    documents: Sequence[ReadAbstract]
    skipped: Sequence[Skipped]

    def to_json(self) -> dict[str, Any]:
        """What `medweave extract --json` prints."""
        skipped = [
            {"file": each.file, "line": each.line, "reason": each.reason} for each in self.skipped
        ]
        documents = [document.to_json() for document in self.documents]
        return {"documents": documents, "skipped": skipped, "usage": {}}


def extract(
    sources: Sequence[Path],
    naming: Naming,
    *,
    ontology: str = SHIPPED,
    labelled: Path | None = None,
    lender: Lender | None = None,
) -> ReadAbstracts:
    """What abstracts name and say: by rules, or as `labelled` documents teach.

    `lender` finds names besides those that ship. Raises `SourceError`, `OntologyError`.
    """
    named = ontology_in(ontology)
    by_rules = RuleReader.of(named, lender)
    if labelled is None:
        return read_all(sources, by_rules, naming, named)
    taught = labelled_documents(labelled)
    read = read_all(sources, LearnedReader.learn(taught.documents, by_rules.names), naming)
    return replace(read, skipped=(*taught.skipped, *read.skipped))


def read_all(
    sources: Sequence[Path],
    reader: AbstractReader,
    naming: Naming,
    ontology: Ontology | None = None,
) -> ReadAbstracts:
    """What a reader finds in the abstracts of files and folders.

    The same text under one id is one document, whatever files it comes in; two texts under one id
    are both read, and told of. Raises `SourceError` where no file can be read.
    """
    skipped: list[Skipped] = []
    documents: dict[tuple[str, str], ReadAbstract] = {}
    texts: dict[str, str] = {}
    for record in _records(sources, skipped):
        document = record.document
        text = document.text(TEXT)
        if texts.setdefault(document.name, text) != text:
            reason = f"another text under the id '{document.name}' was read before: both are kept"
            skipped.append(Skipped(document.source, document.line, reason))
        if (document.name, text) not in documents:
            read = read_abstract(document, reader, naming, ontology)
            documents[document.name, text] = read
    return ReadAbstracts(tuple(documents.values()), tuple(skipped))


def texts_of(sources: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """The abstracts of files and folders: each different text with its id, once."""
    seen: set[tuple[str, str]] = set()
    for record in _records(sources, []):
        found = record.document.name, record.document.text(TEXT)
        if found not in seen:
            seen.add(found)
            yield found


def _records(sources: Sequence[Path], skipped: list[Skipped]) -> Iterable[Record]:
    """The records of all files; what cannot be read is added to `skipped`."""
    mapping = kind_mapping(NAME)
    for path in source_files(list(sources), mapping):
        try:
            for row in read_records(path, mapping):
                if isinstance(row, Record):
                    yield row
                else:
                    skipped.append(row if isinstance(row, Skipped) else row.skipped)
        except SourceError as error:
            skipped.append(Skipped(str(path), 0, error.what))
