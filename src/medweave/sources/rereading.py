"""What was read by one ontology, read again by another: the base that the other makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from medweave.errors import MappingError, SourceError
from medweave.graph.decisions import put_decided
from medweave.model.document import Extraction
from medweave.model.record import Record
from medweave.ontology.affected import Affected
from medweave.ports import LanguageModel, Progress, StoreView, no_progress
from medweave.sources.extraction import build_key, extract, kind_read_by
from medweave.sources.kinds import kind_called
from medweave.sources.model_reading import ModelReader
from medweave.sources.names import Naming
from medweave.sources.reading import read_records

_CHUNK = 200
"""Documents that are put at once."""
_UNREAD = "what it says cannot be read by the new ontology"


@dataclass(frozen=True, slots=True)
class Reread:
    """What came and went when documents were read by another ontology; ids, in order."""

    documents: tuple[str, ...]
    """Those that were read, whether or not they now say something else."""
    added: tuple[str, ...]
    removed: tuple[str, ...]
    touched: tuple[str, ...]
    """Those that say, or said, a statement that came or went."""

    def to_json(self) -> dict[str, Any]:
        """The form `statements` of `ontology diff --apply`."""
        return {"added": list(self.added), "removed": list(self.removed)}

    def among(self, affected: Affected) -> Affected:
        """What is affected, with what turned out to be."""
        documents = sorted({*affected.documents, *self.touched})
        statements = sorted({*affected.statements, *self.removed})
        return Affected(tuple(documents), tuple(statements))


def reread(
    store: StoreView,
    old: Naming,
    new: Naming,
    *,
    model: LanguageModel | None = None,
    now: str = "",
    progress: Progress = no_progress,
) -> Reread:
    """Read all documents that were read by the ontology of `old` by that of `new`, or none.

    By the `model` where there is one, as a build would, else by rules. Abstracts are read as the
    base holds them, other sources from their files, which must be as they were. One transaction:
    who stops it changes nothing, and what people decided stays decided.
    Raises `SourceError` for a source that cannot be read again.
    """
    before = _statement_documents(store)
    read: list[str] = []
    reader = ModelReader(model, new) if model else None
    with store.transaction():
        for source in store.sources():
            keys = _read_by(old, store.build_keys(source))
            for made in _chunks(
                _extractions(store, source, keys, by=(old, new), reader=reader, now=now)
            ):
                put_decided(store, made)
                read += [each.document.id for each in made]
                progress(len(read), 0, Path(source).name)
    after = _statement_documents(store)
    added, removed = after.keys() - before.keys(), before.keys() - after.keys()
    touched = [document for name in added for document in after[name]]
    touched += [document for name in removed for document in before[name]]
    return Reread(
        tuple(sorted(read)),
        tuple(sorted(added)),
        tuple(sorted(removed)),
        tuple(sorted(set(touched))),
    )


def _statement_documents(store: StoreView) -> dict[str, frozenset[str]]:
    """The statements that some document says, with those documents; not what was inferred."""
    return {
        each.statement.id: documents
        for each in store.match()
        if (documents := frozenset(item.document for item in each.evidence if not item.inferred))
    }


def _read_by(naming: Naming, keys: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Documents that were read by an ontology, with their kinds and build keys."""
    ontology = naming.ontology
    found = {name: (kind_read_by(key, ontology) if ontology else "", key)
             for name, key in keys.items()}  # fmt: skip
    return {name: pair for name, pair in found.items() if pair[0]}


def _extractions(
    store: StoreView,
    source: str,
    keys: dict[str, tuple[str, str]],
    *,
    by: tuple[Naming, Naming],
    reader: ModelReader | None,
    now: str,
) -> Iterator[Extraction]:
    """What the documents of a source say by the second ontology, read before by the first."""
    held = {name: again for name, (kind, _) in keys.items() if (again := kind_called(kind).again)}
    names = list(held)
    for at in range(0, len(names), _CHUNK):  # whole chunks: the store is written in between
        documents = list(store.documents(names[at : at + _CHUNK]))
        records: Iterable[object] = [held[document.id](document) for document in documents]
        for record in reader.records(records, _never) if reader else records:
            if isinstance(record, Record):
                yield extract(record, by[1], time=now)
    others = {name: key for name, (_, key) in keys.items() if name not in held}
    if others:
        yield from _from_file(source, others, by, now)


def _never(_: Record) -> bool:
    """What the base has was read by another ontology."""
    return False


def _from_file(
    source: str, keys: dict[str, str], by: tuple[Naming, Naming], now: str
) -> Iterator[Extraction]:
    """The same of a source that must be read from its file."""
    missing = dict(keys)
    try:
        for record in read_records(Path(source)):
            if not isinstance(record, Record):
                continue
            # The same key by the old ontology: the same text, read in the same way.
            if missing.get(record.document.id) == build_key(record, by[0]):
                del missing[record.document.id]
                yield extract(record, by[1], time=now)
    except (SourceError, MappingError) as error:
        raise _unreadable(source, f"{_UNREAD}: {error.what}") from error
    if missing:
        changed = f"{len(missing)} of its documents are not as they were, or were read otherwise"
        raise _unreadable(source, f"{_UNREAD}: {changed}")


def _unreadable(source: str, what: str) -> SourceError:
    remedy = "build it again with --ontology and the new one, or remove it; nothing was changed"
    return SourceError(what, where=source, remedy=remedy)


def _chunks(made: Iterable[Extraction]) -> Iterator[list[Extraction]]:
    chunk: list[Extraction] = []
    for each in made:
        chunk.append(each)
        if len(chunk) == _CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk
