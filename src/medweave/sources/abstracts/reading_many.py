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
from medweave.ports import LanguageModel
from medweave.sources.abstracts import by_model
from medweave.sources.abstracts.entities.known_names import Lender
from medweave.sources.abstracts.extracted import ReadAbstract
from medweave.sources.abstracts.extraction import read_record
from medweave.sources.abstracts.labelled.documents import labelled_documents
from medweave.sources.abstracts.layouts import NAME
from medweave.sources.abstracts.prompt import Examples
from medweave.sources.abstracts.readers import (
    AbstractReader,
    LearnedReader,
    RuleReader,
    abstract_ontology,
)
from medweave.sources.abstracts.reading import TEXT
from medweave.sources.kinds import ByModel
from medweave.sources.mapping.layouts import kind_mapping
from medweave.sources.model_plan import ModelPlan, planned
from medweave.sources.model_reading import ModelReader, ModelReport
from medweave.sources.names import Naming
from medweave.sources.reading import read_records, source_files


@dataclass(frozen=True, slots=True)
class ReadAbstracts:
    """What was read in sources, and what could not be."""

    documents: Sequence[ReadAbstract]
    skipped: Sequence[Skipped]
    by_model: ModelReport | None = None
    """What a model did, where one read."""

    def to_json(self) -> dict[str, Any]:
        """What `medweave extract --json` prints."""
        skipped = [
            {"file": each.file, "line": each.line, "reason": each.reason} for each in self.skipped
        ]
        documents = [document.to_json() for document in self.documents]
        told = self.by_model
        model = {"usage": told.model.to_json(), "left": told.left} if told else {"usage": {}}
        return {"documents": documents, "skipped": skipped, **model}


def extract(
    sources: Sequence[Path],
    naming: Naming,
    *,
    labelled: Path | None = None,
    lender: Lender | None = None,
    model: LanguageModel | None = None,
) -> ReadAbstracts:
    """What abstracts name and say, by the ontology of `naming`: by rules, as `labelled` documents
    teach, or as a model reads, which these are examples for.

    `lender` finds names besides those that ship. Raises `SourceError`, `OntologyError`.
    """
    ontology = abstract_ontology(naming)
    by_rules = RuleReader.of(ontology, lender)
    if labelled is None and model is None:
        return read_all(sources, by_rules, naming, ontology)
    taught = labelled_documents(labelled) if labelled else None
    if model:
        examples = Examples(taught.documents if taught else ())
        reader = ModelReader(model, naming, how=how_by_model(examples))
        read = read_all(sources, by_rules, naming, ontology, reader)
    else:
        documents = taught.documents if taught else ()
        read = read_all(sources, LearnedReader.learn(documents, by_rules.names), naming)
    return replace(read, skipped=(*(taught.skipped if taught else ()), *read.skipped))


def model_plan(
    sources: Sequence[Path], naming: Naming, kept: LanguageModel, *, labelled: Path | None = None
) -> ModelPlan:
    """What a model would be asked of which `kept` has the replies; nothing is asked."""
    examples = Examples(labelled_documents(labelled).documents if labelled else ())
    records = _different(_records(sources, []), [])
    return planned(records, kept, naming, how_by_model(examples))


def how_by_model(examples: Examples) -> ByModel:
    """How a model reads abstracts, with these examples."""
    return ByModel(by_model.reader, by_model.AbstractsByModel(examples).filled, by_model.REQUESTS)


def read_all(
    sources: Sequence[Path],
    reader: AbstractReader,
    naming: Naming,
    ontology: Ontology | None = None,
    by_model: ModelReader | None = None,
) -> ReadAbstracts:
    """What a reader finds in the abstracts of files and folders, and a model before it.

    The same text under one id is one document, whatever files it comes in; two texts under one id
    are both read, and told of. Raises `SourceError` where no file can be read.
    """
    skipped: list[Skipped] = []
    documents: list[ReadAbstract] = []
    found: Iterable[object] = _different(_records(sources, skipped), skipped)
    for record in by_model.records(found, lambda _: False) if by_model else found:
        if isinstance(record, Record):
            documents.append(read_record(record, reader, naming, ontology))
        elif isinstance(record, Skipped):
            skipped.append(record)
    return ReadAbstracts(documents, skipped, by_model.report if by_model else None)


def _different(records: Iterable[Record], skipped: list[Skipped]) -> Iterator[Record]:
    """Each different text with its id, once; of two under one id, `skipped` tells."""
    texts: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for record in records:
        document = record.document
        text = document.text(TEXT)
        if texts.setdefault(document.name, text) != text:
            reason = f"another text under the id '{document.name}' was read before: both are kept"
            skipped.append(Skipped(document.source, document.line, reason))
        if (document.name, text) not in seen:
            seen.add((document.name, text))
            yield record


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
